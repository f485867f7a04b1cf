package cache

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
)

// What another process does that stands still at some instruction while this one goes on.

// A4: a get of another process stands still, and the key is deleted meanwhile, and its basket used again. The
// get may find the value or not, whole; a get that begins behind the delete finds nothing. Instants of a
// pause within every access, and whole histories, are judged by the scenarios of baskets and by the storms.
func TestReportA4_GetStandsStill(t *testing.T) {
	path := cacheFile(t)
	o := inFile(32)
	o.BasketBytes = 64 << 10
	c := open(t, path, o)
	other := startChild(t, path, 32)
	r := rand.New(rand.NewPCG(23, 1))
	const words = 7500 // the longer a copy takes, the more pauses meet it
	found := map[string]int{}
	for n := range shorter(300) {
		if err := c.Set([]byte("k"), stormValue(uint64(n), words)); err != nil {
			t.Fatal(err)
		}
		other.order("number k")
		for end := time.Now().Add(time.Duration(r.IntN(120)) * time.Microsecond); time.Now().Before(end); {
		}
		other.stop()
		if ok, err := c.Delete([]byte("k")); !ok || err != nil {
			t.Fatalf("round %d: delete: %v, %v", n, ok, err)
		}
		if n%2 == 0 {
			for i := range 40 { // more than the cache has room for
				if err := c.Set(key(i), stormValue(uint64(i), words)); err != nil {
					t.Fatal(err)
				}
			}
		}
		other.resume()
		first := other.line()
		if whole := fmt.Sprintf("number %d of %d bytes, whole true", n, 8*words); first != "none" &&
			first != whole {
			t.Fatalf("round %d: the get that stood still has %q", n, first)
		}
		found[first[:4]]++
		if second := other.ask("number k"); second != "none" {
			t.Fatalf("round %d: a get behind the delete has %q", n, second)
		}
	}
	other.kill()
	t.Logf("the gets that stood still: %v", found)
}

