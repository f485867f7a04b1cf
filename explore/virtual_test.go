package explore_test

//lint:file-ignore SA4000 two calls of one function need not give the same

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/rand"
	rand2 "github.com/samecycle/samecycle/explore/shim/rand2"
	"github.com/samecycle/samecycle/explore/shim/sync"
	"github.com/samecycle/samecycle/explore/shim/time"
)

// observed explores bodies and counts what they say at the end of executions.
func observed(t *testing.T, o explore.Options, reset func(), say func() string,
	bodies ...func()) (map[string]int, explore.Report) {
	t.Helper()
	got := map[string]int{}
	p := simple("observed", reset, bodies...)
	p.Finish = func(*explore.Execution) error { got[say()]++; return nil }
	return got, mustExplore(t, p, o)
}

// TestSleep: however long it is, a sleep ends before and after everything that others do.
func TestSleep(t *testing.T) {
	var w atomic.Uint64
	var saw uint64
	got, r := observed(t, unbounded(), func() { w.Store(0) }, func() string { return fmt.Sprint(saw) },
		func() { time.Sleep(time.Hour); saw = w.Load() },
		func() { w.Add(1); time.Sleep(time.Nanosecond); w.Add(1) })
	if r.Failure != nil || len(got) != 3 || got["0"] == 0 || got["1"] == 0 || got["2"] == 0 {
		t.Errorf("saw %v, want 0, 1 and 2; %v", got, r.Err())
	}
	// One who polls is set aside until there is something to see; if there never is, it is a livelock.
	poll := func() {
		for w.Load() == 0 {
			time.Sleep(time.Second)
		}
	}
	_, r = observed(t, explore.Options{Preemptions: 1}, func() { w.Store(0) }, func() string { return "" },
		poll, func() { w.Add(1) })
	if r.Failure != nil || !r.Exhaustive {
		t.Errorf("a poll that ends: %v", r.Err())
	}
	_, r = observed(t, unbounded(), func() { w.Store(0) }, func() string { return "" }, poll)
	wantFailure(t, r, explore.Livelock)
}

// TestClock: the clock starts again in each execution, never goes back, and knows of sleeps.
func TestClock(t *testing.T) {
	var first, later time.Time
	got, r := observed(t, unbounded(), func() {},
		func() string { return fmt.Sprint(first.Sub(flow.Begin), " ", later.Sub(first)) },
		func() { first = time.Now(); time.Sleep(time.Hour); later = time.Now() })
	if r.Failure != nil || got["1ms 1h0m0.001s"] == 0 || len(got) != 1 {
		t.Errorf("%v, %v", got, r.Err())
	}
	if ahead := time.Until(flow.Begin); ahead < 0 || ahead > 25*time.Hour || flow.Begin.Hour() > 0 {
		t.Errorf("executions begin %v from now, at %v", ahead, flow.Begin)
	}
	if time.Since(time.Now().Add(-time.Hour)) < time.Hour || time.Until(time.Now()) > 0 {
		t.Error("the real clock is wrong")
	}
}

// TestAfterFunc: the function is called at any point after it was asked for, or never if it was
// stopped in time; Reset asks again.
func TestAfterFunc(t *testing.T) {
	var w atomic.Uint64
	var stopped, active bool
	o := unbounded()
	got, r := observed(t, o, func() { w.Store(0) },
		func() string { return fmt.Sprint(stopped, w.Load()) },
		func() {
			timer := time.AfterFunc(time.Second, func() { w.Add(1) })
			stopped = timer.Stop()
		})
	if r.Failure != nil || len(got) != 2 || got["true 0"] == 0 || got["false 1"] == 0 {
		t.Errorf("%v, %v", got, r.Err())
	}
	got, r = observed(t, o, func() { w.Store(0) }, func() string { return fmt.Sprint(active, w.Load()) },
		func() {
			timer := time.AfterFunc(time.Second, func() { w.Add(1) })
			active = timer.Reset(time.Second)
		})
	if r.Failure != nil || len(got) != 2 || got["true 1"] == 0 || got["false 2"] == 0 {
		t.Errorf("reset: %v, %v", got, r.Err())
	}
	ticker, timer := time.NewTicker(time.Millisecond), time.NewTimer(time.Millisecond)
	<-ticker.C
	<-timer.C
	ticker.Stop()
	if timer.Stop() {
		t.Error("a timer that fired is stopped")
	}
}

// TestRandom: each execution draws the same numbers, whoever draws first gets the first.
func TestRandom(t *testing.T) {
	var a, b, c, d int
	one := func() { a, c = rand.Intn(1e9), rand2.IntN(1e9) }
	two := func() { b, d = rand.Intn(1e9), rand2.N(1000000000) }
	draws := func() string { return fmt.Sprint(a, b, c, d) }
	got, r := observed(t, unbounded(), func() {}, draws,
		one, two)
	if r.Failure != nil || len(got) != 4 {
		t.Errorf("%v, want two orders of two sources; %v", got, r.Err())
	}
	again, _ := observed(t, unbounded(), func() {}, draws,
		one, two)
	if fmt.Sprint(got) != fmt.Sprint(again) {
		t.Errorf("%v, then %v", got, again)
	}
	if rand.Intn(1e9) == rand.Intn(1e9) && rand.Intn(1e9) == rand.Intn(1e9) {
		t.Error("outside an exploration the numbers repeat")
	}
}

