package cache

import (
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
)

// The counts of all processes are the sum of what each has done, of those that have ended or were killed as
// well, whoever has their entries of the process table afterwards. What a process has done is told of itself
// alone.
func TestCounts_OfAllProcesses(t *testing.T) {
	path := cacheFile(t)
	c := open(t, path, inFile(32))
	want := Counts{}
	did := func(n uint64) { want.Sets, want.Hits, want.Misses = want.Sets+n, want.Hits+n, want.Misses+n }
	for round := range 6 {
		n := uint64(10 + round)
		p := startChild(t, path, 32)
		if got := p.ask("work p%d %d", round, n); got != "worked" {
			t.Fatal(got)
		}
		did(n)
		switch round % 3 {
		case 0: // it ends
			p.end()
		case 1: // it says so itself, and is killed
			if got, want := p.ask("stats"), fmt.Sprint(n, " ", n, " ", n); got != want {
				t.Errorf("round %d: of itself a process says %q, want %q", round, got, want)
			}
			p.kill()
			p.wait()
		case 2: // its janitor says so, and it is killed
			soon(t, "the janitor stores the counts", func() bool {
				return statsOf(t, c).All.Sets == want.Sets
			})
			p.kill()
			p.wait()
		}
		if s := statsOf(t, c); !want.same(s.All) || !s.Counts.same(Counts{}) {
			t.Errorf("round %d: all have done %+v, want %+v; this one %+v", round, s.All, want, s.Counts)
		}
	}
	set(t, c, "own", "v")
	want.Sets++
	if s := statsOf(t, c); !want.same(s.All) || s.Sets != 1 {
		t.Errorf("all have done %+v, want %+v; this one %+v", s.All, want, s.Counts)
	}
	other := open(t, path, inFile(32)) // what this process has just counted is there for others
	if s := statsOf(t, other); !want.same(s.All) || !s.Counts.same(Counts{}) {
		t.Errorf("another view: all have done %+v, want %+v; it has %+v", s.All, want, s.Counts)
	}
}

