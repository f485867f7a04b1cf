package explore_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/memory"
	"github.com/samecycle/samecycle/explore/shim/rand"
	"github.com/samecycle/samecycle/explore/shim/sync"
	"github.com/samecycle/samecycle/explore/shim/time"
)

// plain is what the actors of the programs below share.
type plain struct {
	data, other int
	bytes       [8]byte
	w, v        atomic.Uint64
	mu          sync.Mutex
	rw          sync.RWMutex
	once        sync.Once
	wg          sync.WaitGroup
	cond        *sync.Cond
	pool        sync.Pool
	m           sync.Map
	open        bool

	straight, one, two chan int // without a buffer, and with one of one or two elements
	before             chan int // with one of one element, which was there before the actors
}

func (s *plain) set() { *memory.Store(&s.data, "data")++ }
func (s *plain) get() { memory.Load(&s.data, "data") }

// discipline is a program with plain accesses, and whether it has a race by the memory model of Go,
// independently of the detector.
type discipline struct {
	name   string
	races  bool
	bodies []func(s *plain)
}

func guarded(s *plain) { s.mu.Lock(); s.set(); s.mu.Unlock() }
func spun(s *plain) {
	for !s.w.CompareAndSwap(0, 1) {
	}
	s.set()
	s.w.Store(0)
}
func published(s *plain) { s.set(); s.w.Store(1) }
func taken(s *plain) {
	if s.w.Load() == 1 {
		s.get()
	}
}
func waited(s *plain) {
	if s.w.Load() == 1 {
		s.wg.Wait()
		s.get()
	}
}
func waitedFor(s *plain) {
	if s.w.Load() == 1 {
		s.wg.Wait()
	}
}
func onced(s *plain) { s.once.Do(s.set); s.get() }

func disciplines() []discipline {
	return slices.Concat(lockDisciplines(), swapDisciplines(), waitDisciplines(), beginDisciplines(),
		sizeDisciplines(), messageDisciplines(), selectDisciplines(), runtimeDisciplines())
}

// What the runtime keeps for all goroutines tells them in which order they came, but orders nothing.
func runtimeDisciplines() []discipline {
	return []discipline{
		{"the clock orders nothing", true, []func(*plain){func(s *plain) { s.set(); time.Now() },
			func(s *plain) {
				if second := 2 * int(time.Millisecond); time.Now().Nanosecond() == second {
					s.get()
				}
			}}},
		{"random numbers order nothing", true, []func(*plain){func(s *plain) { s.set(); rand.Int() },
			func(s *plain) {
				if first := 5577006791947779410; rand.Int() != first {
					s.get()
				}
			}}},
	}
}

func lockDisciplines() []discipline {
	return []discipline{
		{"no atomics at all", true, []func(*plain){(*plain).set, (*plain).get}},
		{"two readers", false, []func(*plain){(*plain).get, (*plain).get}},
		{"mutex", false, []func(*plain){guarded, guarded}},
		{"one forgets the mutex", true, []func(*plain){guarded, (*plain).set}},
		{"mutex, second try", false, []func(*plain){guarded, func(s *plain) {
			if s.mu.TryLock() {
				s.set()
				s.mu.Unlock()
			}
		}}},
		{"a failed try orders nothing", true, []func(*plain){guarded, func(s *plain) {
			if !s.mu.TryLock() {
				s.get()
			} else {
				s.mu.Unlock()
			}
		}}},
		{"lock of atomics", false, []func(*plain){spun, spun}},
		{"published by a store", false, []func(*plain){published, taken}},
		{"published, taken without a look", true, []func(*plain){published, func(s *plain) {
			s.w.Load()
			s.get()
		}}},
		{"written after it was published", true, []func(*plain){
			func(s *plain) { s.w.Store(1); s.set() }, taken}},
		{"another word tells nothing", true, []func(*plain){published, func(s *plain) {
			if s.v.Load() == 0 {
				s.get()
			}
		}}},
	}
}

