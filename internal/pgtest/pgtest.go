// Package pgtest gives tests a PostgreSQL of their own: a temporary cluster
// made from the binaries of the Debian package postgresql, reached by a socket
// and gone with the test binary.
package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// errMissing says that there are no binaries to make a cluster from.
var errMissing = errors.New("PostgreSQL is not installed: apt-get install postgresql")

// cluster makes the one cluster of a test binary, at the first call.
var cluster = sync.OnceValues(start)

// Start returns the URL of a new, empty database, which is dropped when t ends.
// Its collation is not "C", as in most places, so that an order that depends on
// it shows. Where PostgreSQL is not installed the test is skipped, or fails if
// CI=true.
func Start(t testing.TB) string {
	t.Helper()
	c, err := cluster()
	if errors.Is(err, errMissing) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatalf("start a PostgreSQL cluster: %v", err)
	}
	name := "t" + strings.ToLower(rand.Text())
	if err := c.admin(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatalf("create a database: %v", err)
	}
	t.Cleanup(func() {
		if err := c.admin(context.Background(), "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
			t.Errorf("drop the database: %v", err)
		}
	})
	return c.url(name)
}

// server is a running cluster.
type server struct {
	dir string
	// alive is the other end of its keeper's input. It closes with this
	// process, however that ends, and the keeper then stops the cluster.
	alive io.Closer
}

func (c *server) url(database string) string {
	q := url.Values{"host": {c.dir}, "sslmode": {"disable"}}
	return "postgres://postgres@/" + database + "?" + q.Encode()
}

func (c *server) admin(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, c.url("postgres"))
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, statement)
	return errors.Join(err, conn.Close(ctx))
}

// keeper runs the server and, when its input ends, stops it and removes the
// folder. A server that dies is noticed by whoever connects.
const keeper = `
"$1/postgres" -D "$2/data" -k "$2" -c listen_addresses= -c fsync=off -c full_page_writes=off \
	-c synchronous_commit=off -c max_connections=400 -c shared_buffers=32MB >"$2/log" 2>&1 </dev/null &
server=$!
cat >/dev/null
kill -INT $server
wait $server
rm -rf "$2"
`

func start() (*server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	as, uid, gid, err := identity()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pgtest")
	if err != nil {
		return nil, err
	}
	if err := os.Chown(dir, uid, gid); err != nil {
		return nil, err
	}
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", filepath.Join(dir, "data"), "-U", "postgres", "-A", "trust",
		"--no-sync", "--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US")
	initdb.SysProcAttr, initdb.Dir = as, dir
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	keep := exec.Command("/bin/sh", "-c", keeper, "keeper", bin, dir)
	keep.SysProcAttr, keep.Dir = as, dir
	alive, err := keep.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := keep.Start(); err != nil {
		return nil, err
	}
	c := &server{dir, alive}
	return c, c.wait()
}

// wait waits until the server answers.
func (c *server) wait() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		err := c.admin(ctx, "SELECT 1")
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			log, _ := os.ReadFile(filepath.Join(c.dir, "log"))
			return fmt.Errorf("the server does not answer: %w\n%s", err, log)
		}
	}
}

// binaries returns the folder of the newest server that is installed.
func binaries() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", errMissing
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(strings.Split(path, "/")[4])
		return n
	}
	newest := slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })
	return filepath.Dir(newest), nil
}

// Programs returns the folder of the programs of PostgreSQL, in the version
// that Start starts.
func Programs(t testing.TB) string {
	t.Helper()
	dir, err := binaries()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// identity says who runs the server, which refuses to run as root, and keeps
// an interrupt at the terminal from the keeper.
func identity() (as *syscall.SysProcAttr, uid, gid int, err error) {
	if uid, gid = os.Getuid(), os.Getgid(); uid != 0 {
		return &syscall.SysProcAttr{Setpgid: true}, uid, gid, nil
	}
	who, err := user.Lookup("postgres")
	if err != nil {
		return nil, 0, 0, fmt.Errorf("PostgreSQL refuses to run as root: %w", err)
	}
	if uid, err = strconv.Atoi(who.Uid); err != nil {
		return nil, 0, 0, err
	}
	if gid, err = strconv.Atoi(who.Gid); err != nil {
		return nil, 0, 0, err
	}
	credential := &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return &syscall.SysProcAttr{Credential: credential, Setpgid: true}, uid, gid, nil
}
