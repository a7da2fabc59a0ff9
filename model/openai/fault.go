package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"github.com/imprimatur-dev/imprimatur/model"
)

// maxSaid is how many bytes of what a server said go into an error.
const maxSaid = 500

// errTooLarge ends a body that goes over the limit. It is no passing trouble:
// the same request is not tried again.
var errTooLarge = errors.New("the answer is larger than allowed")

func misconfigured(err error) *model.Error {
	return &model.Error{Class: model.ClassConfiguration, Err: fmt.Errorf("openai: %w", err)}
}

func fault(class model.Class, status int, format string, args ...any) *model.Error {
	return &model.Error{Class: class, Status: status, Err: fmt.Errorf(format, args...)}
}

// broken is a failure of the connection, or of the time allowed. Of a
// *url.Error only the cause is kept: its text repeats the address.
func (m *Model) broken(status int, doing string, err error) *model.Error {
	if errors.Is(err, errTooLarge) {
		return fault(model.ClassUnknown, status, "%s: %w (%d bytes)", doing, err, m.maxBytes)
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return fault(model.ClassConnection, status, "%s: %w", doing, err)
}

// classOfStatus sorts a status that is not a success.
func classOfStatus(status int) model.Class {
	switch {
	case status == http.StatusTooManyRequests:
		return model.ClassRateLimit
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return model.ClassAuth
	case status >= 500 && status <= 599:
		return model.ClassServer
	case status >= 400 && status <= 499:
		return model.ClassClient
	case status >= 300 && status <= 399:
		return model.ClassConfiguration // a redirect, which is not followed
	default:
		return model.ClassUnknown
	}
}

// report is an error as servers write it into a body: under "error" as an
// object or a text, or as the whole body with "object": "error".
type report struct {
	message string
	words   []string // type, code and status, as far as they are words
	number  int      // code or status, where that is a number
}

// reported looks for an error in a body, whatever its status was.
func reported(body []byte) (report, bool) {
	var top map[string]json.RawMessage
	if json.Unmarshal(body, &top) != nil {
		return report{}, false
	}
	if text(top["object"]) == "error" {
		return reportOf(top), true
	}
	switch raw := bytes.TrimSpace(top["error"]); string(raw) {
	case "", "null", "false", `""`:
		return report{}, false
	default:
		var fields map[string]json.RawMessage
		if json.Unmarshal(raw, &fields) != nil {
			return report{message: text(raw)}, true
		}
		return reportOf(fields), true
	}
}

func reportOf(fields map[string]json.RawMessage) report {
	r := report{message: text(fields["message"])}
	for _, key := range []string{"code", "type", "status"} {
		word := text(fields[key])
		if n, err := strconv.Atoi(word); err == nil {
			r.number = n
		} else if word != "" {
			r.words = append(r.words, strings.ToLower(word))
		}
	}
	return r
}

// text is a JSON string's value, and any other value as it is written.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// classWords sorts errors that come without a status of their own. The first
// word that occurs decides.
var classWords = []struct {
	part  string
	class model.Class
}{
	{"rate_limit", model.ClassRateLimit},
	{"too_many_requests", model.ClassRateLimit},
	{"insufficient_quota", model.ClassRateLimit},
	{"resource_exhausted", model.ClassRateLimit},
	{"authentication", model.ClassAuth},
	{"unauthenticated", model.ClassAuth},
	{"unauthorized", model.ClassAuth},
	{"api_key", model.ClassAuth},
	{"permission", model.ClassAuth},
	{"forbidden", model.ClassAuth},
	{"server_error", model.ClassServer},
	{"internal", model.ClassServer},
	{"overloaded", model.ClassServer},
	{"unavailable", model.ClassServer},
	{"invalid", model.ClassClient},
	{"bad_request", model.ClassClient},
	{"badrequest", model.ClassClient},
	{"not_found", model.ClassClient},
	{"context_length", model.ClassClient},
}

func (r report) class() model.Class {
	if r.number >= 400 {
		return classOfStatus(r.number)
	}
	for _, word := range r.words {
		for _, known := range classWords {
			if strings.Contains(word, known.part) {
				return known.class
			}
		}
	}
	return model.ClassUnknown
}

// disguised is the failure that a body with a good status holds, or nil.
func (m *Model) disguised(status int, body []byte) *model.Error {
	r, found := reported(body)
	if !found {
		return nil
	}
	return fault(r.class(), status, "the server reported an error in a good answer: %s", m.said(r.message))
}

// said makes what a server wrote fit for a log line: one line, bounded, and
// without the key, which some servers repeat.
func (m *Model) said(s string) string {
	if m.key != "" {
		s = strings.ReplaceAll(s, m.key, "[key]")
	}
	if len(s) > maxSaid {
		s = s[:maxSaid] + " …"
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	if strings.TrimSpace(s) == "" {
		return "(no message)"
	}
	return s
}
