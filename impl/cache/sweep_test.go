package cache

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
)

// D11: entries that have expired push out none that live: while everything that lives has room, nothing
// leaves, however much has been set with an end and is over. Each one that has expired is told as such,
// once.
func TestReportD11_ExpiredPushOutNothing(t *testing.T) {
	for _, policy := range []Policy{Ageing{}, TinyLFU{}} {
		synctest.Test(t, func(t *testing.T) {
			var evicted, expired atomic.Int32
			c := open(t, "", Options{Bytes: 1 << 20, Policy: policy, OnEvent: func(e Event) {
				switch e.Reason {
				case Expired:
					expired.Add(1)
				default:
					evicted.Add(1)
				}
			}})
			const stay, goes, live = 500, 60, time.Second
			for i := range stay {
				if err := c.Set(fmt.Append(nil, "stays ", i), make([]byte, 500)); err != nil {
					t.Fatal(err)
				}
			}
			sets := shorter(40_000) // of 330 bytes each
			for i := range sets {
				if i%goes == 0 {
					time.Sleep(live / 10) // a turn of the janitor
				}
				if err := c.SetTTL(fmt.Append(nil, "goes ", i), make([]byte, 300), live); err != nil {
					t.Fatal(err)
				}
			}
			for i := range stay {
				if ok, err := c.Contains(fmt.Append(nil, "stays ", i)); !ok || err != nil {
					t.Errorf("%T: entry %d of those that stay: %v, %v", policy, i, ok, err)
				}
			}
			time.Sleep(10*live + time.Millisecond/2) // not at the instant of a turn, which Close would leave
			t.Logf("%T: %d expired, %d evicted", policy, expired.Load(), evicted.Load())
			if n := int(expired.Load()); n > sets || n < sets*9/10 || evicted.Load() != 0 {
				t.Errorf("%T: of %d entries %d expired, and %d left", policy, sets, n, evicted.Load())
			}
			balanced(t, c, 0)
		})
	}
}

// D11: where there is no janitor, or a given clock goes faster than its turns come, the calls find what has
// expired.
func TestReportD11_WithoutAJanitor(t *testing.T) {
	for _, o := range []Options{{}, {Policy: TinyLFU{}}, {Tiers: 1}} {
		c, k := timed(t, askStart, o)
		expiredPushOutNothing(t, c, k)
		o.Bytes, o.Clock = 1<<20, k.now
		expiredPushOutNothing(t, open(t, "", o), k)
	}
}

// D11: where no janitor is to work, by janitor.run, the calls find it, also if that is so since entries with
// an end were set.
func TestReportD11_JanitorsRest(t *testing.T) {
	for name, before := range map[string]bool{"before": true, "behind": false} {
		synctest.Test(t, func(t *testing.T) {
			c := open(t, "", Options{Bytes: 1 << 20})
			if before {
				tuned(t, c, "janitor.run", 0)
			}
			for i := range 1500 {
				set(t, c, fmt.Sprint("stays ", i), string(make([]byte, 300)))
			}
			for i := range 500 {
				err := c.SetTTL(fmt.Append(nil, "goes ", i), make([]byte, 300), time.Millisecond)
				if err != nil {
					t.Fatal(err)
				}
			}
			tuned(t, c, "janitor.run", 0)
			time.Sleep(time.Second)
			for i := range 20_000 {
				set(t, c, fmt.Sprint("again ", i%10), string(make([]byte, 300)))
			}
			if s := statsOf(t, c); s.Evicted > 0 || s.Expired < 400 {
				t.Errorf("janitors rest %s: %d have expired, and %d have left", name, s.Expired, s.Evicted)
			}
		})
	}
}