// The sums never become less, while many goroutines count, and others store and read the sums.
func TestCounts_NeverLess(t *testing.T) {
	path := cacheFile(t)
	c := open(t, path, inFile(32))
	looks := []*Cache{c, c, open(t, path, inFile(32))}
	var stop atomic.Bool
	var work, look sync.WaitGroup
	for i := range 2 {
		work.Go(func() {
			for n := 0; !stop.Load(); n++ {
				if err := c.Set(key(i), key(n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, x := range looks {
		look.Go(func() {
			var last Counts
			for range shorter(2000) {
				s, err := x.Stats()
				if err != nil || last.Minus(s.All) != (Counts{}) {
					t.Errorf("%+v, %v; before it was %+v", s.All, err, last)
					return
				}
				last = s.All
			}
		})
	}
	look.Wait()
	stop.Store(true)
	work.Wait()
	if s := statsOf(t, c); s.All.Sets != s.Sets || s.All.Replaced != s.Replaced || s.Replaced != s.Sets-2 {
		t.Errorf("%+v", s)
	}
}

// While one goroutine stores the sums no other one does: what it has read may be less than what is there.
func TestCounts_OneStores(t *testing.T) {
	c := open(t, cacheFile(t), inFile(32))
	c.counters.store(func() Counts {
		c.counters.store(func() Counts {
			t.Error("a second one stores at the same time")
			return Counts{}
		})
		return Counts{Sets: 2}
	})
	if n := c.counters.own.sum().Sets; n != 2 {
		t.Errorf("%d sets: the first one has not stored", n)
	}
	c.counters.store(func() Counts {
		if n := c.counters.own.sum().Sets; n != 2 {
			t.Errorf("%d sets ahead of a store", n)
		}
		return Counts{Sets: 4}
	})
	if n := c.counters.own.sum().Sets; n != 4 {
		t.Errorf("%d sets: nobody stores any more", n)
	}
}

// Whatever somebody writes over the counts, they are counts, and a difference is none below zero.
func TestCounts_Damaged(t *testing.T) {
	path := cacheFile(t)
	c := open(t, path, inFile(32))
	for i := range c.counters.lines {
		for j := range c.counters.lines[i].sums {
			c.counters.lines[i].sums[j].Store(math.MaxUint64 - uint64(j))
		}
		c.counters.lines[i].begun[0].Store(math.MaxUint64)
	}
	next := open(t, path, inFile(32))
	set(t, next, "k", "v")
	before := statsOf(t, next)
	set(t, next, "k", "v")
	if d := statsOf(t, next).All.Minus(before.All); d.Sets > 1 || d.Hits != 0 {
		t.Errorf("between two looks %+v", d)
	}
	if d := (Counts{Hits: 3, Dead: 5}).Minus(Counts{Hits: 4, Dead: 2}); d != (Counts{Dead: 3}) {
		t.Errorf("a difference of %+v", d)
	}
	if all, err := next.Processes(); err != nil || len(all) != 2 {
		t.Errorf("%+v, %v", all, err)
	}
}

// Processes tells which processes there are, whether they live, what they have done, and whose janitor works.
func TestProcesses_AreListed(t *testing.T) {
	path := cacheFile(t)
	c := open(t, path, inFile(32))
	p, dead := startChild(t, path, 32), startChild(t, path, 32)
	if got := p.ask("work p 7"); got != "worked" {
		t.Fatal(got)
	}
	dead.kill()
	dead.wait()
	set(t, c, "k", "v")
	list := func() (own, other, gone Process) {
		all, err := c.Processes()
		if err != nil || len(all) != 3 {
			t.Fatalf("%+v, %v", all, err)
		}
		for _, x := range all {
			switch int(x.Pid) {
			case os.Getpid():
				own = x
			case p.cmd.Process.Pid:
				other = x
			case dead.cmd.Process.Pid:
				gone = x
			}
		}
		return own, other, gone
	}
	soon(t, "the other process has the lease, and its counts are there", func() bool {
		_, other, _ := list()
		return other.Lease && other.Sets == 7 && other.Hits == 7 && other.Misses == 7
	})
	own, other, gone := list()
	if !own.Own || !own.Alive || own.Lease || own.Sets != 1 || own.Since == 0 {
		t.Errorf("this process is %+v", own)
	}
	if other.Own || !other.Alive || gone.Own || gone.Alive || gone.Since == 0 {
		t.Errorf("others are %+v and %+v", other, gone)
	}
	heap := open(t, "", small())
	if all, err := heap.Processes(); err != nil || len(all) != 0 {
		t.Errorf("on the heap: %+v, %v", all, err)
	}
}

// Baskets lists as many in each state as Stats counts, with as many bytes. Of two that are in use none is as
// old as the other.
func TestBaskets_AreListed(t *testing.T) {
	c := open(t, "", Options{Bytes: 1 << 20, BasketBytes: 16 << 10, NoJanitor: true, Writers: 2})
	for i := range 3000 {
		if err := c.Set(key(i), make([]byte, 200)); err != nil {
			t.Fatal(err)
		}
	}
	all, err := c.Baskets()
	if err != nil {
		t.Fatal(err)
	}
	states, ages := map[basket.State]int{}, map[uint64]bool{}
	var live, unused uint64
	for _, x := range all {
		states[x.State]++
		live, unused = live+x.LiveBytes, unused+x.DeadBytes
		if x.State == basket.StateFree {
			continue
		}
		if ages[x.Age] {
			t.Errorf("two baskets have the age %d", x.Age)
		}
		ages[x.Age] = true
		owned := []basket.State{basket.StateOpen, basket.StateRetiring}
		if (x.Writer != 0) != slices.Contains(owned, x.State) {
			t.Errorf("%+v", x)
		}
	}
	s := statsOf(t, c)
	if len(all) != s.Baskets || states[basket.StateFree] != s.FreeBaskets || live != s.LiveBytes ||
		states[basket.StateOpen] != s.OpenBaskets || states[basket.StateSealed] != s.SealedBaskets ||
		states[basket.StateRetiring] != s.RetiringBaskets || unused != s.DeadBytes || s.OpenBaskets == 0 ||
		s.SealedBaskets == 0 {
		t.Errorf("%v, %d bytes live, %d not; Stats has %+v", states, live, unused, s)
	}
}

// same reports whether the counts are equal, and the hits are in the top tier.
func (c Counts) same(d Counts) bool {
	c.TierHits[0] = c.Hits
	return c == d
}
