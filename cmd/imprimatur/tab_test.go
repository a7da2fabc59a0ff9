package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// look is how somebody looks at the pages.
type look struct {
	lang   string
	width  int64
	scheme string // light or dark
}

func (l look) String() string { return fmt.Sprintf("%s-%d-%s", l.lang, l.width, l.scheme) }

// tab is somebody at a Chromium of their own.
type tab struct {
	look
	ctx context.Context
	url string // of the demonstration

	mu      sync.Mutex
	strange []string // what no page may cause: requests to others, errors on the console
}

// openTab starts a browser. Its pages are the demonstration's.
func openTab(t *testing.T, s *shown, l look) *tab {
	t.Helper()
	allocator, end := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)), chromedp.UserDataDir(t.TempDir()), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))...)
	t.Cleanup(end)
	ctx, closeIt := chromedp.NewContext(allocator)
	t.Cleanup(closeIt)
	b := &tab{ctx: ctx, url: s.URL}
	t.Cleanup(func() { b.complain(t, "after the last page") })
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		withoutBrowser(t, fmt.Sprintf("Chromium does not start here: %v", err))
	}
	// Only now: the first context is the browser itself.
	limited, cancel := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	b.ctx = limited
	if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	b.turn(t, l)
	return b
}

// chromium is the path of the browser.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	withoutBrowser(t, "Chromium is not installed: apt-get install chromium")
	return ""
}

// withoutBrowser skips a test, which nobody may where nothing is left out.
func withoutBrowser(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// listen notes what no page may cause.
func (b *tab) listen(ev any) {
	said := ""
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		if ev.Request.URL != b.url && !strings.HasPrefix(ev.Request.URL, b.url+"/") {
			said = "a request to " + ev.Request.URL
		}
	case *log.EventEntryAdded:
		if ev.Entry.Level == log.EntryLevelError {
			said = "on the console: " + ev.Entry.Text + " " + ev.Entry.URL
		}
	case *runtime.EventConsoleAPICalled:
		said = "on the console: " + string(ev.Type)
	case *runtime.EventExceptionThrown:
		said = "thrown: " + ev.ExceptionDetails.Text
	}
	if said != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.strange = append(b.strange, said)
	}
}

// turn changes how the pages are looked at.
func (b *tab) turn(t *testing.T, l look) {
	t.Helper()
	b.look = l
	size := chromedp.EmulateViewport(l.width, 900)
	if l.width < 600 {
		size = chromedp.EmulateViewport(l.width, 812, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	if err := chromedp.Do(b.ctx, size); err != nil {
		t.Fatal(err)
	}
	scheme := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.scheme}}}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, scheme); err != nil {
		t.Fatal(err)
	}
}

// visit opens an address; press uses a link or a button. Both hold the page
// that follows against what every page promises.
func (b *tab) visit(t *testing.T, path, title string) {
	t.Helper()
	b.follow(t, title, chromedp.Navigate(b.url+path))
}

func (b *tab) press(t *testing.T, button, title string) {
	t.Helper()
	b.follow(t, title, chromedp.Click(chromedp.CSS(button), chromedp.NodeVisible))
}

func (b *tab) follow(t *testing.T, title string, step chromedp.Action[chromedp.Void]) {
	t.Helper()
	answer, err := chromedp.RunResponse(b.ctx, step)
	if err != nil {
		t.Fatalf("on the way to %q: %v", title, err)
	}
	if answer.Status != http.StatusOK {
		t.Errorf("%s: %d", answer.URL, answer.Status)
	}
	b.hold(t, title)
}

// sight is what the browser made of a page.
type sight struct {
	Address, Title, Lang, Scheme string
	Headings, Scripts            int
	Width                        int64
	Wide                         []string // what stands out to the right
}

// Scripts are off for pages, not for whoever drives the browser.
const see = `({
	Address: location.href, Title: document.title, Lang: document.documentElement.lang,
	Scheme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
	Headings: document.querySelectorAll("h1").length, Scripts: document.scripts.length,
	Width: document.documentElement.scrollWidth,
	Wide: [...document.body.querySelectorAll("*")].filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
		.map(e => e.outerHTML.slice(0, 80)).slice(0, 3),
})`

// hold holds the page against what every page promises. Its title begins with
// the state.
func (b *tab) hold(t *testing.T, title string) {
	t.Helper()
	s, err := chromedp.Run(b.ctx, chromedp.Evaluate[sight](see))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(s.Title, title) || !strings.HasSuffix(s.Title, " – Imprimatur") {
		t.Fatalf("%s: the title is %q, want one that begins with %q", s.Address, s.Title, title)
	}
	if s.Lang != b.lang || s.Headings != 1 || s.Scripts != 0 || s.Scheme != b.scheme {
		t.Errorf("%s: in %q and %s, %d main headings, %d scripts; it was opened as %s", s.Address, s.Lang, s.Scheme, s.Headings, s.Scripts, b.look)
	}
	if s.Width > b.width {
		t.Errorf("%s: %d pixels wide on %d, because of %q", s.Address, s.Width, b.width, s.Wide)
	}
	b.complain(t, s.Address)
}

// complain fails the test for what was noted up to here.
func (b *tab) complain(t *testing.T, where string) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, what := range b.strange {
		t.Errorf("%s: %s", where, what)
	}
	b.strange = nil
}

// read is what a person reads at a place of the page.
func (b *tab) read(t *testing.T, place string) string {
	t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Text(chromedp.CSS(place)))
	if err != nil {
		t.Fatalf("nothing to read at %s: %v", place, err)
	}
	return strings.Join(strings.Fields(text), " ")
}

// says wants texts at a place of the page.
func (b *tab) says(t *testing.T, place string, want ...string) {
	t.Helper()
	text := b.read(t, place)
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%s does not say %q: %s", place, w, text)
		}
	}
}

// values are those of an attribute, of all elements at a place, in their order.
func (b *tab) values(t *testing.T, place, attribute string) []string {
	t.Helper()
	found, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](
		fmt.Sprintf(`[...document.querySelectorAll(%q)].map(e => e.getAttribute(%q) ?? "")`, place, attribute)))
	if err != nil {
		t.Fatalf("look for %s: %v", place, err)
	}
	return found
}

// lacks wants nothing at a place.
func (b *tab) lacks(t *testing.T, place string) {
	t.Helper()
	if n := len(b.values(t, place, "id")); n != 0 {
		t.Errorf("there is %s, %d times", place, n)
	}
}

// do uses something that leads to no other page.
func (b *tab) do(t *testing.T, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// enter opens the link of somebody and presses its button.
func (b *tab) enter(t *testing.T, link, page, inbox string) {
	t.Helper()
	b.visit(t, strings.TrimPrefix(link, b.url), page)
	b.lacks(t, "header nav")
	b.press(t, "main form button", inbox)
}

// picture keeps what the page looks like where somebody asked for it.
func (b *tab) picture(t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv("IMPRIMATUR_SCREENSHOTS")
	if dir == "" {
		return
	}
	image, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, b.look.String()+"-"+name+".png"), image, 0o600)
	}
	if err != nil {
		t.Errorf("take a picture: %v", err)
	}
}
