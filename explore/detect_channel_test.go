package explore_test

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
)

// by is what an actor does: plain accesses, and operations on a channel.
func by(all ...func(s *plain)) func(s *plain) {
	return func(s *plain) {
		for _, f := range all {
			f(s)
		}
	}
}

func set(s *plain) { s.set() }
func get(s *plain) { s.get() }

func straight(s *plain) chan int { return s.straight }
func one(s *plain) chan int      { return s.one }
func two(s *plain) chan int      { return s.two }
func before(s *plain) chan int   { return s.before }

func send(c func(*plain) chan int) func(*plain) {
	return func(s *plain) { flow.To(c(s)).Send(1) }
}

func receive(c func(*plain) chan int) func(*plain) {
	return func(s *plain) { flow.Receive(c(s)) }
}

func closes(c func(*plain) chan int) func(*plain) { return func(s *plain) { flow.Close(c(s)) } }

// alone is a send or receive by a select with another case, which is never possible.
func alone(c func(*plain) chan int, sends bool) func(*plain) {
	return func(s *plain) {
		var op flow.Communication = flow.Receiving(c(s))
		if sends {
			op = flow.To(c(s)).Case(1)
		}
		flow.Select(false, op, flow.Receiving(make(chan int)))
	}
}

// tried is a receive by a select with a default case, and then f if it received, or in any case.
func tried(c func(*plain) chan int, always bool, f func(*plain)) func(*plain) {
	return func(s *plain) {
		if flow.Select(true, flow.Receiving(c(s))) == 0 || always {
			f(s)
		}
	}
}

// messageDisciplines has a program with a race and one without for each edge of the memory model.
func messageDisciplines() []discipline {
	type bodies = []func(*plain)
	return []discipline{
		{"a send is before its receive", false, bodies{by(set, send(straight)), by(receive(straight), get)}},
		{"what follows a send is not", true, bodies{by(send(straight), set), by(receive(straight), get)}},
		{"a receive is before the end of its send", false,
			bodies{by(set, receive(straight)), by(send(straight), get)}},
		{"what follows a receive is not", true, bodies{by(receive(straight), set), by(send(straight), get)}},
		{"a buffered send is before its receive", false, bodies{by(set, send(one)), by(receive(one), get)}},
		{"a receive is not before a send into the buffer", true,
			bodies{by(set, receive(one)), by(send(one), get)}},
		{"a receive is before the end of the send that reuses its place", false,
			bodies{by(set, receive(one)), by(send(one), send(one), get)}},
		{"and of what was there before the actors", false,
			bodies{by(set, receive(before)), by(send(before), get)}},
		{"and not before the one ahead of that", true,
			bodies{by(set, receive(two)), by(send(two), send(two), get)}},
		{"the second message does not tell what follows the first", false,
			bodies{by(set, send(two), send(two)), by(receive(two), get)}},
		{"the first message does not tell what follows it", true,
			bodies{by(send(two), set, send(two)), by(receive(two), get)}},
		{"a close is before a receive that it ends", false,
			bodies{by(set, closes(one)), by(receive(one), get)}},
		{"for those who wait, too", false,
			bodies{by(set, closes(straight)), by(receive(straight), get), by(receive(straight), get)}},
		{"what follows a close is not", true, bodies{by(closes(one), set), by(receive(one), get)}},
		{"a message sent ahead of a close is not the close", true,
			bodies{by(send(one), set, closes(one)), by(receive(one), get)}},
		{"a buffer of one is a lock", false,
			bodies{by(send(one), set, receive(one)), by(send(one), set, receive(one))}},
		{"one of two is none", true,
			bodies{by(send(two), set, receive(two)), by(send(two), set, receive(two))}},
		{"the length orders nothing", true, bodies{by(set, send(one)), func(s *plain) {
			if flow.Len(s.one) == 1 {
				s.get()
			}
		}}},
	}
}

// selectDisciplines are the same edges through selects.
func selectDisciplines() []discipline {
	type bodies = []func(*plain)
	return []discipline{
		{"selects on both sides", false,
			bodies{by(set, alone(straight, true)), by(alone(straight, false), get)}},
		{"and the other way round", false,
			bodies{by(set, alone(straight, false)), by(alone(straight, true), get)}},
		{"after selects", true, bodies{by(alone(straight, true), set), by(alone(straight, false), get)}},
		{"a select that waits at a buffer", false, bodies{by(set, send(one)), by(alone(one, false), get)}},
		{"a select that waits for a place", false,
			bodies{by(send(one), set, alone(one, true)), by(receive(one), receive(one), get)}},
		{"a select that frees a place", false,
			bodies{by(set, alone(one, false)), by(send(one), send(one), get)}},
		{"a select that reuses a place", false,
			bodies{by(set, receive(one)), by(send(one), alone(one, true), get)}},
		{"a select that does not", true, bodies{by(set, receive(two)), by(send(two), alone(two, true), get)}},
		{"received without waiting", false, bodies{by(set, send(one)), tried(one, false, get)}},
		{"a default case orders nothing", true, bodies{by(set, send(one)), tried(one, true, get)}},
	}
}

// TestRaces_SendBesideClose: a send that nothing orders with a close of the channel races with it, whichever
// comes first, also in a select; one that a receive orders before the close does not.
func TestRaces_SendBesideClose(t *testing.T) {
	type bodies = []func(*plain)
	sends := func(s *plain) { runtimeError(func() { flow.To(s.one).Send(1) }) }
	selects := func(s *plain) {
		runtimeError(func() { flow.Select(false, flow.To(s.one).Case(1), flow.Receiving(s.two)) })
	}
	for _, d := range []discipline{
		{"a send, a close", true, bodies{sends, closes(one)}},
		{"a close, a send", true, bodies{closes(one), sends}},
		{"a select, a close", true, bodies{selects, closes(one)}},
		{"a close behind the receive", false, bodies{send(one), by(receive(one), closes(one))}},
	} {
		r := mustExplore(t, d.program(), explore.Options{Preemptions: explore.Unbounded, Races: true})
		if !d.races {
			if r.Failure != nil {
				t.Errorf("%s: %v", d.name, r.Err())
			}
			continue
		}
		f := wantFailure(t, r, explore.Race)
		for _, want := range []string{"send on a channel by ", "close of a channel by ", "nothing orders"} {
			if !strings.Contains(f.Message, want) {
				t.Errorf("%s: %q is missing in %s", d.name, want, f.Message)
			}
		}
	}
}
