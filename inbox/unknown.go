package inbox

import (
	"errors"
	"net/http"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// unknownView is a call of which nobody knows whether it wrote.
type unknownView struct {
	Call  string
	Name  toolName
	Late  string // what its tool reported afterwards: a label; empty: nothing
	Notes []notedView
}

// notedView is what somebody found.
type notedView struct {
	Text []web.Span
	At   *web.Moment
}

// newUnknown lays out what is not known about a run.
func newUnknown(v *web.Visit, calls []imprimatur.Unknown) []unknownView {
	var out []unknownView
	for _, c := range calls {
		u := unknownView{Call: c.Call, Name: nameOf(v.Words, c.Tool)}
		switch {
		case c.Late == nil:
		case c.Late.OK:
			u.Late = "ui.unknown.late.wrote"
		default:
			u.Late = "ui.unknown.late.failed"
		}
		for _, n := range c.Notes {
			label := imprimatur.Label("ui.unknown.noted." + string(n.Found))
			u.Notes = append(u.Notes, notedView{Text: web.Mix(v.Words, label, map[string]any{"name": n.By.Name}), At: v.Moment(&n.At)})
		}
		out = append(out, u)
	}
	return out
}

// noteFinding puts down what somebody found.
func (in *Inbox) noteFinding(w http.ResponseWriter, r *http.Request, v *web.Visit) error {
	form, err := web.ReadForm(w, r, "call", "found")
	if err != nil {
		return err
	}
	run := r.PathValue("id")
	err = in.Desk.Note(r.Context(), v.Actor, run, imprimatur.Note{Call: form.Get("call"), Found: imprimatur.Found(form.Get("found"))})
	var no *imprimatur.Refusal
	switch {
	case errors.As(err, &no):
		return in.refuse(w, r, v, no, typed{})
	case err != nil:
		return err
	}
	return in.leave(w, r, note{Run: run, Kind: noted})
}
