package web

import (
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/imprimatur-dev/imprimatur"
)

// maxForm bounds the body of a form, in bytes: a reason in full and what
// encoding makes of it.
const maxForm = 64 << 10

// ReadForm reads a form that may have these fields, each once, and no others:
// what is decided is what the server holds, and a form cannot say otherwise.
func ReadForm(w http.ResponseWriter, r *http.Request, allowed ...string) (url.Values, error) {
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
