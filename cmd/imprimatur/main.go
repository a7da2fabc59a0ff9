// Command imprimatur serves the desk, and works with it from a terminal.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := (&app{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.LookupEnv}).run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}
