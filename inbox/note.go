package inbox

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
)

// note is what a decision leaves for the page that follows it. It travels in a
// cookie: a page that is only looked at must not change anything on the
// server, not even the session.
type note struct {
	Run  string          `json:"run"`
	Kind noteKind        `json:"kind,omitempty"`
	Code imprimatur.Code `json:"code,omitempty"` // a refusal instead
}

// noteKind is what came of a button. The texts stand under "ui.note.<kind>".
type noteKind string

const (
	approvedDone    noteKind = "approved_done"    // the run is at its end
	approvedFailed  noteKind = "approved_failed"  // … and failed
	approvedRunning noteKind = "approved_running" // the agent goes on
	approvedNext    noteKind = "approved_next"    // it waits with its next turn
	approvedBack    noteKind = "approved_back"    // nothing was written
	approvedMoved   noteKind = "approved_moved"   // it came back on the way: calls before may have run
	deniedDone      noteKind = "denied_done"
	deniedFailed    noteKind = "denied_failed"
	deniedRunning   noteKind = "denied_running"
	deniedNext      noteKind = "denied_next"
	cancelled       noteKind = "cancelled"
	cancelPending   noteKind = "cancel_pending"
	noted           noteKind = "noted"
	unknown         noteKind = "unknown" // whatever this program has no word for
)

func noteKinds() []noteKind {
	return []noteKind{
		approvedDone, approvedFailed, approvedRunning, approvedNext, approvedBack, approvedMoved,
		deniedDone, deniedFailed, deniedRunning, deniedNext, cancelled, cancelPending, noted, unknown,
	}
}

// outcome says what came of a decision by the run that it left behind.
func outcome(verdict imprimatur.Verdict, run imprimatur.Run) noteKind {
	approved := verdict == imprimatur.Approve
	pick := func(a, d noteKind) noteKind {
		if approved {
			return a
		}
		return d
	}
	switch run.Status {
	case imprimatur.StatusWaiting:
		if approved && slices.ContainsFunc(run.Stale, func(m imprimatur.Mark) bool { return m.Kind == imprimatur.MarkMoved }) {
			return approvedMoved
		}
		if approved && len(run.Stale) > 0 {
			return approvedBack
		}
		return pick(approvedNext, deniedNext)
	case imprimatur.StatusCompleted:
		return pick(approvedDone, deniedDone)
	case imprimatur.StatusFailed:
		return pick(approvedFailed, deniedFailed)
	case imprimatur.StatusCancelled:
		return cancelled
	case imprimatur.StatusRunning, imprimatur.StatusQueued:
		return pick(approvedRunning, deniedRunning)
	default:
		return unknown
	}
}

const noteSeconds = 120

func (in *Inbox) noteName() string {
	if in.Secure {
		return "__Host-imprimatur_note"
	}
	return "imprimatur_note"
}

func (in *Inbox) noteCookie(value string, seconds int) *http.Cookie {
	return &http.Cookie{
		Name: in.noteName(), Value: value, Path: "/", MaxAge: seconds,
		HttpOnly: true, Secure: in.Secure, SameSite: http.SameSiteLaxMode,
	}
}

// leave sends the browser to the page of the run, where the note is shown.
func (in *Inbox) leave(w http.ResponseWriter, r *http.Request, n note) error {
	value, err := json.Marshal(n)
	if err != nil {
		return err
	}
	http.SetCookie(w, in.noteCookie(base64.RawURLEncoding.EncodeToString(value), noteSeconds))
	http.Redirect(w, r, runPath(n.Run)+"#outcome", http.StatusSeeOther)
	return nil
}

// take reads the note for a run and has the browser forget it. What a browser
// made up itself is no note.
func (in *Inbox) take(w http.ResponseWriter, r *http.Request, run string) (note, bool) {
	cookie, err := r.Cookie(in.noteName())
	if err != nil {
		return note{}, false
	}
	var n note
	value, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err == nil {
		err = json.Unmarshal(value, &n)
	}
	if err != nil || n.Run != run {
		return note{}, false
	}
	if r.Method != http.MethodHead {
		http.SetCookie(w, in.noteCookie("", -1))
	}
	return n, n.known()
}

// good reports whether it went the way that was asked for.
func (n note) good() bool {
	return !slices.Contains([]noteKind{approvedBack, approvedMoved, approvedFailed, deniedFailed, unknown}, n.Kind)
}

func (n note) known() bool {
	if n.Code != "" {
		return slices.Contains(imprimatur.Codes(), n.Code)
	}
	return slices.Contains(noteKinds(), n.Kind)
}
