package inbox

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// Lengths of the lists.
const (
	maxWaiting = 100
	maxEnded   = 20
	maxQuery   = 200 // characters
	maxNamed   = 3   // tools of a row
	oneLook    = 5   // runs that need no search
)

// listPage is the inbox itself.
type listPage struct {
	web.Page
	Query    string
	Back     bool // only what came back
	Filtered bool
	Search   bool // the list is long enough to be searched
	Total    int
	Many     bool // there may be more than Total
	Waiting  listPart
	Ended    listPart
	Later    bool   // not the first page
	More     string // address of the next page; empty on the last
}

// listPart is one list, or that it could not be read: an error never looks
// like an empty list.
type listPart struct {
	Rows    []row
	Problem *problem
}

// row is one run of a list. Lists never show lines of a preview.
type row struct {
	Run    string
	Tools  []toolName
	More   int // tools beyond those named
	Agent  string
	Owner  string
	Calls  int
	Back   bool
	Status imprimatur.Status
	Reason imprimatur.Reason
	When   *web.Moment
	Open   bool // there is something behind it that this visitor may see
}

// toolName is what a tool is called: in the words of the page, or, where these
// have none, by its own name.
type toolName struct {
	Text string
	Wire bool
}

func (in *Inbox) showList(w http.ResponseWriter, r *http.Request, v *web.Visit) error {
	query := r.URL.Query()
	filter := imprimatur.Filter{
		Status: imprimatur.StatusWaiting, Limit: maxWaiting, Cursor: query.Get("cursor"),
		Query: imprimatur.Cut(query.Get("q"), maxQuery), Back: query.Get("back") == "1",
	}
	waiting, err := in.Desk.Waiting(r.Context(), v.Actor, filter)
	if code(err) == imprimatur.CodeBadRequest {
		return err
	}
	page := listPage{
		Query: filter.Query, Back: filter.Back, Filtered: filter.Query != "" || filter.Back,
		Total: waiting.Total, Many: waiting.Total >= imprimatur.MaxTotal, Later: filter.Cursor != "", Search: waiting.Total > oneLook,
	}
	status := http.StatusOK
	page.Waiting, status = part(v, r, waiting, err, status)
	if waiting.Next != "" {
		page.More = "/?" + next(query, waiting.Next).Encode()
	}
	if !page.Filtered && !page.Later {
		ended, err := in.Desk.Waiting(r.Context(), v.Actor, imprimatur.Filter{Ended: true, Limit: maxEnded})
		page.Ended, status = part(v, r, ended, err, status)
	}
	count := waiting.Total
	if page.Filtered || page.Waiting.Problem != nil {
		count = -1
	}
	page.Page = in.frame(r.Context(), v, listTitle(v.Words, page), "", count)
	page.Inbox = true
	return v.Render(w, r, status, in.list, page)
}

func listTitle(words *catalogue.Printer, p listPage) string {
	switch {
	case p.Waiting.Problem != nil:
		return words.Say("ui.title.problem", map[string]any{"title": p.Waiting.Problem.Title})
	case p.Filtered:
		return words.Say("ui.list.found", map[string]any{"count": p.Total})
	case p.Total == 0 && len(p.Waiting.Rows) == 0:
		return words.Say("ui.list.title_none", nil)
	default:
		return words.Say("ui.list.title", map[string]any{"count": max(p.Total, len(p.Waiting.Rows))})
	}
}

// next is the query of the next page.
func next(query url.Values, cursor string) url.Values {
	out := url.Values{"cursor": {cursor}}
	for _, name := range []string{"q", "back"} {
		if query.Has(name) {
			out.Set(name, query.Get(name))
		}
	}
	return out
}

func part(v *web.Visit, r *http.Request, list imprimatur.List, err error, status int) (listPart, int) {
	if err != nil {
		if code(err) == "" {
			v.Warn(r.Context(), "list of runs", err)
		}
		return listPart{Problem: problemOf(v.Words, err)}, http.StatusServiceUnavailable
	}
	rows := make([]row, len(list.Runs))
	for i, run := range list.Runs {
		rows[i] = newRow(v, run)
	}
	return listPart{Rows: rows}, status
}

func newRow(v *web.Visit, run imprimatur.Run) row {
	out := row{
		Run: run.ID, Agent: run.Agent, Owner: run.Owner.Name, Calls: run.Calls, Back: run.Back,
		Status: run.Status, Reason: run.Reason, When: v.Moment(run.WaitingSince),
	}
	if run.Status != imprimatur.StatusWaiting {
		out.When = v.Moment(run.FinishedAt)
	}
	// Of other people's runs there is the card alone, once one was decided.
	u := v.Actor.User
	out.Open = u.Admin || u.ID == run.Owner.ID || run.Calls > 0 && run.Status != imprimatur.StatusCancelled
	var tools []string
	for _, name := range run.Tools {
		if !slices.Contains(tools, name) {
			tools = append(tools, name)
		}
	}
	out.More = max(0, len(tools)-maxNamed)
	for _, name := range tools[:len(tools)-out.More] {
		out.Tools = append(out.Tools, nameOf(v.Words, name))
	}
	return out
}

// nameOf is what the page calls a tool: the heading of its previews, where it
// has one, in the language of the page.
func nameOf(words *catalogue.Printer, tool string) toolName {
	for _, label := range []imprimatur.Label{imprimatur.Label("preview.heading." + tool), imprimatur.Label("ui.tool." + tool)} {
		if words.Has(label) {
			return toolName{Text: words.Say(label, nil)}
		}
	}
	return toolName{Text: tool, Wire: true}
}

// problem is something that did not work, as a page says it.
type problem struct{ Title, What, Next string }

// problemOf says what an error means to whoever reads the page.
func problemOf(words *catalogue.Printer, err error) *problem {
	if c := code(err); c != "" {
		return &problem{
			words.Say(catalogue.RefusalTitle(c), nil), words.Say(catalogue.RefusalWhat(c), nil), words.Say(catalogue.RefusalNext(c), nil),
		}
	}
	return &problem{words.Say("ui.list.unavailable", nil), words.Say("ui.list.unavailable_what", nil), words.Say("ui.fault.next", nil)}
}
