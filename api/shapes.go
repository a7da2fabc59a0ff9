package api

import (
	"cmp"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// shapes describes requests and answers in the OpenAPI document.
type shapes struct{ registry huma.Registry }

func newShapes(r huma.Registry) shapes {
	r.RegisterTypeAlias(reflect.TypeFor[imprimatur.Time](), reflect.TypeFor[described]())
	r.RegisterTypeAlias(reflect.TypeFor[json.RawMessage](), reflect.TypeFor[anything]())
	return shapes{r}
}

// described stands for a point in time.
type described struct{}

// Schema implements huma.SchemaProvider.
func (described) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: "string", Format: "date-time", Description: "RFC 3339, UTC, milliseconds"}
}

// anything stands for JSON of any form.
type anything struct{}

// Schema implements huma.SchemaProvider.
func (anything) Schema(huma.Registry) *huma.Schema { return &huma.Schema{} }

func (s shapes) of(v any) *huma.Schema {
	schema := s.registry.Schema(reflect.TypeOf(v), true, "")
	schema.Nullable = false
	return schema
}

// finish says what the types do not: that answers may gain fields while bodies
// may not, that lists are never null, and which words there are.
func (s shapes) finish() {
	all := s.registry.Map()
	delete(all, "ErrorModel") // of the framework, which answers with nothing of its own
	delete(all, "ErrorDetail")
	words := map[string][]any{
		"status":  {"queued", "running", "waiting_for_approval", "waiting_for_input", "completed", "failed", "cancelled"},
		"verdict": {"approve", "deny"},
		"effect":  {"read_only", "idempotent_write", "non_idempotent_write"},
	}
	for name, schema := range all {
		if !strings.HasSuffix(name, "Body") || name == "ListBody" {
			schema.AdditionalProperties = nil
		}
		for field, property := range schema.Properties {
			if property.Type == "array" {
				property.Nullable = false
			}
			if enum := words[field]; enum != nil && property.Type != "integer" {
				property.Type, property.Enum = "string", enum
			}
		}
	}
	all["Card"].Properties["waiting_since"].Nullable = true
}

// refusals adds, for every status, which codes it stands for.
func (s shapes) refusals(responses map[string]*huma.Response, codes []imprimatur.Code) {
	byStatus := map[int][]string{}
	for _, c := range codes {
		byStatus[c.Status()] = append(byStatus[c.Status()], string(c))
	}
	for status, names := range byStatus {
		slices.Sort(names)
		responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status) + ": " + strings.Join(slices.Compact(names), ", "),
			Content:     map[string]*huma.MediaType{web.ProblemType: {Schema: s.of(web.Problem{})}},
		}
	}
}

// parameters describes path, query and headers of a route.
func (s shapes) parameters(r route) []*huma.Param {
	var all []*huma.Param
	if strings.Contains(r.path, "{id}") {
		all = append(all, &huma.Param{Name: "id", In: "path", Required: true, Description: "Id of the run.", Schema: &huma.Schema{Type: "string"}})
	}
	known := parameters()
	for _, name := range r.query {
		p := known[name]
		all = append(all, &huma.Param{Name: name, In: "query", Description: p.about, Schema: p.schema})
	}
	for _, name := range r.headers {
		p := known[name]
		all = append(all, &huma.Param{Name: name, In: "header", Description: p.about, Schema: cmp.Or(p.schema, &huma.Schema{Type: "string"})})
	}
	return all
}

type parameter struct {
	about  string
	schema *huma.Schema
}

// parameters says what every parameter means.
func parameters() map[string]parameter {
	whole := func(low, high float64) *huma.Schema {
		return &huma.Schema{Type: "integer", Minimum: &low, Maximum: &high}
	}
	text, flag := &huma.Schema{Type: "string"}, &huma.Schema{Type: "boolean"}
	return map[string]parameter{
		"wait":    {"Seconds to wait for the run to end or pause; 60 where absent, 0 for a run that is queued. 0 answers once it is committed. Ignored by streams.", whole(0, 300)},
		"status":  {"Only runs in this status. Waiting ones come oldest first, all others newest first.", text},
		"agent":   {"Only this agent.", text},
		"tool":    {"Only runs whose waiting turn asks for this tool.", text},
		"back":    {"Only turns that came back after an approval.", flag},
		"mine":    {"Only runs that act for the caller.", flag},
		"decided": {"Only runs that the caller decided.", &huma.Schema{Type: "string", Enum: []any{"me"}}},
		"q":       {"Part of id, agent, owner or tool.", text},
		"cursor":  {"next_cursor of the page before.", text},
		"limit":   {"Runs of a page; 50 where absent.", whole(1, maxList)},
		"after":   {"Only events after this sequence.", &huma.Schema{Type: "integer"}},

		"Idempotency-Key": {"The same key within 24 hours answers with the same run.", nil},
		"Accept":          {mediaStream + " streams the steps.", nil},
		"If-Match":        {"Entity tag of the card the decision is about.", nil},
		"If-None-Match":   {"Entity tag of the card the caller has.", nil},
	}
}
