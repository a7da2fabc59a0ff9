package inbox

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// decide turns the form into a decision and does nothing else with it.
func (in *Inbox) decide(w http.ResponseWriter, r *http.Request, v *web.Visit) error {
	form, err := web.ReadForm(w, r, "verdict", "turn_digest", "picture_digest", "reason", "retry")
	if err != nil {
		return err
	}
	run := r.PathValue("id")
	d := imprimatur.Decision{
		Verdict: imprimatur.Verdict(form.Get("verdict")), TurnDigest: form.Get("turn_digest"), PictureDigest: form.Get("picture_digest"),
	}
	if !d.Verdict.Valid() {
		return imprimatur.Refused(imprimatur.CodeBadVerdict, run)
	}
	var t typed
	if d.Verdict == imprimatur.Deny {
		t = typed{reason: reasonOf(form), retry: form.Get("retry") == "yes", deny: true}
		if utf8.RuneCountInString(t.reason) > imprimatur.MaxReason {
			t.fault = v.Words.Say("ui.form.reason_long", map[string]any{"count": utf8.RuneCountInString(t.reason), "limit": imprimatur.MaxReason})
			return in.refuse(w, r, v, imprimatur.BadRequest("reason: too long"), t)
		}
		d.Reason, d.Retry = t.reason, t.retry
	}
	after, err := in.Desk.Decide(r.Context(), v.Actor, run, d, imprimatur.Wait{For: in.Wait})
	var no *imprimatur.Refusal
	switch {
	case errors.As(err, &no):
		return in.refuse(w, r, v, no, t)
	case err != nil:
		return err
	}
	return in.leave(w, r, note{Run: run, Kind: outcome(d.Verdict, after)})
}

func (in *Inbox) cancel(w http.ResponseWriter, r *http.Request, v *web.Visit) error {
	if _, err := web.ReadForm(w, r); err != nil {
		return err
	}
	run := r.PathValue("id")
	after, err := in.Desk.Cancel(r.Context(), v.Actor, run)
	var no *imprimatur.Refusal
	switch {
	case errors.As(err, &no):
		return in.refuse(w, r, v, no, typed{})
	case err != nil:
		return err
	}
	kind := cancelled
	if after.Status != imprimatur.StatusCancelled {
		kind = cancelPending
	}
	return in.leave(w, r, note{Run: run, Kind: kind})
}

// reasonOf is the reason as it was meant: browsers send line ends as CR LF.
func reasonOf(form url.Values) string {
	return strings.TrimSpace(strings.ReplaceAll(form.Get("reason"), "\r\n", "\n"))
}
