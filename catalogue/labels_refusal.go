package catalogue

import "github.com/imprimatur-dev/imprimatur"

// RefusalTitle is the short name of a refusal.
func RefusalTitle(c imprimatur.Code) imprimatur.Label { return refusal(c, "title") }

// RefusalWhat says what happened, and whether anything was written.
func RefusalWhat(c imprimatur.Code) imprimatur.Label { return refusal(c, "what") }

// RefusalNext says what to do now.
func RefusalNext(c imprimatur.Code) imprimatur.Label { return refusal(c, "next") }

func refusal(c imprimatur.Code, part string) imprimatur.Label {
	return imprimatur.Label("refusal." + string(c) + "." + part)
}

func refusalLabels() []imprimatur.Label {
	var all []imprimatur.Label
	for _, c := range imprimatur.Codes() {
		all = append(all, RefusalTitle(c), RefusalWhat(c), RefusalNext(c))
	}
	return all
}
