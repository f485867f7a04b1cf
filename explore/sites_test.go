package explore_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/sync"
	"github.com/samecycle/samecycle/internal/hook"
)

type box struct {
	w    atomic.Uint64
	once sync.Once
}

// bump is small enough to be inlined; its name must be reported all the same.
func (b *box) bump() { b.w.Add(1) }

//go:noinline
func (b *box) slow() uint64 { return b.w.Load() }

//go:noinline
func (b *box) setup() { b.once.Do(func() { b.w.Store(9) }) }

func siteProgram(seen map[string]int) explore.Program {
	var b *box
	p := simple("sites", func() { b = new(box) },
		func() { b.bump(); b.slow(); b.setup() }, func() { b.w.Load(); b.setup() })
	p.Step = func(x *explore.Execution, s explore.Step) error {
		if s.Kind.Access() {
			seen[fmt.Sprintf("%s %s %s:%t", s.Kind, s.Func[strings.LastIndex(s.Func, "/")+1:],
				filepath.Base(s.File), s.Line > 0)]++
		}
		return nil
	}
	return p
}

// TestSites: each step of every execution names the innermost explored function, whether or not
// it was inlined, and never a shim.
func TestSites(t *testing.T) {
	seen := map[string]int{}
	o := unbounded()
	o.Sites = true
	r := mustExplore(t, siteProgram(seen), o)
	if r.Failure != nil || r.Executions < 2 {
		t.Fatal(r.Err(), r.Executions)
	}
	for _, want := range []string{
		"Add explore_test.(*box).bump sites_test.go:true",
		"Load explore_test.(*box).slow sites_test.go:true",
		"Load explore_test.siteProgram.func3 sites_test.go:true",
		"Store explore_test.(*box).setup.func1 sites_test.go:true",
		"Once explore_test.(*box).setup sites_test.go:true",
		"Signal explore_test.(*box).setup sites_test.go:true",
	} {
		if seen[want] == 0 {
			t.Errorf("no step %q", want)
		}
		delete(seen, want)
	}
	for s := range seen {
		t.Errorf("unexpected step %q", s)
	}
}

// TestObjectNames: objects in a region are named by offset, others by who met them first.
func TestObjectNames(t *testing.T) {
	var in [4]atomic.Uint64
	var out *atomic.Pointer[box]
	names := map[string]bool{}
	p := explore.Program{
		Name: "names",
		Start: func(x *explore.Execution) []explore.Actor {
			x.Region(unsafe.Pointer(&in), int(unsafe.Sizeof(in)))
			out = new(atomic.Pointer[box])
			return []explore.Actor{{Body: func() {
				in[2].Store(1)
				in[2].Store(0)
				out.Store(new(box))
				out.Load().bump()
				if x.Actor() != 0 {
					panic("not actor 0")
				}
			}}}
		},
		Step: func(x *explore.Execution, s explore.Step) error {
			if s.Kind != hook.Begin {
				names[fmt.Sprintf("%s %#x %#x", s.Kind, s.Object, s.New)] = true
			}
			return nil
		},
	}
	mustExplore(t, p, unbounded())
	for _, want := range []string{"Store 0x10 0x1", "Store 0x10 0x0",
		"Store 0x8000000000000001 0xc000000000000000", // the pointee is named first, as a value
		"Load 0x8000000000000001 0xc000000000000000",
		"Add 0x8000000000000000 0x1"} {
		if !names[want] {
			t.Errorf("no %q in %v", want, names)
		}
	}
}

// TestBeginAndMark: boundaries are free by default, decisions of their own with SplitBegin, and
// client events keep histories apart in a stateful search.
func TestBeginAndMark(t *testing.T) {
	var w *[2]atomic.Uint64
	var x0 *explore.Execution
	two := func(me int) func() {
		return func() {
			for i := range 2 {
				x0.Begin()
				x0.Mark(uint64(10*me + i))
				w[me].Add(1)
				x0.Mark(uint64(10*me + i + 5))
			}
		}
	}
	begins := 0
	p := simple("ops", func() { w = new([2]atomic.Uint64) }, two(0), two(1))
	start := p.Start
	p.Start = func(x *explore.Execution) []explore.Actor { x0 = x; return start(x) }
	p.Step = func(x *explore.Execution, s explore.Step) error {
		if s.Kind == hook.Begin {
			begins++
		}
		return nil
	}
	r := mustExplore(t, p, withoutAudit(unbounded()))
	if r.Executions != 6 || begins != 6*4 { // C(4,2) orders of 2+2 accesses, 4 operations each
		t.Errorf("%d executions with %d boundaries, want 6 with 24", r.Executions, begins)
	}
	o := unbounded()
	o.SplitBegin = true
	// The first turn of an actor still starts it: then 3 more turns each. Orders of 4+4 turns.
	if r := mustExplore(t, p, o); r.Executions != 70 {
		t.Errorf("SplitBegin: %d executions, want C(8,4) = 70", r.Executions)
	}
	o = unbounded()
	o.Stateful = true
	if r := mustExplore(t, p, o); r.Complete != 6 {
		t.Errorf("stateful: %d complete executions, want 6, one per history", r.Complete)
	}
}
