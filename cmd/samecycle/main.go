// Command samecycle runs the chain of evidence and shows what it says of each operation state.
//
// Exit status: 0 everything asked for is green, 1 something is red, unknown, not run or stale,
// 2 the command line is wrong.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
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
	code := run(ctx, newApp(ctx, os.Stdout, os.Stderr), os.Args[1:])
	stop()
	os.Exit(code)
}

// interruptible returns a context that the first interrupt ends, so that what is finished is
// kept. The second one, if somebody means it, ends the program at once.
func interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		first := time.Now()
		go func() { // the error output may be a pipe that nobody reads
			time.AfterFunc(unreadMost, func() { cancel(errInterrupted) })
			fmt.Fprintln(os.Stderr, "\nstopping; what is finished is kept (again: stop at once)")
			cancel(errInterrupted)
		}()
		again(signals, func() time.Duration { return time.Since(first) })
		os.Exit(exitInterrupted)
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}

// onceWithin is for how long an interrupt that comes again counts as the first one. The command timeout sends
// one to the program, and one more to all of its group.
const onceWithin = 250 * time.Millisecond

// again waits for the second interrupt. since is the time since the first one.
func again(signals <-chan os.Signal, since func() time.Duration) {
	for range signals {
		if since() >= onceWithin {
			return
		}
	}
}

var errInterrupted = errors.New("interrupted")

// run executes one command line and returns the exit status.
func run(ctx context.Context, a *app, args []string) int {
	printed, said := newScreen(a.out, args), newScreen(a.err, args)
	a.out, a.err = printed, said
	defer func() { _ = said.end() }()
	root := newRoot(a)
	root.SetArgs(args)
	root.SetOut(a.out)
	root.SetErr(a.err)
	cmd, err := root.ExecuteContextC(ctx)
	if lost := printed.end(); lost != nil && (err == nil || errors.Is(err, errRed) || errors.Is(err, lost)) {
		err = failed(lost) // what nobody could read is no answer
	}
	if err == nil {
		return exitOK
	}
	x := refusal{Error: errorText(err), Exit: exitRed}
	red := errors.Is(err, errRed)
	if !red && !errors.Is(err, errWork) {
		// What is left is of the command line, whether cobra or a command read it.
		x.Exit, x.Help = exitUsage, cmd.CommandPath()+" --help"
	}
	if ctx.Err() != nil {
		x.interrupt()
	}
	if !red {
		// A command line may be refused before this flag was read.
		a.refuse(x, a.json || wantsJSON(args))
	}
	return x.Exit
}

// wantsJSON tells whether a command line has the flag. Behind the word -- the same text is a key or a value.
func wantsJSON(args []string) bool {
	for _, arg := range args {
		flag, value, given := strings.Cut(arg, "=")
		switch on, err := strconv.ParseBool(value); {
		case arg == "--":
			return false
		case flag == "--json" && (!given || err == nil && on):
			return true
		}
	}
	return false
}

// refusal is an error as --json prints it, on a line of its own.
type refusal struct {
	Error string `json:"error"`
	Exit  int    `json:"exit"`
	Help  string `json:"help,omitempty"` // the command that tells what the command line should be
}

// interrupt makes it that of a command which the user ended: whatever failed then, that is why.
func (x *refusal) interrupt() {
	x.Exit, x.Help = exitInterrupted, ""
	switch {
	case x.Error == context.Canceled.Error():
		x.Error = errInterrupted.Error()
	case !strings.Contains(x.Error, errInterrupted.Error()):
		x.Error = errInterrupted.Error() + ": " + x.Error
	}
}

// refuse tells it: a person on the error output, and a program, which reads the other one.
func (a *app) refuse(x refusal, forProgram bool) {
	fmt.Fprintf(a.err, "samecycle: %s\n", x.Error)
	if x.Help != "" {
		fmt.Fprintf(a.err, "help: %s\n", x.Help)
	}
	if forProgram {
		enc := json.NewEncoder(a.out)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(x) // the exit status tells it, too
	}
}
