package explore_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/scenarios/explore"
	"github.com/samecycle/samecycle/scenarios/explore/shim/atomic"
	"github.com/samecycle/samecycle/scenarios/explore/shim/flow"
)

// A talk is a random program whose actors use channels: the first has no buffer, the second one of one
// element and the third one of two. Each line is what one actor does, two bytes a move: what is done (s
// send, r receive, t send if that is possible at once, u receive so, l length, c close, a add to the word,
// x select between two receives, y select between a send and a receive, z the same with a default case, d
// select with a default case between two receives, n receive from a nil channel or else the given one), and
// to which channel; a select is about it and the next one.
type talk []string

const talkMoves = "sssrrrtuulcaxxyyzdn"

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

// A room is the same state once more, for the enumeration: by the rules of the runtime, as far as they can
// be seen. It knows neither the explorer nor the shim.
type room struct {
	p     talk
	at    []int // by actor, the next move
	saw   []string
	queue [3][]int // elements of the channels
	shut  [3]bool
	word  int
	wait  []visit // in the order in which they came
}

// A visit is an actor that waits at one or two channels.
type visit struct {
	actor int
	asks  []ask
}

// An ask is a case: to send, or to receive, at a channel; none at a nil channel.
type ask struct {
	n     int
	sends bool
	none  bool
}

func (r *room) copy() *room {
	c := *r
	c.at, c.saw, c.wait = slices.Clone(r.at), slices.Clone(r.saw), slices.Clone(r.wait)
	for i := range c.queue {
		c.queue[i] = slices.Clone(r.queue[i])
	}
	return &c
}

// partner finds the first that waits for the other side of an ask.
func (r *room) partner(a ask) (at, which int) {
	for i, v := range r.wait {
		for j, b := range v.asks {
			if !b.none && b.n == a.n && b.sends != a.sends {
				return i, j
			}
		}
	}
	return -1, -1
}

func (r *room) possible(a ask) bool {
	i, _ := r.partner(a)
	switch {
	case a.none:
		return false
	case r.shut[a.n] || i >= 0:
		return true
	case a.sends:
		return len(r.queue[a.n]) < capacities[a.n]
	}
	return len(r.queue[a.n]) > 0
}

// done ends the move of an actor.
func (r *room) done(actor int, saw string) {
	r.saw[actor] += saw + ";"
	if r.at[actor] += 2; r.at[actor] >= len(r.p[actor]) {
		r.saw[actor] += "."
	}
}

// tells is what the actor sees of a case that was made.
func tells(do byte, which, v int, ok, sends bool) string {
	switch {
	case do == 's':
		return ""
	case do == 'r':
		return fmt.Sprint(v, ok)
	case sends:
		return fmt.Sprint("case", which)
	}
	return fmt.Sprint("case", which, " ", v, ok)
}

func (r *room) do(actor int) byte { return r.p[actor][r.at[actor]] }

// end ends the wait of a visit.
func (r *room) end(i, which, v int, ok bool) {
	w := r.wait[i]
	r.wait = slices.Delete(slices.Clone(r.wait), i, i+1)
	if a := w.asks[which]; a.sends && !ok {
		r.done(w.actor, "send on closed channel")
	} else {
		r.done(w.actor, tells(r.do(w.actor), which, v, ok, a.sends))
	}
}

// make makes a case that is possible.
func (r *room) make(actor, which int, a ask) {
	mine := message(actor, r.at[actor])
	i, j := r.partner(a)
	do := r.do(actor)
	switch {
	case a.sends && r.shut[a.n]:
		r.done(actor, "send on closed channel")
	case a.sends && i >= 0:
		r.end(i, j, mine, true)
		r.done(actor, tells(do, which, 0, true, true))
	case a.sends:
		r.queue[a.n] = append(r.queue[a.n], mine)
		r.done(actor, tells(do, which, 0, true, true))
	case len(r.queue[a.n]) > 0:
		v := r.queue[a.n][0]
		r.queue[a.n] = r.queue[a.n][1:]
		if i >= 0 {
			w := r.wait[i].actor
			r.queue[a.n] = append(r.queue[a.n], message(w, r.at[w]))
			r.end(i, j, 0, true)
		}
		r.done(actor, tells(do, which, v, true, false))
	case i >= 0:
		w := r.wait[i].actor
		v := message(w, r.at[w])
		r.end(i, j, 0, true)
		r.done(actor, tells(do, which, v, true, false))
	default:
		r.done(actor, tells(do, which, 0, false, false))
	}
}

// asks are the cases of a move, and whether it has a default case.
func asksOf(do byte, n int) (asks []ask, fallback bool) {
	d := (n + 1) % 3
	switch do {
	case 's', 't':
		return []ask{{n: n, sends: true}}, do == 't'
	case 'r', 'u':
		return []ask{{n: n}}, do == 'u'
	case 'x', 'd':
		return []ask{{n: n}, {n: d}}, do == 'd'
	case 'y', 'z':
		return []ask{{n: n, sends: true}, {n: d}}, do == 'z'
	}
	return []ask{{none: true}, {n: n}}, false
}

// next are the states after the next move of an actor.
func (r *room) next(actor int) (all []*room) {
	do, n := r.do(actor), int(r.p[actor][r.at[actor]+1]-'0')
	c := r.copy()
	switch do {
	case 'l':
		c.done(actor, fmt.Sprint(len(c.queue[n])))
		return []*room{c}
	case 'a':
		c.word++
		c.done(actor, fmt.Sprint(c.word))
		return []*room{c}
	case 'c':
		if c.shut[n] {
			c.done(actor, "close of closed channel")
			return []*room{c}
		}
		c.shut[n] = true
		for i := 0; i < len(c.wait); {
			j := slices.IndexFunc(c.wait[i].asks, func(a ask) bool { return !a.none && a.n == n })
			if j < 0 {
				i++
				continue
			}
			c.end(i, j, 0, false)
		}
		c.done(actor, "")
		return []*room{c}
	}
	asks, fallback := asksOf(do, n)
	for i, a := range asks {
		if r.possible(a) {
			c := r.copy()
			c.make(actor, i, a)
			all = append(all, c)
		}
	}
	switch {
	case len(all) > 0:
	case fallback:
		c.done(actor, "case-1")
		all = append(all, c)
	default:
		c.wait = append(c.wait, visit{actor, asks})
		all = append(all, c)
	}
	return all
}

func (r *room) enumerate(met map[string]bool, out map[string]int) {
	key := fmt.Sprint(r.at, r.saw, r.queue, r.shut, r.word, r.wait)
	if met[key] {
		return
	}
	met[key] = true
	over := true
	for actor := range r.p {
		waits := slices.ContainsFunc(r.wait, func(v visit) bool { return v.actor == actor })
		if !waits && r.at[actor] < len(r.p[actor]) {
			over = false
			for _, c := range r.next(actor) {
				c.enumerate(met, out)
			}
		}
	}
	if over {
		var left []int
		for i := range r.queue {
			left = append(left, len(r.queue[i]))
		}
		out[fmt.Sprint(r.saw, left, r.word)]++
	}
}

// outcomes are those that the enumeration finds.
func (p talk) outcomes() map[string]int {
	r := &room{p: p, at: make([]int, len(p)), saw: make([]string, len(p))}
	out := map[string]int{}
	r.enumerate(map[string]bool{}, out)
	return out
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
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
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
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 3))
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
