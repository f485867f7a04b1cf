package driver

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// A place is where a program makes a call: the n-th call of an actor, or of one of those below.
type place struct{ actor, n int }

// The actors of calls that no actor of a program makes.
const (
	ahead  = -1
	behind = 1 << 10 // in the probe
)

// rooms are the channels that the calls of one execution were given to send on. Their contents are not
// results of these calls, because others may send on them and close them as well, before a call returns and
// later. The contents are compared once, when no goroutine can continue, as if they were received after all
// calls.
type rooms struct {
	mu  sync.Mutex // for a test without the explorer, whose actors run at the same time
	all []given
}

// A given channel is a channel that was an argument of a call.
type given struct {
	at       place
	call     string
	contents func() string
}

// places returns the places of calls in the order of their actors.
func places(order []int) []place {
	var all []place
	made := map[int]int{}
	for _, a := range order {
		all = append(all, place{a, made[a]})
		made[a]++
	}
	return all
}

// placesOf returns the places of n calls of an actor.
func placesOf(actor, n int) (all []place) {
	for i := range n {
		all = append(all, place{actor, i})
	}
	return all
}

func (r *rooms) reset() { r.all = r.all[:0] }

// keep notes the channels of a call that has returned.
func (r *rooms) keep(at place, call string, results []any) {
	if r == nil || len(results) == 0 {
		return
	}
	if h, is := results[len(results)-1].(*Heard); is {
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, contents := range h.channels {
			r.all = append(r.all, given{at, call, contents})
		}
	}
}

// saw returns what the probe saw and, after that, the contents of the channels, if there are any: first
// those of the probe, then the others. It is for an execution in which all calls have returned.
func (r *rooms) saw(probe []string) []string {
	if len(r.all) == 0 {
		return probe
	}
	slices.SortFunc(r.all, func(a, b given) int {
		return cmp.Or(a.at.actor-b.at.actor, a.at.n-b.at.n)
	})
	var probed, others []string
	for _, g := range r.all {
		text := g.call + whose(g.at) + " was " + g.contents()
		if g.at.actor == behind {
			probed = append(probed, text)
		} else {
			others = append(others, text)
		}
	}
	return append(slices.Clip(probe), strings.Join(probed, ", "), strings.Join(others, ", "))
}

// whose distinguishes calls with the same text.
func whose(at place) string {
	switch at.actor {
	case ahead:
		return " before"
	case behind:
		return ""
	}
	return " of " + actorName(at.actor)
}

// ofState returns the part of what was seen that does not depend on which actor made which call.
func ofState(saw []string, probe int) []string {
	if len(saw) <= probe {
		return saw
	}
	if saw[probe] == "" {
		return saw[:probe]
	}
	return saw[:probe+1]
}
