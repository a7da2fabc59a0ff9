package inbox

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"unicode/utf8"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/internal/web"
)

// partSize is how many bytes of arguments one page shows.
const partSize = 256 << 10

// argumentsView is what the model asked for, whole.
type argumentsView struct {
	Text []web.Bit
	Size int    // bytes of the canonical form, which is what is hashed and runs
	More string // address of the parts, where one page does not hold them
}

func newArguments(words *catalogue.Printer, run string, call imprimatur.CardCall) argumentsView {
	text := pretty(call.Arguments)
	out := argumentsView{Size: len(call.Arguments)}
	parts := cut(text, partSize)
	out.Text = web.Raw(words, parts[0])
	if len(parts) > 1 {
		out.More = runPath(run) + "/arguments/" + strconv.Itoa(call.Index)
	}
	return out
}

// pretty indents arguments; numbers and strings stay byte for byte. What is no
// JSON is shown as it is.
func pretty(arguments json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Indent(&b, arguments, "", "  "); err != nil {
		return string(arguments)
	}
	return b.String()
}

// cut cuts a text into parts of at most size bytes, between characters. There
// is always one part.
func cut(text string, size int) []string {
	var parts []string
	for len(text) > size {
		end := size
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		parts = append(parts, text[:end])
		text = text[end:]
	}
	return append(parts, text)
}

// argumentsPage is one part of arguments that are too long for a card.
type argumentsPage struct {
	web.Page
	Run    string
	Number int // of the call, from 1
	Name   toolName
	Text   []web.Bit
	Part   int // from 1
	Parts  int
	Before int // 0: none
	After  int
}

func (in *Inbox) showArguments(w http.ResponseWriter, r *http.Request, v *web.Visit) error {
	run := r.PathValue("id")
	card, err := in.Desk.Card(r.Context(), v.Actor, run)
	if err != nil {
		return err
	}
	for i, call := range card.Calls {
		if strconv.Itoa(call.Index) != r.PathValue("call") {
			continue
		}
		parts := cut(pretty(call.Arguments), partSize)
		n := 1
		if asked := r.URL.Query().Get("part"); asked != "" {
			if n, err = strconv.Atoi(asked); err != nil || n < 1 || n > len(parts) {
				return imprimatur.Refused(imprimatur.CodeNotFound, run)
			}
		}
		page := argumentsPage{
			Page: in.frame(r.Context(), v, v.Words.Say("ui.arguments.title", map[string]any{"count": i + 1}), run, -1),
			Run:  run, Number: i + 1, Name: nameOf(v.Words, call.Tool),
			Text: web.Raw(v.Words, parts[n-1]), Part: n, Parts: len(parts), Before: n - 1,
		}
		if n < len(parts) {
			page.After = n + 1
		}
		return v.Render(w, r, http.StatusOK, in.arguments, page)
	}
	return imprimatur.Refused(imprimatur.CodeNotFound, run)
}
