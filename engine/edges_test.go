package engine_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/internal/faultsql"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/store"
)

// asking is an agent whose model asks for these turns.
func asking(asks turns) func(*engine.Config) {
	return func(c *engine.Config) { c.Models = map[string]model.Model{"script": asks} }
}

// kindsOf are the kinds of what is on record about a run, in order.
func (o *office) kindsOf(t *testing.T, run string) []imprimatur.EventKind {
	t.Helper()
	events, err := o.Events(context.Background(), o.chief, run, -1)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []imprimatur.EventKind
	for _, e := range events {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

// commit is the fault that meets the nth commit from now on.
func commit(n int, mode faultsql.Mode) faultsql.Fault {
	return faultsql.Fault{Match: "COMMIT", At: n, Mode: mode}
}

func TestANameThatAModelMadeUpReadsAsItIs(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		o := newOffice(t, database, asking(turns{{
			{ID: "1", Name: "stamp", Arguments: json.RawMessage(`{}`)},
			{ID: "2", Name: "pmats\u202Estamp\n\t\u200B<b>\x1b[31m", Arguments: json.RawMessage(`{}`)},
			{ID: "3", Name: "stamp\u200B", Arguments: json.RawMessage(`{}`)},
			{ID: "4", Name: "stamp\n", Arguments: json.RawMessage(`{}`)},
			{ID: "5", Name: strings.Repeat("\u202E", 200), Arguments: json.RawMessage(`{}`)},
		}}))
		run := o.waiting(t, "stamp it")
		var names []string
		for _, c := range run.Card.Calls {
			names = append(names, c.Tool)
		}
		want := []string{"stamp", `pmats\u{202E}stamp\u{A}\u{9}\u{200B}<b>\u{001B}[31m`, `stamp\u{200B}`, `stamp\u{A}`, strings.Repeat(`\u{202E}`, 16)}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		after, err := o.Decide(context.Background(), o.chief, run.ID, yes(run.Card), patient)
		if err != nil || after.Status != imprimatur.StatusCompleted || o.stamp.ran.Load() != 1 {
			t.Errorf("%s, %v: %d calls ran, one has the name of a tool", after.Status, err, o.stamp.ran.Load())
		}
	})
}

// Proves runtime 106.
func TestWhatNoDatabaseTakesInANameOrAnIDOfAModelEndsNoTurn(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		o := newOffice(t, database, asking(turns{{
			{ID: "a\x00b", Name: "stamp", Arguments: json.RawMessage(`{"n":1}`)},
			{ID: "a\xffb", Name: "st\x00amp\xff", Arguments: json.RawMessage(`{"n":2}`)},
		}}))
		run := o.waiting(t, "stamp it")
		var names []string
		for _, c := range run.Card.Calls {
			names = append(names, c.ID+" "+c.Tool)
		}
		// The second id would be the first one again, so it gets one of its own.
		want := []string{"a\uFFFDb stamp", "call-1-2 st\uFFFDamp\uFFFD"}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("the calls on the card (-want +got)\n%s", diff)
		}
		got, err := o.Decide(context.Background(), o.chief, run.ID, yes(run.Card), patient)
		if err != nil || got.Status != imprimatur.StatusCompleted || o.stamp.ran.Load() != 1 {
			t.Errorf("the run is %s after %d writes, %v", got.Status, o.stamp.ran.Load(), err)
		}
	})
}