func swapDisciplines() []discipline {
	return []discipline{
		{"published by a compare and swap", false, []func(*plain){
			func(s *plain) { s.set(); s.w.CompareAndSwap(0, 1) }, taken}},
		{"a failed compare and swap tells nothing", true, []func(*plain){
			func(s *plain) { s.set(); s.w.CompareAndSwap(7, 8) }, func(s *plain) { s.w.Load(); s.get() }}},
		{"a failed compare and swap learns", false, []func(*plain){published, func(s *plain) {
			if !s.w.CompareAndSwap(0, 0) {
				s.get()
			}
		}}},
		{"a store hides the one before", true, []func(*plain){published,
			func(s *plain) { s.w.Store(2) },
			func(s *plain) {
				if s.w.Load() == 2 {
					s.get()
				}
			}}},
		{"an addition hides nothing", false, []func(*plain){published,
			func(s *plain) { s.w.Add(2) },
			func(s *plain) {
				if s.w.Load() == 3 {
					s.get()
				}
			}}},
	}
}

func waitDisciplines() []discipline {
	return []discipline{
		{"once", false, []func(*plain){onced, onced}},
		{"pool", false, []func(*plain){
			func(s *plain) { s.set(); s.pool.Put(&s.data) },
			func(s *plain) {
				if s.pool.Get() != nil {
					s.get()
				}
			}}},
		{"map", false, []func(*plain){
			func(s *plain) { s.set(); s.m.Store(1, 1) },
			func(s *plain) {
				if _, ok := s.m.Load(1); ok {
					s.get()
				}
			}}},
		{"two bytes, one after the other", true, []func(*plain){
			func(s *plain) { *memory.Store(&s.bytes[0], "0") = 1; *memory.Store(&s.bytes[1], "1") = 1 },
			func(s *plain) { memory.Load(&s.bytes[1], "1") }}},
		{"an atomic read, then a plain one", true, []func(*plain){
			func(s *plain) { s.w.Load(); memory.Load((*byte)(unsafe.Pointer(&s.w)), "w") },
			func(s *plain) { s.w.Store(1) }}},
		{"a key of a map that Clear has deleted", false, []func(*plain){
			func(s *plain) { s.set(); s.m.Clear() },
			func(s *plain) {
				if _, ok := s.m.Load("before"); !ok {
					s.get()
				}
			}}},
		{"a key of a map that is deleted", false, []func(*plain){
			func(s *plain) { s.set(); s.m.Delete("before") },
			func(s *plain) {
				if _, ok := s.m.Load("before"); !ok {
					s.get()
				}
			}}},
		{"an order of two keys of a map", true, []func(*plain){
			func(s *plain) { s.m.Store(1, 1); s.set(); s.m.Store(2, 2) },
			func(s *plain) {
				if _, ok := s.m.Load(1); ok {
					s.get()
				}
			}}},
		{"map, without a look", true, []func(*plain){
			func(s *plain) { s.set(); s.m.Store(1, 1) }, func(s *plain) { s.m.Load(1); s.get() }}},
		{"reader and writer lock", false, []func(*plain){
			func(s *plain) { s.rw.Lock(); s.set(); s.rw.Unlock() },
			func(s *plain) { s.rw.RLock(); s.get(); s.rw.RUnlock() },
			func(s *plain) { s.rw.Lock(); s.set(); s.rw.Unlock() }}},
		{"a writer among readers", true, []func(*plain){
			func(s *plain) { s.rw.RLock(); s.set(); s.rw.RUnlock() },
			func(s *plain) { s.rw.RLock(); s.get(); s.rw.RUnlock() }}},
		{"wait group", false, []func(*plain){
			func(s *plain) { s.wg.Add(1); s.w.Store(1); s.set(); s.wg.Done() }, waited}},
		{"done too early", true, []func(*plain){
			func(s *plain) { s.wg.Add(1); s.w.Store(1); s.wg.Done(); s.set() }, waited}},
		{"condition", false, []func(*plain){
			func(s *plain) { s.mu.Lock(); s.set(); s.open = true; s.mu.Unlock(); s.cond.Signal() },
			func(s *plain) {
				s.mu.Lock()
				for !s.open {
					s.cond.Wait()
				}
				s.mu.Unlock()
				s.get()
			}}},
	}
}