// D11: calls find what has expired also while the janitor stands in the middle of a sweep, for as long as the
// system gives its thread no processor.
func TestReportD11_TheJanitorStands(t *testing.T) {
	var c *Cache
	k := &testClock{}
	k.ms.Store(askStart)
	stands := false
	c = open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Clock: func() time.Time {
		if stands {
			stands = false
			expiredPushOutNothing(t, c, k)
		}
		return k.now()
	}})
	for i := range 100 {
		setTTL(t, c, fmt.Sprint("k", i), time.Hour)
	}
	stands = true
	if byHand(c).sweep(); stands {
		t.Error("the sweep asks for no time: the test needs that")
	}
}

// expiredPushOutNothing sets entries that stay, and others that are over soon.
func expiredPushOutNothing(t *testing.T, c *Cache, k *testClock) {
	t.Helper()
	const stay = 500
	for i := range stay {
		if err := c.Set(fmt.Append(nil, "stays ", i), make([]byte, 500)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range shorter(40_000) {
		if i%60 == 0 {
			k.ms.Add(100)
		}
		if err := c.SetTTL(fmt.Append(nil, "goes ", i), make([]byte, 300), time.Second); err != nil {
			t.Fatal(err)
		}
	}
	there := 0
	for i := range stay {
		ok, err := c.Contains(fmt.Append(nil, "stays ", i))
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			there++
		}
	}
	s := statsOf(t, c)
	t.Logf("%T: %d of %d are there, %d expired", c.options.Policy, there, stay, s.Expired)
	if there < stay || s.Evicted > 0 {
		t.Errorf("%T: %d of %d are there, and %d have left", c.options.Policy, there, stay, s.Evicted)
	}
}

// Where nothing is over, calls for which entries have to leave hardly look for it.
func TestSweep_CallsLookRarely(t *testing.T) {
	c, _ := timed(t, askStart, Options{})
	parts, last := 0, 0
	for i := range 20_000 {
		if err := c.SetTTL(key(i), make([]byte, 300), time.Hour); err != nil {
			t.Fatal(err)
		}
		if c.sweeper.cell != last {
			parts, last = parts+1, c.sweeper.cell
		}
	}
	s := statsOf(t, c)
	most := (20_000+int(s.Evicted))/callPause + 10 // an entry that leaves counts as a call does
	if parts > most || parts < most/3 || s.Evicted < 10_000 {
		t.Errorf("%d parts for %d entries that left, want %d at most", parts, s.Evicted, most)
	}
}

// A sweep takes out what is over, also where keys have one hash, and nothing else: not what lives, and not
// what was set again behind its look. It goes on while it finds much, and each entry is told once.
func TestSweep_TakesOutWhatIsOver(t *testing.T) {
	for _, bits := range []int{32, 11} {
		told := map[string]int{}
		c, k := timed(t, 1000, Options{hashBits: bits, OnEvent: func(e Event) {
			if e.Reason == Expired && string(e.Value) == "v" {
				told[string(e.Key)]++
			} else {
				told["others"]++
			}
		}})
		const over = 1500
		for i := range over {
			setTTL(t, c, fmt.Sprint("over ", i), time.Second)
		}
		for i := range 20 {
			set(t, c, fmt.Sprint("stays ", i), "v")
			setTTL(t, c, fmt.Sprint("later ", i), time.Minute)
		}
		there := c.Len() - 40
		k.ms.Store(2000)
		j := byHand(c)
		j.sweep()
		if n := len(told); n < there/2 {
			t.Errorf("%d bits: the first sweep has taken %d of %d out", bits, n, there)
		}
		for j.sweep(); c.Len() != 40 || len(told) < there; j.sweep() {
			if told["others"] != 0 {
				t.Fatalf("%d bits: something else has left", bits)
			}
		}
		for key, n := range told {
			if n != 1 {
				t.Errorf("%d bits: %s is told %d times", bits, key, n)
			}
		}
		if s := statsOf(t, c); int(s.Expired) != there || s.Entries > 40 {
			t.Errorf("%d bits: %d of %d expired, %d entries", bits, s.Expired, there, s.Entries)
		}
		balanced(t, c, 0)
	}
}

// What somebody sets again between the two parts of a sweep stays.
func TestSweep_LeavesWhatIsSetAgain(t *testing.T) {
	c, k := timed(t, 1000, Options{})
	for _, key := range []string{"again", "for longer", "gone", "over"} {
		setTTL(t, c, key, time.Second)
	}
	k.ms.Store(2000)
	set(t, c, "again", "w")
	setTTL(t, c, "for longer", time.Hour)
	if there, err := c.Delete([]byte("gone")); there || err != nil {
		t.Fatal(there, err)
	}
	gone, s := c.expire([][]byte{[]byte("again"), []byte("for longer"), []byte("gone"), []byte("over")})
	if s == nil || gone != 1 {
		t.Fatalf("%d were taken out, by %v; want the one that is over", gone, s)
	}
	c.done(s, 0)
	want(t, c, "again", "w")
	want(t, c, "for longer", "v")
	if s := statsOf(t, c); s.Expired != 4 || c.Len() != 2 || s.Entries != 2 {
		t.Errorf("%d expired, %d entries", s.Expired, s.Entries)
	}
}

// A part of a sweep is bounded by entries, by cells, and by what it copies; the next part goes on behind it.
// A turn in which little is over has one part.
func TestSweep_IsBounded(t *testing.T) {
	c, k := timed(t, 1000, Options{})
	for i := range 6000 {
		setTTL(t, c, fmt.Sprint(i), time.Hour)
	}
	j := byHand(c)
	parts, seen := 0, 0
	for parts < 1000 && seen < 6000 {
		n := c.lapsed(&j.swept, sweepCells, sweepEntries, sweepEntries)
		if n > sweepEntries {
			t.Errorf("a part has seen %d entries", n)
		}
		parts, seen = parts+1, seen+n
	}
	if seen < 6000 || seen > 6000+sweepEntries || parts < 6000/sweepEntries {
		t.Errorf("%d parts have seen %d entries of 6000", parts, seen)
	}
	before := j.swept.cell
	if j.sweep(); j.swept.cell == before || len(j.swept.over) != 0 {
		t.Errorf("nothing is over: %d keys, at cell %d", len(j.swept.over), j.swept.cell)
	}
	if went := j.swept.cell - before; went > 2*sweepEntries*100/loadPercent {
		t.Errorf("a turn in which nothing is over has looked at %d cells", went)
	}
	large := open(t, "", Options{Bytes: 24 << 20, BasketBytes: 1 << 20, Entries: 64, NoJanitor: true})
	for i := range 12 {
		if err := large.Set(key(i), make([]byte, 600_000)); err != nil {
			t.Fatal(err)
		}
	}
	if n := large.lapsed(&large.sweeper, sweepCells, sweepEntries, sweepEntries); n != 2 {
		t.Errorf("a part has copied %d values of 600,000 bytes, want 2", n)
	}
	k.ms.Store(1000 + time.Hour.Milliseconds())
	empty := open(t, "", Options{Bytes: 4 << 20, NoJanitor: true})
	x := &empty.sweeper
	if n := empty.lapsed(x, sweepCells, sweepEntries, sweepEntries); n != 0 || x.cell != sweepCells {
		t.Errorf("of an empty cache %d entries, up to cell %d", n, x.cell)
	}
}

// A sweep does not go on for what is over and cannot be taken out, since its key is damaged: nobody finds it
// under the hash that the index has.
func TestSweep_EndsAtWhatStays(t *testing.T) {
	c, k := timed(t, 1000, Options{})
	const over = 300
	for i := range over {
		setTTL(t, c, fmt.Sprint("over ", i), time.Second)
	}
	words, err := c.region.Section(basket.Engine, basket.SectionRecords)
	if err != nil {
		t.Fatal(err)
	}
	damaged := 0
	for i := range words {
		text := binary.LittleEndian.AppendUint64(nil, words[i].Load())
		if bytes.HasPrefix(text, []byte("over ")) {
			words[i].Store(words[i].Load() ^ 1)
			damaged++
		}
	}
	k.ms.Store(2000)
	j := byHand(c)
	j.sweep()
	if s := statsOf(t, c); damaged != over || j.swept.pause != 1 || len(j.swept.over) == 0 || s.Expired != 0 {
		t.Errorf("%d keys are damaged, a part has found %d that are over, %d left, and the pause is %d",
			damaged, len(j.swept.over), s.Expired, j.swept.pause)
	}
}

// C3: a function of the user that hangs in the janitor, such as one that stores what leaves, lets nobody find
// an entry whose time is over.
func TestReportC3_FunctionHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hung := make(chan bool, 1)
		c := open(t, "", Options{Bytes: 1 << 20, OnEvent: func(e Event) {
			if string(e.Key) == "first" {
				hung <- true
				time.Sleep(10 * time.Hour)
			}
		}})
		setTTL(t, c, "first", time.Second)
		setTTL(t, c, "k", 3*time.Hour)
		<-hung // in the janitor
		want(t, c, "k", "v")
		time.Sleep(3 * time.Hour)
		want(t, c, "k", "")
		if ok, err := c.Contains([]byte("k")); ok || err != nil {
			t.Errorf("contains: %v, %v", ok, err)
		}
		time.Sleep(8 * time.Hour) // it goes on
		if tick, now := c.clock.tick.Load(), c.clock.now(); tick == 0 || now-tick > 1000 {
			t.Errorf("the tick is at %d, the clock at %d", tick, now)
		}
	})
}

