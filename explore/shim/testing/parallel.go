package testing

import (
	"unsafe"

	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/internal/hook"
)

// MostParallel bounds the subtests of a test that run beside others. Further subtests run where Run is
// called.
const MostParallel = 8

// Subtests are what is known of the subtests of a test, and which of them are run.
//
// The calls of Run for subtests that call T.Parallel start goroutines; the calls for all others do not. So a
// test is run once to learn the names of such subtests, and again with what was learnt, until there is
// nothing new.
type Subtests struct {
	Learning bool // add subtests that call T.Parallel and are not known to do so
	News     bool // one was added
	parallel map[string]bool

	Only    string   // if not empty, only this one of the test's direct subtests is run
	Listing bool     // none of them is run
	Names   []string // of the direct subtests, while Listing
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

// leavesOut reports whether a direct subtest of the test is not run.
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

// beside is the state of a subtest that has a goroutine of its own.
type beside struct {
	handed *gate // opened when the caller of Run continues: the subtest has ended, or called Parallel
	ended  *gate // opened after the end
}

// runBeside is RunTest in a goroutine, until the subtest ends or calls Parallel.
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

// parallelConflict is the message of the original.
const parallelConflict = "testing: test using t.Setenv, t.Chdir, or cryptotest.SetGlobalRandom can not use " +
	"t.Parallel"

// Parallel makes Run return, and waits until the function of the parent test has returned, to run beside
// other subtests that have done the same. In the explored test itself it does nothing, because that test
// runs alone.
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

// runSubs continues the parallel subtests, and waits until they have ended.
func (t *T) runSubs() {
	if len(t.subs) == 0 {
		return
	}
	t.barrier.let()
	for _, s := range t.subs {
		s.beside.ended.pass()
	}
}

// beAlone prevents the test from being parallel, because it changes something that all tests of the process
// share.
func (t *T) beAlone() {
	for x := t; x != nil; x = x.parent {
		if x.parallel {
			panic(parallelConflict)
		}
	}
	t.alone = true
}
