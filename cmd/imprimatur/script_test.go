package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/client"
	"github.com/imprimatur-dev/imprimatur/internal/pgtest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"imprimatur": main})
}

// Every script of testdata runs the real program.
//
// Proves runtime 222, 223, 232; tools 139, 140.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	runScripts(t, testscript.Params{Dir: "testdata"}, "sqlite", func(*testscript.Env) {})
}

// The scripts that open a database and serve it run once more, on PostgreSQL.
//
// Proves runtime 222, 223, 232; tools 139, 140.
func TestCommandLineOnPostgreSQL(t *testing.T) {
	t.Parallel()
	scripts := testscript.Params{Files: []string{"testdata/way.txtar", "testdata/approve.txtar", "testdata/keys.txtar"}}
	runScripts(t, scripts, "postgresql", func(env *testscript.Env) {
		env.Setenv("IMPRIMATUR_DATABASE", pgtest.Start(t))
	})
}

// runScripts runs scripts, in which [database] is a condition.
func runScripts(t *testing.T, scripts testscript.Params, database string, setup func(*testscript.Env)) {
	t.Helper()
	scripts.Condition = func(name string) (bool, error) {
		switch name {
		case "sqlite", "postgresql":
			return name == database, nil
		}
		return false, fmt.Errorf("there is no condition %q", name)
	}
	scripts.Setup = func(env *testscript.Env) error {
		env.Setenv("IMPRIMATUR_CONFIG", "")
		env.Values[lastServer{}] = new(func())
		setup(env)
		return nil
	}
	scripts.Cmds = map[string]func(*testscript.TestScript, bool, []string){
		"serve":  serveScript,
		"halt":   haltScript,
		"exits":  exitsScript,
		"set":    setScript,
		"json":   jsonScript,
		"decide": decideScript,
		"code":   codeScript,
	}
	testscript.Run(t, scripts)
}

// serve CONFIG runs the server until the script ends, and sets
// IMPRIMATUR_SERVER to its address.
func serveScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: serve CONFIG")
	}
	ctx, stop := context.WithCancel(context.Background())
	in, out := io.Pipe()
	done := make(chan int, 1)
	talk, err := os.Create(ts.MkAbs("serve.log"))
	ts.Check(err)
	database := ts.Getenv("IMPRIMATUR_DATABASE")
	go func() {
		env := environment(func(string) (string, bool) { return "", false })
		if database != "" {
			env = with(env, "IMPRIMATUR_DATABASE", database)
		}
		a := &app{in: os.Stdin, out: out, err: talk, env: env}
		code := a.run(ctx, []string{"serve", "--json", "--config", ts.MkAbs(args[0])})
		_ = out.Close()
		done <- code
	}()
	end := sync.OnceFunc(func() {
		stop()
		if code := <-done; code != exitOK {
			ts.Fatalf("serve ended with %d: %s", code, ts.ReadFile("serve.log"))
		}
		ts.Check(talk.Close())
	})
	*ts.Value(lastServer{}).(*func()) = end
	ts.Defer(end)
	var first struct {
		URL string `json:"url"`
	}
	if err := json.NewDecoder(in).Decode(&first); err != nil {
		ts.Fatalf("serve said no address: %v\n%s", err, ts.ReadFile("serve.log"))
	}
	ts.Setenv("IMPRIMATUR_SERVER", first.URL)
}

// lastServer is the key of what ends the server that a script started last.
type lastServer struct{}

// halt ends the server that was started last.
func haltScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: halt")
	}
	(*ts.Value(lastServer{}).(*func()))()
}

// exits CODE COMMAND… runs a command and wants exactly this exit code.
func exitsScript(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		ts.Fatalf("run %v: %v", args[1:], err)
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// set NAME sets a variable to what the last command printed.
func setScript(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile("stdout")))
}

// json NAME KEY… sets a variable to a value inside what the last command
// printed; a number picks from a list.
func jsonScript(ts *testscript.TestScript, _ bool, args []string) {
	var v any
	if err := json.Unmarshal([]byte(ts.ReadFile("stdout")), &v); err != nil {
		ts.Fatalf("stdout is no JSON: %v", err)
	}
	for _, key := range args[1:] {
		switch at := v.(type) {
		case map[string]any:
			v = at[key]
		case []any:
			var i int
			if _, err := fmt.Sscan(key, &i); err != nil || i >= len(at) {
				ts.Fatalf("no entry %s in a list of %d", key, len(at))
			}
			v = at[i]
		default:
			ts.Fatalf("nothing under %s", key)
		}
	}
	ts.Setenv(args[0], fmt.Sprint(v))
}

func dialScript(ts *testscript.TestScript) *client.Client {
	c, err := client.New(client.Config{Server: ts.Getenv("IMPRIMATUR_SERVER"), Token: ts.Getenv("IMPRIMATUR_TOKEN")})
	ts.Check(err)
	return c
}

// decide RUN STATUS approves over the API what the card shows now, and wants
// the run in this status afterwards.
func decideScript(ts *testscript.TestScript, neg bool, args []string) {
	c, ctx := dialScript(ts), context.Background()
	card, err := c.Card(ctx, args[0])
	ts.Check(err)
	run, err := c.Decide(ctx, args[0], imprimatur.Decision{
		Verdict: imprimatur.Approve, TurnDigest: card.TurnDigest, PictureDigest: card.PictureDigest,
	}, time.Minute)
	switch {
	case neg && err == nil:
		ts.Fatalf("decided, the run is %s", run.Status)
	case neg && !strings.Contains(err.Error(), args[1]):
		ts.Fatalf("refused with %v, not with %s", err, args[1])
	case !neg && err != nil:
		ts.Fatalf("decide: %v", err)
	case !neg && string(run.Status) != args[1]:
		ts.Fatalf("the run is %s (%s), not %s", run.Status, run.Reason, args[1])
	}
}

// code RUN FILE writes what a person would type to approve.
func codeScript(ts *testscript.TestScript, _ bool, args []string) {
	card, err := dialScript(ts).Card(context.Background(), args[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(approvalCode(card)+"\n"), 0o600))
}