// A sweep that meets damage gives its writer back, also where the damage came since it looked: so others can
// go on to set what they like.
func TestSweep_GivesItsWriterBack(t *testing.T) {
	var c *Cache
	over, sound := false, func() {}
	c = open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Readers: 2, Writers: 1, Clock: func() time.Time {
		if !over {
			return time.UnixMilli(askStart)
		}
		if sound == nil { // the sweep has found the entry; a user's clock must not do so
			sound = func() {}
			sound = damage(t, c, []byte("k"))
		}
		return time.UnixMilli(askStart + 2000)
	}})
	setTTL(t, c, "k", time.Second)
	over, sound = true, nil
	j := byHand(c)
	for range 100 {
		if j.sweep(); sound != nil {
			break
		}
	}
	if sound == nil || len(j.swept.over) != 1 {
		t.Fatalf("a sweep has found %d keys that are over: the test needs one", len(j.swept.over))
	}
	if s := &c.writers.slots[0]; s.word.Load()&slotTaken != 0 {
		t.Error("a sweep that meets damage keeps its writer")
		s.give(0) // else the close would wait for it
	}
	sound()
	set(t, c, "k", "v")
	want(t, c, "k", "v")
}

// A process that sets nothing with an end learns from its sweeps that others do so, and its calls then find
// what is over, where no janitor does.
func TestSweep_LearnsOfEndsOfOthers(t *testing.T) {
	k := new(testClock)
	k.ms.Store(askStart)
	path := cacheFile(t)
	o := Options{Bytes: 4 << 20, Entries: 64, NoJanitor: true, Clock: k.now}
	other, c := open(t, path, o), open(t, path, o)
	const goes = 20
	for i := range goes {
		setTTL(t, other, fmt.Sprint("goes ", i), time.Second)
	}
	sets := func() uint64 {
		for range 4 * callPause {
			set(t, c, "own", "v")
		}
		return c.counted().Expired
	}
	if n := sets(); n != 0 || c.sweeper.calls.Load() != 0 {
		t.Fatalf("%d have expired, and its calls count: the test needs that they do not", n)
	}
	c.relieve(1) // as behind a call for which an entry had to leave
	k.ms.Add(1000)
	if n := sets(); n != goes || c.Len() != 1 {
		t.Errorf("%d of %d that are over have left, %d are there", n, goes, c.Len())
	}
}
