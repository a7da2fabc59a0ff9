package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/engine"
	"github.com/imprimatur-dev/imprimatur/internal/faultsql"
	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
	"github.com/imprimatur-dev/imprimatur/model"
	"github.com/imprimatur-dev/imprimatur/model/scripted"
	"github.com/imprimatur-dev/imprimatur/policy"
	"github.com/imprimatur-dev/imprimatur/store"
)

// victimKey names the variable that makes this binary a victim: a process that
// asks, approves and writes once, and that a signal meets at a statement.
const victimKey = "IMPRIMATUR_TEST_VICTIM"

// outlived is the exit code of a victim that its signal never met: it does less
// than that.
const outlived = 7

// victim is what such a process is told.
type victim struct {
	Database string
	Owner    int64
	Chief    int64
	At       int // the statement of the writing connection, from 1
	Signal   syscall.Signal
}

func TestMain(m *testing.M) {
	told := os.Getenv(victimKey)
	if told == "" {
		goleak.VerifyTestMain(m)
		return
	}
	var v victim
	err := json.Unmarshal([]byte(told), &v)
	met := false
	if err == nil {
		met, err = v.live()
	}
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	case !met:
		os.Exit(outlived)
	}
}

// ledger is a write that leaves a row of its own behind, in a transaction of
// its own: whoever counts the rows knows how often it happened.
type ledger struct{ store *store.Store }

