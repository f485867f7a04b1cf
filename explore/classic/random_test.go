package classic_test

import (
	"flag"
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/sync"
	"github.com/samecycle/samecycle/internal/hook"
)

// A line is one statement of a random program, drawn as four small numbers.
type line struct {
	do   uint8 // what is done, see do
	cell uint8
	a, b uint8
}

// The statements. After skip the next one is left out if the value found last is a; begin ends an
// operation and starts another one.
const (
	load = iota
	store
	cas
	add
	and
	or
	swap
	skip
	lock
	unlock
	try
	choose
	begin
	statements
)

var statementNames = [statements]string{"load", "store", "cas", "add", "and", "or", "swap", "skip",
	"lock", "unlock", "try", "choose", "begin"}

func (l line) String() string {
	return fmt.Sprintf("%s w%d %d %d", statementNames[l.do], l.cell, l.a, l.b)
}

// shared is the memory of a random program.
type shared struct {
	words [3]atomic.Uint32
	locks [2]sync.Mutex
}

// sample is a random program and what one search of it met.
type sample struct {
	lines    [][]line
	foreign  bool // no region: objects have no stable names
	m        *shared
	got      [][]uint32
	marks    []string // calls and returns, in their order
	steps    []explore.Step
	outcomes map[string]int
	classes  map[string]int
	history  bool
}

// runActor interprets the lines of actor i.
func (s *sample) runActor(x *explore.Execution, i int) {
	found, held := uint32(0), [2]bool{}
	s.call(x, i)
	for k := 0; k < len(s.lines[i]); k++ {
		l := s.lines[i][k]
		w, mu, holds := &s.m.words[l.cell], &s.m.locks[l.cell%2], &held[l.cell%2]
		switch l.do {
		case load:
			found = w.Load()
		case store:
			w.Store(uint32(l.a))
		case cas:
			found = 9
			if w.CompareAndSwap(uint32(l.a), uint32(l.b)) {
				found = 8
			}
		case add:
			found = w.Add(uint32(l.a))
		case and:
			found = w.And(uint32(l.a))
		case or:
			found = w.Or(uint32(l.a))
		case swap:
			found = w.Swap(uint32(l.a))
		case skip:
			if found == uint32(l.a) {
				k++
			}
		case lock:
			if !*holds {
				mu.Lock()
				*holds = true
			}
		case unlock:
			if *holds {
				mu.Unlock()
				*holds = false
			}
		case try:
			if !*holds {
				*holds = mu.TryLock()
			}
		case choose:
			found = uint32(hook.Active.Choose(2))
		case begin:
			s.ret(x, i)
			x.Begin()
			s.call(x, i)
		}
		s.got[i] = append(s.got[i], found)
	}
	for k, holds := range held {
		if holds {
			s.m.locks[k].Unlock()
		}
	}
	s.ret(x, i)
}

func (s *sample) call(x *explore.Execution, i int) {
	s.marks = append(s.marks, fmt.Sprintf("call %d", i))
	x.Mark(uint64(i))
}

func (s *sample) ret(x *explore.Execution, i int) {
	s.marks = append(s.marks, fmt.Sprintf("ret %d", i))
	x.Mark(uint64(i) + 100)
}

// program is the explorer's program. With classes, each execution's class is counted too.
func (s *sample) program(count bool) explore.Program {
	s.outcomes, s.classes = map[string]int{}, map[string]int{}
	s.got = make([][]uint32, len(s.lines))
	s.m = new(shared)
	p := explore.Program{Name: "sample"}
	var x *explore.Execution
	actors := make([]explore.Actor, len(s.lines))
	for i := range s.lines {
		actors[i].Body = func() { s.runActor(x, i) }
	}
	p.Start = func(now *explore.Execution) []explore.Actor {
		x = now
		s.flush(count)
		*s.m = shared{}
		if s.foreign {
			s.m = new(shared)
		} else {
			x.Region(unsafe.Pointer(s.m), int(unsafe.Sizeof(*s.m)))
		}
		for i := range s.got {
			s.got[i] = s.got[i][:0]
		}
		return actors
	}
	if count {
		p.Step = func(_ *explore.Execution, st explore.Step) error {
			s.steps = append(s.steps, st)
			return nil
		}
	}
	p.Finish = func(x *explore.Execution) error {
		o := fmt.Sprint(s.got, s.m.words[0].Load(), s.m.words[1].Load(), s.m.words[2].Load())
		for i := range s.lines {
			o += fmt.Sprint(x.Killed(i))
		}
		if s.history {
			o += precedence(s.marks)
		}
		s.outcomes[o]++
		return nil
	}
	return p
}