// TestMap: the map does what the documentation of the original says, inside and outside, and its
// operations are atomic in every schedule.
func TestMap(t *testing.T) {
	use := func() string {
		var m sync.Map
		s := ""
		note := func(x ...any) { s += strings.TrimSpace(fmt.Sprintln(x...)) + ";" }
		pair := func(v any, ok bool) { note(v, ok) }
		pair(m.Load(1))
		pair(m.LoadOrStore(1, "a"))
		pair(m.LoadOrStore(1, "b"))
		pair(m.Swap(1, "c"))
		note(m.CompareAndSwap(1, "x", "y"), m.CompareAndSwap(1, "c", "d"), m.CompareAndSwap(2, nil, 1))
		note(m.CompareAndDelete(1, "x"), m.CompareAndDelete(1, "d"))
		m.Store(3, 4)
		m.Range(func(k, v any) bool { note(k, v); return true })
		pair(m.LoadAndDelete(3))
		m.Store(5, 6)
		m.Delete(5)
		m.Store(7, 8)
		m.Clear()
		m.Range(func(k, v any) bool { note("left", k); return false })
		return s
	}
	const want = "<nil> false;a false;a true;a true;false true false;false true;3 4;4 true;"
	outside, inside := use(), ""
	_, r := observed(t, unbounded(), func() {}, func() string { return "" }, func() { inside = use() })
	if outside != want || inside != want || r.Failure != nil {
		t.Errorf("outside %s\ninside  %s\nwant    %s (%v)", outside, inside, want, r.Err())
	}
	var m *sync.Map
	var loaded [2]bool
	enter := func(i int) func() { return func() { _, loaded[i] = m.LoadOrStore("k", i) } }
	for _, stateful := range []bool{false, true} {
		o := unbounded()
		o.Stateful = stateful
		got, r := observed(t, o, func() { m = new(sync.Map) }, func() string { return fmt.Sprint(loaded) },
			enter(0), enter(1))
		if r.Failure != nil || len(got) != 2 || got["[false true]"] == 0 || got["[true false]"] == 0 {
			t.Errorf("%v, %v", got, r.Err())
		}
	}
}

// TestMap_Keys: operations of different keys are in no order, and operations of which one sees what the other
// one does are in both orders.
func TestMap_Keys(t *testing.T) {
	o := unbounded()
	o.Reduce = true
	var m *sync.Map
	var seen string
	filled := func() {
		m, seen = new(sync.Map), ""
		m.Store(1, "one")
		m.Store(2, "two")
	}
	list := func() { m.Range(func(k, v any) bool { seen += fmt.Sprint(k, " ", v, ";"); return true }) }
	load := func(k int) func() { return func() { _, ok := m.Load(k); seen = fmt.Sprint(ok) } }
	wipe := func() { m.Clear() }
	store := func(k int, v any) func() { return func() { m.Store(k, v) } }
	for _, x := range []struct {
		name       string
		executions uint64 // classes of those that differ only in the order of independent steps
		want       string
		bodies     []func()
	}{
		{"new values of two keys", 1, "", []func(){store(1, 0), store(2, 0)}},
		{"two loads of a key", 1, "true", []func(){load(1), load(1)}},
		{"two new keys", 2, "", []func(){store(3, 0), store(4, 0)}},
		{"a new key and a deletion", 2, "", []func(){store(3, 0), func() { m.Delete(1) }}},
		{"a range and a new key", 2, "1 one;2 two; | 1 one;2 two;3 new;", []func(){list, store(3, "new")}},
		{"a range and a key that is there", 1, "1 one;2 two;", []func(){
			list, func() { m.LoadOrStore(1, "x") }}},
		{"a range and a key that is not", 1, "1 one;2 two;", []func(){list, func() { m.Delete(3) }}},
		{"a range and a deletion", 3, "1 one; | 1 one;2 two;", []func(){list, func() { m.Delete(2) }}},
		{"a range and a new value", 2, "1 one;2 new; | 1 one;2 two;", []func(){list, store(2, "new")}},
		{"a range and a clear", 4, " | 1 one; | 1 one;2 two;", []func(){list, wipe}},
		{"a load and a clear", 2, "false | true", []func(){load(1), wipe}},
		{"a load of an absent key and a clear", 1, "false", []func(){load(3), wipe}},
		{"a new value and a clear", 2, "", []func(){store(1, 0), wipe}},
	} {
		got, r := observed(t, o, filled, func() string { return seen }, x.bodies...)
		if r.Failure != nil || !r.Exhaustive || r.Executions != x.executions {
			t.Errorf("%s: %d executions, want %d; %v", x.name, r.Executions, x.executions, r.Err())
		}
		if s := strings.Join(slices.Sorted(maps.Keys(got)), " | "); s != x.want {
			t.Errorf("%s: %s, want %s", x.name, s, x.want)
		}
	}
}
