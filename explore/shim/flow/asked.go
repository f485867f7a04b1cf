package flow

import "github.com/samecycle/samecycle/internal/hook"

// asked are the calls by which the running execution has asked what is not explored, such as a server or
// another process.
var asked struct {
	epoch  uint64
	passed map[string]int // by place: how often the clock had gone on at the last call
	polls  Polling
}

// Polling says of an execution whether a call asks what is not explored again and again, as code does that
// waits for an answer. That takes time which passes outside, and not on the clock of the execution. Each
// field names the last such call and its place, or is empty.
type Polling struct {
	Again string // the same call came twice or more
	Later string // and the clock went on in between
}

// Asks notes that the call of a function, at a place, asks what is not explored, and returns the function.
func Asks[F any](f F, name, place string) F {
	if hook.Active == nil {
		return f
	}
	if asked.epoch != hook.Epoch {
		asked.epoch, asked.passed, asked.polls = hook.Epoch, map[string]int{}, Polling{}
	}
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

// Polls says what the last execution has asked again and again.
func Polls() Polling {
	if asked.epoch != hook.Epoch {
		return Polling{}
	}
	return asked.polls
}
