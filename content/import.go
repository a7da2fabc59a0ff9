package content

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

// DefaultImportLimit is how many bytes of an export are read.
const DefaultImportLimit = 256 << 20

// ImportOptions say what an export does not say itself.
type ImportOptions struct {
	// Owner owns every page that comes in and may do everything with it. The
	// zero value owns nothing: only administrators reach the pages. The rights
	// of the export never come in: its groups are not the groups here.
	Owner imprimatur.User
	// By is whom history names; the zero value is System().
	By imprimatur.User
	// Languages name the languages of the export. A language above 0 that the
	// export uses and that is not among them refuses the import.
	Languages []Language
	// Storage is the name of the storage that the files lie in; empty means
	// "media". It has to be in use.
	Storage string
	// Limit bounds the bytes that are read; 0 means DefaultImportLimit.
	Limit int64
}

var languageFlag = regexp.MustCompile(`^([0-9]{1,9})=([^=:]{1,60}):([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*)$`)

// ParseLanguage reads a language as commands take it: "1=German:de".
func ParseLanguage(s string) (Language, error) {
	m := languageFlag.FindStringSubmatch(s)
	if m == nil || strings.TrimSpace(m[2]) == "" || badText(m[2]) != "" {
		return Language{}, fmt.Errorf("%s is no language: give it as 1=German:de", t3dQuote(s))
	}
	id, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		return Language{}, fmt.Errorf("%s is no language: give it as 1=German:de", t3dQuote(s))
	}
	return Language{ID: id, Code: m[3], Label: imprimatur.ByLanguage{"en": strings.TrimSpace(m[2])}}, nil
}

// Import takes a TYPO3 export in XML form into the repository: pages, content
// elements and the items they consist of, files, their metadata and references,
// categories, groups as records that give no right, and translations. Nothing
// comes in without being accounted for in the summary, and nothing stays out
// without a reason there.
//
// All of it comes in, in one transaction, or nothing does. A file that is
// broken is refused with an *ImportError that names line and reason; so is one
// that does not fit what is there already. Rows keep their uids where these are
// free; the others get new ones, which the summary lists, and what points to
// them follows.
//
// It is an operator's act: it asks for no rights, calls no hook, and keeps
// values that the schema would not take from an editor.
func (r *Repository) Import(ctx context.Context, src io.Reader, opt ImportOptions) (ImportSummary, error) {
	opt.Storage, opt.Limit = cmp.Or(opt.Storage, "media"), cmp.Or(opt.Limit, DefaultImportLimit)
	if !opt.By.Exists() {
		opt.By = System()
	}
	sum, err := r.importAll(ctx, src, opt)
	if err != nil {
		return ImportSummary{}, fmt.Errorf("import: %w", err)
	}
	return sum, nil
}

func (r *Repository) importAll(ctx context.Context, src io.Reader, opt ImportOptions) (ImportSummary, error) {
	var sum ImportSummary
	if !r.storages.Has(opt.Storage) {
		return sum, refuseAt(0, "storage %s is not in use here, so nobody could see the files", t3dQuote(opt.Storage))
	}
	file, err := readT3D(ctx, src, opt.Limit)
	if err != nil {
		return sum, err
	}
	if err := file.check(); err != nil {
		return sum, err
	}
	if err := file.checkLanguages(opt.Languages); err != nil {
		return sum, err
	}
	err = r.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		im := newImporter(file, opt, r.within(tx), tx, now)
		if err := im.run(ctx); err != nil {
			return err
		}
		sum = im.summary()
		return nil
	})
	return sum, err
}

// checkLanguages refuses a language that rows are in and nobody named, and
// names that cannot be used.
func (f *t3dFile) checkLanguages(given []Language) error {
	named := map[int64]bool{0: true, -1: true}
	for _, l := range given {
		if l.ID < 0 || named[l.ID] && l.ID != 0 {
			return refuseAt(0, "language %d is named twice, or is none", l.ID)
		}
		named[l.ID] = true
	}
	for _, row := range f.Rows {
		if t3dStructure[row.Table] == nil || f.leftOut(row) != "" {
			continue
		}
		if language := row.number("sys_language_uid"); !named[language] {
			return row.refuse("sys_language_uid", "is in language %d, which has no name: give one, as in --language %d=German:de", language, language)
		}
	}
	return nil
}

// importer is one import under way, inside its transaction.
type importer struct {
	reads
	file *t3dFile
	opt  ImportOptions
	tx   *sql.Tx
	now  int64

	rows    map[string][]*t3dRow // those that come in, by table of the export and uid
	uids    map[t3dKey]int64     // what rows of the export are called here
	columns map[string]*columnPlan
	counts  map[t3dKey]map[string]int64 // references that came in, by the row and its field
	items   map[t3dKey]map[string]int64 // items that came in, by the element and its column here
	// assigned are the categories of rows, by uid.
	assigned map[t3dKey][]int64
	tables   map[string]*ImportedTable
	moved    []Renumbered
	notes    map[string]int
}

