package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/imprimatur-dev/imprimatur"
)

// route is one row of the table of routes.
type route struct {
	method, path string
	id, summary  string
	do           func(*surface, *call) error
	query        []string // names of parameters, described in parameters
	headers      []string
	body         any    // of the request; nil: none
	answer       any    // of status 200; nil and no media: there is none, 204
	media        string // of another form of the answer; empty: JSON alone
	codes        []imprimatur.Code
}

// routes is the table of all routes.
func routes() []route {
	const run = "/runs/{id}"
	return []route{
		{
			method: http.MethodPost, path: "/runs", id: "start-run", summary: "Start a run and wait for it to end or to pause", do: (*surface).start,
			query: []string{"wait"}, headers: []string{"Idempotency-Key", "Accept"}, body: startBody{}, answer: imprimatur.Run{}, media: mediaStream,
			codes: []imprimatur.Code{imprimatur.CodeUnknownAgent, imprimatur.CodeUnknownTool, imprimatur.CodeAccessDenied, imprimatur.CodeKeyReused, imprimatur.CodeTooLarge, imprimatur.CodeUnsupportedMedia, imprimatur.CodeStateUnavailable},
		},
		{
			method: http.MethodGet, path: "/runs", id: "list-runs", summary: "List the runs the caller may see", do: (*surface).list,
			query: []string{"status", "agent", "tool", "back", "mine", "decided", "q", "cursor", "limit"}, answer: listBody{},
		},
		{
			method: http.MethodGet, path: run, id: "get-run", summary: "Show a run", do: (*surface).status,
			answer: imprimatur.Run{}, codes: []imprimatur.Code{imprimatur.CodeNotFound},
		},
		{
			method: http.MethodGet, path: run + "/card", id: "get-card", summary: "Show the card of a run, as the caller may see it", do: (*surface).card,
			headers: []string{"If-None-Match"}, answer: imprimatur.Card{}, codes: []imprimatur.Code{imprimatur.CodeNotFound},
		},
		{
			method: http.MethodPost, path: run + "/decision", id: "decide", summary: "Approve or deny what a card shows", do: (*surface).decide,
			query: []string{"wait"}, headers: []string{"If-Match", "Accept"}, body: decideBody{}, answer: imprimatur.Run{}, media: mediaStream,
			codes: []imprimatur.Code{
				imprimatur.CodeBadVerdict, imprimatur.CodeNotFound, imprimatur.CodeOwnCredential, imprimatur.CodeNotWaiting, imprimatur.CodeAlreadyResuming,
				imprimatur.CodeAccessDenied, imprimatur.CodeAgentGone, imprimatur.CodeSelfApproval, imprimatur.CodeCorruptState, imprimatur.CodeStaleTurn,
				imprimatur.CodePreviewWithheld, imprimatur.CodeStalePicture, imprimatur.CodeApproverNotPermitted, imprimatur.CodeNotAuditable,
				imprimatur.CodeTooLarge, imprimatur.CodeUnsupportedMedia, imprimatur.CodeStateUnavailable,
			},
		},
		{
			method: http.MethodPost, path: run + "/cancel", id: "cancel-run", summary: "Cancel a run", do: (*surface).cancel,
			answer: imprimatur.Run{}, codes: []imprimatur.Code{imprimatur.CodeNotFound, imprimatur.CodeAccessDenied, imprimatur.CodeFinished, imprimatur.CodeStateUnavailable},
		},
		{
			method: http.MethodPost, path: run + "/note", id: "note-outcome", summary: "Note what came of a call whose outcome is unknown", do: (*surface).note,
			body: noteBody{}, codes: []imprimatur.Code{
				imprimatur.CodeNotFound, imprimatur.CodeOwnCredential, imprimatur.CodeAccessDenied, imprimatur.CodeNotUnknown,
				imprimatur.CodeTooLarge, imprimatur.CodeUnsupportedMedia, imprimatur.CodeStateUnavailable,
			},
		},
		{
			method: http.MethodGet, path: run + "/events", id: "list-events", summary: "List what happened in a run, oldest first, at most 1,000", do: (*surface).events,
			query: []string{"after"}, answer: []imprimatur.Event{}, codes: []imprimatur.Code{imprimatur.CodeNotFound},
		},
		{
			method: http.MethodGet, path: "/tools", id: "list-tools", summary: "List the tools and which of them the caller's runs are offered", do: (*surface).tools,
			query: []string{"agent"}, answer: []imprimatur.OfferedTool{}, codes: []imprimatur.Code{imprimatur.CodeUnknownAgent},
		},
		{
			method: http.MethodGet, path: "/events", id: "watch-runs", summary: "Follow which runs change: server-sent events, the data is the id of a run", do: (*surface).watch,
			media: mediaEvents,
		},
	}
}

