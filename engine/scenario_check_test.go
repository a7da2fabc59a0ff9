package engine_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

// What holds in every scenario, whatever it is about, is checked here.

// checkEntry is called when a tool is entered. A write must have been approved
// and announced by then, once, and not have ended.
func (s *stage) checkEntry(tool string, call imprimatur.Call) {
	if !strings.HasPrefix(call.Run, "run-") || call.Key != call.Run+"/"+call.ID {
		s.fault("%s was entered for run %q with key %q", tool, call.Run, call.Key)
	}
	owner, err := s.store.Run(s.ctx, call.Run)
	if err != nil || owner.Owner.ID != call.User.ID {
		s.fault("%s was entered as %s for a run of %s: %v", tool, call.User.Name, owner.Owner.Name, err)
	}
	if !writes[tool] {
		return
	}
	var approved, open bool
	for _, e := range s.record(call.Run) {
		switch p := payload(e).(type) {
		case imprimatur.ApprovalPayload:
			approved, open = p.Verdict == imprimatur.Approve, false
		case imprimatur.StalePayload:
			approved, open = false, false
		case imprimatur.StartPayload:
			if p.Call == call.ID {
				if open {
					s.fault("%s was announced twice", call.ID)
				}
				open = true
			}
		case imprimatur.ToolPayload:
			if p.Call == call.ID {
				s.fault("%s was entered again after it had ended", call.ID)
			}
		}
	}
	if !approved || !open {
		s.fault("%s was entered without an approval (%v) or its announcement (%v)", call.ID, approved, open)
	}
}

// writes are the tools of the world that change something.
var writes = map[string]bool{"append_note": true, "set_note": true, "admin_write": true, "ping": true, "show": true}

// payload decodes what an event says, where the checks need it.
func payload(e imprimatur.Event) any {
	into := map[imprimatur.EventKind]any{
		imprimatur.EventApproval: &imprimatur.ApprovalPayload{}, imprimatur.EventStale: &imprimatur.StalePayload{},
		imprimatur.EventStart: &imprimatur.StartPayload{}, imprimatur.EventTool: &imprimatur.ToolPayload{},
	}[e.Kind]
	if into == nil || json.Unmarshal(e.Payload, into) != nil {
		return nil
	}
	return reflect.ValueOf(into).Elem().Interface()
}

