package tested

import (
	"context"
	"flag"
	"iter"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestRight_One(t *testing.T) {
	q := New()
	go q.Put(1)
	if v := q.Get(); v != 1 {
		t.Error(v)
	}
}

// A timeout that is long enough does not come.
func TestRight_Timeout(t *testing.T) {
	done := make(chan bool)
	go func() {
		time.Sleep(10 * time.Millisecond)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Fatal("too late")
	}
}

// More ticks than an explored type may see, and one ticker that nobody stops.
func TestRight_Ticks(t *testing.T) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	begin := time.Now()
	for range 5 {
		<-tick.C
	}
	if d := time.Since(begin); d < 5*time.Second || d > 6*time.Second {
		t.Error(d)
	}
	go func() {
		for range time.Tick(time.Minute) {
		}
	}()
}

// A sleep does not end while somebody can go on whose shorter sleep has ended.
func TestRight_TwoSleeps(t *testing.T) {
	var n atomic.Int32
	done := make(chan bool)
	go func() {
		time.Sleep(4 * time.Second)
		if n.Load() != 2 {
			t.Error("it is too early")
		}
		close(done)
	}()
	go func() {
		time.Sleep(time.Second)
		n.Add(1)
		n.Add(1)
	}()
	<-done
}

var began = time.Now()

// What was kept from the start of the process is earlier.
func TestRight_Began(t *testing.T) {
	go func() {}()
	if d := time.Since(began); d <= 0 || d > time.Second {
		t.Error(d)
	}
}

// Looks at the clock take next to no time, and come to an end.
func TestRight_Looks(t *testing.T) {
	begin := time.Now()
	for range 20 {
		time.Now()
	}
	time.Sleep(time.Second)
	for range 20 {
		time.Now()
	}
	if d := time.Since(begin); d < time.Second || d > time.Second+time.Millisecond {
		t.Error(d)
	}
	for time.Since(begin) < 2*time.Second {
	}
}

// The functions of Cleanup come in their order, behind the end of the context.
func TestRight_Cleanup(t *testing.T) {
	ctx, stopped := t.Context(), make(chan int, 1)
	go func() {
		<-ctx.Done()
		stopped <- 1
	}()
	order := ""
	t.Run("part", func(t *testing.T) {
		t.Cleanup(func() { order += "a" })
		t.Cleanup(func() { order += "b" })
		t.Skip("and what is behind it")
	})
	if order != "ba" || t.Skipped() {
		t.Errorf("order %q, skipped %t", order, t.Skipped())
	}
	t.Cleanup(func() { <-stopped })
}

func TestRight_Bubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n atomic.Int32
		go func() {
			time.Sleep(time.Second)
			n.Store(1)
		}()
		synctest.Wait()
		if n.Load() != 0 {
			t.Fatal("the clock does not stand still")
		}
		begin := time.Now()
		time.Sleep(time.Second)
		synctest.Wait()
		if d := time.Since(begin); n.Load() != 1 || d != time.Second {
			t.Fatal("the clock is wrong: ", n.Load(), d)
		}
	})
}

// A long loop is no wait.
func TestRight_Loop(t *testing.T) {
	var n atomic.Int32
	for range 500 {
		if n.Load() != 0 {
			t.Fatal("it is another number")
		}
	}
}

// A wait in a loop is one.
func TestRight_Spin(t *testing.T) {
	var n atomic.Int32
	go n.Store(1)
	for n.Load() == 0 {
	}
}

var once sync.Once

// What a package makes at the first use is there in all executions.
func TestRight_Once(t *testing.T) {
	var n atomic.Int32
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() { once.Do(func() { n.Add(1) }) })
	}
	all.Wait()
}

// A loop over a map has the same order in each execution: that in which the keys came, if they have no other.
func TestRight_Map(t *testing.T) {
	m := map[any]int{}
	if len(kept) == 0 {
		for i, p := range pointers() {
			kept[p] = i
		}
	}
	for i, p := range pointers() {
		m[p] = i
	}
	n, k := 0, 0
	for _, n = range m {
		if n != k {
			t.Fatal(n, " comes after ", k)
		}
		k++
	}
	n = 0
	for _, i := range kept {
		if i != n {
			t.Fatal(i, " is kept after ", n)
		}
		n++
	}
	locks(func(yield func(int) bool) {
		for _, i := range m {
			if !yield(i) {
				return
			}
		}
	})
	for _, m[nil] = range map[string]int{"b": 2, "a": 1, "c": 3} {
	}
	if n := m[nil]; n != 3 {
		t.Error(n)
	}
}

// kept is a map that is the same in all executions.
var kept = map[*int]int{}

// pointers are some whose addresses are in no increasing order.
func pointers() (all []*int) {
	for range 8 {
		all = append(all, new(int))
	}
	slices.Reverse(all)
	return all
}

// locks makes as many steps as come ahead of a 3.
func locks(all iter.Seq[int]) {
	var mu sync.Mutex
	go func() {
		mu.Lock()
		mu.Unlock()
	}()
	for i := range all {
		if i == 3 {
			break
		}
		mu.Lock()
		mu.Unlock()
	}
}

func helper(t testing.TB) { t.Helper() }

func TestRight_Helper(t *testing.T) { helper(t) }

func BenchmarkNothing(b *testing.B) {
	for b.Loop() {
		helper(b)
	}
}

func FuzzNothing(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { helper(t) }) }

