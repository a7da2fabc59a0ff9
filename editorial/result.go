package editorial

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// Bounds of what complaints of the write engine tell the model.
const (
	maxComplaints      = 5
	maxComplaintLength = 200
)

// excerptLength is how many characters of a title the model reads.
const excerptLength = 120

// complaints says what the write engine would not do.
func complaints(all []content.Complaint) string {
	var b strings.Builder
	b.WriteString("Nothing was written. The repository refused:")
	for _, c := range all[:min(len(all), maxComplaints)] {
		text := c.Text
		if c.Field != "" {
			text = c.Field + ": " + text
		}
		b.WriteString("\n- " + imprimatur.Cut(text, maxComplaintLength))
	}
	if more := len(all) - maxComplaints; more > 0 {
		fmt.Fprintf(&b, "\n- and %d more", more)
	}
	return b.String()
}

// excerpt is a value for the model, on one line.
func excerpt(value string, length int) string {
	value = strings.Join(strings.Fields(imprimatur.Visible(strings.ToValidUTF8(value, "\uFFFD"))), " ")
	if cut := imprimatur.Cut(value, length); cut != value {
		return cut + "…"
	}
	return value
}

// titled is a record for the model: its title, or that it has none.
func titled(value string) string {
	if value = excerpt(value, excerptLength); value == "" {
		return "(without a title)"
	}
	return "“" + value + "”"
}

// listed joins names: "a", "a and b", "a, b and c".
func listed(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// updated reads back which of the wanted values a record took, texts and whole
// numbers by column, and says so; next is what follows for whoever reads it.
// What took only in part stays, and the result names both halves.
func (d desk) updated(ctx context.Context, ref content.Ref, where string, want map[string]any, next string) (imprimatur.Result, error) {
	now, err := d.repo.Row(ctx, ref)
	if err != nil {
		return imprimatur.Result{}, err
	}
	var took, lost []string
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if now.Text(name) == fmt.Sprint(want[name]) {
			took = append(took, name)
		} else {
			lost = append(lost, name)
		}
	}
	wrote := &imprimatur.Written{Table: ref.Table, UID: ref.UID, Kind: "updated", Complete: len(lost) == 0}
	switch {
	case len(lost) == 0:
		return imprimatur.Result{Wrote: wrote, Content: fmt.Sprintf("Changed %s of %s. %s", listed(took), where, next)}, nil
	case len(took) == 0:
		return imprimatur.Result{}, undo("The repository did not take %s of %s.", listed(lost), where)
	default:
		return imprimatur.Result{IsError: true, Wrote: wrote, Content: fmt.Sprintf(
			"In part: %s of %s changed, but the repository did not take %s.", listed(took), where, listed(lost))}, nil
	}
}