func TestATextThatNoDatabaseTakesIsNoRunAndNoFilter(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		o := newOffice(t, database)
		ctx := context.Background()
		for _, bad := range []string{"a\x00b", "a\xffb", "\x00"} {
			run := func(r imprimatur.Run, err error) error { return err }
			_, cardErr := o.Card(ctx, o.chief, bad)
			_, eventsErr := o.Events(ctx, o.chief, bad, -1)
			_, statusErr := o.Status(ctx, o.chief, bad)
			for name, err := range map[string]error{
				"status": statusErr, "card": cardErr, "events": eventsErr, "cancel": run(o.Cancel(ctx, o.chief, bad)),
				"decide": run(o.Decide(ctx, o.chief, bad, imprimatur.Decision{Verdict: imprimatur.Deny}, patient)),
			} {
				if got := refusalCode(err); got != imprimatur.CodeNotFound {
					t.Errorf("%s of the run %q: %v, want not_found", name, bad, err)
				}
			}
			for name, f := range map[string]imprimatur.Filter{
				"agent": {Agent: bad}, "tool": {Tool: bad}, "q": {Query: bad},
				"cursor":            {Cursor: base64.RawURLEncoding.EncodeToString([]byte("5 " + bad))},
				"cursor of a queue": {Cursor: base64.RawURLEncoding.EncodeToString([]byte("5 " + bad)), Status: imprimatur.StatusWaiting},
			} {
				_, err := o.Waiting(ctx, o.chief, f)
				if got := refusalCode(err); got != imprimatur.CodeBadRequest {
					t.Errorf("a list with %s %q: %v, want bad_request", name, bad, err)
				}
			}
		}
	})
}

// peeker shows a refusal that gives nothing away, and a line that does.
type peeker struct{ stamp }

func (*peeker) Preview(context.Context, imprimatur.Call) (imprimatur.Picture, error) {
	pic := imprimatur.RefuseNeutrally("There is no such record.")
	pic.Lines = append(pic.Lines, verbatim(imprimatur.RoleText, "but its salary is 4711"))
	return pic, nil
}

func (*peeker) MayRead(context.Context, imprimatur.Call, imprimatur.User) (bool, error) {
	return false, nil
}

func TestANeutralFirstLineMakesNoLongerPreviewPublic(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		o := newOffice(t, database, func(c *engine.Config) { c.Tools = []imprimatur.Tool{&peeker{}} })
		run := o.waiting(t, "stamp it")
		svc := imprimatur.Actor{Credential: imprimatur.CredentialService, Service: "ci", Token: "ci", Scopes: imprimatur.Scopes()}
		for name, c := range map[string]struct {
			who   imprimatur.Actor
			reads bool
		}{"the owner": {o.owner, true}, "somebody else": {svc, false}} {
			card, err := o.Card(context.Background(), c.who, run.ID)
			if err != nil {
				t.Fatal(err)
			}
			shown, err := json.Marshal(card)
			if err != nil {
				t.Fatal(err)
			}
			if got := bytes.Contains(shown, []byte("4711")); got != c.reads {
				t.Errorf("%s reads the second line: %v, want %v", name, got, c.reads)
			}
		}
	})
}

// slow is a model that answers only after something happened.
type slow struct{ until <-chan struct{} }

func (m slow) Complete(ctx context.Context, _ model.Request) (model.Response, error) {
	select {
	case <-m.until:
		return model.Response{Text: "done", Finish: model.FinishStop}, nil
	case <-ctx.Done():
		return model.Response{}, ctx.Err()
	}
}

// The lease is renewed twice while the model takes its time: by the heartbeat,
// and, where that did not happen, with the next step.
func TestARenewalThatIsNotHeardOfNeitherRepeatsNorLosesTheRun(t *testing.T) {
	t.Parallel()
	for name, modes := range map[string][]faultsql.Mode{
		"happened": {faultsql.AfterCut}, "did not happen": {faultsql.Cut},
		"did not happen, then did": {faultsql.Cut, faultsql.AfterCut}, "did not happen twice": {faultsql.Cut, faultsql.Cut},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			databases(t, func(t *testing.T, database string) {
				renewed := make(chan struct{})
				o := newOffice(t, database, func(c *engine.Config) {
					c.Lease, c.Models = time.Second, map[string]model.Model{"script": slow{renewed}}
				})
				// The first commit begins the run.
				faults := []faultsql.Fault{commit(2, modes[0])}
				faults[0].Do = sync.OnceFunc(func() { close(renewed) })
				if len(modes) > 1 {
					faults = append(faults, commit(3, modes[1]))
				}
				o.faults.Arm(faults...)
				run, err := o.Run(context.Background(), o.owner, imprimatur.Start{Agent: "clerk", Prompt: "take your time"}, patient)
				if err != nil || run.Status != imprimatur.StatusCompleted || o.faults.Fired() != len(modes) {
					t.Fatalf("the run is %s, %v, after %d of %d faults", run.Status, err, o.faults.Fired(), len(modes))
				}
				want := []imprimatur.EventKind{imprimatur.EventContext, imprimatur.EventRequest, imprimatur.EventModel, imprimatur.EventSettled}
				if diff := cmp.Diff(want, o.kindsOf(t, run.ID)); diff != "" {
					t.Errorf("on record (-want +got)\n%s", diff)
				}
			})
		})
	}
}

