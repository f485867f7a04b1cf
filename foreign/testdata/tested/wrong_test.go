package tested

import (
	"os"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestWrong_Two(t *testing.T) {
	q := New()
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() { q.Get() })
	}
	q.Put(1)
	q.Put(2)
	all.Wait()
}

func TestWrong_Lost(t *testing.T) {
	var mu sync.Mutex
	n := 0
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			mu.Lock()
			m := n
			mu.Unlock()
			mu.Lock()
			n = m + 1
			mu.Unlock()
		})
	}
	all.Wait()
	t.Run("the sum", func(t *testing.T) {
		if n != 2 {
			t.Fatalf("it is %d", n)
		}
	})
	t.Log("behind it")
}

// A timeout that is too short comes, though somebody goes on to wait.
func TestWrong_Timeout(t *testing.T) {
	done := make(chan bool)
	go func() {
		time.Sleep(2 * time.Second)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Fatal("too late")
	}
}

func TestWrong_Late(t *testing.T) { go t.Log("hello") }

func TestWrong_FatalElsewhere(t *testing.T) {
	var all sync.WaitGroup
	all.Go(func() { t.Fatal("no") })
	all.Wait()
}

func TestWrong_Panic(t *testing.T) {
	var m map[string]int
	go func() { m["a"] = 1 }()
}

func TestWrong_Race(t *testing.T) {
	n := 0
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() { n++ })
	}
	all.Wait()
}

func TestWrong_Map(t *testing.T) {
	c := make(chan int)
	go func() {
		for k := range map[int]bool{3: true, 1: true, 4: true, 5: true, 9: true, 2: true, 6: true, 8: true} {
			c <- k
			break
		}
	}()
	if k := <-c; k == 1 {
		t.Error("the least key comes first")
	}
}

// One order of the parallel subtests fails.
func TestWrong_Parallel(t *testing.T) {
	var n atomic.Int32
	for _, want := range []int32{1, 2} {
		t.Run("part", func(t *testing.T) {
			t.Parallel()
			if got := n.Add(1); got != want {
				t.Errorf("%d comes as number %d", want, got)
			}
		})
	}
}

func TestWrong_FatalOfParent(t *testing.T) {
	t.Run("part", func(sub *testing.T) {
		sub.Parallel()
		t.Fatal("no")
	})
}

func TestWrong_Goexit(t *testing.T) {
	go func() {}()
	runtime.Goexit()
}

func TestWrong_Exit(t *testing.T) {
	done := make(chan int)
	go func() {
		defer close(done)
		os.Exit(0)
	}()
	<-done
}

func TestSkips(t *testing.T) { t.Skipf("not %d", 1) }

// It makes no step, and does not come back.
func TestEndless_First(t *testing.T) {
	for n := 1; n > 0; n |= 1 {
	}
}

func TestEndless_Second(t *testing.T) {}

// What a function has captured lasts from one run to the next.
var runs = func() func() int {
	n := 0
	return func() int { n++; return n }
}()

// It does something else at each run.
func TestVaries(t *testing.T) {
	var mu sync.Mutex
	for range runs() {
		mu.Lock()
		mu.Unlock()
	}
}

// The order in which package reflect goes over a map is not explored.
func TestVaries_Map(t *testing.T) {
	m := map[int]int{}
	for i := range 8 {
		m[i] = i
	}
	for range 4 { // in the same order each time by one chance of many
		locks(func(yield func(int) bool) {
			for all := reflect.ValueOf(m).MapRange(); all.Next() && yield(int(all.Value().Int())); {
			}
		})
	}
}

// A goroutine waits for ever if the test looks ahead of the value.
func TestLeaks_Send(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
	select {
	case <-c:
	default:
	}
}

// A goroutine that waits for the clock comes to its end.
func TestLeaks_Sleep(t *testing.T) { go time.Sleep(time.Hour) }

// Of a hundred goroutines two have to meet.
func TestWrong_Many(t *testing.T) {
	var all sync.WaitGroup
	var n atomic.Int64
	for range 100 {
		all.Go(func() { n.Store(n.Load() + 1) })
	}
	all.Wait()
	if n.Load() != 100 {
		t.Error("lost", n.Load())
	}
}

// A goroutine may be there for a while when it has done all that it does.
func TestWrong_Counts(t *testing.T) {
	before, done := runtime.NumGoroutine(), make(chan int)
	go func() { close(done) }()
	<-done
	if runtime.NumGoroutine() != before {
		t.Error("one is left")
	}
}
