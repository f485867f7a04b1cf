package explore_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/flow"
)

// A talk is a random program whose actors use channels: the first has no buffer, the second one of one
// element and the third one of two. Each line is what one actor does, two bytes a move: what is done (s
// send, r receive, t send if that is possible at once, u receive so, l length, c close, a add to the word,
// x select between two receives, y select between a send and a receive, z the same with a default case, d
// select with a default case between two receives, n receive from a nil channel or else the given one, p
// select between a send and a receive of the one channel, q between two receives from it, o between two
// sends on it), and to which channel; another select is about it and the next one.
type talk []string

const talkMoves = "sssrrrtuulcaxxyyzdnpqo"

// capacities are those of the channels.
var capacities = [3]int{0, 1, 2}

// A message is what a move sends: who sends it and at which move.
func message(actor, move int) int { return 100*actor + move + 1 }

// talking is the state of one execution of a talk.
type talking struct {
	channels [3]chan int
	word     atomic.Uint64
	saw      []string // by actor
}

// move makes a move of an actor and returns what it saw.
func (k *talking) move(do byte, n, v int) (saw string) {
	defer func() {
		if r := recover(); r != nil {
			e, ours := r.(runtime.Error)
			if !ours {
				if e, is := r.(error); !is || !strings.Contains(e.Error(), "channel") {
					panic(r)
				}
				saw = fmt.Sprint(r)
				return
			}
			saw = e.Error()
		}
	}()
	c, d := k.channels[n], k.channels[(n+1)%3]
	take := func(hasDefault bool, cases ...flow.Communication) string {
		i := flow.Select(hasDefault, cases...)
		if i >= 0 {
			if v, ok := cases[i].(*flow.Case[int]).ValueOK(); !cases[i].(*flow.Case[int]).Sends() {
				return fmt.Sprint("case", i, " ", v, ok)
			}
		}
		return fmt.Sprint("case", i)
	}
	switch do {
	case 's':
		flow.To(c).Send(v)
	case 'r':
		v, ok := flow.ReceiveOK(c)
		return fmt.Sprint(v, ok)
	case 't':
		return take(true, flow.To(c).Case(v))
	case 'u':
		return take(true, flow.Receiving(c))
	case 'l':
		return fmt.Sprint(flow.Len(c))
	case 'c':
		flow.Close(c)
	case 'a':
		return fmt.Sprint(k.word.Add(1))
	case 'x', 'd':
		return take(do == 'd', flow.Receiving(c), flow.Receiving(d))
	case 'y', 'z':
		return take(do == 'z', flow.To(c).Case(v), flow.Receiving(d))
	case 'n':
		return take(false, flow.Receiving[int](nil), flow.Receiving(c))
	case 'p':
		return take(false, flow.To(c).Case(v), flow.Receiving(c))
	case 'q':
		return take(false, flow.Receiving(c), flow.Receiving(c))
	case 'o':
		return take(false, flow.To(c).Case(v), flow.To(c).Case(v))
	}
	return ""
}

func (p talk) program(got map[string]int) explore.Program { return p.make(got, true) }

// make is program, with or without names of the objects that hold in all executions.
func (p talk) make(got map[string]int, named bool) explore.Program {
	var k *talking
	note := func(x *explore.Execution) error {
		o := k.outcome()
		for i := range p {
			if x.Killed(i) {
				o += fmt.Sprint(" killed", i)
			}
		}
		got[o]++
		return nil
	}
	return explore.Program{
		Name: "talk",
		Start: func(x *explore.Execution) []explore.Actor {
			k = &talking{saw: make([]string, len(p))}
			for i, n := range capacities {
				k.channels[i] = make(chan int, n)
				if named {
					x.Region(*(*unsafe.Pointer)(unsafe.Pointer(&k.channels[i])), 1)
				}
			}
			if named {
				x.Region(unsafe.Pointer(&k.word), 8)
			}
			var actors []explore.Actor
			for n, line := range p {
				actors = append(actors, explore.Actor{Body: func() {
					for i := 0; i+1 < len(line); i += 2 {
						k.saw[n] += k.move(line[i], int(line[i+1]-'0'), message(n, i)) + ";"
					}
					k.saw[n] += "."
				}})
			}
			return actors
		},
		Finish: note, Stuck: note,
	}
}

func (k *talking) outcome() string {
	var left []int
	for _, c := range k.channels {
		left = append(left, len(c))
	}
	return fmt.Sprint(k.saw, left, k.word.Load())
}

