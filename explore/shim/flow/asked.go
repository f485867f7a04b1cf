package flow

import (
	"context"
	"os"
	"os/exec"
	"sync"

	"github.com/samecycle/samecycle/internal/hook"
)

// asked are the calls by which the running execution has asked what is not explored, such as a server or
// another process. Goroutines that are no actors may call, too.
var asked struct {
	sync.Mutex
	epoch  uint64
	passed map[string]int // by place: how often the clock had gone on at the last call
	polls  Polling
	failed bool // the test has said that it fails
}

// Polling says of an execution whether a call asks what is not explored again and again, as code does that
// waits for an answer. That takes time which passes outside, and not on the clock of the execution. Each
// field names the last such call and its place, or is empty.
type Polling struct {
	Again string // the same call came twice or more
	Later string // and the clock went on in between
	All   string // the call shows all goroutines, so those of the explorer, too, and the test had not failed

	Itself bool // the execution has made a command of its own program, which is the explorer's
}

// beginAsking locks, and empties what an earlier execution has asked.
func beginAsking() {
	asked.Lock()
	if asked.epoch != hook.Epoch {
		asked.epoch, asked.passed = hook.Epoch, map[string]int{}
		asked.polls, asked.failed = Polling{}, false
	}
}

// Command does what exec.Command does, and notes a command of the program itself.
func Command(name string, arg ...string) *exec.Cmd {
	noteItself(name)
	return exec.Command(name, arg...)
}

// CommandContext is like Command.
func CommandContext(ctx context.Context, name string, arg ...string) *exec.Cmd {
	noteItself(name)
	return exec.CommandContext(ctx, name, arg...)
}

func noteItself(name string) {
	if hook.Active == nil {
		return
	}
	self, err := os.Executable()
	if name == os.Args[0] || err == nil && name == self {
		beginAsking()
		defer asked.Unlock()
		asked.polls.Itself = true
	}
}

// Asks notes that the call of a function, at a place, asks what is not explored, and returns the function.
func Asks[F any](f F, name, place string) F {
	if hook.Active == nil {
		return f
	}
	beginAsking()
	defer asked.Unlock()
	now := 0
	if Clock != nil {
		now = Clock.Passed
	}
	before, again := asked.passed[place]
	asked.passed[place] = now
	if call := name + " at " + place; again {
		asked.polls.Again = call
		if before != now {
			asked.polls.Later = call
		}
	}
	return f
}

// Shows is Asks for a function that shows all goroutines. If it is runtime.Stack, its argument decides.
func Shows[F any](f F, name, place string) F {
	if hook.Active == nil {
		return f
	}
	show := func() {
		beginAsking()
		defer asked.Unlock()
		if !asked.failed {
			asked.polls.All = name + " at " + place
		}
	}
	if stack, is := any(f).(func([]byte, bool) int); is {
		return Asks(any(func(text []byte, all bool) int {
			if all {
				show()
			}
			return stack(text, all)
		}).(F), name, place)
	}
	show()
	return Asks(f, name, place)
}

// Fails notes that the test says that it fails: what it asks later is not the reason.
func Fails() {
	beginAsking()
	defer asked.Unlock()
	asked.failed = true
}

// Polls says what the last execution has asked again and again, or of all goroutines.
func Polls() Polling {
	beginAsking()
	defer asked.Unlock()
	return asked.polls
}
