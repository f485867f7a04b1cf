package main

import (
	"context"
	"errors"
	"os"
	"strconv"
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
// set. What is beside it releases what it holds.
func untilOrphaned(ctx context.Context) (context.Context, context.CancelFunc) {
	parent, err := strconv.Atoi(os.Getenv(parentVariable))
	if err != nil {
		return ctx, func() {}
	}
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
	return ctx, func() { cancel(nil) }
}
