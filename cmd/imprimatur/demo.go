package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/demo"
	"github.com/imprimatur-dev/imprimatur/editorial"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/inbox"
	"github.com/imprimatur-dev/imprimatur/internal/web"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/model/scripted"
	"github.com/imprimatur-dev/imprimatur/policy"
	"github.com/imprimatur-dev/imprimatur/store"
	"github.com/imprimatur-dev/imprimatur/tool/fetch"
)

type demoCmd struct {
	Listen     string `default:"127.0.0.1:0" placeholder:"HOST:PORT" help:"Where to listen; port 0 takes a free one."`
	Data       string `placeholder:"DIR" help:"Folder to keep everything in; a temporary one where absent."`
	NoOpen     bool   `help:"Do not open a browser."`
	JSON       bool   `name:"json" help:"Print {\"url\": …, \"users\": […]} as the first line once it accepts."`
	Catalogues string `placeholder:"DIR" help:"Folder with further languages, as the key catalogues of a configuration names one."`
	Lang       string `placeholder:"LANG" help:"Language of the administrator and of what is printed, for instance de; English where absent."`
}

// Example implements exampled.
func (demoCmd) Example() string { return "imprimatur demo" }

// Run shows the museum until the process is told to end. What it made in a
// temporary folder is gone then.
func (c *demoCmd) Run(a *app) (err error) {
	ctx, stop := signal.NotifyContext(a.ctx, syscall.SIGHUP) // a terminal that is closed
	defer stop()
	dir := c.Data
	if dir == "" {
		if dir, err = os.MkdirTemp("", "imprimatur-demo-"); err != nil {
			return fmt.Errorf("make a temporary folder: %s", why(err))
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make %s: %s", dir, why(err))
	}
	d, err := c.open(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	return c.show(ctx, a, d)
}

// demonstration is a museum that is open.
type demonstration struct {
	*base
	museum *demo.Museum
	texts  []fs.FS // of the catalogue
	*staff
	log *slog.Logger
	end []func() error // in the order of opening
}

// close ends what was opened, the last first.
func (d *demonstration) close() error {
	var wrong []error
	for i := len(d.end) - 1; i >= 0; i-- {
		wrong = append(wrong, d.end[i]())
	}
	return errors.Join(wrong...)
}

// open opens what is in the folder, makes what is not there yet, and fills the
// inbox. The demonstration keeps no secrets and therefore seals nothing.
func (c *demoCmd) open(ctx context.Context, dir string) (*demonstration, error) {
	d := &demonstration{}
	if err := d.open(ctx, dir, c); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

func (d *demonstration) open(ctx context.Context, dir string, c *demoCmd) error {
	file, err := os.OpenFile(filepath.Join(dir, "demo.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the log of the demonstration: %s", why(err))
	}
	d.end = append(d.end, file.Close)
	d.log = slog.New(slog.NewTextHandler(file, nil))
	languages, err := d.read(c.Catalogues)
	if err != nil {
		return err
	}
	if err := d.openStore(ctx, dir, c.Catalogues); err != nil {
		return err
	}
	if d.museum, err = demo.Seed(ctx, d.repo, d.store, dir, demo.Options{Lang: c.Lang, Languages: languages}); err != nil {
		return err
	}
	if d.staff, err = d.hire(ctx); err != nil {
		return err
	}
	d.end = append(d.end, d.finish)
	_, err = d.museum.Fill(ctx, d.engine)
	return err
}

// read finds the texts, those in a folder of further languages included, and
// says which languages those are.
func (d *demonstration) read(folder string) (languages []string, err error) {
	d.texts = []fs.FS{demo.Catalogue()}
	if folder == "" {
		return nil, nil
	}
	dir := os.DirFS(folder)
	if _, err := fs.ReadDir(dir, "."); err != nil {
		return nil, fmt.Errorf("--catalogues: %s: %s", folder, why(err))
	}
	labels, languages, err := demo.Further(dir)
	if err != nil {
		return nil, err
	}
	d.texts = append(append(d.texts, dir), labels...)
	return languages, nil
}

func (d *demonstration) openStore(ctx context.Context, dir, catalogues string) (err error) {
	cfg := &loaded{file: filepath.Join(dir, "demo.yaml")} // there is no such file; its folder counts
	cfg.Database = value[string]{V: "sqlite:demo.db", Set: true}
	cfg.Seal.None = true
	cfg.schemas = demo.Schemas()
	if catalogues != "" {
		if catalogues, err = filepath.Abs(catalogues); err != nil {
			return fmt.Errorf("--catalogues: %s", why(err))
		}
		cfg.Catalogues = value[string]{V: catalogues, Set: true}
	}
	cfg.Content.Storages = map[string]value[string]{demo.Storage: {V: "./" + demo.Storage, Set: true}}
	sc, err := cfg.store(d.log)
	if err != nil {
		return err
	}
	if err := store.Migrate(ctx, sc); err != nil {
		return err
	}
	if d.base, err = openBase(ctx, cfg, d.log); err != nil {
		return err
	}
	d.end = append(d.end, d.store.Close)
	unlock, err := d.store.Lock()
	if err != nil {
		return err
	}
	d.end = append(d.end, unlock)
	return nil
}

func (d *demonstration) hire(ctx context.Context) (*staff, error) {
	script, err := scripted.Load(demo.Script())
	if err != nil {
		return nil, fmt.Errorf("script of the demonstration: %w", err)
	}
	rules, err := policy.New(policy.Config{})
	if err != nil {
		return nil, err
	}
	web, err := fetch.New(fetch.Config{Allow: []string{"example.org"}})
	if err != nil {
		return nil, err
	}
	tools := append(editorial.Tools(d.repo), web)
	return hire(ctx, d.store, engine.Config{
		Store: d.store, Models: map[string]model.Model{"script": script}, Agents: []imprimatur.Agent{demo.Agent("script")},
		Tools: append(tools, d.museum.Tools()...), Policy: rules,
		Catalogues: d.texts, Logger: d.log,
	}, d.cfg.database(), d.cfg.workers())
}

// show serves the museum and says how to get in.
func (c *demoCmd) show(ctx context.Context, a *app, d *demonstration) (err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	address := "http://" + reachable(listener.Addr())
	handler, err := surfaces(surfacesConfig{
		Engine: d.engine, Store: d.store, URL: address, Log: d.log, Strip: d.strip,
		Routes: []web.Route{{Pattern: "POST /demo/change", Handle: d.change}},
	})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	guests, err := d.invite(ctx, address)
	if err == nil {
		err = c.welcome(ctx, a, d, address, guests)
	}
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	stopped := make(chan struct{})
	go func() { defer close(stopped); keepHouse(ctx, d.store, d.cfg.retention(), d.log) }()
	err = serveHTTP(ctx, listener, handler, d.log)
	<-stopped
	err = errors.Join(err, d.store.EndLinks(context.WithoutCancel(ctx)))
	for _, g := range guests {
		err = errors.Join(err, d.store.RevokeToken(context.WithoutCancel(ctx), g.tokenID))
	}
	if !c.JSON {
		farewell(a, d.engine.Catalogue().Printer(c.Lang))
	}
	return err
}

// reachable is an address that a browser on this machine can open.
func reachable(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return addr.String()
}

// guest is somebody who may come in.
type guest struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Lang   string `json:"lang"`
	Admin  bool   `json:"admin"`
	SignIn string `json:"sign_in"`
	Token  string `json:"token"`

	tokenID string
}

// invite makes a sign-in link and a token for each of the people.
func (d *demonstration) invite(ctx context.Context, address string) ([]guest, error) {
	var guests []guest
	for _, u := range d.museum.People() {
		secret, err := d.store.CreateLink(ctx, store.NewLink{User: u.ID, Lasting: true})
		if err != nil {
			return nil, err
		}
		id, token, err := d.store.CreateToken(ctx, store.NewToken{Kind: store.TokenPerson, User: u.ID})
		if err != nil {
			return nil, err
		}
		guests = append(guests, guest{u.ID, u.Name, cmp.Or(u.Lang, catalogue.English), u.Admin, address + "/login/" + secret, token, id})
	}
	return guests, nil
}

// strip is what stands above the pages of the inbox.
func (d *demonstration) strip(ctx context.Context, actor imprimatur.Actor, run string) (inbox.Strip, bool) {
	hint, ok := d.museum.Hint(ctx, d.engine, actor, run)
	if !ok {
		return inbox.Strip{}, false
	}
	words := d.engine.Catalogue().Printer(actor.Lang)
	s := inbox.Strip{Text: words.Phrase(hint.Phrase), Action: "/demo/change"}
	if hint.Button.Label != "" {
		s.Button = words.Phrase(hint.Button)
	}
	return s, true
}

// maxChange bounds the form of the button, in bytes.
const maxChange = 4 << 10

// change makes the change behind a card and goes back to it.
func (d *demonstration) change(w http.ResponseWriter, r *http.Request, v *web.Visit) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxChange)
	if err := r.ParseForm(); err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return err
		}
		return imprimatur.BadRequest("the form is malformed")
	}
	run := r.PostForm.Get("run")
	if err := d.museum.Change(r.Context(), d.engine, v.Actor, run); err != nil {
		return err
	}
	http.Redirect(w, r, "/runs/"+url.PathEscape(run), http.StatusSeeOther)
	return nil
}

