package explore_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/internal/hook"
)

// wanderers is a program whose actors choose each access by what they have found so far. It tells each
// outcome, in the order of the search.
func wanderers(seed uint64, actors, most, always int, tell func(string)) explore.Program {
	var w [3]atomic.Uint64
	found, length := make([][]uint64, actors), lengths(seed, actors, most)
	body := func(i int) {
		h := uint64(i) + seed
		for range length[i] {
			cell := &w[h%3]
			v := uint64(0)
			switch (h / 3) % 9 {
			case 0:
				v = cell.Load()
			case 1:
				cell.Store(h % 2)
			case 2:
				if cell.CompareAndSwap(h%2, h%4) {
					v = 1
				}
			case 3:
				v = cell.Add(1)
			case 4:
				v = cell.Swap(h % 3)
			case 5:
				for range 30 { // as a loop that waits
					if v = cell.Load(); v > 0 {
						break
					}
				}
			case 6:
				for k := range uint64(14) { // writes in circles
					v = cell.Swap(k % 2)
				}
			case 7:
				v = cell.And(h % 4)
			case 8:
				v = cell.Or(h % 2)
			}
			found[i] = append(found[i], v)
			h = (h+v+1)*0x9e3779b97f4a7c15 ^ h>>7
			if v > 3 {
				return
			}
		}
	}
	var as []explore.Actor
	for i := range actors {
		as = append(as, explore.Actor{Body: func() { body(i) }, Always: always})
	}
	return explore.Program{
		Name: "wanderers",
		Start: func(x *explore.Execution) []explore.Actor {
			x.Region(unsafe.Pointer(&w), int(unsafe.Sizeof(w)))
			for i := range w {
				w[i].Store(0)
			}
			for i := range found {
				found[i] = found[i][:0]
			}
			return as
		},
		Finish: func(x *explore.Execution) error {
			if x.Again() {
				return nil
			}
			tell(fmt.Sprint(found, w[0].Load(), w[1].Load(), w[2].Load(), x.Steps(), x.Token()))
			return nil
		},
	}
}

// lengths are how many accesses the actors of wanderers make, or loops of accesses.
func lengths(seed uint64, actors, most int) (n []int) {
	for i := range actors {
		n = append(n, rand.New(rand.NewPCG(seed, uint64(i))).IntN(most+1))
	}
	return n
}

// A search of words has the executions of a search in order: the same in number, in their order and in what
// they come to, and the same statistics, also where executions are cut or somebody is set aside.
func TestWords_SameExecutions(t *testing.T) {
	programs, forced := 200, uint64(0)
	if testing.Short() {
		programs = 60
	}
	for seed := range uint64(programs) {
		r := rand.New(rand.NewPCG(seed, 7))
		actors := 2 + r.IntN(2)
		most, always := 9-2*actors, 0
		o := unbounded()
		o.SpinLimit, o.MaxExecutions, o.BlockedOK = 4+r.IntN(8), 3000, true
		if r.IntN(4) == 0 {
			o.MaxSteps = 3 + r.IntN(5)
		}
		if r.IntN(3) == 0 {
			o.Audit = 1 + r.IntN(20)
		}
		if r.IntN(5) == 0 {
			always = 2 + r.IntN(8)
		}
		o.SplitBegin = r.IntN(8) == 0
		var stats [2]explore.Stats
		var audited [2]uint64
		var told [2][]string
		for i := range 2 {
			p := wanderers(seed, actors, most, always, func(s string) { told[i] = append(told[i], s) })
			p.Words = i == 1
			rep, err := explore.Explore(p, o)
			if err != nil {
				t.Fatal(err)
			}
			if rep.Failure != nil {
				told[i] = append(told[i], rep.Failure.Error(), fmt.Sprint(rep.Failure.Steps))
			}
			if audited[i] = rep.Audited; audited[1] < audited[0] && i == 1 {
				t.Errorf("seed %d: %d audits of words, %d in order", seed, audited[1], audited[0])
			}
			rep.Elapsed, rep.Audited = 0, 0
			stats[i] = rep.Stats
		}
		if stats[0] != stats[1] {
			t.Fatalf("seed %d: of words\n%+v, in order\n%+v", seed, stats[1], stats[0])
		}
		if !slices.Equal(told[0], told[1]) {
			t.Fatalf("seed %d: the outcomes of words differ", seed)
		}
		forced += explore.Repetitions()
	}
	if forced == 0 {
		t.Error("no search repeated anything out of order")
	}
}