func TestACancelThatIsNotHeardOfIsReadBack(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		o := newOffice(t, database)
		ctx := context.Background()
		run := o.waiting(t, "stamp it")
		o.faults.Arm(commit(1, faultsql.Cut))
		_, err := o.Cancel(ctx, o.owner, run.ID)
		if got := refusalCode(err); got != imprimatur.CodeStateUnavailable {
			t.Errorf("a cancel that did not happen: %v", err)
		}
		if got, err := o.Status(ctx, o.owner, run.ID); err != nil || got.Status != imprimatur.StatusWaiting {
			t.Errorf("the run is %s, %v", got.Status, err)
		}
		o.faults.Arm(commit(1, faultsql.AfterCut))
		got, err := o.Cancel(ctx, o.owner, run.ID)
		if err != nil || got.Status != imprimatur.StatusCancelled || o.faults.Fired() != 1 {
			t.Errorf("a cancel that happened: %s, %v", got.Status, err)
		}
		o.faults.Disarm()
		if _, err := o.Cancel(ctx, o.owner, run.ID); refusalCode(err) != imprimatur.CodeFinished {
			t.Errorf("a second cancel: %v", err)
		}
	})
}

func TestAnEndThatIsNotHeardOfIsReadBackAndTriedOnceMore(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		faults []faultsql.Fault // the decision is the first commit
		lost   bool
	}{
		"happened":             {[]faultsql.Fault{commit(2, faultsql.AfterCut)}, false},
		"did not happen":       {[]faultsql.Fault{commit(2, faultsql.Cut)}, false},
		"did not happen twice": {[]faultsql.Fault{commit(2, faultsql.Cut), commit(3, faultsql.Cut)}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			databases(t, func(t *testing.T, database string) {
				o := newOffice(t, database)
				ctx := context.Background()
				run := o.waiting(t, "stamp it")
				o.faults.Arm(c.faults...)
				_, err := o.Decide(ctx, o.chief, run.ID, no(run.Card), patient)
				if want := (map[bool]imprimatur.Code{true: imprimatur.CodeLeaseLost})[c.lost]; refusalCode(err) != want || o.faults.Fired() != len(c.faults) {
					t.Errorf("the decider gets %v, want %q", err, want)
				}
				row, err := o.store.Run(ctx, run.ID)
				if err != nil || row.Status.Final() == c.lost || c.lost && row.Claim == "" {
					t.Errorf("the run is %s with the claim %q, %v", row.Status, row.Claim, err)
				}
				ends := 0
				for _, k := range o.kindsOf(t, run.ID) {
					if k == imprimatur.EventSettled {
						ends++
					}
				}
				if want := (map[bool]int{false: 1})[c.lost]; ends != want {
					t.Errorf("its end is on record %d times, want %d", ends, want)
				}
			})
		})
	}
}

// Proves runtime 20.
func TestAPauseThatIsNotHeardOfIsReadBack(t *testing.T) {
	t.Parallel()
	for mode, want := range map[faultsql.Mode]imprimatur.Status{faultsql.AfterCut: imprimatur.StatusWaiting, faultsql.Cut: imprimatur.StatusFailed} {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			databases(t, func(t *testing.T, database string) {
				o := newOffice(t, database)
				o.faults.Arm(commit(2, mode)) // after the one that begins the run
				run, err := o.Run(context.Background(), o.owner, imprimatur.Start{Agent: "clerk", Prompt: "stamp it"}, patient)
				if err != nil || run.Status != want || o.faults.Fired() != 1 {
					t.Fatalf("the run is %s, %v; want %s", run.Status, err, want)
				}
				row, err := o.store.Run(context.Background(), run.ID)
				if err != nil || row.Claim != "" || (row.ErrorClass == "suspend_failed") != (want == imprimatur.StatusFailed) {
					t.Errorf("the row is %+v, %v", row, err)
				}
			})
		})
	}
}

