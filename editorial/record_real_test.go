package editorial_test

import (
	"testing"

	"github.com/imprimatur-dev/imprimatur/content"
)

// Whatever lies on a real website can be copied as its card says, and the copy
// deleted again with all that came along.
//
// Proves tools 111.
func TestWhatARealWebsiteHoldsIsCopiedAndDeletedWhole(t *testing.T) {
	t.Parallel()
	s := realStage(t)
	home := s.child(t, 0, content.Last, map[string]any{"title": "Copies"})
	copied := 0
	for _, table := range []string{content.Pages, content.Elements} {
		all, err := s.All(t.Context(), table)
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range all {
			args := copyOf(table, rec.UID, home, "")
			lines, token := s.preview(t, s.Admin, duplicate, args)
			result, err := s.execute(t, s.Admin, duplicate, args, token)
			if err != nil {
				t.Fatalf("%s: %v", args, err)
			}
			if result.IsError {
				if len(lines) > 1 { // shown as something that can be done
					t.Errorf("%s: %s", args, result.Content)
				}
				continue
			}
			checkShape(t, lines, "de")
			copied++
			gone := `{"table":"` + table + `","uid":` + itoa(result.Wrote.UID) + `}`
			lines, _ = s.preview(t, s.Admin, remove, gone)
			if len(lines) < 6 {
				t.Errorf("%s: %s", gone, text(lines))
			}
			s.approve(t, s.Admin, remove, gone)
		}
	}
	if copied < 300 {
		t.Errorf("only %d records were copied", copied)
	}
	for _, table := range []string{content.Pages, content.Elements} {
		if left, err := s.OnPage(t.Context(), table, home); err != nil || len(left) > 0 {
			t.Errorf("%d records of %s are left, %v", len(left), table, err)
		}
	}
}
