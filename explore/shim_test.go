package explore_test

//lint:file-ignore SA2001 a lock that is taken and given back is a step of the programs here
//lint:file-ignore SA4000 two calls of one function need not give the same

import (
	"fmt"
	"reflect"
	realsync "sync"
	realatomic "sync/atomic"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/sync"
)

// TestShimMethods: each shim type has every method of its original, with the same signature.
func TestShimMethods(t *testing.T) {
	for _, c := range []struct{ shim, real any }{
		{new(atomic.Int32), new(realatomic.Int32)}, {new(atomic.Int64), new(realatomic.Int64)},
		{new(atomic.Uint32), new(realatomic.Uint32)},
		{new(atomic.Uint64), new(realatomic.Uint64)},
		{new(atomic.Uintptr), new(realatomic.Uintptr)}, {new(atomic.Bool), new(realatomic.Bool)},
		{new(atomic.Value), new(realatomic.Value)},
		{new(atomic.Pointer[int]), new(realatomic.Pointer[int])},
		{new(sync.Mutex), new(realsync.Mutex)}, {new(sync.RWMutex), new(realsync.RWMutex)},
		{new(sync.Once), new(realsync.Once)}, {new(sync.WaitGroup), new(realsync.WaitGroup)},
		{new(sync.Cond), new(realsync.Cond)}, {new(sync.Pool), new(realsync.Pool)},
	} {
		shim, real := reflect.TypeOf(c.shim), reflect.TypeOf(c.real)
		for i := range real.NumMethod() {
			want := real.Method(i)
			got, ok := shim.MethodByName(want.Name)
			if !ok || fmt.Sprint(got.Func.Type().NumIn(), got.Func.Type().NumOut()) !=
				fmt.Sprint(want.Func.Type().NumIn(), want.Func.Type().NumOut()) {
				t.Errorf("%v lacks %s of %v", shim, want.Name, real)
			}
		}
	}
}