// welcome says how to get in: to a program in one line, to people in a few.
func (c *demoCmd) welcome(ctx context.Context, a *app, d *demonstration, address string, guests []guest) error {
	if c.JSON {
		return a.jsonLine(struct {
			URL   string  `json:"url"`
			Users []guest `json:"users"`
		}{address, guests})
	}
	words := d.engine.Catalogue().Printer(c.Lang)
	say := func(label imprimatur.Label, values map[string]any) string {
		return plain(spoken(words.Say(label, values)))
	}
	fmt.Fprintf(a.out, "%s\n\n%s\n", say("ui.demo.ready", map[string]any{"url": address}), say("ui.demo.people", nil))
	for i, role := range []imprimatur.Label{"ui.demo.editor", "ui.demo.approver", "ui.demo.admin", "ui.demo.french"} {
		if i == len(guests) {
			break
		}
		fmt.Fprintf(a.out, "\n  %s: %s\n  %s\n", plain(guests[i].Name), say(role, nil), guests[i].SignIn)
	}
	approver := guests[1]
	button := d.engine.Catalogue().Printer(approver.Lang).Say("ui.demo.button", map[string]any{"name": guests[2].Name})
	fmt.Fprintf(a.out, "\n%s\n", say("ui.demo.steps", map[string]any{"approver": approver.Name, "button": button}))
	if c.Data == "" {
		fmt.Fprintln(a.out, say("ui.demo.stop", nil))
	} else {
		fmt.Fprintln(a.out, say("ui.demo.stop_kept", map[string]any{"folder": c.Data}))
	}
	if !c.NoOpen && a.interactive() {
		if err := browse(ctx, approver.SignIn); err != nil {
			a.say("%s", say("ui.demo.no_browser", nil))
		}
	}
	return nil
}

// browse opens a page in the browser of whoever sits at this machine.
func browse(ctx context.Context, page string) error {
	name := "xdg-open"
	if runtime.GOOS == "darwin" {
		name = "open"
	}
	cmd := exec.CommandContext(ctx, name, page)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // only so that no zombie stays; the page is open or it is not
	return nil
}

// farewell says how to go on with a real model.
func farewell(a *app, words *catalogue.Printer) {
	fmt.Fprintf(a.out, "\n%s\n\n", plain(spoken(words.Say("ui.demo.next", nil))))
	fmt.Fprint(a.out, `  {seal: none, tools: {editorial: {enabled: true}}, models: {local: {kind: openai, base_url: "http://127.0.0.1:11434/v1", model: qwen3}}, agents: {editor: {model: local}}}
  imprimatur serve --config imprimatur.yaml
  curl -H "Authorization: Bearer $(imprimatur token create --config imprimatur.yaml --user NAME)" -H "Content-Type: application/json" -d '{"agent":"editor","prompt":"…"}' http://127.0.0.1:8080/api/v1/runs
`)
}
