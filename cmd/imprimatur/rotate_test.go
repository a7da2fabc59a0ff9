package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A keyset that is replaced stays where a link leads, and with those who may
// read it.
func TestAKeysetIsReplacedInItsPlace(t *testing.T) {
	t.Parallel()
	s := &site{t: t, dir: t.TempDir(), tokens: map[string]string{}}
	place := filepath.Join(s.dir, "place.json")
	s.command("key", "new", place)
	if err := os.Chmod(place, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(place, filepath.Join(s.dir, "keyset.json")); err != nil {
		t.Fatal(err)
	}
	before := read(t, place)
	s.command("key", "rotate", "--add", "--config", s.file("imprimatur.yaml", "seal: {keyset: ./keyset.json}\n"))
	info, err := os.Stat(place)
	if err != nil || info.Mode().Perm() != 0o640 || read(t, place) == before {
		t.Errorf("the file is %v, %v, and changed: %v", info.Mode(), err, read(t, place) != before)
	}
	if link, err := os.Readlink(filepath.Join(s.dir, "keyset.json")); err != nil || link != place {
		t.Errorf("the link leads to %q, %v", link, err)
	}
	left, err := filepath.Glob(filepath.Join(s.dir, ".keyset-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
