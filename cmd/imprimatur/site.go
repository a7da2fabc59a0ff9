package main

import (
	"maps"
	"net/url"
	"slices"
	"strconv"

	"github.com/imprimatur-dev/imprimatur"
)

// sites are the addresses of the websites by the page that is their root.
func (l *loaded) sites() map[int64]string {
	sites := map[int64]string{}
	for name, v := range l.Tools.Editorial.Sites {
		if uid, ok := pageNumber(name); ok {
			sites[uid] = v.V
		}
	}
	return sites
}

func pageNumber(name string) (int64, bool) {
	uid, err := strconv.ParseInt(name, 10, 64)
	return uid, err == nil && uid > 0
}

// checkNoDrafts looks for tables that are not there. Where the schema cannot be
// read, that was said already.
func (l *loaded) checkNoDrafts() {
	v := l.Tools.Editorial.NoDrafts
	schema, err := l.described()
	if err != nil {
		return
	}
	for _, name := range v.V {
		if _, ok := schema.Table(name); !ok && name != imprimatur.All {
			l.wrong(v.source, "tools.editorial.no_drafts: there is no table named %q", name)
		}
	}
}

func (l *loaded) checkSites() {
	for _, name := range slices.Sorted(maps.Keys(l.Tools.Editorial.Sites)) {
		v := l.Tools.Editorial.Sites[name]
		if _, ok := pageNumber(name); !ok {
			l.wrong(v.source, "tools.editorial.sites: %q is not the uid of a page", name)
		}
		at, err := url.Parse(v.V)
		if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" || at.User != nil || at.RawQuery != "" || at.Fragment != "" {
			l.wrong(v.source, "tools.editorial.sites: %q is no address such as https://museum.example/", v.V)
		}
	}
}