// importOrder is the order in which tables come in: what is named before what
// names it.
var importOrder = []string{
	t3dStorages, t3dFiles, t3dCategories, t3dMetadata, t3dPages, t3dContent,
	t3dAccordion, t3dCards, t3dCarousel, t3dIcons, t3dTabs, t3dTimeline, t3dGroups, t3dReferences,
}

func newImporter(file *t3dFile, opt ImportOptions, in reads, tx *sql.Tx, now int64) *importer {
	return &importer{
		reads: in, file: file, opt: opt, tx: tx, now: now,
		rows: map[string][]*t3dRow{}, uids: map[t3dKey]int64{}, columns: map[string]*columnPlan{},
		counts: map[t3dKey]map[string]int64{}, items: map[t3dKey]map[string]int64{}, assigned: map[t3dKey][]int64{}, tables: map[string]*ImportedTable{}, notes: map[string]int{},
	}
}

func (im *importer) run(ctx context.Context) error {
	im.sortOut()
	steps := []func(context.Context) error{im.installLanguages, im.reuse, im.number, im.insertAll}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// sortOut puts every row either among those that come in or in the count of
// those that stay out.
func (im *importer) sortOut() {
	used := map[int64]bool{}
	for _, row := range im.file.Rows {
		if row.Table == t3dFiles {
			used[row.number("storage")] = true
		}
	}
	for _, row := range im.file.Rows {
		im.table(row.Table).Rows++
		reason := im.file.leftOut(row)
		if reason == "" && row.Table == t3dStorages && !used[row.UID] {
			reason = outStorage
		}
		if reason != "" {
			im.leaveOut(row.Table, reason)
			continue
		}
		im.rows[row.Table] = append(im.rows[row.Table], row)
	}
	for _, rows := range im.rows {
		slices.SortFunc(rows, func(a, b *t3dRow) int { return cmp.Compare(a.UID, b.UID) })
	}
	for _, row := range im.rows[t3dReferences] {
		owner := t3dKey{row.text("tablenames"), row.number("uid_foreign")}
		if im.counts[owner] == nil {
			im.counts[owner] = map[string]int64{}
		}
		im.counts[owner][row.text("fieldname")]++
	}
}

func (im *importer) table(source string) *ImportedTable {
	t := im.tables[source]
	if t == nil {
		t = &ImportedTable{Source: source}
		if plan, ok := importTables[source]; ok {
			t.Table = plan.into
		}
		im.tables[source] = t
	}
	return t
}

func (im *importer) leaveOut(source, reason string) {
	t := im.table(source)
	i := slices.IndexFunc(t.LeftOut, func(l LeftOut) bool { return l.Reason == reason })
	if i < 0 {
		t.LeftOut = append(t.LeftOut, LeftOut{Reason: reason})
		i = len(t.LeftOut) - 1
	}
	t.LeftOut[i].Rows++
}

// drop takes rows out again for which here finds a row that is there already.
func (im *importer) drop(source, reason string, here func(*t3dRow) (uid int64, err error)) error {
	var kept []*t3dRow
	for _, row := range im.rows[source] {
		uid, err := here(row)
		if err != nil {
			return err
		}
		if uid == 0 {
			kept = append(kept, row)
			continue
		}
		im.uids[row.key()] = uid
		im.leaveOut(source, reason)
	}
	im.rows[source] = kept
	return nil
}

// installLanguages installs the languages that were named, and the default
// language where there is none. A language that is something else here refuses
// the import: its translations would change their language.
func (im *importer) installLanguages(ctx context.Context) error {
	there, err := im.Languages(ctx)
	if err != nil {
		return err
	}
	installed := map[int64]Language{}
	for _, l := range there {
		installed[l.ID] = l
	}
	given := map[int64]Language{0: {Label: imprimatur.ByLanguage{"en": "Default", "de": "Standard"}}}
	for _, l := range im.opt.Languages {
		given[l.ID] = l
	}
	for _, id := range slices.Sorted(maps.Keys(given)) {
		l := given[id]
		if old, ok := installed[id]; ok {
			if l.Code != "" && !strings.EqualFold(old.Code, l.Code) {
				return refuseAt(0, "language %d is %s here and not %s", id, t3dQuote(old.Code), t3dQuote(l.Code))
			}
			continue
		}
		if err := insertLanguage(ctx, im.tx, l); err != nil {
			return err
		}
	}
	return nil
}
