package cache

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
)

// The error of a check lists the first findings of the records, and says how many more there are.
func TestFindings_FirstOnes(t *testing.T) {
	for _, n := range []int{0, 1, findingsShown, findingsShown + 1, 300} {
		var f Findings
		for i := range n {
			f.Records.All = append(f.Records.All, basket.Finding{Property: "B2Whole", Text: fmt.Sprint(i)})
		}
		err := f.Err()
		if n == 0 {
			if err != nil {
				t.Errorf("nothing was found, and it is %v", err)
			}
			continue
		}
		if !errors.Is(err, ErrCorrupt) {
			t.Fatalf("%d findings: %v", n, err)
		}
		shown := strings.Count(err.Error(), "B2Whole")
		more := fmt.Sprintf("and %d more of the records", n-findingsShown)
		if shown != min(n, findingsShown) || strings.Contains(err.Error(), more) != (n > findingsShown) {
			t.Errorf("%d findings: %v", n, err)
		}
	}
}

// Each reason for which an entry leaves has a count of its own.
func TestCounts_OfEachReason(t *testing.T) {
	c := open(t, "", small())
	s, err := c.writers.take()
	if err != nil {
		t.Fatal(err)
	}
	for r := range Reason(reasons) {
		for range r {
			s.handle.queue.count(r)
		}
	}
	s.give(0)
	x := statsOf(t, c)
	for r, n := range map[Reason]uint64{Replaced: x.Replaced, Deleted: x.Deleted, Expired: x.Expired,
		Evicted: x.Evicted, IndexFull: x.IndexFull, Dead: x.Dead, Expelled: x.Expelled} {
		if n != uint64(r) {
			t.Errorf("%v was told %d times, and counted %d times", r, r, n)
		}
	}
	if x.All != x.Counts {
		t.Errorf("the only process has done %+v, and all together %+v", x.Counts, x.All)
	}
}

// A check of a cache that only this process has open finds nothing, though its janitor and its goroutines
// would go on: who changes the cache waits until the check is over, and goes on then.
func TestCheck_BesideWork(t *testing.T) {
	c := open(t, "", Options{Bytes: 1 << 20})
	if err := c.TuneAll(Setting{"janitor.every", 5}, Setting{"janitor.reserve", 20}); err != nil {
		t.Fatal(err)
	}
	var workers sync.WaitGroup
	stop := make(chan struct{})
	for worker := range 2 {
		workers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				err := c.Set(fmt.Append(nil, "key ", worker, i), []byte("a value, of which not all fit"))
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 30 {
		f, err := c.Check()
		if err = errors.Join(err, f.Err()); err != nil {
			t.Error(err)
			break
		}
		before := statsOf(t, c).Sets
		for statsOf(t, c).Sets == before { // they go on
		}
	}
	close(stop)
	workers.Wait()
}

// Who holds a pool has all handles, and one that is in use only when it has been given back. Nobody makes a
// further one.
func TestPool_IsHeld(t *testing.T) {
	p, alive := testPool(3, 3)
	s, err := p.take()
	if err != nil {
		t.Fatal(err)
	}
	held := make(chan func())
	go func() {
		release, err := p.hold()
		if err != nil {
			t.Error(err)
		}
		held <- release
	}()
	for p.making.Load() == 0 || p.made.Load() != 0 { // until it waits for s
		runtime.Gosched()
	}
	select {
	case <-held:
		t.Fatal("held while a handle is in use")
	default:
	}
	handed, over := make(chan *slot[*made], 1), make(chan struct{})
	p.wait.Add(1)
	go func() { // who waits for a handle
		select {
		case s := <-p.hand:
			handed <- s
		case <-over:
		}
	}()
	for range 100 {
		runtime.Gosched()
	}
	s.give(slotFirst)
	var release func()
	select {
	case release = <-held:
	case <-handed:
		t.Fatal("a handle was handed to one who waits while the pool is to be held")
	}
	close(over)
	p.wait.Add(^uint32(0))
	if n := alive.Load(); n != 1 || p.slots[0].word.Load()&slotTaken == 0 {
		t.Errorf("%d handles, and nobody is to have one", n)
	}
	taken := make(chan *slot[*made])
	go func() {
		s, err := p.take()
		if err != nil {
			t.Error(err)
		}
		taken <- s
	}()
	for range 100 {
		runtime.Gosched()
	}
	select {
	case <-taken:
		t.Error("a handle was taken while the pool is held")
	default:
	}
	release()
	(<-taken).give(slotSecond)
	if first, second := p.counts(); first != 1 || second != 1 {
		t.Errorf("counts are %d and %d, want one each", first, second)
	}
}

// Behind the end of a pool nobody holds it.
func TestPool_HeldNotBehindTheEnd(t *testing.T) {
	p, _ := testPool(1, 1)
	if _, err := p.close(); err != nil {
		t.Fatal(err)
	}
	if _, err := p.hold(); !errors.Is(err, ErrClosed) {
		t.Errorf("holding a pool that has ended: %v", err)
	}
	p, _ = testPool(1, 1)
	p.ended.Store(1) // of a close that waits for who makes a handle
	if _, err := p.hold(); !errors.Is(err, ErrClosed) || p.making.Load() != 0 {
		t.Errorf("holding a pool that ends: %v", err)
	}
}

// A check that runs when the cache is closed comes to its end, and so does the close.
func TestCheck_BesideClose(t *testing.T) {
	for range shorter(30) {
		c := open(t, "", small())
		begun, done := make(chan struct{}), make(chan error)
		go func() {
			_, err := c.Check()
			for close(begun); err == nil; {
				if err = c.Set([]byte("key"), []byte("value")); err == nil {
					_, err = c.Check()
				}
			}
			done <- err
		}()
		<-begun
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; !errors.Is(err, ErrClosed) {
			t.Errorf("a check of a closed cache: %v", err)
		}
	}
}
