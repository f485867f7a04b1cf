package testing

import (
	"sync"
	"unsafe"

	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/hidden"
	"github.com/samecycle/samecycle/internal/hook"
)

// MostParallel bounds the subtests of a test that run at the same time, as the flag -parallel of go test
// does. Further subtests go on when one of these ends, in the order in which Run was called for them.
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
	if s == nil || !s.Learning || s.parallel[name] {
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

// places are those of the subtests of a test that may run at the same time. The goroutine of the test has
// one, and a subtest that waits for its own parallel subtests has none, as in the original.
type places struct {
	sync.Mutex
	taken int
	queue []*gate
	state hidden.State
}

// newPlaces returns those of a test, or nil if it has so few parallel subtests that nobody has to wait.
func newPlaces(known *Subtests) *places {
	if known == nil || len(known.parallel) <= MostParallel {
		return nil
	}
	return &places{taken: 1}
}

// take takes a place, or returns a gate that opens when there is one.
func (p *places) take() *gate {
	if p == nil {
		return nil
	}
	p.state.Change()
	p.Lock()
	defer p.Unlock()
	if p.taken < MostParallel {
		p.taken++
		return nil
	}
	g := newGate()
	p.queue = append(p.queue, g)
	return g
}

// give gives a place back, to the one that waits for the longest time.
func (p *places) give() {
	if p == nil {
		return
	}
	p.state.Change()
	p.Lock()
	if len(p.queue) == 0 {
		p.taken--
		p.Unlock()
		return
	}
	next := p.queue[0]
	p.queue = p.queue[1:]
	p.Unlock()
	next.let()
}

// beside is the state of a subtest that has a goroutine of its own.
type beside struct {
	handed *gate // opened when the caller of Run continues: the subtest has ended, or called Parallel
	ended  *gate // opened after the end
	place  *gate // if not nil, opened when the subtest has a place
}

// runBeside is RunTest in a goroutine, until the subtest ends or calls Parallel.
func (t *T) runBeside(f func(t *T)) {
	b := &beside{handed: newGate(), ended: newGate()}
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
		if t.beside.place != nil {
			t.beside.place.pass()
		}
	}
}

// runSubs continues the parallel subtests, and waits until they have ended. Meanwhile others have the place
// of the test. A parallel subtest does not take it again for its cleanup functions.
func (t *T) runSubs() {
	if len(t.subs) > 0 {
		t.places.give()
		for _, s := range t.subs {
			s.beside.place = t.places.take()
		}
		t.barrier.let()
		for _, s := range t.subs {
			s.beside.ended.pass()
		}
		if t.besides() {
			return
		}
		if g := t.places.take(); g != nil {
			g.pass()
		}
	} else if t.besides() {
		t.places.give()
	}
}

// besides reports whether the test is a parallel subtest that has a goroutine of its own.
func (t *T) besides() bool { return t.parallel && t.beside != nil }

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
