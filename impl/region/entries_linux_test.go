package region

import (
	"errors"
	"math"
	"os"
	"slices"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestEntries_AreWhereTheFormatSays: the state of entry i is the first word of its line, behind the header;
// the pid is the next one, and the time the one after that.
func TestEntries_AreWhereTheFormatSays(t *testing.T) {
	_, _, all, _ := three(t)
	for i := range uint64(3) {
		at := (256 + 64*i) / 8
		got := [4]uint64{}
		for j := range got {
			got[j] = all[0].Words()[at+uint64(j)].Load()
		}
		if want := [4]uint64{uint64(MakeProcessState(1, true)), i + 1, 0, 0}; got != want {
			t.Errorf("entry %d is %v, want %v", i, got, want)
		}
	}
}

// TestEntries_WhatIsForAPerson: the second and the third word of each line of the table, and nothing else of
// a region.
func TestEntries_WhatIsForAPerson(t *testing.T) {
	for offset := range small.Size() {
		line, in := (offset-256)/64, (offset-256)%64
		want := offset >= 256 && line < Processes && in >= 8 && in < 24
		if got := small.Personal(offset); got != want {
			t.Errorf("byte %d: %v, want %v", offset, got, want)
		}
	}
}

// TestEntries_Damaged: a state that nobody writes is listed whatever its lowest bit; the holder of its lock
// is alive, but for the process that has no epoch: nobody ever was it.
func TestEntries_Damaged(t *testing.T) {
	_, d, all, _ := three(t)
	for _, s := range []ProcessState{1, 1 << 40, 1<<40 | 1} {
		all[0].entry(2)[processState].Store(uint64(s))
		d.holder[2] = 3
		list, err := all[0].Attachments()
		if err != nil || len(list) != 3 || !list[2].Damaged || list[2].Process != MakeProcess(2, s.Epoch()) {
			t.Errorf("%#x: %+v, %v", uint64(s), list, err)
		}
		for p, want := range map[Process]bool{MakeProcess(2, 0): false, MakeProcess(2, 9): true} {
			if got, err := all[0].Alive(p); got != want || err != nil {
				t.Errorf("%#x: %v is alive: %v, %v, want %v", uint64(s), p, got, err, want)
			}
		}
	}
	if got, want := MakeProcessState(1<<26|5, true), MakeProcessState(5, true); got != want || !got.Valid() {
		t.Errorf("an epoch is cut to its bits: %v, want %v", got, want)
	}
}

// TestEntries_OfNoUse: beside an error nothing is alive or cleared, on the heap nobody has an entry, and who
// has left is nobody.
func TestEntries_OfNoUse(t *testing.T) {
	path, r := mustCreate(t)
	p := r.Process()
	o, err := Observe(path)
	if err != nil {
		t.Fatal(err)
	}
	want := Error{Reason: ErrReadOnly, File: path, Field: "handle", Found: "an observer's",
		Want: "one that is attached", Do: "open the region instead of observing it"}
	var e *Error
	if done, err := o.Clear(p); done || !errors.As(err, &e) || *e != want {
		t.Errorf("an observer has cleared: %v, %v, want %v", done, err, &want)
	}
	if err := errors.Join(o.Close(), r.Close()); err != nil {
		t.Fatal(err)
	}
	if got := r.Process(); got != 0 {
		t.Errorf("closed, and still %v", got)
	}
	if got, err := r.Alive(p); got || !errors.Is(err, ErrClosed) {
		t.Errorf("alive: %v, %v", got, err)
	}
	if done, err := r.Clear(p); done || !errors.Is(err, ErrClosed) {
		t.Errorf("cleared: %v, %v", done, err)
	}
	if done, err := mustHeap(t, small).Clear(MakeProcess(3, 1)); done || err != nil {
		t.Errorf("cleared on the heap: %v, %v", done, err)
	}
}

// TestEntries_AllHeld: the error names the file.
func TestEntries_AllHeld(t *testing.T) {
	path, r := mustCreate(t)
	for i := range uint32(Processes) {
		if ok, err := r.lockFile(i); !ok || err != nil {
			t.Fatalf("lock %d: %v, %v", i, ok, err)
		}
	}
	var e *Error
	if _, err := Open(path, small); !errors.As(err, &e) || e.Reason != ErrProcesses || e.File != path {
		t.Errorf("%v", err)
	}
}

// TestAttachWithin_ThePageGoes: while somebody waits for the maker of a region.
func TestAttachWithin_ThePageGoes(t *testing.T) {
	m, err := unix.Mmap(-1, 0, 2*os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(m)
	s := &watched{clerk: clerk{desk: &desk{}, self: 1}}
	s.sleep = func(*uint32, uint32, time.Duration) {
		if err := unix.Mprotect(m, unix.PROT_NONE); err != nil {
			t.Error(err)
		}
	}
	if _, err := AttachWithin(m[:small.Size()], small, s, long); !errors.Is(err, ErrFault) {
		t.Error(err)
	}
}

// TestFutex_AsksTheSystem: for a sleep on the word while it is what was seen, in whatever process, and for
// the end of all such sleeps; once each, whatever the answer is.
func TestFutex_AsksTheSystem(t *testing.T) {
	words := []uint32{0, 5, 0}
	at := uint64(uintptr(unsafe.Pointer(&words[1])))
	for _, seen := range []uint32{0, 5, math.MaxUint32} {
		for _, why := range []unix.Errno{unix.EAGAIN, unix.EINTR, unix.ENOSYS} {
			none := func(systemCall) unix.Errno { return why }
			calls := supervised(t, func() { Futex{}.Sleep(&words[1], seen, long) }, none, aSleep)
			if len(calls) != 1 || !slices.Equal(calls[0].arguments[:3], []uint64{at, 0, uint64(seen)}) {
				t.Errorf("a sleep on %d that ends with %v: %+v", seen, why, calls)
			}
			calls = supervised(t, func() { Futex{}.Wake(&words[1]) }, none, aWake)
			if len(calls) != 1 || !slices.Equal(calls[0].arguments[:3], []uint64{at, 1, math.MaxInt32}) {
				t.Errorf("a wake that ends with %v: %+v", why, calls)
			}
		}
	}
}

// TestFutex_AsksForTheBound: of seconds and nanoseconds, as the system finds them in memory of who sleeps.
func TestFutex_AsksForTheBound(t *testing.T) {
	memory, err := os.Open("/proc/self/mem")
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	const mostSeconds = 1<<31 - 1 // what any system has
	for bound, want := range map[time.Duration][2]int64{0: {}, 1: {0, 1}, time.Second - 1: {0, 999999999},
		time.Second: {1, 0}, 90*time.Minute + 7: {5400, 7}, math.MaxInt64: {mostSeconds, 0},
		mostSeconds*time.Second - 1: {mostSeconds - 1, 999999999},
		mostSeconds*time.Second + 1: {mostSeconds, 0}, 3 * mostSeconds * time.Second: {mostSeconds, 0}} {
		var got unix.Timespec
		reads := func(c systemCall) unix.Errno {
			b := unsafe.Slice((*byte)(unsafe.Pointer(&got)), unsafe.Sizeof(got))
			if _, err := memory.ReadAt(b, int64(c.arguments[3])); err != nil {
				t.Error(err)
			}
			return unix.EAGAIN
		}
		half := uint32(5)
		supervised(t, func() { Futex{}.Sleep(&half, 5, bound) }, reads, aSleep)
		if got := [2]int64{int64(got.Sec), int64(got.Nsec)}; got != want {
			t.Errorf("at most %v: %d s and %d ns, want %d", bound, got[0], got[1], want)
		}
	}
}

// TestFutex_TellsWhetherItCan: a sleep that a wake ends, a signal, the word, or its bound was one; no other
// answer of the system is.
func TestFutex_TellsWhetherItCan(t *testing.T) {
	half := uint32(5)
	for why, want := range map[unix.Errno]bool{0: true, unix.EINTR: true, unix.EAGAIN: true,
		unix.ETIMEDOUT: true, unix.EINVAL: false, unix.ENOSYS: false, unix.EFAULT: false, unix.EPERM: false} {
		slept := !want
		refused(t, func() { slept = Futex{}.Sleep(&half, 5, long) },
			refusal{call: unix.SYS_FUTEX, why: why}.with(1, futexOpWait))
		if slept != want {
			t.Errorf("%v is a sleep: %v, want %v", why, slept, want)
		}
	}
	for most, want := range map[time.Duration]bool{math.MaxInt64: true, math.MinInt64: false} {
		if slept := (Futex{}).Sleep(&half, 4, most); slept != want {
			t.Errorf("at most %v on another value is a sleep: %v, want %v", most, slept, want)
		}
	}
	if !(Futex{}).Sleep(&half, 5, short) {
		t.Error("its bound has ended it, and it was none")
	}
	begun := time.Now()
	if slept := (Futex{}).Sleep(&half, 4, long); !slept || time.Since(begun) > long/2 {
		t.Errorf("slept %v on another value for %v", slept, time.Since(begun))
	}
}