// precedence says which operation precedes which: a return before a call.
func precedence(marks []string) string {
	var out []string
	for i, m := range marks {
		if m[0] != 'r' {
			continue
		}
		for j, n := range marks[i+1:] {
			if n[0] == 'c' && n[5:] != m[4:] {
				out = append(out, fmt.Sprintf("%s.%d<%s.%d", m, times(marks[:i], m), n,
					times(marks[:i+1+j], n)))
			}
		}
	}
	slices.Sort(out)
	return fmt.Sprint(out)
}

func times(marks []string, m string) (n int) {
	for _, o := range marks {
		if o == m {
			n++
		}
	}
	return n
}

// flush adds the class of the execution that is over.
func (s *sample) flush(count bool) {
	if count && len(s.steps) > 0 {
		s.classes[trace(s.steps)]++
	}
	s.steps, s.marks = s.steps[:0], s.marks[:0]
}

// trace writes down, the slow way, what precedes what among steps: the definition that the
// explorer's classes must match. Two steps of one actor are ordered, and two accesses of one
// object of which one changes it.
func trace(steps []explore.Step) string {
	var events []string
	before := make([]map[int]bool, len(steps))
	turn := map[int]int{}
	name := make([]string, len(steps))
	for j, t := range steps {
		if t.Kind == hook.Begin {
			continue
		}
		name[j] = fmt.Sprintf("%d.%d", t.Actor, turn[t.Actor])
		if t.Kind == hook.Choice || t.Kind == hook.Kill {
			name[j] += fmt.Sprintf("%v%d", t.Kind, t.New)
		}
		turn[t.Actor]++
		before[j] = map[int]bool{}
		for i, u := range steps[:j] {
			if u.Kind == hook.Begin {
				continue
			}
			both := u.Kind.Access() && t.Kind.Access() && u.Object == t.Object
			if u.Actor == t.Actor || both && (changes(u) || changes(t)) {
				before[j][i] = true
				for k := range before[i] {
					before[j][k] = true
				}
			}
		}
		var past []string
		for i := range before[j] {
			past = append(past, name[i])
		}
		slices.Sort(past)
		events = append(events, name[j]+fmt.Sprint(past))
	}
	slices.Sort(events)
	return fmt.Sprint(events)
}

func changes(s explore.Step) bool { return s.OK && s.Old != s.New }

// A mix is a kind of random programs.
type mix struct {
	name      string
	kills     int
	histories bool
	foreign   bool
	do        []uint8
}

// compare searches the program with and without reduction and says what is wrong.
func (c mix) compare(d draw, met *tally) string {
	o := explore.Options{Preemptions: explore.Unbounded, Kills: d.kills, BlockedOK: true, Audit: -1}
	all := sample{lines: d.lines, history: c.histories}
	full, err := explore.Explore(all.program(!c.histories), o)
	all.flush(!c.histories)
	if err != nil || full.Failure != nil {
		return fmt.Sprint(err, full.Err())
	}
	o.Reduce, o.Histories = true, c.histories
	cut := sample{lines: d.lines, history: c.histories, foreign: c.foreign}
	r, err := explore.Explore(cut.program(false), o)
	switch {
	case err != nil || r.Failure != nil || !r.Exhaustive:
		return fmt.Sprint(err, r.Err(), r.Bound)
	case keys(cut.outcomes) != keys(all.outcomes):
		return fmt.Sprintf("lost %s; invented %s", without(all.outcomes, cut.outcomes),
			without(cut.outcomes, all.outcomes))
	case (full.Blocked > 0) != (r.Blocked > 0):
		return fmt.Sprintf("%d deadlocks, want %d", r.Blocked, full.Blocked)
	case !c.histories && r.Classes != uint64(len(all.classes)):
		return fmt.Sprintf("%d classes, want %d", r.Classes, len(all.classes))
	}
	met.programs++
	met.executions += r.Executions
	met.classes += r.Classes
	return ""
}

// A tally sums up what the reduced searches of random programs did.
type tally struct{ programs, executions, classes uint64 }