// strays is what actors of TestWords_Strays touch.
type strays struct {
	w       [4]atomic.Uint64
	half    [4]atomic.Uint32
	outside atomic.Uint64
	here    atomic.Pointer[int]
	fresh   *atomic.Uint64
	one     int
	x       *explore.Execution
}

// acts are the ways in which an actor can do more than to access words, by name.
func (s *strays) acts() map[string]func() {
	third := unsafe.Pointer(&s.w[2])
	return map[string]func(){
		"nothing": func() {},
		"mark":    func() { s.x.Mark(1) },
		"begin":   func() { s.x.Begin() },
		"yield":   func() { hook.Active.Yield() },
		"choose":  func() { s.w[1].Add(uint64(hook.Active.Choose(2))) },
		"wait": func() {
			h := hook.Active
			h.Wait(hook.Lock, third, hook.Condition{Word: new(uint64)})
			h.After(hook.Lock, third, 0, 0, true)
		},
		"give": func() {
			h := hook.Active
			h.Before(hook.Give, third)
			h.After(hook.Give, third, 0, 0, true)
		},
		"spawn":   func() { hook.Active.(hook.Spawner).Spawn(func() { s.w[1].Add(1) }) },
		"pointer": func() { s.here.Store(&s.one) },
		"outside": func() { s.outside.Add(1) },
		"second":  func() { s.w[3].Add(1) },
		"high":    func() { s.half[1].Add(1) },
		"low":     func() { s.half[0].Add(1) },
		"short":   func() { s.half[2].Add(1) },
		"other":   func() { s.fresh.Add(1) },
	}
}

func (s *strays) start(name string, x *explore.Execution) {
	s.x = x
	// Two regions that meet, and one that may end in the middle of a word.
	x.Region(unsafe.Pointer(&s.w), 3*int(unsafe.Sizeof(s.w[3])))
	x.Region(unsafe.Pointer(&s.w[3]), int(unsafe.Sizeof(s.w[3])))
	size := unsafe.Sizeof(s.half)
	if name == "short" {
		size -= unsafe.Sizeof(s.half[3])
	}
	x.Region(unsafe.Pointer(&s.half), int(size))
	x.Region(unsafe.Pointer(&s.here), int(unsafe.Sizeof(s.here)))
	if name == "other" {
		s.fresh = new(atomic.Uint64)
		x.Region(unsafe.Pointer(s.fresh), 8)
	}
	for i := range s.w {
		s.w[i].Store(0)
	}
	s.half[0].Store(0)
	s.half[2].Store(0)
	s.half[1].Store(uint32(btoi(name == "low")))
	s.outside.Store(0)
	s.here.Store(nil)
}

// program acts in all executions, or rarely: when an actor finds a word as it is in few of them.
func (s *strays) program(name string, rarely bool, act func(), tell func(string)) explore.Program {
	body := func() {
		s.w[0].Add(1)
		if v := s.w[0].Add(1); v == 3 || !rarely {
			act()
		}
		s.w[0].Add(1)
	}
	return explore.Program{
		Name: "strays",
		Start: func(x *explore.Execution) []explore.Actor {
			s.start(name, x)
			return []explore.Actor{{Body: body}, {Body: body}}
		},
		Finish: func(x *explore.Execution) error {
			if x.Again() {
				return nil
			}
			tell(fmt.Sprint(s.w[0].Load(), s.w[1].Load(), s.w[3].Load(), s.half[0].Load(),
				s.half[1].Load(), s.half[2].Load(), s.outside.Load(), s.here.Load() == &s.one, x.Token()))
			return nil
		},
	}
}

// A program that does more than to access words is searched in order, as if it had promised nothing. So it
// is from then on when only some executions do; a reduced search begins anew then.
func TestWords_Strays(t *testing.T) {
	s := &strays{}
	for name, act := range s.acts() {
		for n := range 4 {
			rarely, o := n%2 == 1, unbounded()
			o.Reduce = n >= 2
			var stats [2]explore.Stats
			var told [2][]string
			for i := range 2 {
				p := s.program(name, rarely, act, func(o string) { told[i] = append(told[i], o) })
				p.Words = i == 1
				r, err := explore.Explore(p, o)
				if err != nil || r.Failure != nil {
					t.Fatalf("%s: %v %v", name, err, r.Failure)
				}
				r.Elapsed, r.Audited = 0, 0
				stats[i] = r.Stats
				n := explore.Repetitions()
				words := name == "nothing" || name == "second"
				if n > 0 != (p.Words && name != "other" && (rarely || words)) {
					t.Errorf("%s, rarely %v, words %v: %d executions began out of order", name, rarely,
						p.Words, n)
				}
				if p.Words && words && n != r.Executions-1 { // all but the first
					t.Errorf("%s: of %d executions %d began out of order", name, r.Executions, n)
				}
			}
			if again := stats[1].Repeated; o.Reduce && again > 0 {
				told[1] = told[1][again:]
				stats[0] = searched(stats[0], 0)
				stats[1] = searched(stats[1], again)
				if !rarely && name != "other" {
					t.Errorf("%s, rarely %v: searched %d executions again", name, rarely, again)
				}
			}
			if stats[0] != stats[1] || !slices.Equal(told[0], told[1]) {
				t.Errorf("%s, rarely %v, reduced %v: of words\n%+v, in order\n%+v", name, rarely, o.Reduce,
					stats[1], stats[0])
			}
		}
	}
}