// beginDisciplines are those of the begin of a WaitGroup.
func beginDisciplines() []discipline {
	return []discipline{
		{"added beside a wait", true, []func(*plain){
			func(s *plain) { s.wg.Add(1); s.wg.Done() }, func(s *plain) { s.wg.Wait() }}},
		{"added before a wait", false, []func(*plain){
			func(s *plain) { s.wg.Add(1); s.w.Store(1); s.wg.Done() }, waitedFor}},
		{"added by two before a wait", false, []func(*plain){
			func(s *plain) { s.wg.Add(1); s.w.Store(1); s.wg.Done() },
			func(s *plain) { s.wg.Add(1); s.v.Store(1); s.wg.Done() },
			func(s *plain) {
				if s.v.Load() == 1 {
					waitedFor(s)
				}
			}}},
		{"two waits", false, []func(*plain){
			func(s *plain) { s.wg.Add(1); s.w.Store(1); s.wg.Done() }, waitedFor, waitedFor}},
		{"added while it cannot be at zero", false, []func(*plain){func(s *plain) {
			s.wg.Add(1)
			flow.Go(func() { s.wg.Add(1); s.wg.Done(); s.wg.Done() })
			s.wg.Wait()
		}}},
		{"added again after a wait", false, []func(*plain){
			func(s *plain) {
				s.wg.Add(1)
				s.wg.Done()
				s.wg.Wait()
				s.wg.Add(1)
				s.wg.Done()
				s.wg.Wait()
			}}},
		{"added again beside a wait", true, []func(*plain){
			func(s *plain) { s.wg.Add(1); s.w.Store(1); s.wg.Done(); s.wg.Add(1); s.wg.Done() }, waitedFor}},
	}
}

func sizeDisciplines() []discipline {
	return []discipline{
		{"sequence lock over plain data", true, []func(*plain){
			func(s *plain) { s.w.Add(1); s.set(); s.w.Add(1) },
			func(s *plain) {
				if n := s.w.Load(); n%2 == 0 {
					s.get() // thrown away if the word has changed, yet a race
					s.w.Load()
				}
			}}},
		{"an atomic and a plain access to one word", true, []func(*plain){
			func(s *plain) { s.w.Store(1) }, func(s *plain) { memory.Read(&s.w, "w") }}},
		{"bytes side by side", false, []func(*plain){
			func(s *plain) { memory.Write(&s.bytes[3], "") },
			func(s *plain) { memory.Write(&s.bytes[4], "") }}},
		{"a byte of a larger write", true, []func(*plain){
			func(s *plain) { memory.Write(&s.bytes, "") }, func(s *plain) { memory.Read(&s.bytes[7], "") }}},
	}
}

func (d discipline) program() explore.Program {
	var s *plain
	var as []explore.Actor
	for i, b := range d.bodies {
		as = append(as, explore.Actor{Name: fmt.Sprint("actor", i), Body: func() { b(s) }})
	}
	return explore.Program{Name: d.name, Start: func(*explore.Execution) []explore.Actor {
		s = &plain{}
		s.cond = sync.NewCond(&s.mu)
		s.straight, s.one, s.two = make(chan int), make(chan int, 1), make(chan int, 2)
		s.before = make(chan int, 1)
		s.before <- 1
		s.m.Store("before", 1)
		return as
	}}
}