// Proves runtime 28.
func TestAnOutcomeThatCannotBeKeptKeepsNoRunFromItsEnd(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		o := newOffice(t, database)
		run := o.waiting(t, "stamp it")
		// Only the outcome: the decision's record has another kind.
		constraint := `CREATE TRIGGER refuse_outcome BEFORE INSERT ON records WHEN NEW.kind = 'outcome' BEGIN SELECT RAISE(ABORT, 'refused'); END`
		if strings.HasPrefix(database, "postgres") {
			constraint = `ALTER TABLE records ADD CONSTRAINT refuse_outcome CHECK (kind <> 'outcome')`
		}
		if _, err := o.store.Writer().ExecContext(context.Background(), constraint); err != nil {
			t.Fatal(err)
		}
		got, err := o.Decide(context.Background(), o.chief, run.ID, yes(run.Card), patient)
		if err != nil || got.Status != imprimatur.StatusCompleted || got.Text != "" || o.stamp.ran.Load() != 1 {
			t.Errorf("the run is %s with the text %q after %d writes, %v", got.Status, got.Text, o.stamp.ran.Load(), err)
		}
	})
}

// Somebody is listening while they lose what lets them see a run. Their listener
// asks once more before it tells, first about the run and then about them, so
// that the second question proves that the first run was passed over.
func TestWhoeverLostTheirRightsHearsOfNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ who, loses string }{
		"a grant that was taken away":  {"petra", "grant petra off"},
		"an account that was disabled": {"petra", "disable petra"},
		"an administrator no more":     {"chief", "admin chief off"},
		"an agent of a disabled owner": {"bot", "disable jana"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			databases(t, func(t *testing.T, database string) {
				faults := &faultsql.Injector{}
				s := newStageOn(t, database, oneWrite, "", nil, secondConnector(faults))
				runner := "jana"
				if c.who == "bot" {
					runner = "bot"
				}
				s.play(`note 7 "a note"`, `run `+runner+` editor "Write one thing."`, `run `+runner+` editor "Write another thing."`)
				who, err := s.actor(c.who)
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(s.ctx, time.Minute)
				defer cancel()
				heard, err := s.engine.Watch(ctx, who)
				if err != nil {
					t.Fatal(err)
				}
				s.play(c.loses)
				asked := []chan struct{}{make(chan struct{}), make(chan struct{})}
				for i, run := range []string{"run-1", "run-2"} {
					faults.Arm(faultsql.Fault{Match: "FROM users", At: 1, Mode: faultsql.Cancel, Do: func() { close(asked[i]) }})
					s.engineCancels(run)
					select {
					case <-asked[i]:
					case id, open := <-heard:
						t.Fatalf("they hear of %q (%v)", id, open)
					}
				}
			})
		})
	}
}

// engineCancels ends a run by a service account, about which no user is looked up.
func (s *stage) engineCancels(run string) {
	s.t.Helper()
	svc, err := s.actor("svc")
	if err == nil {
		_, err = s.engine.Cancel(s.ctx, svc, run)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// The state changes between the look at it and the claim; the approval named
// no picture, because the one that it was about could be read by nobody.
//
// Proves field 2.
func TestAnApprovalOfNoPictureHoldsForTheStateItWasAskedAboutOnly(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		r := newRoom(t, database, raise)
		ctx := context.Background()
		r.board.meanwhile(func() {
			r.board.count.Store(5)
			back, err := r.Decide(ctx, r.owner, r.run.ID, yes(r.card), patient)
			if err != nil || len(back.Stale) != 1 {
				t.Errorf("the turn should come back: %+v, %v", back, err)
			}
			r.board.blind.Store(true)
		})
		none := *r.card
		none.PictureDigest = ""
		_, err := r.Decide(ctx, r.petra, r.run.ID, yes(&none), patient)
		if got := refusalCode(err); got != imprimatur.CodeStalePicture {
			t.Errorf("an approval of no picture gets %q (%v), want %q", got, err, imprimatur.CodeStalePicture)
		}
		r.waits(t)
	})
}

