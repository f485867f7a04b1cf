// Package signal is the standard package os/signal with a NotifyContext on the contexts of the shims. A
// signal comes from outside the explored code, so no schedule has it: an execution in which one has come
// cannot be judged, see flow.Disturbed.
package signal

import (
	"context"
	"os"
	"os/signal"
	"strings"
	"sync"

	shim "github.com/samecycle/samecycle/explore/shim/context"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/internal/hook"
)

// Notify does what the original does.
func Notify(c chan<- os.Signal, sig ...os.Signal) { signal.Notify(c, sig...) }

// Stop does what the original does.
func Stop(c chan<- os.Signal) { signal.Stop(c) }

// Ignore does what the original does.
func Ignore(sig ...os.Signal) { signal.Ignore(sig...) }

// Ignored does what the original does.
func Ignored(sig os.Signal) bool { return signal.Ignored(sig) }

// Reset does what the original does.
func Reset(sig ...os.Signal) { signal.Reset(sig...) }

// notified are the channels of the contexts of the running execution to which signals come.
var notified struct {
	sync.Mutex
	epoch    uint64
	channels []chan os.Signal
}

// register makes signals come to a new channel until the execution ends.
func register(signals []os.Signal) chan os.Signal {
	notified.Lock()
	defer notified.Unlock()
	if notified.epoch != hook.Epoch {
		for _, c := range notified.channels {
			signal.Stop(c)
		}
		notified.epoch, notified.channels = hook.Epoch, nil
	}
	c := make(chan os.Signal, 1)
	notified.channels = append(notified.channels, c)
	signal.Notify(c, signals...)
	return c
}

// NotifyContext does what the original does, but that a signal does not end the context in an exploration.
func NotifyContext(parent context.Context, signals ...os.Signal) (
	ctx context.Context, stop context.CancelFunc) {
	if hook.Active == nil {
		return signal.NotifyContext(parent, signals...)
	}
	inner, cancel := shim.WithCancel(parent)
	c := register(signals)
	flow.Expect(func() bool { return len(c) > 0 })
	return &signalled{inner, signals}, func() {
		cancel()
		signal.Stop(c)
	}
}

// signalled is a context of NotifyContext.
type signalled struct {
	context.Context
	signals []os.Signal
}

// String names the context as the original does.
func (c *signalled) String() string {
	var b strings.Builder
	b.WriteString("signal.NotifyContext(")
	if s, is := c.Context.(interface{ String() string }); is {
		b.WriteString(strings.TrimSuffix(s.String(), ".WithCancel"))
	}
	names := make([]string, len(c.signals))
	for i, s := range c.signals {
		names[i] = s.String()
	}
	if len(names) > 0 {
		b.WriteString(", [" + strings.Join(names, " ") + "]")
	}
	return b.String() + ")"
}
