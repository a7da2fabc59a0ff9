package main

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

// What people do with the pages, in a real browser with scripts switched off:
// the pages have none, and are complete without.

func TestBrowserApprovalOfWhatMovedComesBackOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := show(t, "--data", dir)
	b := openTab(t, s, look{"en", 1280, "light"})
	b.enter(t, s.Users[1].SignIn, "Sign in", "Waiting (16)")
	b.says(t, "h1 + .state", "16 runs wait for a decision, the oldest first.")
	var oldest []string
	for _, kind := range []string{
		"back", "small_edit", "long_text", "relative", "two_calls", "element", "new_page", "moved",
		"translated", "new_record", "described", "published", "deleted", "failed", "hostile", "withheld",
	} {
		oldest = append(oldest, "/runs/"+runOf(t, dir, kind))
	}
	if diff := cmp.Diff(oldest, b.values(t, "#list > li > a", "href")); diff != "" {
		t.Errorf("what waits (-want +got)\n%s", diff)
	}

	run := runOf(t, dir, "relative")
	b.press(t, `#list a[href="/runs/`+run+`"]`, "Waiting: ")
	b.says(t, ".card", "Currently 0 Proposed 1", "derzeit 0, danach 1", "lighthouse.png")
	b.press(t, ".strip button", "Waiting: ")
	b.says(t, ".strip", "Thore Lund has just added a picture")
	b.says(t, ".card", "Currently 0 Proposed 1")

	b.press(t, "button.yes", "Waiting: ")
	b.says(t, "#outcome", "Nothing was written: the run is back again.")
	b.says(t, ".card .back", "Back again.", "Nothing was written.")
	b.says(t, ".change.moved", "Currently 1 previously approved: 0", "Proposed 2 previously approved: 1")
	b.says(t, ".card", "derzeit 1, danach 2")
	b.happened(t, s, run, map[string]int{"approval": 1, "stale": 1})
	b.visit(t, "/", "Waiting (16)") // the count is still that of all

	b.visit(t, "/runs/"+run, "Waiting: ")
	b.lacks(t, "#outcome") // it was for the page behind the button
	b.press(t, "button.yes", "Finished: ")
	b.says(t, "#outcome", "Approved. The agent has finished.")
	b.picture(t, "approved")
	b.happened(t, s, run, map[string]int{"approval": 2, "stale": 1, "start": 1, "settled": 1})

	b.visit(t, "/runs/"+run, "Finished: ")
	b.says(t, ".result", "Approved by you")
	b.says(t, "ul.ran", "Add file to content element: done")
	b.says(t, ".card", "What was shown", "derzeit 1, danach 2", "lighthouse.png")
	b.lacks(t, "form.decide")
	b.visit(t, "/", "Waiting (15)")
	b.says(t, "ul.rows.quiet li", "Add file to content element", "Finished")
}

// happened wants events of a run, as the administrator may read them: so many
// of each of the kinds that tell a decision and a write, and no others of them.
func (b *tab) happened(t *testing.T, s *shown, run string, want map[string]int) {
	t.Helper()
	header := http.Header{"Authorization": {"Bearer " + s.Users[2].Token}}
	status, body := fetched(t, browser(t), http.MethodGet, s.URL+"/api/v1/runs/"+run+"/events", header, nil)
	var all []struct {
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal([]byte(body), &all); err != nil || status != http.StatusOK {
		t.Fatalf("events of %s: %d %v\n%s", run, status, err, body)
	}
	got := map[string]int{}
	for _, e := range all {
		switch e.Kind {
		case "approval", "governance", "stale", "start", "settled":
			got[e.Kind]++
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events of %s (-want +got)\n%s", run, diff)
	}
}

func TestBrowserDenialInGermanOnAPhone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := show(t, "--data", dir)
	b := openTab(t, s, look{"de", 375, "dark"})
	b.enter(t, s.Users[0].SignIn, "Anmelden", "Wartet (16)")
	run := runOf(t, dir, "long_text")
	b.press(t, `#list a[href="/runs/`+run+`"]`, "Wartet: ")
	b.says(t, ".card ins", "Danach lag für einige Jahre das Rettungsboot der Insel im Erdgeschoss.")
	b.do(t, chromedp.Click(chromedp.CSS("details.deny summary")),
		chromedp.SendKeys(chromedp.CSS("#reason"), "Das Boot lag nebenan.\nBitte im Archiv nachsehen."),
		chromedp.Click(chromedp.CSS(".denial input[type=checkbox]")))
	b.picture(t, "denial")
	b.press(t, "button.no", "Beendet: ")
	b.says(t, "#outcome", "Abgelehnt. Es wurde nichts geschrieben; der Agent weiß Bescheid.")
	b.says(t, ".result", "Was daraus wurde", "Abgelehnt von Ihnen")
	b.says(t, ".card", "Was gezeigt wurde", "das Rettungsboot der Insel")
	b.picture(t, "denied")
	b.happened(t, s, run, map[string]int{"approval": 1, "settled": 1})
	b.visit(t, "/", "Wartet (15)")
}

func TestBrowserWithheldCardCanOnlyBeDenied(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := show(t, "--data", dir)
	b := openTab(t, s, look{"en", 1280, "dark"})
	b.enter(t, s.Users[1].SignIn, "Sign in", "Waiting (16)")
	card := "/runs/" + runOf(t, dir, "withheld")
	b.visit(t, card, "Waiting: ")
	b.says(t, ".card", "You may not read the record this call concerns")
	b.lacks(t, "button[value=approve]")
	b.picture(t, "withheld")
	b.do(t, chromedp.Click(chromedp.CSS("details.deny summary")))
	b.press(t, "button.no", "Finished: ")
	b.says(t, "#outcome", "Denied. Nothing was written; the agent was told.")
	b.says(t, ".result", "Denied by you")
	b.happened(t, s, runOf(t, dir, "withheld"), map[string]int{"approval": 1, "settled": 1})

	b.press(t, ".me form button", "Sign in")
	b.visit(t, card, "Sign in")
	b.lacks(t, ".card")
	b.says(t, "main", "You can sign in with a link that works once.")
}

func TestBrowserPagesFitEveryScreen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := show(t, "--data", dir)
	for lang, who := range map[string]struct {
		user                int
		login, inbox, waits string
	}{
		"en": {1, "Sign in", "Waiting (16)", "Waiting: "},
		"de": {0, "Anmelden", "Wartet (16)", "Wartet: "},
	} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			b := openTab(t, s, look{lang, 320, "light"})
			b.enter(t, s.Users[who.user].SignIn, who.login, who.inbox)
			for _, kind := range []string{"small_edit", "long_text", "two_calls", "failed", "hostile", "withheld"} {
				b.visit(t, "/runs/"+runOf(t, dir, kind), who.waits)
				b.picture(t, kind)
			}
			for _, width := range []int64{375, 1280} {
				for _, scheme := range []string{"light", "dark"} {
					b.turn(t, look{lang, width, scheme})
					b.visit(t, "/", who.inbox)
					b.picture(t, "inbox")
					b.visit(t, "/runs/"+runOf(t, dir, "relative"), who.waits)
					b.picture(t, "card")
					b.visit(t, "/runs/"+runOf(t, dir, "back"), who.waits)
					b.picture(t, "bounce")
				}
			}
		})
	}
}