// Parallel subtests go on when the function has returned, and the cleanups come behind them.
func TestRight_Parallel(t *testing.T) {
	var order []string
	var mu sync.Mutex
	add := func(s string) {
		mu.Lock()
		order = append(order, s)
		mu.Unlock()
	}
	t.Cleanup(func() {
		if got := strings.Join(order, " "); got != "a b end b2 a2" && got != "a b end a2 b2" {
			t.Error(got)
		}
	})
	for _, name := range []string{"a", "b"} {
		ok := t.Run(name, func(t *testing.T) {
			add(name)
			t.Parallel()
			add(name + "2")
		})
		if !ok {
			t.Error("it has failed")
		}
	}
	add("end")
}

// Each of two parallel subtests waits for the other one.
func TestRight_ParallelMeet(t *testing.T) {
	c := make(chan int)
	t.Run("group", func(t *testing.T) {
		t.Run("send", func(t *testing.T) { t.Parallel(); c <- 1 })
		t.Run("receive", func(t *testing.T) { t.Parallel(); <-c })
	})
	t.Run("behind", func(t *testing.T) { close(c) })
}

// Deferred functions run when a goroutine ends itself, and recover returns nil to them.
func TestRight_Goexit(t *testing.T) {
	done := make(chan any)
	go func() {
		defer close(done)
		defer func() { done <- recover() }()
		defer func() { _ = recover() }()
		runtime.Goexit()
	}()
	if v := <-done; v != nil {
		t.Error(v)
	}
	if v, open := <-done; open {
		t.Error(v)
	}
	var all sync.WaitGroup
	all.Go(runtime.Goexit)
	all.Wait()
}

// A test that ends itself does so whatever recovers.
func TestRight_EndsThrough(t *testing.T) {
	ended := t.Run("part", func(t *testing.T) {
		defer func() {
			if v := recover(); v != nil {
				t.Error(v)
			}
		}()
		t.SkipNow()
	})
	if !ended {
		t.Error("it has failed")
	}
}

// What a test changes is as before behind it.
func TestRight_Surroundings(t *testing.T) {
	if !flag.Parsed() || flag.NArg() > 0 || flag.Lookup("test.v") == nil || flag.Lookup("target") != nil {
		t.Error(flag.Parsed(), flag.Args())
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir, ctx := "", context.Background()
	t.Run("part", func(t *testing.T) {
		dir = t.TempDir()
		t.Chdir(dir)
		t.Setenv("SAMECYCLE_TESTED", dir)
		if ctx = t.Context(); ctx.Err() != nil || os.Getenv("SAMECYCLE_TESTED") != dir {
			t.Error(ctx.Err(), os.Getenv("SAMECYCLE_TESTED"))
		}
		if now, err := os.Getwd(); err != nil || now == here {
			t.Error(now, err)
		}
	})
	now, err := os.Getwd()
	if _, gone := os.Stat(dir); err != nil || now != here || !os.IsNotExist(gone) || ctx.Err() == nil ||
		os.Getenv("SAMECYCLE_TESTED") != "" {
		t.Error(now, err, gone, ctx.Err(), os.Getenv("SAMECYCLE_TESTED"))
	}
}

// Of a hundred goroutines each waits for one that came before it.
func TestMany(t *testing.T) {
	last := make(chan int, 1)
	last <- 0
	for range 100 {
		next := make(chan int, 1)
		go func(last chan int) { next <- 1 + <-last }(last)
		last = next
	}
	if n := <-last; n != 100 {
		t.Error(n)
	}
}

// Forty goroutines, of which each ends ahead of the next one.
func TestOneByOne(t *testing.T) {
	for range 40 {
		done := make(chan int)
		go close(done)
		<-done
	}
}

// Forty goroutines begin, and then a millisecond passes.
func TestTooLate(t *testing.T) {
	var n atomic.Int64
	for range 40 {
		go func() {
			n.Add(1)
			time.Sleep(time.Hour)
		}()
	}
	time.Sleep(time.Millisecond)
	all := n.Load()
	time.Sleep(24 * time.Hour)
	if all != 40 {
		t.Error("they are late", all)
	}
}

// What it leaves behind never ends, and never waits for ever.
func TestLoopsOn(t *testing.T) {
	go func() {
		for {
			<-time.After(time.Second)
		}
	}()
}

// No parallel subtest begins before the function of its parent has returned, however many there are.
func TestManyParallel(t *testing.T) {
	group := func(t *testing.T, n int, f func(t *testing.T)) {
		returned := make(chan int)
		for range n {
			t.Run("part", func(t *testing.T) {
				t.Parallel()
				<-returned
				f(t)
			})
		}
		close(returned)
	}
	group(t, 10, func(*testing.T) {})
	t.Run("groups", func(t *testing.T) {
		group(t, 2, func(t *testing.T) { group(t, 4, func(*testing.T) {}) })
	})
}

// All of a hundred goroutines have to be there.
func TestMeeting(t *testing.T) {
	var here, gone sync.WaitGroup
	here.Add(100)
	for range 100 {
		gone.Go(func() { here.Done(); here.Wait() })
	}
	gone.Wait()
}

// The goroutines that the test has started are counted until they have ended.
func TestRight_Counts(t *testing.T) {
	before, wait := runtime.NumGoroutine(), make(chan int)
	go func() { <-wait }()
	if n := runtime.NumGoroutine(); n != before+1 {
		t.Errorf("%d goroutines, at first %d", n, before)
	}
	close(wait)
	for range 10 {
		if runtime.NumGoroutine() == before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines at the end, at first %d", runtime.NumGoroutine(), before)
}
