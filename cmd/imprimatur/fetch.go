package main

import (
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/tool/fetch"
)

// fetches reports whether pages may be fetched from the internet: only where
// the configuration says something about it.
func (l *loaded) fetches() bool {
	c := l.Tools.Fetch
	return l.at("tools.fetch") != (source{}) || c.AllowHosts.Set || c.DenyHosts.Set || c.Ask.Set
}

// fetch makes the tool, which exists whether or not it is on.
func (l *loaded) fetch() (imprimatur.Tool, error) {
	c := l.Tools.Fetch
	return fetch.New(fetch.Config{
		Allow: slices.Clone(c.AllowHosts.V), Deny: slices.Clone(c.DenyHosts.V), Unasked: c.Ask.Set && !c.Ask.V,
	})
}

// off lists the tools that are switched off.
func (l *loaded) off() imprimatur.Set {
	off := imprimatur.Set(slices.Clone(l.Tools.Editorial.Off.V))
	if !l.fetches() {
		off = append(off, fetch.Name)
	}
	return off
}

func (l *loaded) checkFetch() {
	if _, err := l.fetch(); err != nil {
		at := l.at("tools.fetch")
		if l.Tools.Fetch.AllowHosts.Set {
			at = l.Tools.Fetch.AllowHosts.source
		}
		l.wrong(at, "tools.fetch: %s", strings.TrimPrefix(err.Error(), "fetch: "))
	}
}
