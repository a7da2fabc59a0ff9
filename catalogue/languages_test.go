package catalogue_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
)

// droppedIn is the folder of languages that come as files alone.
const droppedIn = "../languages"

// sameInFrench lists the texts that read in French as they do in English.
func sameInFrench() []imprimatur.Label {
	return []imprimatur.Label{
		catalogue.ObjectPage, catalogue.WherePosition, catalogue.FileDescription, "preview.record.table", "preview.record.visible",
	}
}

// Proves tools 59, 60, 61, 62, 63, 66; runtime 236.
func TestTheLanguagesThatAreDroppedInAreComplete(t *testing.T) {
	t.Parallel()
	c := newCatalogue(t, os.DirFS(droppedIn))
	if got, want := c.Languages(), []string{"de", "en", "fr"}; !slices.Equal(got, want) {
		t.Errorf("languages %v, want %v", got, want)
	}
	for _, finding := range c.Review(append(same(), sameInFrench()...), internal) {
		t.Error(finding)
	}
}

// A signed letter of a French house has an apostrophe that is curved, guillemets,
// and a space that no line breaks at before a colon and within guillemets.
func TestFrenchIsSetAsFrench(t *testing.T) {
	t.Parallel()
	wrong := regexp.MustCompile("['\"“”]|[^\u00a0]»|«[^\u00a0]|(^|[^\u00a0])[:] |[^\u202f][;!?]|\\.\\.\\.| ,")
	for _, name := range []string{"fr.toml", "ui/fr.toml", "labels/fr.toml"} {
		for label, text := range dropped(t, name) {
			if at := wrong.FindString(text); at != "" {
				t.Errorf("%s: %q is not set well in %q", label, at, text)
			}
		}
	}
}

// dropped reads every text of a file, each form of a plural by itself.
func dropped(t *testing.T, name string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(droppedIn + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := toml.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for label, entry := range all {
		switch e := entry.(type) {
		case string:
			texts[label] = e
		case map[string]any:
			for form, text := range e {
				texts[label+"."+form], _ = text.(string)
			}
		}
	}
	if len(texts) < 100 {
		t.Errorf("%s holds %d texts", name, len(texts))
	}
	return texts
}
