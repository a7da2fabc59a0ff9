package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/imprimatur-dev/imprimatur/internal/seal"
)

var sealSQL = load("seal.sql")

// sealed is one sealed value and the place that it is bound to.
type sealed struct {
	run      string
	column   string // as it stands in the place; of a record its kind
	sequence int64
	value    []byte
}

func (v sealed) place() string { return seal.Associated(v.run, v.column, v.sequence) }

// sealedColumn is a column whose values are sealed: how they are read in pages,
// and how one is replaced that nobody changed meanwhile.
type sealedColumn struct {
	name    string
	page    string
	after   func(last sealed) []any
	replace string
	which   func(v sealed) []any
}

// sealedColumns are all of them but the canary, which has one value.
var sealedColumns = []sealedColumn{
	{"runs.state", "State", afterRun, "SetState", whichRun},
	{"runs.quarantine", "Quarantine", afterRun, "SetQuarantine", whichRun},
	{"runs.request", "Request", afterRun, "SetRequest", whichRun},
	{
		"records.value", "Records", func(v sealed) []any { return []any{v.run, v.sequence, v.column} },
		"SetRecord", func(v sealed) []any { return []any{v.run, v.sequence, v.column} },
	},
}

func afterRun(v sealed) []any { return []any{v.run} }
func whichRun(v sealed) []any { return []any{v.run} }

// sealedPage is how many values are read, and replaced, at a time.
const sealedPage = 100

func (s *Store) sealedPage(ctx context.Context, c sealedColumn, last sealed) ([]sealed, error) {
	rows, err := s.reader.QueryContext(ctx, sealSQL.get(c.page), append(c.after(last), sealedPage)...)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", c.name, err)
	}
	defer rows.Close()
	var page []sealed
	for rows.Next() {
		var v sealed
		if err := rows.Scan(&v.run, &v.column, &v.sequence, &v.value); err != nil {
			return nil, fmt.Errorf("read %s: %w", c.name, err)
		}
		page = append(page, v)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", c.name, err)
	}
	return page, nil
}

// eachPage walks through all sealed values of the runs.
func (s *Store) eachPage(ctx context.Context, do func(c sealedColumn, page []sealed) error) error {
	for _, c := range sealedColumns {
		for last := (sealed{sequence: -1}); ; {
			page, err := s.sealedPage(ctx, c, last)
			if err != nil {
				return err
			}
			if len(page) == 0 {
				break
			}
			if err := do(c, page); err != nil {
				return err
			}
			last = page[len(page)-1]
		}
	}
	return nil
}

// Sealing says which keys what is stored was sealed with.
type Sealing struct {
	Primary    uint32         // id of the key that seals now; 0: nothing is sealed
	Keys       map[uint32]int // values by the id of their key
	Unreadable int            // values that do not open, whatever their key
	Runs       []string       // whose values these are, the first of them
}

// maxNamed is how many runs with unreadable values are named.
const maxNamed = 20

// Sealing opens every sealed value once and keeps nothing of it.
func (s *Store) Sealing(ctx context.Context) (Sealing, error) {
	out := Sealing{Keys: map[uint32]int{}, Primary: s.sealer.Primary()}
	value, err := canary(ctx, s.reader)
	if err != nil {
		return out, fmt.Errorf("read the canary: %w", err)
	}
	if id, ok := seal.KeyID(value); ok {
		out.Keys[id]++
	}
	err = s.eachPage(ctx, func(_ sealedColumn, page []sealed) error {
		for _, v := range page {
			if id, ok := seal.KeyID(v.value); ok {
				out.Keys[id]++
			}
			if _, err := s.sealer.Open(v.value, v.place()); err != nil {
				out.Unreadable++
				if n := len(out.Runs); n < maxNamed && (n == 0 || out.Runs[n-1] != v.run) {
					out.Runs = append(out.Runs, v.run)
				}
			}
		}
		return nil
	})
	return out, err
}

// Resealed counts what Reseal did.
type Resealed struct {
	Values     int // sealed anew
	Unreadable int // left as they are
}

// Reseal seals every value anew that another key than the primary one sealed.
// It goes page by page, each in a transaction of its own, while others work on
// the same database; where it was interrupted the next one goes on. A value
// that does not open is left byte for byte as it is. A store whose values are
// in clear has nothing to reseal.
func (s *Store) Reseal(ctx context.Context) (Resealed, error) {
	var out Resealed
	primary := s.sealer.Primary()
	if primary == 0 {
		return out, nil
	}
	if err := s.resealCanary(ctx, primary); err != nil {
		return out, err
	}
	err := s.eachPage(ctx, func(c sealedColumn, page []sealed) error {
		old := page[:0]
		for _, v := range page {
			if id, ok := seal.KeyID(v.value); !ok || id != primary {
				old = append(old, v)
			}
		}
		if len(old) == 0 {
			return nil
		}
		n, unreadable, err := s.resealPage(ctx, c, old)
		out.Values, out.Unreadable = out.Values+n, out.Unreadable+unreadable
		return err
	})
	return out, err
}

// resealPage replaces values, each only where it is still the one that was
// read: whoever changed it meanwhile has sealed it themselves.
func (s *Store) resealPage(ctx context.Context, c sealedColumn, page []sealed) (done, unreadable int, err error) {
	err = s.write(ctx, func(ctx context.Context, tx *sql.Tx, _ int64) error {
		done, unreadable = 0, 0
		for _, v := range page {
			plain, err := s.sealer.Open(v.value, v.place())
			if err != nil {
				unreadable++
				continue
			}
			fresh, err := s.sealer.Seal(plain, v.place())
			if err != nil {
				return fmt.Errorf("seal %s of run %s anew: %w", c.name, v.run, err)
			}
			result, err := tx.ExecContext(ctx, sealSQL.get(c.replace), append(append([]any{fresh}, c.which(v)...), v.value)...)
			if err != nil {
				return fmt.Errorf("replace %s of run %s: %w", c.name, v.run, err)
			}
			n, err := result.RowsAffected()
			if err != nil {
				return fmt.Errorf("replace %s of run %s: %w", c.name, v.run, err)
			}
			done += int(n)
		}
		return nil
	})
	return done, unreadable, err
}

func (s *Store) resealCanary(ctx context.Context, primary uint32) error {
	value, err := canary(ctx, s.reader)
	if err != nil {
		return fmt.Errorf("read the canary: %w", err)
	}
	if id, ok := seal.KeyID(value); ok && id == primary {
		return nil
	}
	fresh, err := s.sealer.Seal([]byte(canaryText), canaryPlace)
	if err != nil {
		return fmt.Errorf("seal the canary: %w", err)
	}
	return s.write(ctx, func(ctx context.Context, tx *sql.Tx, _ int64) error {
		_, err := tx.ExecContext(ctx, sealSQL.get("SetCanary"), fresh, value)
		return err
	})
}
