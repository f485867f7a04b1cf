//go:build explore

package scenarios

import (
	"errors"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/internal/seam"
)

// entries is a region whose maker has the first entry of the process table, and who comes to the next one.
type entries struct {
	memory *processes.Memory
	layout region.Layout
	maker  *region.Region
	locks  processes.Locks
	before processes.Locks // of the maker alone
	unlock error           // what giving up a lock fails with

	came   []region.Process // how each attachment ended: 0 if it failed
	errs   []error
	held   []processes.Locks // at that moment
	closed []error
}

// stubborn is a System whose locks cannot be given up, if there is an error.
type stubborn struct {
	processes.System
	why *error
}

func (s stubborn) Unlock(index uint32) error { return errors.Join(s.System.Unlock(index), *s.why) }

// nobody dies.
func nobody(int) bool { return false }

func (e *entries) system(self int) region.System {
	return stubborn{processes.System{Locks: &e.locks, Self: self, Gone: nobody}, &e.unlock}
}

func newEntries(t *testing.T) *entries {
	t.Helper()
	e := &entries{layout: hopscotch.Layout{CellsPerHalf: 2, Window: 2, Descriptors: 1}.Region()}
	var err error
	if e.memory, err = processes.NewMemory(e.layout, 1); err != nil {
		t.Fatal(err)
	}
	if e.maker, err = region.Make(e.memory.View(0), e.layout, e.system(1)); err != nil {
		t.Fatal(err)
	}
	e.before = e.locks
	return e
}

// state is the word of an entry that says whose it is.
func (e *entries) state(index uint64) *seam.Uint64 {
	return &e.maker.Words()[(e.layout.Offset(region.Own, region.OwnProcesses)+64*index)/8]
}

// begin puts all back to the maker alone.
func (e *entries) begin(x *explore.Execution) {
	x.Region(e.memory.At(0), int(e.layout.Size()))
	e.locks = e.before
	for i := uint64(1); i < 4; i++ {
		e.state(i).Store(0)
	}
	e.came, e.errs, e.held, e.closed = nil, nil, nil, nil
}

// comes attaches and leaves.
func (e *entries) comes() {
	r, err := region.Attach(e.memory.View(0), e.layout, e.system(2))
	p := region.Process(0)
	if err == nil {
		p = r.Process()
	}
	e.came, e.errs, e.held = append(e.came, p), append(e.errs, err), append(e.held, e.locks)
	if err == nil {
		e.closed = append(e.closed, r.Close())
	}
}

func (e *entries) explore(t *testing.T, p explore.Program, o explore.Options) {
	t.Helper()
	p.Name, o.Preemptions, o.Audit = "Entries", explore.Unbounded, -1
	rep, err := explore.Explore(p, o)
	if err != nil || rep.Failure != nil || !rep.Exhaustive {
		t.Fatalf("%v, %v\n%s", err, rep.Failure, rep.Bound)
	}
	t.Log(rep.Bound)
}

// Each access to the table, and each lock, is a step, and named by the entry that it is for: what is no step,
// or of another entry, is not explored.
func TestEntries_EachStepIsNamed(t *testing.T) {
	e := newEntries(t)
	type step struct {
		kind   hook.Kind
		object uint64
		ok     bool
	}
	from := e.layout.Offset(region.Own, region.OwnProcesses)
	first, second := from, from+64
	const pid, since, lock = 8, 16, 24
	listed := []step{{hook.Load, first, true}, {hook.Load, first + pid, true},
		{hook.Load, first + since, true}, {hook.Load, second, true}, {hook.Load, second + pid, true},
		{hook.Load, second + since, true}, {hook.Load, second, true}, {hook.Load, second + lock, true}}
	for i := uint64(2); i < region.Processes; i++ {
		listed = append(listed, step{hook.Load, first + 64*i, true})
	}
	dead := region.MakeProcess(1, 7)
	isDead := func() { e.state(1).Store(uint64(region.MakeProcessState(7, true))) }
	for name, c := range map[string]struct {
		before, body func()
		want         []step
	}{
		"comes": {func() {}, e.comes, []step{{hook.TryLock, first + lock, false},
			{hook.TryLock, second + lock, true}, {hook.Store, second + pid, true},
			{hook.Store, second + since, true}, {hook.Load, second, true},
			{hook.CompareAndSwap, second, true},
			{hook.CompareAndSwap, second, true}, {hook.Unlock, second + lock, true}}},
		"asks": {isDead, func() { e.closed = []error{failed(e.maker.Alive(dead))} }, []step{
			{hook.Load, second, true}, {hook.Load, second + lock, true}}},
		"lists": {isDead, func() { e.closed = []error{failed(e.maker.Attachments())} }, listed},
		"clears": {isDead, func() { e.closed = []error{failed(e.maker.Clear(dead))} }, []step{
			{hook.TryLock, second + lock, true}, {hook.Load, second, true},
			{hook.CompareAndSwap, second, true}, {hook.Unlock, second + lock, true}}},
	} {
		var got []step
		e.explore(t, explore.Program{
			Start: func(x *explore.Execution) []explore.Actor {
				e.begin(x)
				c.before()
				got = nil
				return []explore.Actor{{Name: name, Body: c.body}}
			},
			Step: func(_ *explore.Execution, s explore.Step) error {
				if s.Kind.Access() && s.Object >= from {
					got = append(got, step{s.Kind, s.Object, s.OK})
				}
				return nil
			},
		}, explore.Options{})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: steps %v, want %v", name, got, c.want)
		}
		if len(e.closed) != 1 || e.closed[0] != nil || e.locks != e.before {
			t.Errorf("%s: %v, locks %v", name, e.closed, e.locks)
		}
	}
}