// C5: another process evicts and moves records, and stands still in the midst of it. What is deleted or
// replaced meanwhile does not come back when it goes on, also if all that was there has made room for others.
func TestReportC5_MoverStandsStill(t *testing.T) {
	for _, bits := range []int{32, 5} {
		path := cacheFile(t)
		c := open(t, path, Options{Bytes: 512 << 10, BasketBytes: 16 << 10, NoJanitor: true, hashBits: bits})
		other := startChild(t, path, bits)
		other.order("fill")
		r := rand.New(rand.NewPCG(29, uint64(bits)))
		kept, rounds := 0, uint64(shorter(200))
		// On a busy machine the other one evicts all of them in many rounds.
		for n := uint64(0); n < rounds || kept == 0 && n < 20*rounds; n++ {
			for k := range watched {
				if err := c.Set(key(k), stormValue(2*n, 50+r.IntN(200))); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(time.Duration(r.IntN(2000)) * time.Microsecond)
			other.stop()
			for k := range watched {
				var err error
				if k%2 == 0 {
					_, err = c.Delete(key(k))
				} else {
					err = c.Set(key(k), stormValue(2*n+1, 50+r.IntN(200)))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if n%2 == 0 {
				fillAndErase(t, c)
			}
			other.resume()
			time.Sleep(time.Duration(r.IntN(2000)) * time.Microsecond)
			for k := range watched {
				v, ok, err := c.Get(key(k), nil)
				number, whole := stormNumber(v)
				if err != nil || ok && (k%2 == 0 || !whole || number != 2*n+1) {
					t.Fatalf("round %d: key %d has %d of %d bytes, whole %v, %v", n, k, number, len(v), whole,
						err)
				}
				if ok {
					kept++
				}
			}
		}
		other.kill()
		if last := other.wait(); last != "" {
			t.Errorf("the other process says %q", last)
		}
		t.Logf("%d bits: %d values were there", bits, kept)
		if kept == 0 {
			t.Error("all values were evicted: the test needs a larger cache")
		}
	}
}

// fillAndErase uses all cells and baskets that can be had for other keys, and deletes those.
func fillAndErase(t *testing.T, c *Cache) {
	t.Helper()
	for i := range 1500 {
		if err := c.Set(key(2*fillFirst+i), stormValue(uint64(i), 60)); err != nil {
			t.Fatal(err)
		}
		if i%3 == 0 {
			if _, err := c.Delete(key(2*fillFirst + i)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// D7: a process stands still while it writes and evicts, and many keys come and go. It keeps two baskets for
// each of its writers, and what is behind them is used again and again; the index fills with nothing.
func TestReportD7_OneThatStandsStill(t *testing.T) {
	o := Options{Bytes: 512 << 10, BasketBytes: 16 << 10, NoJanitor: true, hashBits: 32}
	path, sets := cacheFile(t), shorter(1_000_000)
	c, control := open(t, path, o), open(t, "", o)
	other := startChild(t, path, 32)
	other.order("churn")
	time.Sleep(50 * time.Millisecond)
	other.stop()
	before := generations(t, c)
	for i := range sets {
		for _, x := range []*Cache{c, control} {
			if err := x.Set(key(fillFirst+i), stormValue(uint64(i), 1+i%40)); err != nil {
				t.Fatalf("set %d: %v", i, err)
			}
		}
	}
	kept := 0
	for b, g := range generations(t, c) {
		if g == before[b] {
			kept++
		}
	}
	most := 2 * (Options{}).writers(int(c.store.Layout().Writers))
	if kept > most {
		t.Errorf("%d baskets were never used again, the process that stands still may keep %d", kept, most)
	}
	s, err := c.Stats()
	if err != nil {
		t.Fatal(err)
	}
	x, err := control.Stats()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d baskets kept; %d entries, %d without that process; %d of %d baskets free", kept, s.Entries,
		x.Entries, s.FreeBaskets, s.Baskets)
	const own = 2 // an open one, and one that retires
	if y := c.store.Stats(); s.Entries > x.Entries+x.Entries/10 || s.Entries < x.Entries/2 ||
		y.Open+y.Retiring > most+own {
		t.Errorf("%+v, %+v, and without that process %+v", s, y, x)
	}
	other.resume()
	other.kill()
	other.wait()
	for i := range 20000 {
		if err := c.Set(key(fillFirst+i), stormValue(uint64(i), 1+i%40)); err != nil {
			t.Fatal(err)
		}
	}
	atRest(t, c)
}

// generations count the lives of each basket.
func generations(t *testing.T, c *Cache) (all []uint32) {
	t.Helper()
	words, err := c.region.Section(basket.Engine, basket.SectionHeads)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(words); i += 2 {
		all = append(all, basket.Head(words[i].Load()).Generation())
	}
	return all
}

// H4: processes whose calendar clocks are wrong by years, one of which has made the cache, agree on when an
// entry ends.
func TestReportH4_WrongCalendarOfOneProcess(t *testing.T) {
	for _, years := range []int{10, -10} {
		path := cacheFile(t)
		wrong := startChild(t, path, 32, fmt.Sprintf("%s=%d", childCalendar, years)) // makes the cache
		worse := startChild(t, path, 32, fmt.Sprintf("%s=%d", childCalendar, -years))
		c := open(t, path, inFile(32))
		const lives = 700 * time.Millisecond
		begun := time.Now()
		for _, p := range []*child{wrong, worse} {
			if got := p.ask("ttl by%d v %d", p.cmd.Process.Pid, lives.Milliseconds()); got != "set" {
				t.Fatalf("the process says %q", got)
			}
		}
		setTTL(t, c, "own", lives)
		keys := []string{"own", fmt.Sprintf("by%d", wrong.cmd.Process.Pid),
			fmt.Sprintf("by%d", worse.cmd.Process.Pid)}
		see := func(there bool) {
			t.Helper()
			says := "none"
			if there {
				says = "value v"
			}
			for _, key := range keys {
				for _, p := range []*child{wrong, worse} {
					if got := p.ask("get %s", key); got != says {
						t.Errorf("%d years: %s is %q, %v after it was set", years, key, got,
							time.Since(begun))
					}
				}
				if _, ok, err := c.Get([]byte(key), nil); ok != there || err != nil {
					t.Errorf("%d years: %s is there: %v, %v, %v after it was set", years, key, ok, err,
						time.Since(begun))
				}
			}
		}
		if see(true); time.Since(begun) >= lives {
			t.Skipf("NOT RUN: the machine was too slow to look within %v: run the test again", lives)
		}
		time.Sleep(time.Until(begun.Add(lives + 500*time.Millisecond)))
		see(false)
	}
}
