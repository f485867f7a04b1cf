// Package hard has tests that are hard on whoever explores them: they end the process, never return, count what
// they allocate, or make millions of steps.
package hard

import (
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/quick"
	"time"
)

var kept [][]byte

func twice(f func()) {
	var all sync.WaitGroup
	for range 2 {
		all.Go(f)
	}
	all.Wait()
}

func TestA_Right(t *testing.T) {
	var n atomic.Int32
	twice(func() { n.Add(1) })
}

func TestB_EndsTheProcess(t *testing.T) {
	twice(func() {})
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

func TestC_Right(t *testing.T) { TestA_Right(t) }

// The server calls what is explored in a goroutine that is no actor, which is ended there. The client waits.
func TestD_Serves(t *testing.T) {
	var n atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
		}
		n.Add(1)
		c.Close()
	}))
	r, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	s.Close()
}

func TestE_Right(t *testing.T) { TestA_Right(t) }

func TestF_ReadsMemStats(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	twice(func() {})
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n != 1 {
		t.Errorf("%d allocations", n)
	}
}

func TestG_AllocsPerRun(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { kept = append(kept, make([]byte, 100)) }); n < 1 {
		t.Errorf("%v allocations", n)
	}
}

// times is how often a test does something.
func times() int {
	if testing.Short() {
		return 2
	}
	return 3_000_000
}

func TestH_Long(t *testing.T) {
	var n atomic.Int64
	twice(func() {
		for range times() {
			n.Add(1)
		}
	})
	if n.Load() != int64(2*times()) {
		t.Error(n.Load())
	}
}

func TestI_LongAndWrong(t *testing.T) {
	var n atomic.Int64
	twice(func() {
		for range times() {
			n.Store(n.Load() + 1)
		}
	})
	if n.Load() != int64(2*times()) {
		t.Errorf("it is %d", n.Load())
	}
}

// The short form is none: it skips the test.
func TestJ_LongOrSkipped(t *testing.T) {
	if testing.Short() {
		t.Skip("too long")
	}
	TestH_Long(t)
}

// A connection does not see the clock of the exploration, but is told when it has to be ready.
func TestK_Deadline(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := (&net.Dialer{Deadline: time.Now().Add(time.Second)}).Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

func TestL_Wrong(t *testing.T) { t.Error("always") }

var (
	stop     = make(chan int)
	stopOnce sync.Once
)

// A channel that was closed in one execution is open again in the next one.
func TestM_ClosesForAll(t *testing.T) {
	var closed atomic.Int32
	twice(func() { stopOnce.Do(func() { closed.Add(1); close(stop) }) })
	if <-stop; closed.Load() != 1 {
		t.Errorf("closed %d times", closed.Load())
	}
}

// How many steps the test makes depends on the values that are drawn.
func TestN_Quick(t *testing.T) {
	var n atomic.Int32
	if err := quick.Check(func(times uint8) bool {
		for range times % 8 {
			n.Add(1)
		}
		return true
	}, nil); err != nil {
		t.Error(err)
	}
}

// It fails because each of so many looks at the clock takes a millisecond here.
func TestO_Fast(t *testing.T) {
	began := time.Now()
	for range 1000 {
		time.Now()
	}
	if d := time.Since(began); d > 100*time.Millisecond {
		t.Errorf("it takes %v", d)
	}
}

// It fails because it sleeps for longer, and looks at the clock as often.
func TestP_Slow(t *testing.T) {
	began := time.Now()
	for range 1000 {
		time.Now()
	}
	time.Sleep(time.Second)
	if d := time.Since(began); d > 100*time.Millisecond {
		t.Error("it is slow")
	}
}

// Ten sleeps of a millisecond do not end before one of ten milliseconds, because each of them ends a little
// late.
func TestQ_Exact(t *testing.T) {
	if sleepsBeside(10) {
		t.Error("they have ended")
	}
}

// It fails however late they end.
func TestR_Late(t *testing.T) {
	if sleepsBeside(9) {
		t.Error("they have ended")
	}
}

// The same with a panic, a wait and a race in place of a word of the test.
func TestS_ExactPanic(*testing.T) {
	if sleepsBeside(10) {
		panic("they have ended")
	}
}

func TestT_ExactWait(*testing.T) {
	if sleepsBeside(10) {
		select {}
	}
}

func TestU_ExactRace(*testing.T) {
	n := 0
	if sleepsBeside(10) {
		go func() { n++ }()
		n++
	}
}

func TestV_LateWait(*testing.T) {
	if sleepsBeside(9) {
		select {}
	}
}

func TestW_LateRace(*testing.T) {
	n := 0
	if sleepsBeside(9) {
		go func() { n++ }()
		n++
	}
}

func TestX_FastPanic(*testing.T) {
	began := time.Now()
	for range 1000 {
		time.Now()
	}
	if time.Since(began) > 100*time.Millisecond {
		panic("it is slow")
	}
}

// sleepsBeside reports whether so many sleeps of a millisecond have ended before one of ten has.
func sleepsBeside(n int) bool {
	var first atomic.Bool
	go func() {
		for range n {
			time.Sleep(time.Millisecond)
		}
		first.Store(true)
	}()
	time.Sleep(10 * time.Millisecond)
	return first.Load()
}
