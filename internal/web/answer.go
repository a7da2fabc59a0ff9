package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
)

// Problem is an error as clients of the API read it (RFC 9457).
type Problem struct {
	Type    string              `json:"type"`
	Title   string              `json:"title"`
	Status  int                 `json:"status"`
	Detail  string              `json:"detail"`
	Run     string              `json:"run,omitempty"`
	Card    *imprimatur.Card    `json:"card,omitempty"`
	Decided *imprimatur.Decided `json:"decided,omitempty"`
}

// Code is the refusal the problem stands for; empty for a fault of ours.
func (p Problem) Code() imprimatur.Code {
	i := strings.LastIndexByte(p.Type, '/')
	return imprimatur.Code(p.Type[i+1:])
}

// ProblemType is the media type of a Problem.
const ProblemType = "application/problem+json"

// blank is the type of a problem that is no refusal.
const blank = "about:blank"

// Answers makes answers of errors. URL is the public address, without a slash
// at the end.
type Answers struct {
	URL string
	Log *slog.Logger
}

// Problem is the one place where an error becomes an answer. A refusal says in
// the language of words what happened, whether anything was written and what to
// do now. Everything else is a fault: it is logged whole, and nothing of it
// reaches the client.
func (a Answers) Problem(ctx context.Context, words *catalogue.Printer, err error) Problem {
	no := refusal(err)
	if no == nil {
		a.fault(ctx, err)
		return Problem{
			Type: blank, Status: http.StatusInternalServerError,
			Title: words.Say("ui.fault.title", nil), Detail: words.Say("ui.fault.what", nil) + " " + words.Say("ui.fault.next", nil),
		}
	}
	detail := words.Say(catalogue.RefusalWhat(no.Code), nil) + " " + words.Say(catalogue.RefusalNext(no.Code), nil)
	if no.Detail != "" {
		detail = no.Detail + ". " + detail
	}
	a.Log.InfoContext(ctx, "refused", slog.String("code", string(no.Code)), slog.String("run", no.Run))
	return Problem{
		Type: a.URL + "/docs/refusals/" + string(no.Code), Title: words.Say(catalogue.RefusalTitle(no.Code), nil),
		Status: no.Code.Status(), Detail: detail, Run: no.Run, Card: no.Card, Decided: no.Decided,
	}
}

// refusal finds the refusal in an error, or makes it one where net/http or the
// standard library says no in words of its own. Nil means a fault.
func refusal(err error) *imprimatur.Refusal {
	var no *imprimatur.Refusal
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &no):
		return no
	case errors.As(err, &large):
		return &imprimatur.Refusal{Code: imprimatur.CodeTooLarge}
	default:
		return nil
	}
}

// fault logs what went wrong. A caller who hung up is nobody's fault.
func (a Answers) fault(ctx context.Context, err error) {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		a.Log.DebugContext(ctx, "caller went away", slog.Any("error", err))
		return
	}
	a.Log.ErrorContext(ctx, "request failed", slog.Any("error", err))
}

// Fail answers a request with an error: as a problem under /api/, else as a
// page in the visitor's language.
func (s *Site) Fail(w http.ResponseWriter, r *http.Request, err error) {
	actor, who := s.authenticate(r)
	if who != nil {
		actor = imprimatur.Actor{}
	}
	v := s.visitor(actor, r)
	p := s.answers.Problem(r.Context(), v.Words, err)
	if strings.HasPrefix(r.URL.Path, "/api/") {
		err = p.Write(w)
	} else {
		err = v.Render(w, r, p.Status, s.refusal, v.refusalPage(p, refusal(err)))
	}
	if err != nil {
		s.answers.fault(r.Context(), err)
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// Write answers with the problem. The error means that nothing was sent.
func (p Problem) Write(w http.ResponseWriter) error {
	body, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("encode problem: %w", err)
	}
	w.Header().Set("Content-Type", ProblemType)
	w.WriteHeader(p.Status)
	_, _ = w.Write(body) // the caller may be gone; there is nobody else to tell
	return nil
}

// refusalPage is a page that says no.
type refusalPage struct {
	Page
	Name    string // what it is called
	What    string
	Next    string
	Detail  string // what exactly was wrong with the request, in English
	Decided *Decided
	Run     string
	SignIn  bool
}

func (v *Visit) refusalPage(p Problem, no *imprimatur.Refusal) refusalPage {
	words := v.Words
	out := refusalPage{
		Page: v.Page(words.Say("ui.title.problem", map[string]any{"title": p.Title})),
		Name: p.Title, Run: p.Run, Decided: v.Decided(p.Decided),
	}
	if no == nil {
		out.What, out.Next = words.Say("ui.fault.what", nil), words.Say("ui.fault.next", nil)
		return out
	}
	out.What, out.Next = words.Say(catalogue.RefusalWhat(no.Code), nil), words.Say(catalogue.RefusalNext(no.Code), nil)
	if no.Code == imprimatur.CodeNotFound {
		out.Run = "" // a way back to this very page
	}
	out.Detail, out.SignIn = no.Detail, no.Code == imprimatur.CodeUnauthenticated
	return out
}
