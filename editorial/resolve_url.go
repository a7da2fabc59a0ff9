package editorial

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

type addressRequest struct {
	URL string `json:"url" is:"min=1,max=2000" about:"Address of a page of the website, or its path alone, such as /visit/team"`
}

func (d desk) resolveURL() imprimatur.Tool {
	return reader(d, reading[addressRequest]{
		name: "resolve_url", group: groupStructure, neutral: noPage, read: desk.resolve,
		description: "Names the page behind an address of one of the websites: its UID, title and language. Nothing is fetched, and other websites are refused.",
	})
}

// maxResolved is how many pages of one path are looked at: one for each website.
const maxResolved = 20

func (d desk) resolve(ctx context.Context, u imprimatur.User, args addressRequest) (string, error) {
	if !content.MaySelect(u, content.Pages) {
		return "", refuseNeutrally(noPage)
	}
	root, path, err := d.ownPath(args.URL)
	if err != nil {
		return "", err
	}
	routes, err := d.routes(ctx, path)
	if err != nil {
		return "", err
	}
	sight := d.repo.Sight(u)
	for _, r := range routes {
		var a answer
		if err := d.addResolved(ctx, &a, sight, root, r); err != nil {
			return "", err
		}
		if a.Len() > 0 {
			return a.String(), nil
		}
	}
	return "", refuseNeutrally(noPage)
}

// ownPath cuts from an address what names a website: the root of that website,
// 0 where only a path was given, and the path within it.
func (d desk) ownPath(address string) (root int64, path string, err error) {
	at, err := url.Parse(strings.TrimSpace(address))
	switch {
	case err != nil || at.User != nil || at.Opaque != "" || strings.Contains(strings.ToLower(at.EscapedPath()), "%2f"):
		return 0, "", refuse("The argument %q is no address of a page.", "url")
	case at.Host == "" && at.Scheme == "" && strings.HasPrefix(at.Path, "/"):
		return 0, at.Path, nil
	case at.Scheme != "http" && at.Scheme != "https":
		return 0, "", refuse("The argument %q must begin with http://, https:// or /.", "url")
	case len(d.sites) == 0:
		return 0, "", refuse("This installation does not know the addresses of its websites. Give the path alone, such as /visit/team.")
	}
	longest := -1
	for _, uid := range slices.Sorted(maps.Keys(d.sites)) {
		base, err := url.Parse(d.sites[uid])
		if err != nil || base.Host == "" || hostOf(base) != hostOf(at) {
			continue
		}
		prefix := strings.TrimSuffix(base.Path, "/")
		if rest, ok := strings.CutPrefix(at.Path, prefix); ok && (rest == "" || rest[0] == '/') && len(prefix) > longest {
			root, path, longest = uid, rest, len(prefix)
		}
	}
	if longest < 0 {
		return 0, "", refuse("This address is on none of the websites of this installation.")
	}
	return root, path, nil
}

// hostOf is the host of an address in lower case, with its port where that is
// not the usual one. Other letters than those of ASCII stay as they are: some
// look like one in lower case.
func hostOf(at *url.URL) string {
	host := strings.Map(func(r rune) rune {
		if r <= unicode.MaxASCII {
			return unicode.ToLower(r)
		}
		return r
	}, at.Hostname())
	port := at.Port()
	if port == "" || at.Scheme == "http" && port == "80" || at.Scheme == "https" && port == "443" {
		return host
	}
	return host + ":" + port
}

// route is one way to read a path.
type route struct {
	language int64
	slug     string // without a slash at the end, but for the topmost page
}

// routes reads a path in a language whose code it begins with, and as it is.
func (d desk) routes(ctx context.Context, path string) ([]route, error) {
	path = "/" + strings.Trim(path, "/")
	languages, err := d.repo.Languages(ctx)
	if err != nil {
		return nil, err
	}
	var routes []route
	first, rest, _ := strings.Cut(path[1:], "/")
	for _, l := range languages {
		if l.Code != "" && strings.EqualFold(l.Code, first) {
			routes = append(routes, route{l.ID, "/" + rest})
			if l.ID != 0 {
				routes = append(routes, route{0, "/" + rest}) // not translated, or under the same path
			}
		}
	}
	return append(routes, route{0, path}), nil
}

// addResolved names the pages that a route leads to and that come into view.
func (d desk) addResolved(ctx context.Context, a *answer, sight *content.Sight, root int64, r route) error {
	found, err := d.repo.BySlug(ctx, r.slug, r.language, maxResolved)
	if err != nil {
		return err
	}
	for _, page := range found {
		if ok, err := sight.Shows(ctx, page); err != nil {
			return err
		} else if !ok {
			continue
		}
		site, ok, err := d.repo.SiteRoot(ctx, page.UID)
		if err != nil {
			return err
		}
		if !ok || root != 0 && site.UID != root {
			continue
		}
		uid, translated := page.UID, ""
		if page.Origin > 0 {
			uid, translated = page.Origin, fmt.Sprintf(" (record %d)", page.UID)
		}
		a.addf("Page %d %s, language %d%s, website %d%s", uid, titled(page.Text("title")), page.Language, translated, site.UID, hiddenMark(page))
	}
	return nil
}

// address is where a source is to be read: the address of its website, where
// that is known, and the path.
func (d desk) address(ctx context.Context, s source) (string, error) {
	path := s.slug
	if s.language != 0 {
		languages, err := d.repo.Languages(ctx)
		if err != nil {
			return "", err
		}
		for _, l := range languages {
			if l.ID == s.language && l.Code != "" {
				path = "/" + strings.ToLower(l.Code) + path
			}
		}
	}
	return excerpt(strings.TrimSuffix(d.sites[s.root], "/")+path, cellLength), nil
}