// TestBound_PlainMemory: who does not look for races of plain memory is told that they are not covered.
func TestBound_PlainMemory(t *testing.T) {
	for races, want := range map[bool]string{false: "weak memory, races of plain memory, other programs",
		true: "weak memory, other programs"} {
		d := discipline{name: "guarded", bodies: []func(*plain){guarded, guarded}}
		o := explore.Options{Preemptions: explore.Unbounded, Races: races}
		if r := mustExplore(t, d.program(), o); !strings.Contains(r.Bound, "not covered: "+want) {
			t.Errorf("races %t: %s", races, r.Bound)
		}
	}
}

// TestRaces: the detector finds the programs that have a race, and no other, in each search that
// covers all classes of executions.
func TestRaces(t *testing.T) {
	for _, d := range disciplines() {
		for _, o := range []explore.Options{
			{Preemptions: explore.Unbounded, Races: true},
			{Preemptions: explore.Unbounded, Races: true, Reduce: true},
			{Preemptions: explore.Unbounded, PlainSteps: true},
		} {
			p := d.program()
			r := mustExplore(t, p, o)
			if !d.races {
				if r.Failure != nil || !r.Exhaustive {
					t.Errorf("%s: %v, %s", d.name, r.Err(), r.Bound)
				}
				continue
			}
			f := wantFailure(t, r, explore.Race)
			if f.Race == nil || f.Race.First.Actor == f.Race.Second.Actor || len(f.Stacks) != 2 ||
				!(f.Race.First.Write || f.Race.Second.Write) || strings.Contains(f.Message, "second run") {
				t.Errorf("%s: %s", d.name, f.Table())
			}
			for i, x := range []explore.Touch{f.Race.First, f.Race.Second} {
				at := fmt.Sprintf("detect_test.go:%d", x.Line)
				if !strings.Contains(f.Stacks[i], at) || !strings.Contains(f.Message, at) {
					t.Errorf("%s: no %s in %s, %s", d.name, at, f.Message, f.Stacks[i])
				}
			}
			again, err := explore.Replay(p, f.Token, explore.Options{})
			if err != nil || again.Failure == nil || again.Failure.Message != f.Message {
				t.Errorf("%s: replay of %s: %v, %v", d.name, f.Token, err, again.Err())
			}
		}
	}
}

// TestRaceDefects: with a wrong edge the detector is wrong about some program, in one direction or the
// other, so the programs would reveal the wrong edge.
func TestRaceDefects(t *testing.T) {
	for name, wrong := range explore.Defects {
		explore.WithDefect(wrong, func() {
			var noticed []string
			for _, d := range disciplines() {
				// One schedule, the first: others may show the race in spite of the edge.
				o := explore.Options{Races: true, MaxExecutions: 1}
				wrongly := mustExplore(t, d.program(), o).Failure != nil
				if wrongly != rightly(t, d, o) {
					noticed = append(noticed, d.name)
				}
			}
			if len(noticed) == 0 {
				t.Errorf("%s: no program notices", name)
			}
			t.Logf("%s: %s", name, strings.Join(noticed, ", "))
		})
	}
}

// rightly reports whether the detector without a defect finds a race.
func rightly(t *testing.T, d discipline, o explore.Options) (found bool) {
	explore.WithDefect(0, func() { found = mustExplore(t, d.program(), o).Failure != nil })
	return found
}

