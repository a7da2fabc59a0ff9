package api

import (
	"net/http"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
)

// noteBody is the body of POST /runs/{id}/note.
type noteBody struct {
	Call  string           `json:"call" doc:"Id of the call."`
	Found imprimatur.Found `json:"found" enum:"happened,did_not_happen,unclear" doc:"What was found."`
}

// note is POST /runs/{id}/note.
func (s *surface) note(c *call) error {
	var b noteBody
	if err := c.body(&b); err != nil {
		return err
	}
	switch {
	case b.Call == "":
		return imprimatur.BadRequest(`field "call" is missing`)
	case !slices.Contains(imprimatur.Findings(), b.Found):
		return imprimatur.BadRequest(`field "found" must be "happened", "did_not_happen" or "unclear"`)
	}
	if err := s.Engine.Note(c.r.Context(), c.actor, c.run(), imprimatur.Note{Call: b.Call, Found: b.Found}); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}