func (ledger) Spec() imprimatur.Spec {
	return imprimatur.Spec{Name: "stamp", Description: "Stamps.", Schema: json.RawMessage(`{"type":"object"}`)}
}
func (ledger) Effect() imprimatur.Effect { return imprimatur.NonIdempotentWrite }
func (l ledger) Execute(ctx context.Context, call imprimatur.Call) (imprimatur.Result, error) {
	var which struct{ N int }
	if err := json.Unmarshal(call.Args, &which); err != nil {
		return imprimatur.Result{}, err
	}
	tx, err := l.store.Writer().BeginTx(ctx, nil)
	if err != nil {
		return imprimatur.Result{}, err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO ledger (n) VALUES ($1)", which.N); err != nil {
		return imprimatur.Result{}, errors.Join(err, tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		return imprimatur.Result{}, err
	}
	return imprimatur.Result{Content: "stamped"}, nil
}

// node is a process with an engine. now is its idea of the time: a node that is
// ahead finds every lease of the others lapsed.
func node(ctx context.Context, database string, faults *faultsql.Injector, ahead time.Duration) (*engine.Engine, *store.Store, error) {
	c := store.Config{Database: database, Unsealed: true, Connector: faults.WrapFirst, Logger: slog.New(slog.DiscardHandler)}
	if ahead > 0 {
		c.Now = func() time.Time { return time.Now().Add(ahead) }
	}
	s, err := store.Open(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	script, err := scripted.Load(strings.NewReader(decisionScript))
	if err != nil {
		return nil, nil, err
	}
	rules, err := policy.New(policy.Config{})
	if err != nil {
		return nil, nil, err
	}
	e, err := engine.New(ctx, engine.Config{
		Store: s, Models: map[string]model.Model{"script": script}, Policy: rules, Agents: []imprimatur.Agent{{Name: "clerk", Model: "script"}},
		Tools: []imprimatur.Tool{ledger{s}}, Logger: slog.New(slog.DiscardHandler), Host: "node",
	})
	return e, s, err
}

// live is the life of a victim, and says whether its signal met it.
func (v victim) live() (met bool, err error) {
	ctx := context.Background()
	faults := &faultsql.Injector{}
	e, s, err := node(ctx, v.Database, faults, 0)
	if err != nil {
		return false, err
	}
	owner, err := s.User(ctx, v.Owner)
	if err != nil {
		return false, err
	}
	chief, err := s.User(ctx, v.Chief)
	if err != nil {
		return false, err
	}
	faults.Arm(faultsql.Fault{At: v.At, Mode: faultsql.Cancel, Do: func() {
		if err := syscall.Kill(os.Getpid(), v.Signal); err != nil {
			panic(err)
		}
	}})
	defer func() { met = faults.Fired() > 0 }()
	run, err := e.Run(ctx, imprimatur.Actor{Credential: imprimatur.CredentialSession, User: owner}, imprimatur.Start{Agent: "clerk", Prompt: "stamp it twice"}, patient)
	if err != nil {
		return false, err
	}
	if run.Card == nil {
		return false, fmt.Errorf("the run is %s", run.Status)
	}
	_, err = e.Decide(ctx, imprimatur.Actor{Credential: imprimatur.CredentialSession, User: chief}, run.ID, yes(run.Card), patient)
	return false, err
}

// scene is a database on which victims live.
type scene struct {
	database string
	owner    imprimatur.Actor
	chief    imprimatur.Actor
}

func newScene(t *testing.T, database string) scene {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{Database: database, Unsealed: true})
	if err != nil {
		t.Fatal(err)
	}
	sc := scene{database, person(t, s, store.NewUser{Name: "Jana Roth", Lang: "de"}), person(t, s, store.NewUser{Name: "Petra Lang", Lang: "en", Admin: true})}
	_, err = s.Writer().ExecContext(t.Context(), "CREATE TABLE ledger (n BIGINT NOT NULL)")
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return sc
}

// victim starts a process that the signal meets, and returns it with what it
// has to say.
func (sc scene) victim(t *testing.T, at int, signal syscall.Signal) (pid int, said func() string) {
	t.Helper()
	told, err := json.Marshal(victim{sc.database, sc.owner.User.ID, sc.chief.User.ID, at, signal})
	if err != nil {
		t.Fatal(err)
	}
	talk, err := os.Create(filepath.Join(t.TempDir(), "victim.log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victimKey+"="+string(told))
	cmd.Stdout, cmd.Stderr = talk, talk
	if err := errors.Join(cmd.Start(), talk.Close()); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid, func() string {
		data, err := os.ReadFile(talk.Name())
		return string(bytes.TrimSpace(data)) + fmt.Sprint(" ", err)
	}
}

// wait waits until the process stops or ends.
func wait(t *testing.T, pid int) syscall.WaitStatus {
	t.Helper()
	for {
		var status syscall.WaitStatus
		_, err := syscall.Wait4(pid, &status, syscall.WUNTRACED, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		return status
	}
}

// record is what a database says about the one run of a scene.
type record struct {
	run       store.Row // zero: there is none
	approvals int
	starts    int
	tools     int // writes that are on record
	late      int // … of them after the run was given up
	rows      int // writes that happened
	doubled   int // … of them more than once
}

// turnWrites is how many writes the turn of a scene has.
const turnWrites = 2

func onRecord(t *testing.T, s *store.Store) (r record) {
	t.Helper()
	ctx := t.Context()
	var id string
	row := s.Writer().QueryRowContext(ctx, "SELECT COALESCE(MAX(id), ''), (SELECT COUNT(*) FROM ledger), (SELECT COUNT(*) - COUNT(DISTINCT n) FROM ledger) FROM runs")
	if err := row.Scan(&id, &r.rows, &r.doubled); err != nil {
		t.Fatal(err)
	}
	if id == "" {
		return r
	}
	var err error
	if r.run, err = s.Run(ctx, id); err != nil {
		t.Fatal(err)
	}
	events, err := s.Events(ctx, id, -1)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[imprimatur.EventKind]int{}
	for _, e := range events {
		kinds[e.Kind]++
		if e.Kind == imprimatur.EventTool && bytes.Contains(e.Payload, []byte(`"late":true`)) {
			r.late++
		}
	}
	r.approvals, r.starts, r.tools = kinds[imprimatur.EventApproval], kinds[imprimatur.EventStart], kinds[imprimatur.EventTool]
	return r
}

// check holds a record, taken after the leases lapsed, against what was
// promised: no write lost, doubled or unrecorded.
func (r record) check(t *testing.T, when string) {
	t.Helper()
	wrong := ""
	switch {
	case r.doubled > 0:
		wrong = "a write is doubled"
	case r.rows > r.starts:
		wrong = "a write is not on record"
	case r.tools > r.starts:
		wrong = "a write ended that never began"
	case r.run.ID == "":
		return
	case r.run.Status == imprimatur.StatusWaiting && r.rows+r.starts > 0:
		wrong = "what was begun waits again"
	case r.run.Status == imprimatur.StatusRunning, r.run.Status == imprimatur.StatusQueued:
		wrong = "it is left alive"
	case r.run.Status == imprimatur.StatusCompleted && (r.rows != turnWrites || r.tools != turnWrites):
		wrong = "it is complete without its writes"
	case r.run.Status == imprimatur.StatusFailed && r.approvals > 0 && r.starts == 0:
		wrong = "an approved turn that had not started is lost"
	case r.run.Reason == imprimatur.ReasonOutcomeUnknown && r.starts != r.tools-r.late+1:
		wrong = "nothing was begun whose outcome could be unknown"
	case r.run.Status == imprimatur.StatusFailed && r.run.Reason != imprimatur.ReasonOutcomeUnknown && r.rows != r.tools:
		wrong = "it may have happened, and the reason does not say so"
	}
	if wrong != "" {
		t.Errorf("%s: %s: %s %s, %d approvals, %d started, %d recorded, %d written",
			when, wrong, r.run.Status, r.run.Reason, r.approvals, r.starts, r.tools, r.rows)
	}
}

// errKeptOut says that a node could not move a run that is held up.
var errKeptOut = errors.New("the database let nobody in")

// takeOver is another node, for which every lease has lapsed. Where the turn
// waits it approves it, and the write must then be there once. An error means
// that the database did not let it in.
func (sc scene) takeOver(t *testing.T, when string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	e, s, err := node(ctx, sc.database, &faultsql.Injector{}, time.Hour)
	if s != nil {
		defer func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}()
	}
	if err != nil {
		return err
	}
	defer func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	r := onRecord(t, s)
	if r.run.Status == imprimatur.StatusRunning {
		return errKeptOut
	}
	r.check(t, when)
	if r.run.Status != imprimatur.StatusWaiting {
		return nil
	}
	card, err := e.Card(ctx, sc.chief, r.run.ID)
	if err != nil {
		return err
	}
	run, err := e.Decide(ctx, sc.chief, r.run.ID, yes(&card), patient)
	var refused *imprimatur.Refusal
	if errors.As(err, &refused) && refused.Code == imprimatur.CodeStateUnavailable {
		return errKeptOut
	}
	if err != nil || run.Status != imprimatur.StatusCompleted {
		t.Errorf("%s: the turn that is back cannot be approved: %s, %v", when, run.Status, err)
	}
	after := onRecord(t, s)
	after.check(t, when+", approved again")
	if after.rows != turnWrites {
		t.Errorf("%s: written %d times after the approval", when, after.rows)
	}
	return nil
}

// everywhere runs fn for statement after statement until it reports that a
// victim outlived it: for every one in the long tier, else for one in stride.
func everywhere(t *testing.T, stride int, fn func(t *testing.T, at int) (outlived bool)) {
	first := 1
	if os.Getenv("IMPRIMATUR_TESTS") == "long" {
		stride = 1
	} else {
		first += rand.IntN(stride)
	}
	at := first
	for ; !fn(t, at); at += stride {
	}
	t.Logf("%d places, from %d in steps of %d", (at-first)/stride, first, stride)
}

// places are the databases that victims live on: each gets one of its own.
func places(t *testing.T, test func(t *testing.T, place func() string)) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, func() string { return "sqlite:" + filepath.Join(t.TempDir(), "office.db") })
	})
	t.Run("postgresql", func(t *testing.T) {
		t.Parallel()
		test(t, func() string { return pgtest.Start(t) })
	})
}