// TestRaceSchedules: a race that one order of the atomics hides is found in another; the outcome of
// an unsynchronised update is wrong only if the plain accesses are steps.
func TestRaceSchedules(t *testing.T) {
	var n int
	var w atomic.Uint64
	inc := func() {
		v := memory.Load(&n, "n")
		*memory.Store(&n, "n") = v + 1
	}
	late := simple("hidden", func() { n = 0; w.Store(0) },
		func() { inc(); w.Store(1) }, func() { w.Load(); inc() })
	one := explore.Options{Races: true, MaxExecutions: 1}
	if r := mustExplore(t, late, one); r.Failure != nil {
		t.Errorf("the first schedule orders the two: %v", r.Err())
	}
	wantFailure(t, mustExplore(t, late, explore.Options{Preemptions: 1, Races: true}), explore.Race)

	lost := simple("lost", func() { n = 0 }, inc, inc)
	lost.Finish = func(*explore.Execution) error {
		if n != 2 {
			return errors.New("an update is lost")
		}
		return nil
	}
	if r := mustExplore(t, lost, unbounded()); r.Failure != nil || r.Executions != 2 {
		t.Errorf("%d executions, %v", r.Executions, r.Err())
	}
	r := mustExplore(t, lost, explore.Options{Preemptions: explore.Unbounded, Races: true})
	f := wantFailure(t, r, explore.Race)
	for _, want := range []string{"of n by A", "of n by B", "detect_test.go:", "object m0."} {
		if !strings.Contains(f.Message, want) {
			t.Errorf("%q is missing in %s", want, f.Message)
		}
	}
}

// TestRaceRegion: what lies in a region is named by its offset, and a killed actor's writes are
// ordered before nothing.
func TestRaceRegion(t *testing.T) {
	s := &plain{}
	p := simple("dies", func() {}, func() { s.w.Store(0); s.set(); s.w.Store(1) },
		func() {
			if s.w.Load() == 0 && s.v.Load() == 0 {
				return
			}
			s.get()
		})
	start := p.Start
	p.Start = func(x *explore.Execution) []explore.Actor {
		*s = plain{}
		s.v.Store(1) // who cannot see the flag goes by the death of the other
		x.Region(unsafe.Pointer(s), int(unsafe.Sizeof(*s)))
		return start(x)
	}
	o := explore.Options{Kills: 1, Races: true}
	f := wantFailure(t, mustExplore(t, p, o), explore.Race)
	if !strings.Contains(f.Message, "object @0x0:") {
		t.Error(f.Message)
	}
	_, err := explore.Explore(p, explore.Options{Races: true, Stateful: true})
	if !errors.Is(err, explore.ErrOptions) {
		t.Errorf("Races with Stateful: %v", err)
	}
}

// TestRaceNames: outside regions the eight bytes of a race are named by the actor that met them first, and
// by how many such places the actor had met first before.
func TestRaceNames(t *testing.T) {
	var s *plain
	for want, bodies := range map[string][2]func(s *plain){
		"m0.0": {(*plain).set, (*plain).set},
		"m0.1": {func(s *plain) { memory.Write(&s.other, ""); s.set() }, (*plain).set},
		// The second actor meets the flag and the data, in a later schedule than the first.
		"m1.1": {taken, func(s *plain) { s.w.Store(1); s.set() }},
	} {
		p := simple(want, func() { s = &plain{} }, func() { bodies[0](s) }, func() { bodies[1](s) })
		f := wantFailure(t, mustExplore(t, p, explore.Options{Races: true}), explore.Race)
		if f.Race.Object != want || !strings.Contains(f.Message, "object "+want+":") {
			t.Errorf("the object is %s, want %s: %s", f.Race.Object, want, f.Message)
		}
	}
}

// TestRaces_WaitGroup: the report of an Add beside a Wait says so, and where.
func TestRaces_WaitGroup(t *testing.T) {
	var wg sync.WaitGroup
	p := simple("beside", func() { wg = sync.WaitGroup{} }, func() { wg.Add(1); wg.Done() },
		func() { wg.Wait() })
	f := wantFailure(t, mustExplore(t, p, explore.Options{Races: true}), explore.Race)
	if !strings.HasPrefix(f.Message, "Add to a WaitGroup at zero by A at detect_test.go:") ||
		!strings.Contains(f.Message, " and then Wait for a WaitGroup by B at detect_test.go:") {
		t.Error(f.Message)
	}
	mustReplay(t, p, f)
}
