package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/model"
)

// talker says so many bytes in every round and asks for so many writes with it.
type talker struct{ bytes, rounds, writes int }

func (k talker) Complete(_ context.Context, req model.Request) (model.Response, error) {
	n := 0
	for _, m := range req.Messages {
		if m.Role == imprimatur.FromAssistant {
			n++
		}
	}
	if n >= k.rounds {
		return model.Response{Text: "done", Finish: model.FinishStop}, nil
	}
	var calls []model.Call
	for i := range k.writes {
		calls = append(calls, model.Call{ID: fmt.Sprintf("call-%d-%d", n, i), Name: "stamp", Arguments: json.RawMessage(`{}`)})
	}
	return model.Response{Text: chatter(k.bytes, uint64(n)), Calls: calls, Finish: model.FinishCalls}, nil
}

// chatter is a text of so many bytes that packs as well as prose does.
func chatter(bytes int, seed uint64) string {
	words := strings.Fields("the museum opens its doors at ten and closes when the last ferry leaves; \"tours\" begin\n below the old clock, every hour, in three languages")
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	for b.Len() < bytes {
		fmt.Fprintf(&b, "%s %x ", words[r.IntN(len(words))], r.IntN(1<<16))
	}
	return b.String()[:bytes]
}

// talking is an office whose agent is a talker.
func talking(t testing.TB, k talker) *office {
	t.Helper()
	return talkingOn(t, "sqlite:"+filepath.Join(t.TempDir(), "office.db"), k)
}

func talkingOn(t testing.TB, database string, k talker) *office {
	t.Helper()
	return newOffice(t, database, func(c *engine.Config) { c.Models = map[string]model.Model{"script": k} })
}

// stored is how many bytes the database keeps for a run.
func (o *office) stored(t testing.TB, run string) int {
	t.Helper()
	var n int
	err := o.store.Reader().QueryRowContext(context.Background(), `
		SELECT octet_length(state) + length(id) + length(agent) + length(owner_name) + length(pending) + length(tools) + length(stale) + length(search) + 100
			+ (SELECT COALESCE(SUM(length(payload) + length(kind) + length(run) + 16), 0) FROM events WHERE run = runs.id)
			+ (SELECT COALESCE(SUM(octet_length(value) + length(run) + 32), 0) FROM records WHERE run = runs.id)
		FROM runs WHERE id = $1`, run).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestASuspendedRunTakesLittleMoreThanItsTranscript(t *testing.T) {
	t.Parallel()
	for size, most := range map[int]float64{10_000: 1.5, 200_000: 1.15} {
		o := talking(t, talker{size, 1, 1})
		run := o.waiting(t, "stamp it")
		if got := float64(o.stored(t, run.ID)) / float64(size); got > most {
			t.Errorf("a transcript of %d bytes takes %.2f times as many, at most %.2f are allowed", size, got, most)
		} else {
			t.Logf("a transcript of %d bytes takes %.2f times as many", size, got)
		}
	}
}

// Proves field 64.
func TestALongRunGrowsByWhatIsSaid(t *testing.T) {
	t.Parallel()
	const rounds, early = 40, 10
	o := talking(t, talker{10_000, rounds, 1})
	run := o.waiting(t, "stamp it")
	var first int
	for n := 1; n < rounds; n++ {
		if n == early {
			first = o.stored(t, run.ID)
		}
		var err error
		if run, err = o.Decide(t.Context(), o.chief, run.ID, yes(run.Card), patient); err != nil || run.Status != imprimatur.StatusWaiting {
			t.Fatalf("round %d: %s, %v", n, run.Status, err)
		}
	}
	exponent := math.Log(float64(o.stored(t, run.ID))/float64(first)) / math.Log(float64(rounds)/early)
	if exponent > 1.1 {
		t.Errorf("bytes grow by the power of %.2f", exponent)
	}
	t.Logf("bytes grow by the power of %.2f", exponent)
}
