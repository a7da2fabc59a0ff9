package inbox

import (
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// maxForm bounds the body of a form, in bytes: a reason in full and what
// encoding makes of it.
const maxForm = 64 << 10

// decide turns the form into a decision and does nothing else with it.
func (in *Inbox) decide(w http.ResponseWriter, r *http.Request, v *web.Visit) error {
	form, err := readForm(w, r, "verdict", "turn_digest", "picture_digest", "reason", "retry")
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
	if _, err := readForm(w, r); err != nil {
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

// readForm reads a form that may have these fields, each once, and no others:
// what is decided is what the server holds, and a form cannot say otherwise.
func readForm(w http.ResponseWriter, r *http.Request, allowed ...string) (url.Values, error) {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); r.ContentLength != 0 && (err != nil || media != "application/x-www-form-urlencoded") {
		return nil, &imprimatur.Refusal{Code: imprimatur.CodeUnsupportedMedia}
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return nil, err
		}
		return nil, imprimatur.BadRequest("the form is malformed")
	}
	for name, values := range r.PostForm {
		known := false
		for _, a := range allowed {
			known = known || a == name
		}
		switch {
		case !known:
			return nil, imprimatur.BadRequest("the form has a field %q, which does not belong there", imprimatur.Cut(strings.ToValidUTF8(name, "\uFFFD"), 64))
		case len(values) > 1:
			return nil, imprimatur.BadRequest("the form has the field %q twice", name)
		case !utf8.ValidString(values[0]):
			return nil, imprimatur.BadRequest("the field %q is not valid UTF-8", name)
		}
	}
	return r.PostForm, nil
}
