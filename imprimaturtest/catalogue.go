package imprimaturtest

import (
	"io/fs"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
)

// Catalogue loads the languages of the program together with those of an
// installation, fails the test for whatever keeps them from being loaded or
// shipped, and returns them. internal lists words that people should not have
// to read, such as names of tools and tables; same lists the labels that are
// rightly equal in all languages.
func Catalogue(t testing.TB, same []imprimatur.Label, internal []string, extra ...fs.FS) *catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.New(extra...)
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range c.Review(same, internal) {
		t.Error(found)
	}
	return c
}
