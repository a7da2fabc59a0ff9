package content_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pressly/goose/v3"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/content/contenttest"
	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
)

func TestFoldersAreThoseOfTheMountsAndTheWayThere(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	checkFolders(t, s)
}

func TestFoldersAndBatchesAreTheSameOnPostgreSQL(t *testing.T) {
	t.Parallel()
	s := onPostgres(t, contenttest.Options{})
	checkFolders(t, s)
	checkBatches(t, s)
}

func checkFolders(t *testing.T, s *contenttest.Site) {
	t.Helper()
	deep := s.Editor
	deep.Rights.Files = imprimatur.Set{"media:/pictures/", "media:/pictures/more", "media:/gone/", "vault:/"}
	everything := s.Editor
	everything.Rights.Files = imprimatur.Set{"*"}
	for name, c := range map[string]struct {
		user imprimatur.User
		in   content.Folder
		want []string // nil: not found
	}{
		"administrator": {s.Admin, content.Folder{Storage: "media", Path: "/"}, []string{"/documents/", "/pictures/", "/private/"}},
		"everything":    {everything, content.Folder{Storage: "media", Path: "/"}, []string{"/documents/", "/pictures/", "/private/"}},
		"ways":          {s.Editor, content.Folder{Storage: "media", Path: "/"}, []string{"/documents/", "/pictures/"}},
		"once":          {deep, content.Folder{Storage: "media", Path: "/"}, []string{"/pictures/"}},
		"inside":        {s.Editor, content.Folder{Storage: "media", Path: "/pictures/"}, []string{}},
		"outside":       {s.Editor, content.Folder{Storage: "media", Path: "/private/"}, nil},
		"missing":       {s.Admin, content.Folder{Storage: "media", Path: "/nowhere/"}, nil},
		"unused":        {s.Admin, content.Folder{Storage: "vault", Path: "/"}, nil},
		"nobody":        {imprimatur.User{}, content.Folder{Storage: "media", Path: "/"}, nil},
	} {
		got, err := s.Folders(t.Context(), c.user, c.in, 100)
		if c.want == nil {
			if !errors.Is(err, content.ErrNotFound) {
				t.Errorf("%s: %v, %v", name, got, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		same(t, append([]string{}, got...), c.want)
	}
	names, err := s.Storages(t.Context(), deep, 10)
	if err != nil {
		t.Error(err)
	}
	same(t, names, []string{"media"})
	files, err := s.FilesIn(t.Context(), content.Folder{Storage: "media", Path: "/pictures/"}, contenttest.Hall, 1)
	if err != nil || len(files) != 1 || files[0].UID != contenttest.Door {
		t.Errorf("files behind the first one: %v, %v", files, err)
	}
}

func TestAStorageOutOfReachTakesNoPlaceInTheList(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	contenttest.Set(t, s.Repository, content.System(), content.Change{Op: content.Create, Table: content.Files, Fields: map[string]any{
		"storage": "attic", "identifier": "/old.jpg", "name": "old.jpg", "extension": "jpg",
	}})
	names, err := s.Storages(t.Context(), s.Editor, 1)
	if err != nil {
		t.Fatal(err)
	}
	same(t, names, []string{"media"})
}

func TestABatchGoesOnBehindTheLastRecord(t *testing.T) {
	t.Parallel()
	checkBatches(t, contenttest.Open(t, contenttest.Options{}))
}

func checkBatches(t *testing.T, s *contenttest.Site) {
	t.Helper()
	all, err := s.All(t.Context(), content.Elements)
	if err != nil {
		t.Fatal(err)
	}
	var got []content.Record
	for after := int64(0); ; after = got[len(got)-1].UID {
		some, err := s.Batch(t.Context(), content.Elements, after, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(some) == 0 {
			break
		}
		got = append(got, some...)
	}
	same(t, refs(got), refs(all))
	onPage, err := s.OnPage(t.Context(), content.Elements, contenttest.Visit)
	if err != nil {
		t.Fatal(err)
	}
	got = nil
	for after := (content.Record{}); ; after = got[len(got)-1] {
		some, err := s.BatchOnPage(t.Context(), content.Elements, contenttest.Visit, after, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(some) == 0 {
			break
		}
		got = append(got, some...)
	}
	same(t, refs(got), refs(onPage))
}

func refs(records []content.Record) []string {
	var all []string
	for _, rec := range records {
		all = append(all, rec.Ref().String())
	}
	return all
}

// A file from before there were folders lies where a new file would.
func TestFoldersOfOldFilesAreMadeByTheMigration(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "old.db"))
	if err != nil {
		t.Fatal(err)
	}
	checkOldFiles(t, goose.DialectSQLite3, db)
}

func TestFoldersOfOldFilesAreMadeOnPostgreSQL(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("pgx", pgtest.Start(t))
	if err != nil {
		t.Fatal(err)
	}
	checkOldFiles(t, goose.DialectPostgres, db)
}

func checkOldFiles(t *testing.T, dialect goose.Dialect, db *sql.DB) {
	t.Helper()
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	p, err := goose.NewProvider(dialect, db, content.Migrations(), goose.WithDisableGlobalRegistry(true))
	if err == nil {
		_, err = p.UpTo(t.Context(), 2)
	}
	if err != nil {
		t.Fatal(err)
	}
	repo := contenttest.Open(t, contenttest.Options{})
	var changes []content.Change
	for i, identifier := range []string{"/a.jpg", "/pictures/more/b.jpg", "/pictures/more/than/enough/c", "/b b/b/b.jpg", "/ü/%_/f"} {
		if _, err := db.ExecContext(t.Context(), "INSERT INTO content_files (uid, storage, identifier) VALUES ($1, 'attic', $2)", 100+i, identifier); err != nil {
			t.Fatal(err)
		}
		changes = append(changes, content.Change{Op: content.Create, Table: content.Files, UID: int64(100 + i), Fields: map[string]any{
			"storage": "attic", "identifier": identifier, "name": "x",
		}})
	}
	if _, err := p.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	contenttest.Set(t, repo.Repository, content.System(), changes...)
	same(t, folders(t, db), folders(t, repo.DB))
}

// folders lists what the database knows of the storage attic.
func folders(t *testing.T, db *sql.DB) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `
		SELECT folder || ' > ' || identifier FROM content_files WHERE storage = 'attic'
		UNION ALL SELECT parent || ' >> ' || path FROM content_folders WHERE storage = 'attic'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if len(all) < 14 {
		t.Errorf("%d files and folders", len(all))
	}
	slices.Sort(all)
	return all
}

func TestWhatIsHiddenIsThereForThoseWhoWorkOnIt(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{})
	for _, c := range []struct {
		user imprimatur.User
		ref  content.Ref
		want bool
	}{
		{s.Editor, content.Ref{Table: content.Elements, UID: contenttest.Intro}, true},
		{s.Reader, content.Ref{Table: content.Elements, UID: contenttest.Intro}, true},
		{imprimatur.User{}, content.Ref{Table: content.Elements, UID: contenttest.Intro}, false},
		{s.Admin, content.Ref{Table: content.Elements, UID: contenttest.Downloads}, true},
		{s.Editor, content.Ref{Table: content.Elements, UID: contenttest.Downloads}, false},
		{s.Editor, content.Ref{Table: content.Pages, UID: contenttest.OpeningHours}, true},
		{s.Reader, content.Ref{Table: content.Pages, UID: contenttest.OpeningHours}, false},
		{s.Editor, content.Ref{Table: content.Pages, UID: contenttest.HoursGerman}, true},
		{s.Editor, content.Ref{Table: content.Pages, UID: contenttest.HoursFrench}, false},
		{s.Editor, content.Ref{Table: content.Pages, UID: contenttest.Archive}, false},
		{s.Editor, content.Ref{Table: content.Files, UID: contenttest.Hall}, true},
		{s.Editor, content.Ref{Table: content.Files, UID: contenttest.Private}, false},
	} {
		rec, err := s.Row(t.Context(), c.ref)
		if err != nil {
			t.Fatal(err)
		}
		sight := s.Sight(c.user)
		for range 2 { // the second answer is the remembered one
			if got, err := sight.Shows(t.Context(), rec); err != nil || got != c.want {
				t.Errorf("%s for %q: %v, %v", c.ref, c.user.Name, got, err)
			}
		}
	}
}

func TestWhatBelongsToARecordShowsWhereThatDoes(t *testing.T) {
	t.Parallel()
	s := contenttest.Open(t, contenttest.Options{Large: true})
	item := read(t, s, "accordion_items", contenttest.FirstItem)
	pictures, err := s.References(t.Context(), item.Ref(), "media")
	if err != nil || len(pictures) != 1 {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	reader := s.Reader
	reader.Rights.Select = imprimatur.Set{imprimatur.All}
	// Who may edit elements sees what belongs to a hidden one, others do not.
	shows := func(when string, asAdmin, asReader bool) {
		t.Helper()
		for user, want := range map[*imprimatur.User]bool{&s.Admin: asAdmin, &reader: asReader} {
			sight := s.Sight(*user)
			for _, rec := range []content.Record{item, pictures[0], item} {
				if got, err := sight.Shows(t.Context(), rec); err != nil || got != want {
					t.Errorf("%s, %s: %s shows: %v, %v", when, user.Name, rec.Ref(), got, err)
				}
			}
		}
	}
	shows("public", true, true)
	hide := content.ChangeSet{Changes: []content.Change{update(content.Elements, contenttest.Accordion, map[string]any{"hidden": 1})}}
	if out, err := s.Apply(t.Context(), s.Admin, hide); err != nil || len(out.Complaints) > 0 {
		t.Fatal(out.Complaints, err)
	}
	shows("hidden", true, false)
}

// What lies on a hidden page or translates what is hidden is there for those who
// work on it.
func TestWhatIsBehindAHiddenRecordIsHiddenWithIt(t *testing.T) {
	t.Parallel()
	item := content.Ref{Table: "accordion_items", UID: contenttest.FirstItem}
	pointing := content.Ref{Table: content.Elements, UID: contenttest.Pointing}
	german := content.Ref{Table: content.Elements, UID: contenttest.AccordionGerman}
	hide := func(table string, uid int64) content.Change { return update(table, uid, map[string]any{"hidden": 1}) }
	for name, c := range map[string]struct {
		change content.Change
		ref    content.Ref
	}{
		"on a hidden page":            {hide(content.Pages, contenttest.FirstHall), pointing},
		"item on a hidden page":       {hide(content.Pages, contenttest.FirstHall), item},
		"translation of a hidden one": {hide(content.Elements, contenttest.Accordion), german},
		"page of a hidden one":        {hide(content.Pages, contenttest.Halls), content.Ref{Table: content.Pages, UID: contenttest.HallsGerman}},
	} {
		s := contenttest.Open(t, contenttest.Options{Large: true})
		contenttest.Set(t, s.Repository, content.System(), update(content.Elements, contenttest.AccordionGerman, map[string]any{"hidden": 0}))
		reader := s.Reader
		reader.Rights.Select = imprimatur.Set{imprimatur.All}
		for _, changed := range []bool{false, true} {
			if changed {
				contenttest.Set(t, s.Repository, content.System(), c.change)
			}
			for _, u := range []imprimatur.User{reader, s.Admin} {
				want := !changed || u.Admin
				if got, err := s.Sight(u).Shows(t.Context(), read(t, s, c.ref.Table, c.ref.UID)); err != nil || got != want {
					t.Errorf("%s, changed %v: shows for %s: %v, %v", name, changed, u.Name, got, err)
				}
			}
		}
	}
}
