package imprimatur

import (
	"cmp"
	"fmt"
	"slices"
)

// Code names a refusal. The list is closed: clients branch on it and every
// code has its own page in every language.
type Code string

// Every refusal there is.
const (
	CodeBadRequest           Code = "bad_request"
	CodeBadVerdict           Code = "bad_verdict"
	CodeUnknownAgent         Code = "unknown_agent"
	CodeUnknownTool          Code = "unknown_tool"
	CodeUnauthenticated      Code = "unauthenticated"
	CodeAccessDenied         Code = "access_denied"
	CodeOwnCredential        Code = "own_credential"
	CodeSelfApproval         Code = "self_approval"
	CodeApproverNotPermitted Code = "approver_not_permitted"
	CodePreviewWithheld      Code = "preview_withheld"
	CodeNotFound             Code = "not_found"
	CodeNotWaiting           Code = "not_waiting"
	CodeAlreadyResuming      Code = "already_resuming"
	CodeAgentGone            Code = "agent_gone"
	CodeStaleTurn            Code = "stale_turn"
	CodeStalePicture         Code = "stale_picture"
	CodeLeaseLost            Code = "lease_lost"
	CodeFinished             Code = "finished"
	CodeNotUnknown           Code = "not_unknown"
	CodeKeyReused            Code = "key_reused"
	CodeTooLarge             Code = "too_large"
	CodeUnsupportedMedia     Code = "unsupported_media_type"
	CodeCorruptState         Code = "corrupt_state"
	CodeNotAuditable         Code = "not_auditable"
	CodeStateUnavailable     Code = "state_unavailable"
)

// codeRow says how a refusal travels.
type codeRow struct {
	status int  // HTTP
	card   bool // the run still waits: the answer carries its card
}

var codes = map[Code]codeRow{
	CodeBadRequest: {400, false}, CodeBadVerdict: {400, false}, CodeUnknownAgent: {400, false}, CodeUnknownTool: {400, false},
	CodeUnauthenticated: {401, false},
	CodeAccessDenied:    {403, false}, CodeOwnCredential: {403, false}, CodeSelfApproval: {403, true},
	CodeApproverNotPermitted: {403, true}, CodePreviewWithheld: {403, true},
	CodeNotFound:   {404, false},
	CodeNotWaiting: {409, false}, CodeAlreadyResuming: {409, false}, CodeAgentGone: {409, false},
	CodeStaleTurn: {409, true}, CodeStalePicture: {409, true}, CodeLeaseLost: {409, false},
	CodeFinished: {409, false}, CodeNotUnknown: {409, false}, CodeKeyReused: {409, false},
	CodeTooLarge: {413, false}, CodeUnsupportedMedia: {415, false},
	CodeCorruptState: {500, false}, CodeNotAuditable: {503, true}, CodeStateUnavailable: {503, false},
}

// Codes lists every code, sorted.
func Codes() []Code {
	all := make([]Code, 0, len(codes))
	for c := range codes {
		all = append(all, c)
	}
	slices.Sort(all)
	return all
}

// Status returns the HTTP status of the code, 500 for one nobody knows.
func (c Code) Status() int { return cmp.Or(codes[c].status, 500) }

// CarriesCard reports whether the run still waits after this refusal, so that
// the answer carries the current card.
func (c Code) CarriesCard() bool { return codes[c].card }

// Refusal is a no that people and clients read. It is not a fault: nothing was
// executed and nothing settled. The catalogue holds its words under
// "refusal.<code>".
type Refusal struct {
	Code    Code
	Run     string   // id, where one is concerned
	Tool    string   // name, where one is concerned
	Detail  string   // what exactly was wrong with a request; English, never values or arguments
	Card    *Card    // the current card, where the run still waits
	Decided *Decided // who was first
}

// Error implements error. It names code, run and tool, never arguments.
func (r *Refusal) Error() string {
	s := "refused: " + string(r.Code)
	if r.Run != "" {
		s += " run " + r.Run
	}
	if r.Tool != "" {
		s += " tool " + r.Tool
	}
	if r.Detail != "" {
		s += ": " + r.Detail
	}
	return s
}

// Refused returns a refusal that concerns a run.
func Refused(code Code, run string) *Refusal { return &Refusal{Code: code, Run: run} }

// BadRequest returns a refusal of input that is wrong, naming what.
func BadRequest(format string, args ...any) *Refusal {
	return &Refusal{Code: CodeBadRequest, Detail: fmt.Sprintf(format, args...)}
}
