package explore_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/internal/hook"
)

// What becomes of programs that break the promise of Program.Words.

// An actor that shares more than words, and so does something else than before, is found: it changes the
// value that it leaves, the word, the kind of access, whether it succeeds, makes one access less, or one
// more.
func TestWords_BrokenPromise(t *testing.T) {
	var w [2]atomic.Uint64
	turn := 0
	for name, second := range map[string]func(late uint64) (more uint64){
		"value": func(late uint64) uint64 { w[0].Add(1 + late); return 2 },
		"high":  func(late uint64) uint64 { w[0].Add(1 + late<<32); return 2 },
		"word":  func(late uint64) uint64 { w[late].Add(1); return 2 },
		"wish":  func(late uint64) uint64 { w[0].CompareAndSwap(99, late); return 2 },
		"luck":  func(late uint64) uint64 { w[1].CompareAndSwap(99*late, 5); return 2 },
		"less":  func(late uint64) uint64 { return 2 * late },
		"more":  func(late uint64) uint64 { return 2 - 2*late },
		"end":   func(late uint64) uint64 { return 1 - late },
		"kind": func(late uint64) uint64 {
			if late == 0 || w[0].Load() == 0 {
				w[0].Add(0)
			}
			return 2
		},
		"choice": func(late uint64) uint64 {
			if late == 0 {
				hook.Active.Choose(2)
			}
			return 2
		},
	} {
		first := func() {
			w[0].Add(1)
			turn++
			w[0].Add(1)
			w[0].Add(1)
		}
		other := func() {
			w[0].Add(1)
			for range second(uint64(btoi(turn > 0))) {
				w[0].Add(1)
			}
		}
		p := explore.Program{Name: "broken", Words: true}
		p.Start = func(x *explore.Execution) []explore.Actor {
			x.Region(unsafe.Pointer(&w), int(unsafe.Sizeof(w)))
			w[0].Store(0)
			w[1].Store(0)
			turn = 0
			return []explore.Actor{{Name: "A", Body: first}, {Name: "B", Body: other}}
		}
		for _, reduce := range []bool{false, true} {
			o := withoutAudit(unbounded())
			o.Reduce, p.Words = reduce, true
			r, err := explore.Explore(p, o)
			if reduce && name == "end" && r.Failure == nil {
				continue // no execution has the end of B, and then repeats B ahead of A
			}
			if err != nil || r.Failure == nil || r.Failure.Kind != explore.Nondeterminism ||
				!strings.Contains(r.Failure.Message, "Program.Words") {
				t.Errorf("%s, reduced %v: want nondeterminism, have %v %v", name, reduce, err, r.Failure)
			}
			p.Words = false
			if r, err := explore.Explore(p, o); err != nil || r.Failure != nil {
				t.Errorf("%s, in order, reduced %v: %v %v", name, reduce, err, r.Failure)
			}
		}
	}
}

// An actor that ended, and goes on in one later execution, is found by repeating steps whenever it is in
// order, and no later: it ended after an access or after none.
func TestWords_BrokenEnd(t *testing.T) {
	var w atomic.Uint64
	executions, odd, accesses, at := 0, 0, 0, 0
	body := func(i int) {
		n := 2
		if i == odd {
			n = accesses + btoi(executions == at)
		}
		for range n {
			w.Add(1)
		}
	}
	p := explore.Program{Name: "end", Start: func(x *explore.Execution) (as []explore.Actor) {
		x.Region(unsafe.Pointer(&w), int(unsafe.Sizeof(w)))
		w.Store(0)
		executions++
		for i, name := range []string{"A", "B", "C"} {
			as = append(as, explore.Actor{Name: name, Body: func() { body(i) }})
		}
		return as
	}}
	found := 0
	for n := range 3 * 2 * 2 * 30 {
		odd, accesses, at = n%3, n/3%2, 2+n/12
		o := withoutAudit(unbounded())
		o.Reduce = n/6%2 == 1
		var rs [2]explore.Report
		var until [2]int
		for i := range rs {
			p.Words, executions = i == 1, 0
			rs[i] = mustExplore(t, p, o)
			until[i] = executions
		}
		if rs[0].Failure == nil {
			continue
		}
		found++
		f := wantFailure(t, rs[1], explore.Nondeterminism)
		want := fmt.Sprintf("actor %c found the same values", 'A'+odd)
		if !strings.Contains(f.Message, want) || until[1] > until[0] {
			t.Errorf("another access in execution %d: %d executions, in order %d; %s, want %q", at, until[1],
				until[0], f.Message, want)
		}
	}
	if found < 60 {
		t.Errorf("%d actors went on after their end: little was tested", found)
	}
}

