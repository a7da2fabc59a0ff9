package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
)

// Every wrong request gets a problem that names what is wrong, and the engine
// is never asked.
//
// Proves runtime 220, 221, 222.
func TestWrongRequestsAreNamedAndReachNobody(t *testing.T) {
	t.Parallel()
	f := &fake{}
	server := serve(t, f)
	const good = `{"agent":"editor","prompt":"hello"}`
	deep := `{"agent":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`
	tests := map[string]struct {
		q    request
		code imprimatur.Code
		says string
	}{
		"unknown field":       {request{method: "POST", path: "/api/v1/runs", body: `{"agent":"a","prompt":"p","promt":1}`}, imprimatur.CodeBadRequest, `unknown field "promt"`},
		"other case":          {request{method: "POST", path: "/api/v1/runs", body: `{"Agent":"a","prompt":"p"}`}, imprimatur.CodeBadRequest, `unknown field "Agent"`},
		"field twice":         {request{method: "POST", path: "/api/v1/runs", body: `{"agent":"a","agent":"b","prompt":"p"}`}, imprimatur.CodeBadRequest, `"agent" is given twice`},
		"escaped field twice": {request{method: "POST", path: "/api/v1/runs", body: `{"agent":"a","\u0061gent":"b","prompt":"p"}`}, imprimatur.CodeBadRequest, `"agent" is given twice`},
		"nested key twice":    {request{method: "POST", path: "/api/v1/runs", body: `{"agent":{"x":1,"x":2},"prompt":"p"}`}, imprimatur.CodeBadRequest, `"x" is given twice`},
		"too deep":            {request{method: "POST", path: "/api/v1/runs", body: deep}, imprimatur.CodeBadRequest, "nests deeper"},
		"no object":           {request{method: "POST", path: "/api/v1/runs", body: `[1]`}, imprimatur.CodeBadRequest, "one JSON object"},
		"cut":                 {request{method: "POST", path: "/api/v1/runs", body: "{\n\"agent\":\"a\",\n"}, imprimatur.CodeBadRequest, "line 2"},
		"trailing":            {request{method: "POST", path: "/api/v1/runs", body: good + `{}`}, imprimatur.CodeBadRequest, "after the JSON object"},
		"not UTF-8":           {request{method: "POST", path: "/api/v1/runs", body: "{\"agent\":\"\xff\"}"}, imprimatur.CodeBadRequest, "UTF-8"},
		"null":                {request{method: "POST", path: "/api/v1/runs", body: `{"agent":"a","prompt":"p","tools":null}`}, imprimatur.CodeBadRequest, `"tools" must be a list of strings`},
		"null in a list":      {request{method: "POST", path: "/api/v1/runs", body: `{"agent":"a","prompt":"p","tools":["x",null]}`}, imprimatur.CodeBadRequest, `"tools" must be`},
		"number for text":     {request{method: "POST", path: "/api/v1/runs", body: `{"agent":7,"prompt":"p"}`}, imprimatur.CodeBadRequest, `"agent" must be a string`},
		"no agent":            {request{method: "POST", path: "/api/v1/runs", body: `{"prompt":"p"}`}, imprimatur.CodeBadRequest, `"agent" is missing`},
		"blank prompt":        {request{method: "POST", path: "/api/v1/runs", body: `{"agent":"a","prompt":" \n"}`}, imprimatur.CodeBadRequest, `"prompt" is missing`},
		"rounds 21":           {request{method: "POST", path: "/api/v1/runs", body: `{"agent":"a","prompt":"p","max_rounds":21}`}, imprimatur.CodeBadRequest, "max_rounds"},
		"rounds 0":            {request{method: "POST", path: "/api/v1/runs", body: `{"agent":"a","prompt":"p","max_rounds":0}`}, imprimatur.CodeBadRequest, "max_rounds"},
		"rounds 1.5":          {request{method: "POST", path: "/api/v1/runs", body: `{"agent":"a","prompt":"p","max_rounds":1.5}`}, imprimatur.CodeBadRequest, "whole number"},
		"mode queue waiting":  {request{method: "POST", path: "/api/v1/runs?wait=soon", body: `{"agent":"a","prompt":"p","mode":"queue"}`}, imprimatur.CodeBadRequest, "wait must be"},
		"mode queue streamed": {request{method: "POST", path: "/api/v1/runs", body: `{"agent":"a","prompt":"p","mode":"queue"}`, headers: []string{"Accept: application/x-ndjson"}}, imprimatur.CodeBadRequest, "no stream"},
		"mode odd":            {request{method: "POST", path: "/api/v1/runs", body: `{"agent":"a","prompt":"p","mode":"later"}`}, imprimatur.CodeBadRequest, "mode"},
		"note without call":   {request{method: "POST", path: "/api/v1/runs/r1/note", body: `{"found":"happened"}`}, imprimatur.CodeBadRequest, `"call" is missing`},
		"note of nothing":     {request{method: "POST", path: "/api/v1/runs/r1/note", body: `{"call":"c1"}`}, imprimatur.CodeBadRequest, `"found" must be`},
		"note odd":            {request{method: "POST", path: "/api/v1/runs/r1/note", body: `{"call":"c1","found":"perhaps"}`}, imprimatur.CodeBadRequest, `"found" must be`},
		"note that is true":   {request{method: "POST", path: "/api/v1/runs/r1/note", body: `{"call":"c1","found":true}`}, imprimatur.CodeBadRequest, `"found" must be a string`},
		"wait 301":            {request{method: "POST", path: "/api/v1/runs?wait=301", body: good}, imprimatur.CodeBadRequest, "wait"},
		"wait -1":             {request{method: "POST", path: "/api/v1/runs?wait=-1", body: good}, imprimatur.CodeBadRequest, "wait"},
		"wait 1.5":            {request{method: "POST", path: "/api/v1/runs?wait=1.5", body: good}, imprimatur.CodeBadRequest, "wait"},
		"wait +1":             {request{method: "POST", path: "/api/v1/runs?wait=%2B1", body: good}, imprimatur.CodeBadRequest, "wait"},
		"wait empty":          {request{method: "POST", path: "/api/v1/runs?wait=", body: good}, imprimatur.CodeBadRequest, "wait"},
		"wait twice":          {request{method: "POST", path: "/api/v1/runs?wait=1&wait=2", body: good}, imprimatur.CodeBadRequest, "given twice"},
		"unknown parameter":   {request{method: "GET", path: "/api/v1/runs?statsu=failed"}, imprimatur.CodeBadRequest, `unknown parameter "statsu"`},
		"malformed query":     {request{method: "GET", path: "/api/v1/runs?q=%zz"}, imprimatur.CodeBadRequest, "malformed"},
		"limit 201":           {request{method: "GET", path: "/api/v1/runs?limit=201"}, imprimatur.CodeBadRequest, "limit"},
		"limit 0":             {request{method: "GET", path: "/api/v1/runs?limit=0"}, imprimatur.CodeBadRequest, "limit"},
		"status odd":          {request{method: "GET", path: "/api/v1/runs?status=waiting"}, imprimatur.CodeBadRequest, "status"},
		"decided by another":  {request{method: "GET", path: "/api/v1/runs?decided=anna"}, imprimatur.CodeBadRequest, "decided"},
		"back maybe":          {request{method: "GET", path: "/api/v1/runs?back=maybe"}, imprimatur.CodeBadRequest, "back"},
		"long search":         {request{method: "GET", path: "/api/v1/runs?q=" + strings.Repeat("a", 501)}, imprimatur.CodeBadRequest, "500 characters"},
		"after x":             {request{method: "GET", path: "/api/v1/runs/r1/events?after=x"}, imprimatur.CodeBadRequest, "after"},
		"key with a blank":    {request{method: "POST", path: "/api/v1/runs", body: good, headers: []string{"Idempotency-Key: a b"}}, imprimatur.CodeBadRequest, "Idempotency-Key"},
		"key too long":        {request{method: "POST", path: "/api/v1/runs", body: good, headers: []string{"Idempotency-Key: " + strings.Repeat("k", 256)}}, imprimatur.CodeBadRequest, "Idempotency-Key"},
		"form":                {request{method: "POST", path: "/api/v1/runs", body: good, headers: []string{"Content-Type: application/x-www-form-urlencoded"}}, imprimatur.CodeUnsupportedMedia, "application/json"},
		"latin":               {request{method: "POST", path: "/api/v1/runs", body: good, headers: []string{"Content-Type: application/json; charset=latin1"}}, imprimatur.CodeUnsupportedMedia, "application/json"},
		"compressed":          {request{method: "POST", path: "/api/v1/runs", body: good, headers: []string{"Content-Encoding: gzip"}}, imprimatur.CodeUnsupportedMedia, "Content-Encoding"},
		"too large":           {request{method: "POST", path: "/api/v1/runs", body: `{"agent":"a","prompt":"` + strings.Repeat("x", 1<<20) + `"}`}, imprimatur.CodeTooLarge, ""},
		"cancel with a body":  {request{method: "POST", path: "/api/v1/runs/r1/cancel", body: `{"why":"x"}`}, imprimatur.CodeBadRequest, `unknown field "why"`},
		"nowhere":             {request{method: "GET", path: "/api/v1/nowhere"}, imprimatur.CodeNotFound, ""},
		"calls, later":        {request{method: "POST", path: "/api/v1/calls", body: `{}`}, imprimatur.CodeNotFound, ""},
		"nobody":              {request{method: "POST", path: "/api/v1/runs", body: `{`, anonymous: true}, imprimatur.CodeUnauthenticated, ""},
		"another site":        {request{method: "POST", path: "/api/v1/runs/r1/cancel", headers: []string{"Sec-Fetch-Site: cross-site"}}, imprimatur.CodeAccessDenied, "another site"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := do(t, server, tt.q)
			p := got.problem(t)
			if p.Code() != tt.code || got.status != tt.code.Status() {
				t.Errorf("got %d %s (%s), want %s", got.status, p.Type, p.Detail, tt.code)
			}
			if !strings.Contains(p.Detail, tt.says) {
				t.Errorf("detail %q does not say %q", p.Detail, tt.says)
			}
			if want := address + "/docs/refusals/" + string(tt.code); p.Type != want {
				t.Errorf("type %q, want %q", p.Type, want)
			}
		})
	}
	t.Cleanup(func() {
		if f.last().Verb != "" {
			t.Errorf("the engine was asked %+v", f.last())
		}
	})
}

