package region

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/internal/seam"
	"golang.org/x/sys/unix"
)

func lastWord(r *Region) *seam.Uint64 { return &r.Words()[len(r.Words())-1] }

// TestWake_ReachesOtherMappings: the same file, mapped at another address by another process.
func TestWake_ReachesOtherMappings(t *testing.T) {
	path, r := mustCreate(t)
	child := start(t, nil, "await", "0 "+path)
	time.Sleep(short) // it sleeps by now, or finds the word changed
	begun := time.Now()
	lastWord(r).Store(1)
	r.Wake(lastWord(r))
	word, _ := child.answer(t)
	if d := time.Since(begun); word != "woken" || d > long/2 {
		t.Errorf("%s after %v", word, d)
	}
}

// TestRing_ReachesOtherMappings: a ring in one mapping ends the sleep in another one ahead of its bound.
// The word alone would not.
func TestRing_ReachesOtherMappings(t *testing.T) {
	path, r := mustCreate(t)
	other, err := Open(path, Layout{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	rings := make(chan struct{})
	go func() {
		defer close(rings)
		for other.bell().Load()&bellAsleep == 0 {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(short) // it sleeps by now, or finds the word changed
		other.Ring()
	}()
	begun := time.Now()
	rung := r.SleepUntilRung(r.Listen(), long, nil)
	if d := time.Since(begun); !rung || d > long/2 {
		t.Errorf("rung %v after %v of %v", rung, d, long)
	}
	<-rings // before the memory that it is in goes
}

// TestFutex_SleepsUntilTheWake is the canary of the wake: the sleep is the system's, which without a wake
// does not see the change.
func TestFutex_SleepsUntilTheWake(t *testing.T) {
	path, r := mustCreate(t)
	other, err := Open(path, Layout{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	slept := func(bound time.Duration, wakes bool) time.Duration {
		lastWord(r).Store(0)
		stored := make(chan struct{})
		go func() {
			defer close(stored)
			time.Sleep(short)
			lastWord(other).Store(1)
			if wakes {
				other.Wake(lastWord(other))
			}
		}()
		begun := time.Now()
		for bound > time.Since(begun) && lastWord(r).Load() == 0 {
			if !futexSleep(seam.LowHalf(lastWord(r)), 0, bound) {
				t.Fatal("the system has no such call")
			}
		}
		d := time.Since(begun)
		<-stored
		return d
	}
	if d := slept(long, true); d > long/2 {
		t.Errorf("woken after %v", d)
	}
	bound := 20 * short
	for range 5 { // a signal may end a sleep early, but not each
		if slept(bound, false) >= bound {
			return
		}
	}
	t.Errorf("without a wake each sleep ended before %v", bound)
}

// TestAwait_SleepsInTheSystem: whoever waits in a file does not look again and again, so without a Wake a
// change is seen when the bound has passed.
func TestAwait_SleepsInTheSystem(t *testing.T) {
	_, r := mustCreate(t)
	bound := 20 * short
	for range 5 { // a signal may end a sleep early, but not each
		took, most := unwoken(t, r, bound, func() {
			time.Sleep(short)
			lastWord(r).Store(1)
		})
		if took >= most {
			return
		}
	}
	t.Errorf("each change was seen before the bound, of %v at least", bound)
}

// unwoken says how long a wait takes for a change of the last word that change makes and wakes nobody for,
// and what its bound was. A change before the bound has to be seen; where the machine makes it later, the
// bound is too short and is doubled.
func unwoken(t *testing.T, r *Region, bound time.Duration, change func()) (took, most time.Duration) {
	t.Helper()
	for ; ; bound *= 2 {
		lastWord(r).Store(0)
		changed := make(chan time.Time)
		begun := time.Now()
		go func() {
			defer func() { changed <- time.Now() }()
			change()
		}()
		seen := r.Await(lastWord(r), 0, bound)
		took = time.Since(begun)
		if at := <-changed; !seen && !at.Before(begun.Add(bound)) {
			continue
		}
		if !seen {
			t.Error("the change was not seen at the bound")
		}
		return took, bound
	}
}

// TestAwait_OutlivesItsWaker: who dies between its store and its wake costs the bound, and no more; the
// change is seen.
func TestAwait_OutlivesItsWaker(t *testing.T) {
	path, r := mustCreate(t)
	took, most := unwoken(t, r, time.Second, func() { start(t, nil, "silent", "0 "+path).dies(t) })
	if took > most+long/2 {
		t.Errorf("it took %v, the bound was %v", took, most)
	}
}

// TestOpenOrCreate_WaitsForTheCreator: who meets a region that is being made in place gets it when it is
// finished, before or after there is anything to map. The bound that would do is not what ends the wait.
func TestOpenOrCreate_WaitsForTheCreator(t *testing.T) {
	for n := range 5 {
		path := filepath.Join(t.TempDir(), "table")
		c, err := newCreation(path, small)
		if err != nil {
			t.Fatal(err)
		}
		c.r.fd, err = unix.Open(path, openFlags|unix.O_RDWR|unix.O_CREAT|unix.O_EXCL, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		steps := c.stepsInPlace()
		run := func(steps []func() error) (err error) {
			for _, step := range steps {
				err = errors.Join(err, step())
			}
			return err
		}
		if err := run(steps[:n]); err != nil {
			t.Fatal(err)
		}
		made := make(chan error)
		go func() {
			time.Sleep(short)
			made <- run(steps[n:])
		}()
		begun := time.Now()
		r, err := openWithin(path, wanted{layout: small}, long)
		if d := time.Since(begun); err != nil || d > long/2 {
			t.Fatalf("met before step %d: %v after %v", n, err, d)
		}
		again, created, err := OpenOrCreate(path, small)
		if err != nil || created {
			t.Fatalf("created %v, %v", created, err)
		}
		if err := errors.Join(<-made, r.Close(), again.Close(), c.r.Close()); err != nil {
			t.Error(err)
		}
	}
}

// TestOpenOrCreate_TheCreatorIsDead: the wait ends, and says what is the matter.
func TestOpenOrCreate_TheCreatorIsDead(t *testing.T) {
	for _, n := range []string{"0", "4"} { // nothing to map yet; all but the header
		path := filepath.Join(t.TempDir(), "table")
		start(t, nil, "place", n+" "+path).dies(t)
		begun := time.Now()
		r, created, err := OpenOrCreate(path, small)
		if r != nil || created || !errors.Is(err, ErrUnfinished) {
			t.Errorf("killed before step %s: %v, %v", n, created, err)
		}
		if d := time.Since(begun); d < CreationBound || d > CreationBound+long/2 {
			t.Errorf("killed before step %s: waited for %v, not %v", n, d, CreationBound)
		}
	}
}

// ends tells whether one of several calls of wait takes less than most: a busy machine may keep one late.
func ends(most time.Duration, wait func()) bool {
	for range 8 {
		begun := time.Now()
		if wait(); time.Since(begun) < most {
			return true
		}
	}
	return false
}

// TestOpen_WaitsOnce: the bound is one for all that a call waits for, the length of the file and the magic,
// and for all that it tries.
func TestOpen_WaitsOnce(t *testing.T) {
	const bound = 10 * short
	path := filepath.Join(t.TempDir(), "table")
	if !ends(3*bound/2, func() {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		grown := make(chan error)
		go func() {
			time.Sleep(4 * bound / 5)
			grown <- os.Truncate(path, int64(small.Size()))
		}()
		if _, err := openWithin(path, wanted{layout: small}, bound); !errors.Is(err, ErrUnfinished) {
			t.Error(err)
		}
		if err := <-grown; err != nil {
			t.Error(err)
		}
	}) {
		t.Errorf("a file that grew late was waited for longer than %v", bound)
	}
	if !ends(3*CreationBound/2, func() {
		if _, _, err := OpenOrCreate(path, small); !errors.Is(err, ErrUnfinished) {
			t.Error(err)
		}
	}) {
		t.Errorf("OpenOrCreate waited longer than %v", CreationBound)
	}
}

// TestWake_EndsAllSleeps: of everybody who waits for the word, not of one.
func TestWake_EndsAllSleeps(t *testing.T) {
	_, r := mustCreate(t)
	woken := make(chan bool)
	const sleepers = 3
	for range sleepers {
		go func() { woken <- r.Await(lastWord(r), 0, long) }()
	}
	time.Sleep(short) // they sleep by now, or find the word changed
	lastWord(r).Store(1)
	r.Wake(lastWord(r))
	late := time.After(long / 4)
	for i := range sleepers {
		select {
		case seen := <-woken:
			if !seen {
				t.Error("a change was not seen")
			}
		case <-late:
			t.Fatalf("%d of %d sleep on", sleepers-i, sleepers)
		}
	}
}

// TestFutex_SaysWhatItCan: a word that has changed already is no failure; a page that is gone is, so that
// nobody asks for it again and again; and a sleep takes no longer than it may.
func TestFutex_SaysWhatItCan(t *testing.T) {
	_, r := mustCreate(t)
	if !futexSleep(seam.LowHalf(lastWord(r)), 1, long) {
		t.Error("of a word that is another one: the system has no such call")
	}
	gone, err := unix.Mmap(-1, 0, os.Getpagesize(), unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(gone)
	if futexSleep((*uint32)(unsafe.Pointer(&gone[0])), 0, long) {
		t.Error("of a page that is gone: it has slept")
	}
	if !ends(5*short, func() { futexSleep(seam.LowHalf(lastWord(r)), 0, short) }) {
		t.Errorf("a sleep of %v takes longer than %v", short, 5*short)
	}
}

// BenchmarkAwait measures from the store until the other mapping's sleeper has seen it and answered, each
// way by its own half of a cache line; sleepers in the system, and sleepers that poll.
func BenchmarkAwait(b *testing.B) {
	for name, sleep := range map[string]seam.Sleeper{"futex": futexSleep, "poll": nil} {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "table")
			near, err := Create(path, small)
			if err != nil {
				b.Fatal(err)
			}
			far, err := Open(path, small)
			if err != nil {
				b.Fatal(err)
			}
			there := func(r *Region) *seam.Uint64 { return lastWord(r) }
			back := func(r *Region) *seam.Uint64 { return &r.Words()[len(r.Words())-5] }
			done := make(chan struct{})
			go func() {
				defer close(done)
				for i := range b.N {
					seam.Await(there(far), uint32(i), long, sleep)
					back(far).Store(uint64(i + 1))
					far.Wake(back(far))
				}
			}()
			for i := range b.N {
				there(near).Store(uint64(i + 1))
				near.Wake(there(near))
				seam.Await(back(near), uint32(i), long, sleep)
			}
			<-done
			if err := errors.Join(far.Close(), near.Close()); err != nil {
				b.Fatal(err)
			}
		})
	}
}