// Proves runtime 59.
func TestALapsedRunThatWasRenewedInBetweenIsNotMoved(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		s := newStageOn(t, database, oneWrite, "", nil, nil)
		s.play(`note 7 "a note"`, `run jana editor "Write, and be slow."`,
			`sql "UPDATE runs SET status = 'running', claim = 'resume:there:1:slow', lease = 1"`)
		faults := &faultsql.Injector{}
		config := s.config()
		config.Connector = faults.WrapFirst
		other, err := store.Open(s.ctx, config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := other.Close(); err != nil {
				t.Error(err)
			}
		})
		// The sweep found the run; its owner renews before the sweep can begin.
		faults.Arm(faultsql.Fault{Match: "BEGIN", At: 1, Mode: faultsql.Cancel, Do: func() {
			won, err := s.store.Renew(s.ctx, "run-1", "resume:there:1:slow", int64(time.Hour/time.Millisecond), nil)
			if err != nil || !won {
				t.Errorf("renew: %v, %v", won, err)
			}
		}})
		e, err := s.hire(other)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Close(s.ctx); err != nil {
			t.Fatal(err)
		}
		if faults.Fired() != 1 {
			t.Fatal("the sweep looked at nothing")
		}
		s.play("expect status running", `expect log "lapsed run was renewed"`, `expect quiet "lapsed run put right"`,
			"expect column claim resume:there:1:slow", "expect count stale 0", "expect count settled 0")
	})
}

func TestWhoComesWhileAnEngineClosesIsServedOrRefused(t *testing.T) {
	t.Parallel()
	databases(t, func(t *testing.T, database string) {
		o := newOffice(t, database)
		ctx := context.Background()
		waits := o.waiting(t, "stamp it")
		errs := make([]error, 50)
		var all sync.WaitGroup
		start := make(chan struct{})
		for i := range errs {
			all.Go(func() {
				<-start
				switch i % 5 {
				case 0:
					errs[i] = o.Close(ctx)
				case 1:
					_, errs[i] = o.Decide(ctx, o.chief, waits.ID, no(waits.Card), imprimatur.Wait{})
				default:
					_, errs[i] = o.Run(ctx, o.owner, imprimatur.Start{Agent: "clerk", Prompt: "stamp it"}, imprimatur.Wait{})
				}
			})
		}
		close(start)
		all.Wait()
		served := []imprimatur.Code{"", imprimatur.CodeStateUnavailable, imprimatur.CodeAlreadyResuming, imprimatur.CodeNotWaiting}
		for i, err := range errs {
			var no *imprimatur.Refusal
			if err != nil && !errors.As(err, &no) || !slices.Contains(served, refusalCode(err)) {
				t.Errorf("call %d gets %v", i, err)
			}
		}
		// Whatever began has ended: nothing is left with a claim.
		list, err := o.Waiting(ctx, o.chief, imprimatur.Filter{Status: imprimatur.StatusRunning})
		if err != nil || len(list.Runs) != 0 {
			t.Errorf("%d runs are still at work, %v", len(list.Runs), err)
		}
		_, runErr := o.Run(ctx, o.owner, imprimatur.Start{Agent: "clerk", Prompt: "stamp it"}, patient)
		_, decideErr := o.Decide(ctx, o.chief, waits.ID, no(waits.Card), patient)
		for name, err := range map[string]error{"run": runErr, "decide": decideErr} {
			if refusalCode(err) != imprimatur.CodeStateUnavailable {
				t.Errorf("%s after the end: %v", name, err)
			}
		}
	})
}
