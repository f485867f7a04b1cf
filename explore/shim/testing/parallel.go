package testing

import (
	"unsafe"

	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/internal/hook"
)

// MostParallel bounds the subtests of a test that run beside others. What is more runs where Run is called.
const MostParallel = 8

// Subtests are what is known of the subtests of a test, and which of them are run.
//
// Of those that call T.Parallel the calls of Run start goroutines, and those of all others need none. So a
// test is run once to learn their names, and again with what was learnt until there is nothing new.
type Subtests struct {
	Learning bool // a subtest that calls T.Parallel, though it is not known to, is added
	News     bool // one was
	parallel map[string]bool

	Only    string   // if not empty, the one subtest that is run of those that the test itself has
	Listing bool     // none of them is run
	Names   []string // of those, while Listing
}

func (s *Subtests) learn(name string) {
	if s == nil || !s.Learning || s.parallel[name] || len(s.parallel) == MostParallel {
		return
	}
	if s.parallel == nil {
		s.parallel = map[string]bool{}
	}
	s.parallel[name], s.News = true, true
}

func (s *Subtests) isParallel(name string) bool { return s != nil && s.parallel[name] }

// leavesOut reports whether a subtest that the test itself has is not run.
func (s *Subtests) leavesOut(name string) bool {
	if s == nil {
		return false
	}
	if s.Listing {
		s.Names = append(s.Names, name)
	}
	return s.Listing || s.Only != "" && s.Only != name
}

// A gate is shut until it is opened.
type gate struct {
	open uint64
	real chan struct{} // used outside explorations
}

func newGate() *gate { return &gate{real: make(chan struct{})} }

func (g *gate) let() {
	s := hook.Active
	if s == nil {
		close(g.real)
		return
	}
	s.Before(hook.Signal, unsafe.Pointer(g))
	g.open = 1
	s.After(hook.Signal, unsafe.Pointer(g), 0, 1, true)
}

func (g *gate) pass() {
	s := hook.Active
	if s == nil {
		<-g.real
		return
	}
	s.Wait(hook.Await, unsafe.Pointer(g), hook.Condition{Word: &g.open, Mask: 1, Want: 1})
	s.After(hook.Await, unsafe.Pointer(g), 1, 1, true)
}

// beside is what a subtest has that has a goroutine of its own.
type beside struct {
	handed *gate // back to who has called Run: the subtest has ended, or called Parallel
	ended  *gate // behind that
}

// runBeside is RunTest in a goroutine, up to where the subtest ends or calls Parallel.
func (t *T) runBeside(f func(t *T)) {
	b := &beside{newGate(), newGate()}
	t.beside = b
	flow.Go(func() {
		t.RunTest(f)
		if t.parallel {
			b.ended.let()
		} else {
			b.handed.let()
		}
	})
	b.handed.pass()
}

// parallelConflict is what the original says.
const parallelConflict = "testing: test using t.Setenv, t.Chdir, or cryptotest.SetGlobalRandom can not use " +
	"t.Parallel"

// Parallel lets Run return, and waits until the function of the test that this one is a part of has returned,
// to run beside others that have done the same. In the test that is explored it does nothing, since that runs
// alone.
func (t *T) Parallel() {
	switch {
	case t.parallel:
		panic("testing: t.Parallel called multiple times")
	case t.within:
		panic("testing: t.Parallel called inside synctest bubble")
	case t.alone:
		panic(parallelConflict)
	}
	t.parallel = true
	switch {
	case t.parent == nil:
	case t.beside == nil:
		t.known.learn(t.name)
	default:
		t.parent.subs = append(t.parent.subs, t)
		t.beside.handed.let()
		t.parent.barrier.pass()
	}
}

// runSubs lets the parallel subtests go on, and waits until they have ended.
func (t *T) runSubs() {
	if len(t.subs) == 0 {
		return
	}
	t.barrier.let()
	for _, s := range t.subs {
		s.beside.ended.pass()
	}
}

// beAlone keeps the test from being parallel: it changes what all tests of the process share.
func (t *T) beAlone() {
	for x := t; x != nil; x = x.parent {
		if x.parallel {
			panic(parallelConflict)
		}
	}
	t.alone = true
}