// failed is the error alone of a call with a result.
func failed[T any](_ T, err error) error { return err }

// A process that finds that the entry has changed under its lock, which none does that keeps the rules, takes
// the next one and has no lock but that one. What cannot be given up ends the attachment.
func TestEntries_LeftToWhoWritesWithoutALock(t *testing.T) {
	for _, unlock := range []error{nil, region.ErrSystem} {
		e := newEntries(t)
		next, failed := 0, 0
		e.explore(t, explore.Program{
			Start: func(x *explore.Execution) []explore.Actor {
				e.unlock = nil
				e.begin(x)
				e.unlock = unlock
				return []explore.Actor{{Name: "comes", Body: e.comes},
					{Name: "hostile", Body: func() {
						e.state(1).Store(uint64(region.MakeProcessState(5, false)))
					}}}
			},
			Finish: func(*explore.Execution) error {
				switch p := e.came[0]; {
				case e.errs[0] != nil:
					if failed++; !errors.Is(e.errs[0], unlock) || unlock == nil {
						return e.errs[0]
					}
				case p.Index() == 0 || p.Epoch() == 0:
					return errors.New("attached as nobody")
				default:
					if p.Index() == 2 {
						next++
					}
					own := e.before
					system := processes.System{Locks: &own, Self: 2, Gone: nobody}
					if _, err := system.Lock(p.Index()); err != nil || own != e.held[0] {
						return errors.New("the lock of another entry is held as well")
					}
				}
				return nil
			},
		}, explore.Options{})
		if (next > 0) != (unlock == nil) || (failed > 0) != (unlock != nil) {
			t.Errorf("unlock fails with %v: %d took the next entry, %d failed", unlock, next, failed)
		}
	}
}

// A process that clears an entry says so if its own compare-and-swap has done it.
func TestEntries_ClearTellsItsOwn(t *testing.T) {
	e := newEntries(t)
	dead := region.MakeProcess(1, 7)
	cleared, swapped, lost := false, false, 0
	e.explore(t, explore.Program{
		Start: func(x *explore.Execution) []explore.Actor {
			e.begin(x)
			e.state(1).Store(uint64(region.MakeProcessState(7, true)))
			cleared, swapped = false, false
			return []explore.Actor{
				{Name: "clears", Body: func() {
					done, err := e.maker.Clear(dead)
					cleared = done && err == nil
				}},
				{Name: "hostile", Body: func() {
					e.state(1).Store(uint64(region.MakeProcessState(8, true)))
				}}}
		},
		Step: func(_ *explore.Execution, s explore.Step) error {
			if s.Kind == hook.CompareAndSwap {
				if swapped = s.OK && s.Old == uint64(region.MakeProcessState(7, true)); !s.OK {
					lost++
				}
			}
			return nil
		},
		Finish: func(*explore.Execution) error {
			if cleared != swapped || e.locks != e.before {
				return errors.New("told another thing than it has done")
			}
			return nil
		},
	}, explore.Options{})
	if lost == 0 {
		t.Error("nobody was faster")
	}
}