func TestOnlyTheTwoWordsAreVerdicts(t *testing.T) {
	t.Parallel()
	for _, verdict := range []string{``, `"verdict":null,`, `"verdict":"yes",`, `"verdict":1,`, `"verdict":true,`, `"verdict":"",`, `"verdict":"Approve",`, `"verdict":["approve"],`, `"verdict":{},`} {
		t.Run(verdict, func(t *testing.T) {
			t.Parallel()
			f := &fake{}
			got := do(t, serve(t, f), request{method: "POST", path: "/api/v1/runs/r1/decision", body: `{` + verdict + `"turn_digest":"d"}`})
			if p := got.problem(t); p.Code() != imprimatur.CodeBadVerdict || got.status != 400 {
				t.Errorf("got %d %s", got.status, p.Type)
			}
			if f.last().Verb != "" {
				t.Errorf("the engine was asked %+v", f.last())
			}
		})
	}
}

func TestAReasonBelongsToADenial(t *testing.T) {
	t.Parallel()
	f := &fake{}
	server := serve(t, f)
	for _, body := range []string{
		`{"verdict":"approve","turn_digest":"t","picture_digest":"p","reason":"because"}`,
		`{"verdict":"approve","turn_digest":"t","picture_digest":"p","retry":true}`,
		`{"verdict":"deny","turn_digest":"t","reason":"` + strings.Repeat("ä", 2001) + `"}`,
		`{"verdict":"deny","turn_digest":"t","retry":"yes"}`,
	} {
		got := do(t, server, request{method: "POST", path: "/api/v1/runs/r1/decision", body: body})
		if p := got.problem(t); p.Code() != imprimatur.CodeBadRequest {
			t.Errorf("%.60s: got %s", body, p.Type)
		}
	}
	if f.last().Verb != "" {
		t.Errorf("the engine was asked %+v", f.last())
	}
}

func TestAWrongMethodIsAProblemThatNamesTheRightOnes(t *testing.T) {
	t.Parallel()
	server := serve(t, &fake{})
	got := do(t, server, request{method: "DELETE", path: "/api/v1/runs/r1"})
	p := got.problem(t)
	if got.status != http.StatusMethodNotAllowed || p.Code() != "about:blank" || !strings.Contains(got.header.Get("Allow"), "GET") {
		t.Errorf("got %d %s, Allow %q", got.status, p.Type, got.header.Get("Allow"))
	}
}

func TestAFaultTellsNothing(t *testing.T) {
	t.Parallel()
	f := &fake{err: json.Unmarshal([]byte(`{`), new(int))}
	got := do(t, serve(t, f), request{method: "GET", path: "/api/v1/runs/r1"})
	if p := got.problem(t); got.status != 500 || strings.Contains(p.Detail, "JSON") {
		t.Errorf("got %d %q", got.status, p.Detail)
	}
}
