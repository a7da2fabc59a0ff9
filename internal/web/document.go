package web

import (
	"net/http"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
)

// documentPage explains one refusal to whoever follows the type of a problem.
type documentPage struct {
	Page
	Code   imprimatur.Code
	Status int
	Name   string
	What   string
	Next   string
	Waits  bool // the run still waits after it
	Others []translation
}

// translation is the same page in another language.
type translation struct {
	Lang string // tag, and what the language calls itself
	Name string
	Here bool
}

// refusalDocument is public: an error message must not need a login to be
// understood. "?lang=" chooses a language for this page alone.
func (s *Site) refusalDocument(w http.ResponseWriter, r *http.Request, v *Visit) error {
	code := imprimatur.Code(r.PathValue("code"))
	if !slices.Contains(imprimatur.Codes(), code) {
		return &imprimatur.Refusal{Code: imprimatur.CodeNotFound}
	}
	if want := r.URL.Query().Get("lang"); slices.Contains(s.catalogue.Languages(), want) {
		v.Words = s.catalogue.Printer(want)
	}
	words := v.Words
	title := words.Say(catalogue.RefusalTitle(code), nil)
	page := documentPage{
		Page: v.Page(words.Say("ui.title.refusal", map[string]any{"title": title})),
		Code: code, Status: code.Status(), Name: title, Waits: code.CarriesCard(),
		What: words.Say(catalogue.RefusalWhat(code), nil), Next: words.Say(catalogue.RefusalNext(code), nil),
	}
	for _, tag := range s.catalogue.Languages() {
		page.Others = append(page.Others, translation{tag, s.catalogue.Printer(tag).Say("ui.language.name", nil), tag == words.Lang()})
	}
	return v.Render(w, r, http.StatusOK, s.document, page)
}
