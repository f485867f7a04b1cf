package driver

import (
	"cmp"
	"reflect"
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
//
// They also have the references that the calls have returned, of which the results say only that they are not
// nil: which of them are the same is compared as well.
type rooms struct {
	mu       sync.Mutex // for a test without the explorer, whose actors run at the same time
	all      []given
	returned []reference
}

// A reference is a pointer, a channel or a map that a call has returned. It keeps what it refers to, so that
// nothing else gets that address.
type reference struct {
	at   place
	call string
	v    reflect.Value
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

func (r *rooms) reset() {
	clear(r.returned)
	r.all, r.returned = r.all[:0], r.returned[:0]
}

// keep notes the channels of a call that has returned, and the references that it has returned.
func (r *rooms) keep(at place, call string, results []any) {
	if r == nil || len(results) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if h, is := results[len(results)-1].(*Heard); is {
		for _, contents := range h.channels {
			r.all = append(r.all, given{at, call, contents})
		}
	}
	for _, result := range results {
		if _, is := result.(*Heard); !is && refers(result) {
			r.returned = append(r.returned, reference{at, call, reflect.ValueOf(result)})
		}
	}
}

// refers reports whether a result is a reference that can be told from others. Errors are not, because each
// has its text, and neither are pointers to nothing, which may all be the same.
func refers(result any) bool {
	if _, is := result.(error); is || result == nil {
		return false
	}
	switch v := reflect.ValueOf(result); v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && v.Type().Elem().Size() > 0
	case reflect.Chan, reflect.Map:
		return !v.IsNil()
	}
	return false
}

// named is the call that has returned it.
func (r reference) named() string {
	if r.at.actor == behind {
		return r.call + " afterwards"
	}
	return r.call + whose(r.at)
}

// same says which calls have returned the same reference.
func (r *rooms) same() string {
	slices.SortStableFunc(r.returned, func(a, b reference) int {
		return cmp.Or(a.at.actor-b.at.actor, a.at.n-b.at.n)
	})
	var all []string
	done := make([]bool, len(r.returned))
	for i, first := range r.returned {
		calls := []string{first.named()}
		for k := i + 1; k < len(r.returned); k++ {
			x := r.returned[k]
			if !done[k] && x.v.Kind() == first.v.Kind() && x.v.Pointer() == first.v.Pointer() {
				done[k], calls = true, append(calls, x.named())
			}
		}
		if !done[i] && len(calls) > 1 {
			all = append(all, strings.Join(calls, " and ")+" returned the same "+kindName(first.v.Kind()))
		}
	}
	return strings.Join(all, ", ")
}

// saw returns what the probe saw and, after that, the contents of the channels, if there are any: first
// those of the probe, then the others, and which calls have returned the same. It is for an execution in
// which all calls have returned.
func (r *rooms) saw(probe []string) []string {
	same := r.same()
	if len(r.all) == 0 && same == "" {
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
	if same != "" {
		others = append(others, same)
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