// without lists the outcomes of a that b lacks.
func without(a, b map[string]int) []string {
	var lost []string
	for k := range a {
		if b[k] == 0 {
			lost = append(lost, k)
		}
	}
	return lost
}

// A draw is a random program with the number of kills.
type draw struct {
	lines [][]line
	kills int
}

// draws generates programs of the statements: two actors of up to four, or three of up to three.
func draws(kills int, do ...uint8) gopter.Gen {
	return func(params *gopter.GenParameters) *gopter.GenResult {
		rng := params.Rng
		d := draw{make([][]line, 2+rng.Intn(2)), rng.Intn(kills + 1)}
		for i := range d.lines {
			for range 1 + rng.Intn(6-len(d.lines)) {
				d.lines[i] = append(d.lines[i], line{do[rng.Intn(len(do))], uint8(rng.Intn(3)),
					uint8(rng.Intn(3)), uint8(rng.Intn(3))})
			}
		}
		return gopter.NewGenResult(d, shrink)
	}
}

// shrink leaves out one statement, or the kills.
func shrink(v any) gopter.Shrink {
	d := v.(draw)
	var smaller []any
	if d.kills > 0 {
		smaller = append(smaller, draw{d.lines, 0})
	}
	for i := range d.lines {
		for k := range d.lines[i] {
			lines := slices.Clone(d.lines)
			lines[i] = slices.Delete(slices.Clone(lines[i]), k, k+1)
			smaller = append(smaller, draw{lines, d.kills})
		}
	}
	return func() (any, bool) {
		if len(smaller) == 0 {
			return nil, false
		}
		next := smaller[0]
		smaller = smaller[1:]
		return next, true
	}
}

func parameters(t *testing.T, runs int) *gopter.TestParameters {
	p := gopter.DefaultTestParameters()
	p.MinSuccessfulTests = runs
	t.Logf("gopter seed %d", p.Seed())
	return p
}

// programs is how many random programs of each mix are compared: thousands in all, more in a campaign.
var programs = flag.Int("programs", 300, "random programs of each mix")

// TestRandom compares the reduced search of random programs with the full one: the same outcomes,
// deadlocks and classes, and executions not above 1.1 times the classes in the sum over a mix.
// Objects outside regions have no names that hold across executions, so there the number of
// executions is not held against anything.
func TestRandom(t *testing.T) {
	plain := []uint8{load, store, cas, add, and, or, swap, skip, load, cas}
	with := func(do ...uint8) []uint8 { return append(do, plain...) }
	for _, c := range []mix{
		{"words", 0, false, false, plain},
		{"kills", 2, false, false, plain},
		{"locks", 0, false, false, with(lock, unlock, try, lock, unlock)},
		{"locks and kills", 1, false, false, with(lock, unlock, try)},
		{"choices", 1, false, false, with(choose, choose)},
		{"histories", 1, true, false, with(begin, begin)},
		{"histories and locks", 1, true, false, with(begin, lock, unlock)},
		{"foreign", 1, false, true, with(begin, lock, unlock)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var met tally
			properties := gopter.NewProperties(parameters(t, *programs))
			properties.Property("same outcomes and classes", prop.ForAll(func(d draw) string {
				return c.compare(d, &met)
			}, draws(c.kills, c.do...)))
			properties.TestingRun(t)
			t.Logf("%d programs, %d executions, %d classes", met.programs, met.executions, met.classes)
			if !c.foreign && float64(met.executions) > 1.1*float64(met.classes) {
				t.Errorf("%d executions of %d classes", met.executions, met.classes)
			}
		})
	}
}

// TestRandomFindsFaults is the canary of TestRandom: a search with a preemption bound misses
// outcomes, and the comparison of the sets says so.
func TestRandomFindsFaults(t *testing.T) {
	lines := [][]line{
		{{do: store, a: 1}, {do: load, cell: 1}},
		{{do: store, cell: 1, a: 1}, {do: load}},
	}
	all, few := sample{lines: lines}, sample{lines: lines}
	o := explore.Options{Audit: -1}
	if _, err := explore.Explore(few.program(false), o); err != nil {
		t.Fatal(err)
	}
	o.Preemptions = explore.Unbounded
	if _, err := explore.Explore(all.program(false), o); err != nil {
		t.Fatal(err)
	}
	if lost := without(all.outcomes, few.outcomes); len(lost) != 1 {
		t.Errorf("lost %v, want the one outcome in which both see the other's store", lost)
	}
}