// checkPairing demands of a transcript what providers do: the calls of an
// assistant message have one result each, before anything else.
func (s *stage) checkPairing(messages []imprimatur.Message) {
	var open []string
	for i, m := range messages {
		if m.Role == imprimatur.FromTool {
			at := slices.Index(open, m.CallID)
			if at < 0 {
				s.fault("message %d answers %q, and %v are open", i, m.CallID, open)
				return
			}
			open = slices.Delete(open, at, at+1)
			continue
		}
		if len(open) > 0 {
			s.fault("message %d comes before the results of %v", i, open)
			return
		}
		for _, c := range m.Calls {
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		s.fault("the model was asked before the results of %v", open)
	}
}

// frozen is everything that a refused decision must leave as it is.
func (s *stage) frozen() string {
	const query = `SELECT status || '|' || claim || '|' || lease || '|' || effect || '|' || started || '|' || hex(COALESCE(state, '')) ||
		'|' || state_sequence || '|' || pending || '|' || stale || '|' || back || '|' || waiting_since || '|' || rounds ||
		'|' || (SELECT count(*) FROM records r WHERE r.run = runs.id) FROM runs WHERE id = $1`
	var all string
	if err := s.store.Reader().QueryRowContext(s.ctx, query, s.run).Scan(&all); err != nil {
		return ""
	}
	return all
}

// checkRefused looks whether a refused decision left no trace but a word in
// the record, and whether it came with the current card where it should.
func (s *stage) checkRefused(actor imprimatur.Actor, err error, before string) {
	var no *imprimatur.Refusal
	if !errors.As(err, &no) || !strings.HasPrefix(before, string(imprimatur.StatusWaiting)) {
		return
	}
	switch no.Code {
	case imprimatur.CodeLeaseLost, imprimatur.CodeAlreadyResuming, imprimatur.CodeNotWaiting:
		return
	}
	if after := s.frozen(); after != before {
		s.fault("the refusal %s moved the run:\n%s\n%s", no.Code, before, after)
	}
	if !no.Code.CarriesCard() {
		return
	}
	card, err := s.engine.Card(s.ctx, actor, s.run)
	if err != nil || no.Card == nil || no.Card.TurnDigest != card.TurnDigest || no.Card.PictureDigest != card.PictureDigest {
		s.fault("the refusal %s came without the current card: %v", no.Code, err)
	}
}

// checkInvariants looks at everything that was stored and logged.
func (s *stage) checkInvariants() {
	s.t.Helper()
	for i := int64(1); i <= s.ids.Load(); i++ {
		run := fmt.Sprintf("run-%d", i)
		if row, err := s.store.Run(s.ctx, run); err == nil {
			s.checkRow(run, row.Status)
			s.checkRecord(run, row.Reason)
		}
	}
	clear := s.clearText()
	for _, secret := range s.secrets {
		if strings.Contains(clear, secret) {
			s.fault("%q stands in clear in a column", secret)
		}
		if strings.Contains(s.log.String(), secret) {
			s.fault("%q stands in the log", secret)
		}
		if err := s.stored(secret); err != nil {
			s.fault("%v", err)
		}
	}
	if err := s.stored(toolSecret); err != nil {
		s.fault("%v", err)
	}
	for _, f := range s.takeFaults() {
		s.t.Error(f)
	}
}

func (s *stage) checkRow(run string, status imprimatur.Status) {
	var claim, effect, class string
	var lease, finished int64
	var state, request []byte
	row := s.store.Reader().QueryRowContext(s.ctx, "SELECT claim, lease, effect, error_class, state, request, finished_at FROM runs WHERE id = $1", run)
	if err := row.Scan(&claim, &lease, &effect, &class, &state, &request, &finished); err != nil {
		s.fault("%s: %v", run, err)
		return
	}
	held := claim != "" || lease != 0 || effect != ""
	switch {
	case status == imprimatur.StatusQueued && (held || len(request) == 0 || finished != 0):
		s.fault("%s is queued with claim %q, lease %d, effect %q, %d bytes of request", run, claim, lease, effect, len(request))
	case status.Final() && len(request) > 0 && class != "corrupt_request":
		s.fault("%s has ended with its request", run)
	case status == imprimatur.StatusWaiting && (held || len(state) == 0 || finished != 0):
		s.fault("%s waits with claim %q, lease %d, effect %q, %d bytes of state", run, claim, lease, effect, len(state))
	case status.Final() && (held || len(state) > 0 || finished == 0):
		s.fault("%s has ended with claim %q, lease %d, effect %q, %d bytes of state", run, claim, lease, effect, len(state))
	}
}

// checkRecord looks at the events of a run: in order, chained, and every write
// announced and ended once.
func (s *stage) checkRecord(run string, reason imprimatur.Reason) {
	var head, want []byte
	if err := s.store.Reader().QueryRowContext(s.ctx, "SELECT head FROM runs WHERE id = $1", run).Scan(&want); err != nil {
		s.fault("%s: %v", run, err)
	}
	open := map[string]bool{}
	settled := 0
	for i, e := range s.record(run) {
		if e.Sequence != int64(i) {
			s.fault("%s: event %d has the sequence %d", run, i, e.Sequence)
		}
		head = imprimatur.Chain(head, e)
		if e.Kind == imprimatur.EventSettled {
			settled++
		}
		switch p := payload(e).(type) {
		case imprimatur.StartPayload:
			if open[p.Call] {
				s.fault("%s: %s starts twice", run, p.Call)
			}
			open[p.Call] = true
		case imprimatur.StalePayload:
			clear(open) // a start that met another state ends with the turn that comes back
		case imprimatur.ToolPayload:
			if writes[p.Tool] && p.OK && !open[p.Call] {
				s.fault("%s: %s ends without start", run, p.Call)
			}
			delete(open, p.Call)
		}
	}
	if !bytes.Equal(head, want) {
		s.fault("%s: the chain of events does not lead to the head", run)
	}
	if settled > 1 {
		s.fault("%s is settled %d times", run, settled)
	}
	unheard := reason == imprimatur.ReasonAuditFailed || reason == imprimatur.ReasonOutcomeUnknown
	for call := range open {
		if !unheard {
			s.fault("%s: the write %s never ended", run, call)
		}
	}
}

// clearText is what the database holds in columns that are not sealed.
func (s *stage) clearText() string {
	const rows = `
		SELECT id || reason || error_class || agent || owner_name || started_by || claim || pending || stale || search AS all_of_it FROM runs
		UNION ALL SELECT payload FROM events
		UNION ALL SELECT verdict || by_name FROM records`
	query := "SELECT group_concat(all_of_it, char(10)) FROM (" + rows + ") AS rows"
	if s.file == "" {
		query = "SELECT string_agg(all_of_it, chr(10)) FROM (" + rows + ") AS rows"
	}
	var all *string
	if err := s.store.Reader().QueryRowContext(s.ctx, query).Scan(&all); err != nil {
		s.fault("read the clear columns: %v", err)
	}
	if all == nil {
		return ""
	}
	return *all
}

var (
	digests   = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
	durations = regexp.MustCompile(`"ms":[0-9]+`)
)

// mask puts stable words for what differs from run to run.
func (s *stage) mask(text string) string {
	text = durations.ReplaceAllString(text, `"ms":0`)
	return digests.ReplaceAllStringFunc(text, func(d string) string {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.named == nil {
			s.named = map[string]string{}
		}
		if s.named[d] == "" {
			s.named[d] = fmt.Sprintf("digest-%d", len(s.named)+1)
		}
		return s.named[d]
	})
}

func (s *stage) renderEvents() string {
	var b strings.Builder
	for _, e := range s.record(s.run) {
		fmt.Fprintf(&b, "%d %s %s\n", e.Sequence, e.Kind, e.Payload)
	}
	return b.String()
}

func (s *stage) renderTranscript() string {
	var b strings.Builder
	req, said := s.model.transcript()
	if req.System != "" {
		fmt.Fprintf(&b, "system: %s\n", req.System)
	}
	for _, m := range req.Messages {
		who := m.Role
		if m.Role == imprimatur.FromTool {
			who = m.CallID
			if m.IsError {
				who += " error"
			}
		}
		fmt.Fprintf(&b, "%s: %s\n", who, m.Text)
		for _, c := range m.Calls {
			fmt.Fprintf(&b, "  %s %s %s\n", c.ID, c.Name, c.Arguments)
		}
	}
	fmt.Fprintf(&b, "says: %s\n", said.Text)
	for _, c := range said.Calls {
		fmt.Fprintf(&b, "  calls %s\n", c.Name)
	}
	return b.String()
}
