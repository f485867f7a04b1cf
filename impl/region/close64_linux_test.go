//go:build linux && (amd64 || arm64)

package region

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// faults reports whether f ends at an address that is not there.
func faults(f func()) (at bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		_, at = recover().(interface{ Addr() uintptr })
	}()
	f()
	return false
}

// protection is what this process may do at an address: "rw-s", "---p", or "" if nothing is there.
func protection(t *testing.T, at uintptr) string {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		var access string
		if _, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &access); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if from <= at && at < to {
			return access
		}
	}
	return ""
}

// TestClose_AnOldViewFaults: it neither reads nor writes what is mapped next, as often as something is; and
// nothing is kept for long, when nobody has the region any more.
func TestClose_AnOldViewFaults(t *testing.T) {
	large := toy(HugePage/16, 3, 3, near)
	for name, open := range map[string]func(path string) (*Region, error){
		"file":        func(path string) (*Region, error) { return Create(path, small) },
		"memory file": func(string) (*Region, error) { return Memory("old", small) },
		"heap":        func(string) (*Region, error) { return Heap(large) },
	} {
		t.Run(name, func(t *testing.T) {
			r, err := open(filepath.Join(t.TempDir(), "old"))
			if err != nil {
				t.Fatal(err)
			}
			old, at := r.Words(), uintptr(unsafe.Pointer(unsafe.SliceData(r.Words())))
			if faults(func() { old[5].Load() }) || protection(t, at)[:2] != "rw" {
				t.Fatal("the canary: it is there before")
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			for range 8 {
				next, err := open(filepath.Join(t.TempDir(), "next"))
				if err != nil {
					t.Fatal(err)
				}
				defer next.Close()
				if !faults(func() { old[5].Load() }) || !faults(func() { old[5].Store(1) }) {
					t.Fatal("an access after Close")
				}
			}
			if err := r.Close(); !errors.Is(err, ErrClosed) {
				t.Error(err)
			}
			runtime.KeepAlive(r)
			r = nil
			for end := time.Now().Add(10 * time.Second); protection(t, at) == "---p"; {
				if runtime.GC(); time.Now().After(end) {
					t.Fatal("the addresses are kept, though nobody has the region")
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
}

// TestCloseInUse_AnOldViewIsItsOwn: it reads zeros in place of what was there, and what it writes nobody else
// sees; and nothing is kept for long, when nobody has the region any more.
func TestCloseInUse_AnOldViewIsItsOwn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "old")
	r, err := Create(path, small)
	if err != nil {
		t.Fatal(err)
	}
	old, at := r.Words(), uintptr(unsafe.Pointer(unsafe.SliceData(r.Words())))
	last := len(old) - 1
	old[last].Store(7)
	if err := r.CloseInUse(); err != nil {
		t.Fatal(err)
	}
	if faults(func() {
		if old[0].Load() != 0 || old[last].Load() != 0 {
			t.Error("the old view reads what is in the file")
		}
		old[last].Store(8)
	}) {
		t.Fatal("an access after CloseInUse")
	}
	next, err := Open(path, small)
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	if n := next.Words()[last].Load(); n != 7 {
		t.Errorf("the file has %d, want 7", n)
	}
	if err := r.CloseInUse(); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	runtime.KeepAlive(r)
	r = nil
	for end := time.Now().Add(10 * time.Second); protection(t, at) == "rw-s"; {
		if runtime.GC(); time.Now().After(end) {
			t.Fatal("the addresses are kept, though nobody has the region")
		}
		time.Sleep(time.Millisecond)
	}
}

// TestCloseInUse_WhereThereAreNoZeros: what the view had stays mapped, and nothing else does.
func TestCloseInUse_WhereThereAreNoZeros(t *testing.T) {
	for name, refused := range map[string]refusal{
		"file":    {call: unix.SYS_MEMFD_CREATE, why: unix.ENOSYS},
		"size":    {call: unix.SYS_FTRUNCATE, why: unix.EFBIG},
		"mapping": noShared, // not each mapping: the runtime may need memory meanwhile, and ends without it
		"unlock":  {call: unix.SYS_MUNLOCK, why: unix.ENOMEM},
		"access":  {call: unix.SYS_MPROTECT, why: unix.ENOMEM},
		"move":    {call: unix.SYS_MREMAP, why: unix.ENOMEM},
	} {
		_, r := mustCreate(t)
		old, at := r.Words(), uintptr(unsafe.Pointer(unsafe.SliceData(r.Words())))
		old[len(old)-1].Store(7)
		var err error
		before := mappings(t)
		calls := supervised(t, func() { err = r.CloseInUse() },
			func(systemCall) unix.Errno { return refused.why }, refused)
		if err != nil || len(calls) == 0 || faults(func() {
			if n := old[len(old)-1].Load(); n != 7 {
				t.Errorf("%s: the view reads %d", name, n)
			}
		}) {
			t.Errorf("%s: %v, and the view has %q", name, err, protection(t, at))
		}
		if after := mappings(t); after != before {
			t.Errorf("%s: %d mappings of closed regions, before %d", name, after, before)
		}
		runtime.KeepAlive(r)
	}
}

// mappings is how many of zeros there are.
func mappings(t *testing.T) int {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(maps), "closed region")
}

// TestCloseInUse_TakesNoMemory: neither what the program may have becomes less by it, nor is anything filled,
// also if it locks all that it maps.
func TestCloseInUse_TakesNoMemory(t *testing.T) {
	const size = 64 << 20
	for name, locks := range map[string]bool{"free": false, "locked": true} {
		t.Run(name, func(t *testing.T) {
			r, err := Create(filepath.Join(t.TempDir(), "large"), toy(size/32, 3, 3, near))
			if err != nil {
				t.Fatal(err)
			}
			if locks {
				if err := unix.Mlockall(unix.MCL_FUTURE); err != nil {
					t.Skip("NOT RUN: memory cannot be locked: " + err.Error())
				}
				defer func() {
					if err := unix.Munlockall(); err != nil {
						t.Error(err)
					}
				}()
			}
			before := figures(t, "VmData", "RssAnon", "RssShmem")
			if err := r.CloseInUse(); err != nil {
				t.Fatal(err)
			}
			for what, n := range figures(t, "VmData", "RssAnon", "RssShmem") {
				if n > before[what]+size/4 {
					t.Errorf("%s is %d behind Close, before %d", what, n, before[what])
				}
			}
			if n := mappings(t); n == 0 {
				t.Error("there are no zeros: the test needs some")
			}
			runtime.KeepAlive(r)
		})
	}
}

// figures are of the memory of this process, in bytes.
func figures(t *testing.T, names ...string) map[string]uint64 {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]uint64{}
	for line := range strings.Lines(string(status)) {
		name, rest, _ := strings.Cut(line, ":")
		var kib uint64
		if _, err := fmt.Sscan(rest, &kib); err == nil && slices.Contains(names, name) {
			all[name] = kib << 10
		}
	}
	if len(all) != len(names) {
		t.Fatalf("of %v the system tells %v", names, all)
	}
	return all
}

// TestCloseInUse_OfTheHeap: the memory is given back at once, so that it reads as zeros, and the addresses
// when nobody has the region any more. Locked memory is given back with the addresses.
func TestCloseInUse_OfTheHeap(t *testing.T) {
	for name, locked := range map[string]bool{"free": false, "locked": true} {
		t.Run(name, func(t *testing.T) {
			r, err := Heap(toy(HugePage/16, 3, 3, near))
			if err != nil {
				t.Fatal(err)
			}
			old, at := r.Words(), uintptr(unsafe.Pointer(unsafe.SliceData(r.Words())))
			last, left := len(old)-1, uint64(0)
			old[last].Store(7)
			if locked {
				left = 7
				if err := unix.Mlock(unsafe.Slice((*byte)(unsafe.Pointer(&old[last])), 8)); err != nil {
					t.Skip("NOT RUN: no memory can be locked: " + err.Error())
				}
			}
			if err := r.CloseInUse(); err != nil {
				t.Fatal(err)
			}
			if faults(func() {
				if n := old[last].Load(); n != left {
					t.Errorf("the old view reads %d, want %d", n, left)
				}
				old[last].Store(8)
			}) {
				t.Fatal("an access after CloseInUse")
			}
			runtime.KeepAlive(r)
			r = nil
			for end := time.Now().Add(10 * time.Second); protection(t, at) == "rw-p"; {
				if runtime.GC(); time.Now().After(end) {
					t.Fatal("the addresses are kept, though nobody has the region")
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
}

// TestClose_TakesThePlaceInOneCall: what keeps the addresses replaces the memory. Were that given back first,
// another thread could map something there before it is done, and would lose it.
func TestClose_TakesThePlaceInOneCall(t *testing.T) {
	_, r := mustCreate(t)
	at := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(r.Words()))))
	var err error
	// The calls of the runtime pass unasked: it may hold up the whole program while it makes one.
	calls := supervised(t, func() { err = r.Close() }, nil, refusal{call: callMmap}.with(0, uint32(at)),
		refusal{call: unix.SYS_MUNMAP}.with(0, uint32(at)))
	calls = slices.DeleteFunc(calls, func(c systemCall) bool { return c.arguments[0] != at })
	if err != nil || len(calls) != 1 || calls[0].number != callMmap {
		t.Errorf("%v after %+v, want one call that maps", err, calls)
	}
	runtime.KeepAlive(r)
}