// mount hangs the routes into mux and returns the document that describes them.
func (s *surface) mount(mux *http.ServeMux) ([]byte, error) {
	config := huma.DefaultConfig("Imprimatur", "1")
	config.DocsPath, config.OpenAPIPath, config.SchemasPath = "", "", "" // one document, at /openapi.json
	config.CreateHooks = nil                                             // no $schema in answers
	config.Info.Description = "Approvals for AI agents that hold. Errors are application/problem+json; their type leads to a page that explains them."
	config.Security = []map[string][]string{{"bearer": {}}}
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"bearer": {Type: "http", Scheme: "bearer"}}
	shapes := newShapes(config.Components.Schemas)
	surface := humago.NewWithPrefix(mux, Prefix, config)
	for _, r := range routes() {
		huma.Register(surface, r.operation(shapes), s.handler(r))
		if r.body != nil {
			describeBody(surface.OpenAPI().Paths[r.path], shapes.of(r.body))
		}
	}
	shapes.finish()
	b, err := json.Marshal(surface.OpenAPI())
	if err != nil {
		return nil, fmt.Errorf("write the OpenAPI document: %w", err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, b, "", "  "); err != nil {
		return nil, fmt.Errorf("indent the OpenAPI document: %w", err)
	}
	indented.WriteByte('\n')
	return indented.Bytes(), nil
}

// handler runs one route. What a request says is judged by the route alone, so
// that every error has the same form.
func (s *surface) handler(r route) func(context.Context, *struct{}) (*huma.StreamResponse, error) {
	return func(context.Context, *struct{}) (*huma.StreamResponse, error) {
		return &huma.StreamResponse{Body: func(hc huma.Context) {
			req, w := humago.Unwrap(hc)
			c, err := s.begin(w, req, r.query)
			if err == nil {
				err = r.do(s, c)
			}
			if err != nil {
				s.fail(w, req, err)
			}
		}}, nil
	}
}

// operation describes the route.
func (r route) operation(shapes shapes) huma.Operation {
	op := huma.Operation{
		OperationID: r.id, Method: r.method, Path: r.path, Summary: r.summary,
		SkipValidateParams: true, SkipValidateBody: true,
		Parameters: shapes.parameters(r),
		Responses:  map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{}}},
	}
	if r.answer == nil && r.media == "" {
		op.Responses = map[string]*huma.Response{"204": {Description: "No Content"}}
		shapes.refusals(op.Responses, r.refusals())
		return op
	}
	content := op.Responses["200"].Content
	if r.answer != nil {
		content["application/json"] = &huma.MediaType{Schema: shapes.of(r.answer)}
	}
	if r.media != "" {
		content[r.media] = &huma.MediaType{Schema: &huma.Schema{Type: "string"}}
	}
	shapes.refusals(op.Responses, r.refusals())
	return op
}

// refusals are the codes of a route, with those that every route has.
func (r route) refusals() []imprimatur.Code {
	return append([]imprimatur.Code{imprimatur.CodeBadRequest, imprimatur.CodeUnauthenticated}, r.codes...)
}

// describeBody adds the body to the description of a POST. Only there: an
// operation that has one is read by the framework before anybody has asked who
// is calling.
func describeBody(item *huma.PathItem, schema *huma.Schema) {
	described := *item.Post
	described.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}
	item.Post = &described
}