// atomics performs every operation once on fresh words and returns all results.
func atomics() []any {
	var (
		i32 atomic.Int32
		u64 atomic.Uint64
		b   atomic.Bool
		p   atomic.Pointer[int]
		v   atomic.Value
		raw int64
		got []any
	)
	note := func(xs ...any) { got = append(got, xs...) }
	one, two := 1, 2
	i32.Store(-5)
	note(i32.Load(), i32.Swap(7), i32.Add(-9), i32.CompareAndSwap(-2, 6),
		i32.CompareAndSwap(-2, 8), i32.And(12), i32.Or(3), i32.Load())
	u64.Store(1 << 40)
	note(u64.Add(^uint64(0)), u64.Or(1<<63), u64.And(1<<63), u64.Load())
	note(b.Swap(true), b.CompareAndSwap(true, false), b.Load())
	note(p.Load() == nil, p.CompareAndSwap(nil, &one), p.Swap(&two) == &one, *p.Load())
	note(v.Load(), v.CompareAndSwap(nil, 1), v.Swap(2), v.CompareAndSwap(2, 3), v.Load())
	v.Store(4)
	note(v.Load(), panics(func() { v.Store("x") }), panics(func() { v.Store(nil) }))
	note(atomic.AddInt64(&raw, -3), atomic.SwapInt64(&raw, 8), atomic.LoadInt64(&raw))
	return got
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// TestAtomicShim: the same results outside and inside an exploration, and those that the
// documentation of sync/atomic says.
func TestAtomicShim(t *testing.T) {
	want := fmt.Sprint([]any{
		int32(-5), int32(-5), int32(-2), true, false, int32(6), int32(4), int32(7),
		uint64(1<<40 - 1), uint64(1<<40 - 1), uint64(1<<40 - 1 | 1<<63), uint64(1 << 63),
		false, true, false, true, true, true, 2, nil, true, 1, true, 3, 4, true, true,
		int64(-3), int64(-3), int64(8)})
	if got := fmt.Sprint(atomics()); got != want {
		t.Errorf("outside: %s\nwant %s", got, want)
	}
	var inside string
	p := simple("all", func() {}, func() { inside = fmt.Sprint(atomics()) })
	r := mustExplore(t, p, unbounded())
	if inside != want || r.Failure != nil {
		t.Errorf("inside: %s\nwant %s (%v)", inside, want, r.Err())
	}
}

// TestLocksExclude: a plain counter under each kind of lock is right in every schedule; without
// the lock the same program is found wrong, so the check can fail.
func TestLocksExclude(t *testing.T) {
	var mu *sync.Mutex
	var rw *sync.RWMutex
	var n int
	var w *atomic.Uint64
	reset := func() { mu, rw, n, w = new(sync.Mutex), new(sync.RWMutex), 0, new(atomic.Uint64) }
	inc := func() { w.Load(); m := n; w.Load(); n = m + 1 } // the Loads let others in
	guards := map[string]func(){
		"none":  inc,
		"mutex": func() { mu.Lock(); inc(); mu.Unlock() },
		"try": func() {
			for !mu.TryLock() {
			}
			inc()
			mu.Unlock()
		},
		"rwmutex": func() { rw.Lock(); inc(); rw.Unlock() },
		"readers": func() { rw.RLock(); inc(); rw.RUnlock() },
	}
	for name, body := range guards {
		for _, stateful := range []bool{false, true} {
			p := simple(name, reset, body, body)
			p.Finish = func(*explore.Execution) error {
				if n != 2 {
					return fmt.Errorf("counter is %d, want 2", n)
				}
				return nil
			}
			o := unbounded()
			o.Stateful, o.SpinLimit = stateful, 5
			r := mustExplore(t, p, o)
			if bad := name == "none" || name == "readers"; bad != (r.Failure != nil) {
				t.Errorf("%s, stateful %t: %v", name, stateful, r.Err())
			}
		}
	}
}

// TestRecursiveReader: a reader that asks again while a writer waits is a deadlock, as documented
// for the original.
func TestRecursiveReader(t *testing.T) {
	var rw *sync.RWMutex
	p := simple("recursive reader", func() { rw = new(sync.RWMutex) },
		func() { rw.RLock(); rw.RLock(); rw.RUnlock(); rw.RUnlock() },
		func() { rw.Lock(); rw.Unlock() })
	wantFailure(t, mustExplore(t, p, unbounded()), explore.Deadlock)
}

// TestWaiters: WaitGroup and Cond wake who waits, Once runs once and is waited for, in every
// schedule; a Signal in place of a Broadcast leaves one asleep.
func TestWaiters(t *testing.T) {
	var (
		wg   *sync.WaitGroup
		cond *sync.Cond
		once *sync.Once
		open bool
		runs int
		w    *atomic.Uint64
	)
	reset := func() {
		wg, once, w = new(sync.WaitGroup), new(sync.Once), new(atomic.Uint64)
		cond, open, runs = sync.NewCond(new(sync.Mutex)), false, 0
	}
	wait := func() {
		cond.L.Lock()
		for !open {
			cond.Wait()
		}
		cond.L.Unlock()
	}
	wake := func(how func()) func() {
		return func() { cond.L.Lock(); open = true; cond.L.Unlock(); how() }
	}
	must := func(ok bool) {
		if !ok {
			panic("woken too early")
		}
	}
	do := func() { once.Do(func() { runs++; w.Load() }); must(runs == 1) }
	for _, c := range []struct {
		name   string
		bad    bool
		bodies []func()
	}{
		{"waitgroup", false, []func(){
			func() { wg.Add(1); w.Store(1); w.Store(2); wg.Done() },
			func() {
				if w.Load() > 0 {
					wg.Wait()
					must(w.Load() == 2)
				}
			}}},
		{"broadcast", false, []func(){wait, wait, wake(func() { cond.Broadcast() })}},
		{"signal", true, []func(){wait, wait, wake(func() { cond.Signal() })}},
		{"once", false, []func(){do, do}},
	} {
		r := mustExplore(t, simple(c.name, reset, c.bodies...), unbounded())
		if c.bad != (r.Failure != nil) {
			t.Errorf("%s: %v", c.name, r.Err())
		}
	}
}

// TestPool: a pool gives back what it got and forgets it between executions.
func TestPool(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(int) }}
	var seen *atomic.Uint64
	p := simple("pool", func() { seen = new(atomic.Uint64) }, func() {
		x := pool.Get().(*int)
		if *x != 0 {
			panic("an item of an earlier execution")
		}
		*x = 1
		pool.Put(x)
		if pool.Get().(*int) != x {
			panic("the item got lost")
		}
		seen.Add(1)
	}, func() { seen.Add(1) })
	if r := mustExplore(t, p, unbounded()); r.Failure != nil {
		t.Error(r.Failure.Table())
	}
}

// TestSyncOutside: outside explorations the locks are those of the standard library.
func TestSyncOutside(t *testing.T) {
	var (
		mu   sync.Mutex
		rw   sync.RWMutex
		wg   sync.WaitGroup
		once sync.Once
		n    int
		runs int
	)
	cond := sync.NewCond(&mu)
	for range 8 {
		wg.Go(func() {
			for range 100 {
				mu.Lock()
				rw.Lock()
				n++
				rw.Unlock()
				mu.Unlock()
				rw.RLock()
				_ = n
				rw.RUnlock()
				once.Do(func() { runs++ })
			}
			cond.Broadcast()
		})
	}
	mu.Lock()
	for n < 800 {
		cond.Wait()
	}
	mu.Unlock()
	wg.Wait()
	value := sync.OnceValue(func() int { runs++; return runs })
	if n != 800 || runs != 1 || value() != 2 || value() != 2 {
		t.Errorf("n %d, runs %d", n, runs)
	}
	boom := sync.OnceFunc(func() { panic("boom") })
	if !panics(boom) || !panics(boom) {
		t.Error("OnceFunc forgets a panic")
	}
}
