package api

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

// card is GET /runs/{id}/card.
func (s *surface) card(c *call) error {
	card, err := s.Engine.Card(c.r.Context(), c.actor, c.run())
	if err != nil {
		return err
	}
	body, tag, err := renderCard(card)
	if err != nil {
		return err
	}
	h := c.w.Header()
	h.Set("ETag", tag)
	if matches(c.r.Header.Values("If-None-Match"), tag, true) {
		c.w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", "application/json")
	_, _ = c.w.Write(body) // a client that is gone needs no answer
	return nil
}

// renderCard returns the card as it is sent, and its entity tag.
func renderCard(card imprimatur.Card) (body []byte, tag string, err error) {
	tidyCard(&card)
	if body, err = encode(card); err != nil {
		return nil, "", err
	}
	sum := sha256.Sum256(body)
	return body, `"` + hex.EncodeToString(sum[:16]) + `"`, nil
}

// matches reports whether a list of entity tags holds tag, or is "*". A weak
// tag only counts where weak comparison is allowed (RFC 9110, 8.8.3.2).
func matches(lines []string, tag string, weak bool) bool {
	for _, line := range lines {
		for entry := range strings.SplitSeq(line, ",") {
			entry = strings.TrimSpace(entry)
			if weak {
				entry = strings.TrimPrefix(entry, "W/")
			}
			if entry == "*" || entry == tag {
				return true
			}
		}
	}
	return false
}

// tidyRun makes lists of what the engine left nil: absent and empty are the
// same to a client.
func tidyRun(r *imprimatur.Run) {
	if r.Stale == nil {
		r.Stale = []imprimatur.Mark{}
	}
	if r.Card != nil {
		card := *r.Card
		tidyCard(&card)
		r.Card = &card
	}
}

func tidyCard(c *imprimatur.Card) {
	if c.Ran == nil {
		c.Ran = []imprimatur.Ran{}
	}
	calls := make([]imprimatur.CardCall, len(c.Calls))
	copy(calls, c.Calls)
	for i := range calls {
		if p := calls[i].Preview; p != nil && p.Lines == nil {
			tidy := *p
			tidy.Lines = []imprimatur.Line{}
			calls[i].Preview = &tidy
		}
	}
	c.Calls = calls
}