// An actor that makes an access which it once made first, but not when it was last seen, is found: by now
// that place in the log is another actor's.
func TestWords_AnothersPlace(t *testing.T) {
	var w atomic.Uint64
	late := false
	adds := func() {
		late = true
		w.Add(1)
		w.Add(1)
	}
	rarely := func() {
		if !late {
			w.Add(1)
		}
	}
	p := explore.Program{Name: "place", Words: true, Start: func(x *explore.Execution) []explore.Actor {
		x.Region(unsafe.Pointer(&w), int(unsafe.Sizeof(w)))
		w.Store(0)
		late = false
		return []explore.Actor{{Name: "A", Body: rarely}, {Name: "B", Body: adds}, {Name: "C", Body: adds}}
	}}
	f := wantFailure(t, mustExplore(t, p, withoutAudit(unbounded())), explore.Nondeterminism)
	if !strings.Contains(f.Message, "actor A found the same values") {
		t.Error(f.Message)
	}
}

// The first execution and every n-th after it is audited, and of a program of words those after 1, 8, 64 and
// 512 others.
func TestWords_Audits(t *testing.T) {
	var w atomic.Uint64
	add := func() {
		w.Add(1)
		w.Add(1)
		w.Add(1)
	}
	p := explore.Program{Name: "audits", Start: func(x *explore.Execution) []explore.Actor {
		x.Region(unsafe.Pointer(&w), int(unsafe.Sizeof(w)))
		w.Store(0)
		return []explore.Actor{{Body: add}, {Body: add}, {Body: add}}
	}}
	for _, c := range []struct {
		words bool
		every int
		want  uint64
	}{{false, 1000, 2}, {true, 1000, 6}, {false, 100, 17}, {true, 100, 21}, {true, 8, 211}, {true, -1, 0}} {
		for i, reduce := range []bool{false, true} {
			o := unbounded()
			p.Words, o.Audit, o.Reduce = c.words, c.every, reduce
			r := mustExplore(t, p, o) // of 9! / 3!³ executions
			want := c.want
			if c.words && c.every > 0 {
				want -= uint64(i) // not that of the first
			}
			if r.Failure != nil || r.Executions != 1680 || r.Audited != want {
				t.Errorf("%+v, reduced %v: %d audits of %d executions, want %d, %v", c, reduce, r.Audited,
					r.Executions, want, r.Failure)
			}
		}
	}
	p.Start = func(x *explore.Execution) []explore.Actor {
		x.Region(unsafe.Pointer(&w), int(unsafe.Sizeof(w)))
		w.Store(0)
		return []explore.Actor{{Body: add}}
	}
	o := unbounded()
	for o.MaxExecutions = range uint64(2) {
		for _, o.Reduce = range []bool{false, true} {
			for _, p.Words = range []bool{false, true} {
				if r := mustExplore(t, p, o); r.Executions != 1 || r.Audited != 1 {
					t.Errorf("words %v, reduced %v, at most %d: %d audits of %d executions", p.Words,
						o.Reduce, o.MaxExecutions, r.Audited, r.Executions)
				}
			}
		}
	}
}

// What an actor finds beside words may show where nothing is repeated yet, in its last step or in the verdict
// alone. An audit tells that such an execution is none that the program has.
func TestWords_Lies(t *testing.T) {
	var w [2]atomic.Uint64
	var turns []int
	alternate := func() (n uint64) {
		for i := range turns {
			n += uint64(btoi(i > 0 && turns[i] != turns[i-1]))
		}
		return n
	}
	for what, at := range map[string]int{
		"then Store @0x8 0 -> 4 by actor 0;": 6, // the fourth turn, of A, B, A, B, A
		"passed, and then failed: 4 turns":   7,
	} {
		body := func(i int) {
			for range 3 {
				w[0].Add(1)
				if turns = append(turns, i); len(turns) == at {
					w[1].Store(alternate())
				}
			}
		}
		p := explore.Program{Name: "lies"}
		p.Start = func(x *explore.Execution) []explore.Actor {
			x.Region(unsafe.Pointer(&w), int(unsafe.Sizeof(w)))
			w[0].Store(0)
			w[1].Store(0)
			turns = turns[:0]
			return []explore.Actor{{Body: func() { body(0) }}, {Body: func() { body(1) }}}
		}
		p.Finish = func(x *explore.Execution) error {
			if n := alternate(); at > len(turns) && n > 3 && p.Words {
				return fmt.Errorf("%d turns", n)
			}
			return nil
		}
		for n := range 4 {
			o := unbounded()
			p.Words, o.Reduce = n%2 == 0, n >= 2
			r := mustExplore(t, p, o)
			if !p.Words {
				if r.Failure != nil {
					t.Errorf("in order: %v", r.Failure)
				}
				continue
			}
			f := wantFailure(t, r, explore.Nondeterminism)
			if !strings.Contains(f.Message, what) || !strings.Contains(f.Message, "Program.Words") {
				t.Errorf("%s, want %q", f.Message, what)
			}
			steps := slices.Clone(f.Steps)
			if r, err := explore.Replay(p, f.Token, explore.Options{}); err != nil {
				t.Errorf("%s: %v %v", f.Token, r.Failure, err)
			}
			if mustExplore(t, adders(3, 3), unbounded()); !slices.Equal(f.Steps, steps) {
				t.Errorf("another exploration changed the steps of %q:\n%v\nwere\n%v", what, f.Steps, steps)
			}
		}
	}
}

