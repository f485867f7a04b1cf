// Command samecycle runs the chain of evidence and shows what it says of each operation state.
//
// Exit status: 0 everything asked for is green, 1 something is red, unknown, not run or stale,
// 2 the command line is wrong.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Exit statuses.
const (
	exitOK    = 0
	exitRed   = 1
	exitUsage = 2
	// exitInterrupted is the shell's convention for a program that an interrupt ended.
	exitInterrupted = 130
)

func main() {
	ctx, stop := interruptible()
	code := run(ctx, newApp(os.Stdout, os.Stderr), os.Args[1:])
	if ctx.Err() != nil && code != exitOK {
		code = exitInterrupted
	}
	stop()
	os.Exit(code)
}

// interruptible returns a context that the first interrupt ends, so that what is finished is
// kept. The second one ends the program at once.
func interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		fmt.Fprintln(os.Stderr, "\nstopping; what is finished is kept (again: stop at once)")
		cancel(errInterrupted)
		<-signals
		os.Exit(exitInterrupted)
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}

var errInterrupted = errors.New("interrupted")

// run executes one command line and returns the exit status.
func run(ctx context.Context, a *app, args []string) int {
	root := newRoot(a)
	root.SetArgs(args)
	root.SetOut(a.out)
	root.SetErr(a.err)
	cmd, err := root.ExecuteContextC(ctx)
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errRed):
		return exitRed
	case errors.Is(err, errWork):
		fmt.Fprintf(a.err, "samecycle: %s\n", errorText(err))
		return exitRed
	}
	// What is left comes from cobra's own reading of the command line, or is marked errUsage.
	fmt.Fprintf(a.err, "samecycle: %s\nhelp: %s --help\n", errorText(err), cmd.CommandPath())
	return exitUsage
}
