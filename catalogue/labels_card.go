package catalogue

import "github.com/imprimatur-dev/imprimatur"

// The card's own lines: what stands where a tool has nothing to show, or more
// than fits.
const (
	CardFailed         imprimatur.Label = "preview.card.failed"           // the preview failed when the turn paused
	CardFailedAtResume imprimatur.Label = "preview.card.failed_at_resume" // it failed when it was taken again
	CardEmpty          imprimatur.Label = "preview.card.empty"            // it had no lines
	CardUnavailable    imprimatur.Label = "preview.card.unavailable"      // the tool is gone or previews no more
	CardOverflow       imprimatur.Label = "preview.card.overflow"         // takes count, the lines that were cut
	CardWithheld       imprimatur.Label = "preview.card.withheld"         // this viewer may not read it
	CardOutOfDate      imprimatur.Label = "preview.card.out_of_date"      // nobody may read what it shows any more
	CardRefused        imprimatur.Label = "preview.card.refused"          // a refusal whose text this viewer may not read
)

// CallRefused is the label that says why a call can never run.
func CallRefused(why imprimatur.CallRefusal) imprimatur.Label {
	return imprimatur.Label("call.refused." + string(why))
}

func cardLabels() []imprimatur.Label {
	return []imprimatur.Label{
		CardFailed, CardFailedAtResume, CardEmpty, CardUnavailable, CardOverflow,
		CardWithheld, CardOutOfDate, CardRefused,
		CallRefused(imprimatur.RefusedNotJSON), CallRefused(imprimatur.RefusedDuplicate),
		CallRefused(imprimatur.RefusedEncoding), CallRefused(imprimatur.RefusedTooLarge),
	}
}
