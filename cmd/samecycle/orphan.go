package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

// parentVariable says to a program which process has started it, and that it ends with that one.
const parentVariable = "SAMECYCLE_PARENT"

// ofParent is the environment of a program that ends with this process, killed or not.
func ofParent() []string {
	return append(os.Environ(), parentVariable+"="+strconv.Itoa(os.Getpid()))
}

var errOrphaned = errors.New("the process that started this one has ended")

// untilOrphaned returns a context that ends within a second when the process of parentVariable has, if it is
// set. What is beside it releases what it holds. The output of this process may be a pipe that nobody reads
// then, which must not end it before.
func untilOrphaned(ctx context.Context) (context.Context, context.CancelFunc) {
	parent, err := strconv.Atoi(os.Getenv(parentVariable))
	if err != nil {
		return ctx, func() {}
	}
	pipe := make(chan os.Signal, 1) // Unlike signal.Ignore this leaves the programs that it starts alone.
	signal.Notify(pipe, syscall.SIGPIPE)
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		for os.Getppid() == parent {
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Second):
			}
		}
		cancel(errOrphaned)
	}()
	return ctx, func() { signal.Stop(pipe); cancel(nil) }
}
