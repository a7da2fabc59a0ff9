package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/client"
)

// releases holds, for each version that came before, a database with cards that
// wait, as that version left it, and the digests that people were shown.
const releases = "testdata/release"

// shownCard is what somebody was shown by an earlier version.
type shownCard struct {
	Run           string `json:"run"`
	TurnDigest    string `json:"turn_digest"`
	PictureDigest string `json:"picture_digest"`
}

// release puts the database of an earlier version into a folder, and returns
// that and the cards.
func release(t *testing.T, version string) (dir string, cards map[string]shownCard) {
	t.Helper()
	from := filepath.Join(releases, version)
	dir = t.TempDir()
	packed, err := os.Open(filepath.Join(from, "demo.db.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := os.ReadFile(filepath.Join(from, "runs.json"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(from, "cards.json"))
	if err == nil {
		err = json.Unmarshal(text, &cards)
	}
	if err != nil {
		t.Fatal(err)
	}
	config := "database: sqlite:demo.db\nseal: none\nlisten: 127.0.0.1:0\n"
	for name, data := range map[string][]byte{"demo.db": data, "runs.json": runs, "imprimatur.yaml": []byte(config)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, cards
}

// command runs the program once and returns how it ended and what it said.
func command(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out bytes.Buffer
	a := &app{in: os.Stdin, out: &out, err: &out, env: func(string) (string, bool) { return "", false }}
	return a.run(ctx, args), out.String()
}

// A card that waited before an upgrade waits after it, as it was shown, and a
// decision about what was shown holds.
//
// Proves field 58.
func TestCardsThatWaitOutliveAnUpgrade(t *testing.T) {
	t.Parallel()
	versions, err := os.ReadDir(releases)
	if err != nil || len(versions) == 0 {
		t.Fatalf("%d versions, %v", len(versions), err)
	}
	for _, v := range versions {
		t.Run(v.Name(), func(t *testing.T) {
			t.Parallel()
			dir, cards := release(t, v.Name())
			config := filepath.Join(dir, "imprimatur.yaml")
			if code, said := command(t, "serve", "--config", config); code == 0 || !strings.Contains(said, "imprimatur migrate") {
				t.Fatalf("serve on an older database ended with %d and said %s", code, said)
			}
			if code, said := command(t, "migrate", "--config", config); code != 0 {
				t.Fatalf("migrate ended with %d and said %s", code, said)
			}
			s := show(t, "--data", dir)
			c, err := client.New(client.Config{Server: s.URL, Token: s.Users[2].Token})
			if err != nil {
				t.Fatal(err)
			}
			for _, kind := range []string{"small_edit", "relative", "new_page", "published", "described", "deleted", "back"} {
				approveAsShown(t, c, kind, cards[kind])
			}
		})
	}
}

// approveAsShown decides by what an earlier version showed. Where this one says
// the same in other words, the turn comes back with them, once.
func approveAsShown(t *testing.T, c *client.Client, kind string, shown shownCard) {
	t.Helper()
	decision := imprimatur.Decision{Verdict: imprimatur.Approve, TurnDigest: shown.TurnDigest, PictureDigest: shown.PictureDigest}
	run, err := c.Decide(t.Context(), shown.Run, decision, time.Minute)
	if err == nil && run.Back && run.Card != nil {
		decision.TurnDigest, decision.PictureDigest = run.Card.TurnDigest, run.Card.PictureDigest
		run, err = c.Decide(t.Context(), shown.Run, decision, time.Minute)
	}
	if err != nil || run.Status != imprimatur.StatusCompleted {
		t.Errorf("%s: %s, %v", kind, run.Status, err)
	}
}
