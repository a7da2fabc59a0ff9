package main

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
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