// What differs only when an execution is run again is told by its audit: it does more than to access words,
// or another actor makes the same access.
func TestWords_AuditDiffers(t *testing.T) {
	var w atomic.Uint64
	for want, body := range map[string]func(i int, again bool){
		"led to accesses of words, and then to something else": func(_ int, again bool) {
			w.Load()
			if again {
				hook.Active.Yield()
			}
			w.Load()
		},
		"step 1 is Load @0x0 = 0 by actor 0, then Load @0x0 = 0 by actor 1": func(i int, again bool) {
			w.Load()
			if (i == 0) != again {
				w.Load()
			}
		},
	} {
		p := explore.Program{Name: "later", Words: true}
		p.Start = func(x *explore.Execution) []explore.Actor {
			x.Region(unsafe.Pointer(&w), int(unsafe.Sizeof(w)))
			w.Store(0)
			does := func(i int) explore.Actor { return explore.Actor{Body: func() { body(i, x.Again()) }} }
			return []explore.Actor{does(0), does(1)}
		}
		for _, reduce := range []bool{false, true} {
			o := unbounded()
			o.Reduce = reduce
			f := wantFailure(t, mustExplore(t, p, o), explore.Nondeterminism)
			if !strings.Contains(f.Message, want) {
				t.Errorf("reduced %v: %s; want %s", reduce, f.Message, want)
			}
		}
	}
}

// A program that promises words, and does more or has them elsewhere each time, is audited as any other.
func TestWords_AuditInOrder(t *testing.T) {
	for name, c := range map[string]struct {
		place func(w *atomic.Uint64) *atomic.Uint64
		does  func()
	}{
		"strays": {func(w *atomic.Uint64) *atomic.Uint64 { return w }, func() { hook.Active.Yield() }},
		"moves":  {func(*atomic.Uint64) *atomic.Uint64 { return new(atomic.Uint64) }, func() {}},
	} {
		w, runs := new(atomic.Uint64), uint64(0)
		body := func() {
			w.Add(1)
			c.does()
			w.Add(runs)
		}
		p := explore.Program{Name: "audited", Words: true, Start: func(x *explore.Execution) []explore.Actor {
			w = c.place(w)
			x.Region(unsafe.Pointer(w), int(unsafe.Sizeof(*w)))
			w.Store(0)
			runs++
			return []explore.Actor{{Body: body}, {Body: body}}
		}}
		if r := mustExplore(t, p, withoutAudit(unbounded())); r.Failure != nil {
			t.Errorf("%s, without an audit: %v", name, r.Failure)
		}
		r := mustExplore(t, p, unbounded())
		if r.Executions != 1 || !strings.Contains(wantFailure(t, r, explore.Nondeterminism).Message,
			"led to different steps: step ") {
			t.Errorf("%s: after %d executions %v", name, r.Executions, r.Failure)
		}
	}
}

// A Start that fails when an execution is run again leaves that one without steps.
func TestWords_AuditStartFails(t *testing.T) {
	var w atomic.Uint64
	add := func() { w.Add(1) }
	for n := range 4 {
		words, o := n%2 == 1, unbounded()
		o.Reduce = n >= 2
		p := explore.Program{Name: "again", Words: words, Start: func(x *explore.Execution) []explore.Actor {
			if x.Again() {
				panic("not again")
			}
			x.Region(unsafe.Pointer(&w), int(unsafe.Sizeof(w)))
			return []explore.Actor{{Body: add}, {Body: add}}
		}}
		f := wantFailure(t, mustExplore(t, p, o), explore.Nondeterminism)
		want := "passed, and then failed: Start panicked: not again"
		if !strings.Contains(f.Message, want) || len(f.Steps) > 0 {
			t.Errorf("words %v: %v, steps %v", words, f, f.Steps)
		}
	}
}