// searched are the counts of a reduced search that began anew after some executions, without them.
func searched(s explore.Stats, again uint64) explore.Stats {
	return explore.Stats{Executions: s.Executions - again, Repeated: s.Repeated - again, Classes: s.Classes}
}

// What fairness and the claims know of an actor goes on from where it was, also if another one has ended: the
// report of a livelock counts the actors' steps, and a claim fails in the execution that breaks it.
func TestWords_GoesOn(t *testing.T) {
	var w [2]atomic.Uint64
	for kind, odd := range map[explore.FailureKind]func(i int, v uint64){
		explore.Livelock: func(i int, v uint64) {
			if i == 0 && v == 3 {
				w[1].Store(1)
			}
			if w[1].Load() == 1 { // both wait, with no end of the other in between
				for w[1].Load() < 2 {
				}
			}
		},
		explore.NotWaitFree: func(_ int, v uint64) {
			if v == 3 {
				w[1].Load()
			}
		},
	} {
		body := func(i int) {
			w[0].Add(1)
			v := w[0].Add(1)
			odd(i, v)
			w[0].Add(1)
		}
		var found [4]*explore.Failure
		for i := range found {
			o := unbounded()
			o.Reduce = i >= 2
			p := explore.Program{Name: "goes on", Words: i%2 == 1}
			p.Start = func(x *explore.Execution) []explore.Actor {
				x.Region(unsafe.Pointer(&w), int(unsafe.Sizeof(w)))
				w[0].Store(0)
				w[1].Store(0)
				always := 3 * btoi(kind == explore.NotWaitFree)
				return []explore.Actor{{Body: func() { w[1].Load() }},
					{Body: func() { body(0) }, Always: always}, {Body: func() { body(1) }}}
			}
			r, err := explore.Explore(p, o)
			if err != nil {
				t.Fatal(err)
			}
			if found[i] = wantFailure(t, r, kind); r.Executions < 4 {
				t.Errorf("%s after %d executions: nothing was repeated", kind, r.Executions)
			}
		}
		for i := 0; i < len(found); i += 2 {
			if a, b := found[i], found[i+1]; a.Message != b.Message || a.Token != b.Token {
				t.Errorf("in order\n%v %s\nof words\n%v %s", a, a.Token, b, b.Token)
			}
		}
	}
}

// A program that changes from execution to execution ends as a failure, whenever it does.
func TestWords_Changes(t *testing.T) {
	var w [2]atomic.Uint64
	for message, change := range map[string]func(as []explore.Actor) []explore.Actor{
		"Start returned 3 actors in the first execution and 2": func(as []explore.Actor) []explore.Actor {
			return as[:2]
		},
		"actor A panicked: now": func(as []explore.Actor) []explore.Actor {
			as[0].Body = func() { panic("now") }
			return as
		},
	} {
		for n := range 120 {
			runs := 0
			p := explore.Program{Name: "changes", Words: n%2 == 0}
			p.Start = func(x *explore.Execution) []explore.Actor {
				x.Region(unsafe.Pointer(&w), int(unsafe.Sizeof(w)))
				w[0].Store(0)
				add := func() {
					w[0].Add(1)
					w[0].Add(1)
					w[0].Add(1)
				}
				as := []explore.Actor{{Name: "A", Body: add}, {Name: "B", Body: add}, {Name: "C", Body: add}}
				if runs++; runs > n/4+3 {
					as = change(as)
				}
				return as
			}
			o := unbounded()
			o.Reduce = n%4 >= 2
			r, err := explore.Explore(p, o)
			if err != nil || r.Failure == nil || !strings.Contains(r.Failure.Message, message) {
				t.Errorf("words %v, after %d runs: %v %v, want %s", p.Words, n/4+3, err, r.Failure, message)
			}
		}
	}
}