func randomTalk(r *rand.Rand) talk {
	p := make(talk, 2+r.IntN(2))
	for i := range p {
		for range 2 + r.IntN(5-len(p)) {
			p[i] += string(talkMoves[r.IntN(len(talkMoves))]) + string('0'+byte(r.IntN(3)))
		}
	}
	return p
}

// agrees returns how the searches of a talk differ from the enumeration, "" if they do not.
func (p talk) agrees(t *testing.T, sum *explore.Stats) string {
	t.Helper()
	want := keysOf(p.outcomes())
	for _, how := range []string{"all", "stateful", "reduced", "nameless"} {
		o := withoutAudit(unbounded())
		o.Stateful, o.Reduce = how == "stateful", how == "reduced" || how == "nameless"
		got := map[string]int{}
		r := mustExplore(t, p.make(got, how != "nameless"), o)
		switch {
		case r.Failure != nil:
			return fmt.Sprintf("%q, %s: %s", p, how, r.Failure.Table())
		case keysOf(got) != want || !r.Exhaustive:
			return fmt.Sprintf("%q, %s: outcomes\n%s\nwant\n%s", p, how, keysOf(got), want)
		case how == "reduced":
			sum.Executions += r.Executions
			sum.Classes += r.Classes
		}
	}
	return ""
}

// TestTalks holds the searches of random programs with channels against an enumeration that knows
// nothing of the explorer.
func TestTalks(t *testing.T) {
	seed := drawn(t)
	r := rand.New(rand.NewPCG(seed, 1))
	var sum explore.Stats
	outcomes := 0
	for range 1000 {
		p := randomTalk(r)
		if s := p.agrees(t, &sum); s != "" {
			t.Fatal(s)
		}
		outcomes += len(slices.Collect(maps.Keys(p.outcomes())))
	}
	t.Logf("%d reduced executions of %d classes, %d outcomes", sum.Executions, sum.Classes, outcomes)
}

// intricate are programs in which what a select chooses decides who can go on, and in which what it would do
// instead is not known.
var intricate = []talk{{"y1s1z0", "y2r0y0", "l2s2r1"}, {"l2x2", "u2y1", "u1s2d2"}}

// TestTalks_Intricate: one or two in ten thousand random programs are so, and are kept. Without what is
// assumed outcomes are lost.
func TestTalks_Intricate(t *testing.T) {
	var sum explore.Stats
	for _, p := range intricate {
		if s := p.agrees(t, &sum); s != "" {
			t.Error(s)
		}
	}
	lost := func(p talk) bool { return p.agrees(t, &sum) != "" }
	explore.WithFault(explore.Dropping, func() {
		if !lost(intricate[0]) {
			t.Error("nobody notices that plans are dropped")
		}
	})
	explore.WithFault(explore.Hasty, func() {
		if !lost(intricate[1]) {
			t.Error("nobody notices that a select may do something else")
		}
	})
}

// TestTalks_Canary: a reduction that takes a select for a step on one of its channels is noticed.
func TestTalks_Canary(t *testing.T) {
	explore.WithFault(explore.ChannelFaults["a select touches one channel"], func() {
		r := rand.New(rand.NewPCG(1, 2))
		var sum explore.Stats
		for range 1000 {
			if randomTalk(r).agrees(t, &sum) != "" {
				return
			}
		}
		t.Error("1000 random programs do not tell")
	})
}

// TestTalks_Killed: with deaths the search that joins states and the reduced one find the outcomes of the
// search of all. The reduced one lets actors die where nobody can go on, too.
func TestTalks_Killed(t *testing.T) {
	r := rand.New(rand.NewPCG(drawn(t), 3))
	for range 300 {
		p := randomTalk(r)
		all := map[string]int{}
		o := withoutAudit(unbounded())
		o.Kills = 1
		mustExplore(t, p.program(all), o)
		for _, reduce := range []bool{false, true} {
			got := map[string]int{}
			o.Reduce, o.Stateful = reduce, !reduce
			r := mustExplore(t, p.program(got), o)
			for outcome := range got {
				if alive, _, dead := strings.Cut(outcome, " killed"); reduce && dead && all[alive] > 0 {
					all[outcome]++
				}
			}
			if r.Failure != nil || keysOf(got) != keysOf(all) {
				t.Fatalf("%q, reduced %t: outcomes\n%s\nwant\n%s\n%v", p, reduce, keysOf(got), keysOf(all),
					r.Err())
			}
		}
	}
}
