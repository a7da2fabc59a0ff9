package main

import (
	"database/sql"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
)

// documented is a line of docs/backup.md that begins like this, with what it
// names put in.
func documented(t *testing.T, begins string, names ...string) string {
	t.Helper()
	text := read(t, "../../docs/backup.md")
	line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(begins) + `.*$`).FindString(text)
	if line == "" {
		t.Fatalf("no line of docs/backup.md begins with %s", begins)
	}
	return strings.NewReplacer(names...).Replace(line)
}

// A backup is made as the documentation says while a card waits and the server
// runs. After more was written, everything is put back elsewhere: the card waits
// as it was shown, and is approved there. Another keyset opens nothing.
func TestACardOutlivesABackup(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]struct {
		database func(*testing.T) string
		backup   func(t *testing.T, s *site, database string) string // returns the database to go on with
	}{
		"sqlite":     {func(*testing.T) string { return "sqlite:imprimatur.db" }, backUpFile},
		"postgresql": {func(t *testing.T) string { return pgtest.Start(t) }, backUpServer},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &site{t: t, dir: t.TempDir(), tokens: map[string]string{}}
			s.command("key", "new", filepath.Join(s.dir, "keyset.json"))
			s.command("key", "new", filepath.Join(s.dir, "other.json"))
			database := kind.database(t)
			config := s.found("database: " + database + strings.Replace(nodeConfig, "seal: none", "seal: {keyset: ./keyset.json}", 1))
			s.serve(config)
			waiting := s.until(s.enqueue(), imprimatur.StatusWaiting)
			restored := kind.backup(t, s, database)
			s.command("content", "set", "pages", "1", "title=Changed since", "--config", config)

			later := s.file("later.yaml", strings.Replace(read(t, config), "database: "+database, "database: "+restored, 1))
			wrong := s.file("wrong.yaml", strings.Replace(read(t, later), "keyset.json", "other.json", 1))
			if code, said := command(t, "serve", "--config", wrong); code != exitError || !strings.Contains(said, "the keyset is not the one this database was sealed with") {
				t.Errorf("with another keyset: exit %d, %s", code, said)
			}
			s.command("doctor", "--config", later)
			there := &site{t: t, dir: s.dir, tokens: s.tokens}
			there.serve(later)
			var card imprimatur.Card
			if code := there.call("anna", http.MethodGet, "/runs/"+waiting.ID+"/card", nil, &card); code != http.StatusOK || card.PictureDigest != waiting.Card.PictureDigest {
				t.Fatalf("the card there: %d, %+v", code, card)
			}
			if got := there.approve(waiting); got.Status != imprimatur.StatusCompleted {
				t.Errorf("it is %s, %s", got.Status, got.Reason)
			}
			if shown := s.command("content", "show", "pages", "1", "--config", later); !strings.Contains(shown, "Open on Mondays") || strings.Contains(shown, "Changed since") {
				t.Errorf("the page reads\n%s", shown)
			}
		})
	}
}

// backUpFile runs the statement that the documentation hands to sqlite3.
func backUpFile(t *testing.T, s *site, database string) string {
	t.Helper()
	line := documented(t, "sqlite3 ", "backup.db", filepath.Join(s.dir, "backup.db"))
	statement := strings.Trim(line[strings.Index(line, `"`):], `"`)
	db, err := sql.Open("sqlite", filepath.Join(s.dir, strings.TrimPrefix(database, "sqlite:")))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	return "sqlite:backup.db"
}

func backUpServer(t *testing.T, s *site, database string) string {
	t.Helper()
	empty := pgtest.Start(t)
	for _, step := range []struct{ begins, database string }{{"pg_dump ", database}, {"pg_restore ", empty}} {
		cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", documented(t, step.begins))
		cmd.Dir, cmd.Env = s.dir, append(os.Environ(), "DATABASE="+step.database, "PATH="+pgtest.Programs(t)+":"+os.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, out)
		}
	}
	return empty
}