// Proves field 34.
func TestAProcessThatIsKilledAnywhereLosesAndDoublesNothing(t *testing.T) {
	t.Parallel()
	places(t, func(t *testing.T, place func() string) {
		everywhere(t, 9, func(t *testing.T, at int) bool {
			sc := newScene(t, place())
			pid, said := sc.victim(t, at, syscall.SIGKILL)
			status := wait(t, pid)
			when := fmt.Sprintf("killed at statement %d", at)
			if !status.Signaled() && status.ExitStatus() != outlived {
				t.Fatalf("%s: the victim failed: %s", when, said())
			}
			if err := sc.takeOver(t, when); err != nil {
				t.Errorf("%s: %v", when, err)
			}
			return !status.Signaled()
		})
	})
}

func TestAProcessThatIsStoppedBeyondItsLeaseLosesAndDoublesNothing(t *testing.T) {
	t.Parallel()
	places(t, func(t *testing.T, place func() string) {
		var taken, kept []int
		everywhere(t, 16, func(t *testing.T, at int) bool {
			sc := newScene(t, place())
			pid, said := sc.victim(t, at, syscall.SIGSTOP)
			when := fmt.Sprintf("stopped at statement %d", at)
			status := wait(t, pid)
			over := status.ExitStatus() == outlived
			if !over && !status.Stopped() {
				t.Fatalf("%s: the victim was not stopped: %s", when, said())
			}
			if !over {
				// Inside a transaction it keeps everybody out until it goes on.
				if err := sc.takeOver(t, when); err != nil {
					kept = append(kept, at)
				} else {
					taken = append(taken, at)
				}
				if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
					t.Fatal(err)
				}
				wait(t, pid)
			}
			// One that went on may have failed since: the run was another's.
			if err := sc.takeOver(t, when+" and going on"); err != nil {
				t.Errorf("%s: %v", when, err)
			}
			return over
		})
		t.Logf("taken over at %v, kept out at %v", taken, kept)
	})
}
