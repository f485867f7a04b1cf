package remote_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/impl/remote"
	"github.com/samecycle/samecycle/impl/slots"
)

// Where the doorbell of a slot file is, its slots, and what is between two of them with the default options.
const (
	bellAt   = 64
	slotsAt  = 256
	slotsGap = 64 + 2*slots.DefaultArea
)

// TestServe_EndsThoughTheBellIsTakenBack: a client that takes each ring back as soon as it is there cannot
// keep its service from ending, neither by the context nor by Close.
func TestServe_EndsThoughTheBellIsTakenBack(t *testing.T) {
	// With fewer threads the ring would wait for the client's turn to end.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(6))
	for round := range 60 {
		path := filepath.Join(t.TempDir(), "a.slots")
		o := remote.Options{Idle: time.Minute, File: slots.Options{Slots: slots.SlotsMax}}
		s, err := remote.Create(path, o)
		if err != nil {
			t.Fatal(err)
		}
		stop := takesBack(t, path)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(ctx, newCache(t)) }()
		time.Sleep(time.Duration(round) * 50 * time.Microsecond)
		if round%2 == 0 {
			cancel()
		} else {
			go func() { _ = s.Close() }()
		}
		select {
		case <-ended:
		case <-time.After(30 * time.Second):
			t.Fatalf("round %d: the service sleeps on, for as long as its client likes", round)
		}
		cancel()
		stop()
		_ = s.Close()
	}
}

// takesBack keeps the service of the file busy with slots that are damaged until it has heard a ring, and
// takes that and all others back, until stop.
func takesBack(t *testing.T, path string) (stop func()) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	size := slotsAt + slots.SlotsMax*slotsGap
	memory, err := syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	word := func(at int) *atomic.Uint64 { return (*atomic.Uint64)(unsafe.Pointer(&memory[at])) }
	const wake, all = 1, 1 << 30
	var end atomic.Bool
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for heard := false; !end.Load(); {
			if heard = word(bellAt).Swap(0) != 0 || heard; heard {
				continue
			}
			for i := range slots.SlotsMax {
				word(slotsAt + i*slotsGap).Store(0xFF)
			}
			_, _, _ = syscall.Syscall(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word(bellAt))), wake, all)
		}
	}()
	return func() {
		end.Store(true)
		<-gone
		if err := syscall.Munmap(memory); err != nil {
			t.Error(err)
		}
	}
}
