package hostileslots

import (
	"context"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/remote"
)

func options(t *testing.T) Options {
	return Options{Seed: 1, Words: 100_000, Folder: t.TempDir(), Progress: func(string, float64) {}}
}

// TestHostileSlots: whatever a client writes into its file, its service goes on, and the other client has its
// answers.
func TestHostileSlots(t *testing.T) {
	o := options(t)
	o.noCuts = raceDetector // which ends the process at a page that is gone, see region.Region.Guard
	r, err := Run(t.Context(), o)
	// Which calls meet a file that is cut off is for the machine to say: 3 to 9 of them in 20 runs.
	for err == nil && r.CutsMet == 0 && !o.noCuts && len(r.Faults) == 0 && o.Seed < 10 {
		o.Seed, o.Folder = o.Seed+1, t.TempDir()
		r, err = Run(t.Context(), o)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range r.Faults {
		t.Error(fault)
	}
	t.Logf("%+v", *r)
	n := r.Hostile
	if r.Words < 100_000 || r.Calls == 0 || (r.CutsMet == 0) != o.noCuts || r.Answered == 0 ||
		len(r.Parts) != 6 ||
		n.Damaged == 0 ||
		n.Malformed == 0 || n.Oversized == 0 || n.Operations == 0 || n.Reclaimed == 0 ||
		r.Honest.Damaged != 0 {
		t.Errorf("the run is none: %+v", *r)
	}
}

// TestHonest_OneCall: the other client makes a call even if the run is over before it begins.
func TestHonest_OneCall(t *testing.T) {
	c, err := cache.Open("", cache.Options{Bytes: 4 << 20, NoJanitor: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	x := &run{Report: &Report{}, o: options(t), cache: c, view: c, left: map[string]bool{}}
	x.o.most = callTime
	s, err := x.newServed(filepath.Join(t.TempDir(), "honest.slots"))
	if err != nil {
		t.Fatal(err)
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	x.honest(over, s.path)
	if err := s.end(); err != nil || x.Calls != 1 || len(x.Faults) > 0 {
		t.Errorf("%d calls, faults %q, %v", x.Calls, x.Faults, err)
	}
}

// broken is a cache that breaks what it is asked to.
type broken struct {
	remote.Cache
	get func(value []byte, ok bool) ([]byte, bool)
}

func (b broken) Get(key, dst []byte) ([]byte, bool, error) {
	value, ok, err := b.Cache.Get(key, dst)
	if n := len(dst); strings.HasPrefix(string(key), "honest") {
		own, there := b.get(value[n:], ok)
		return append(value[:n], own...), there, err
	}
	return value, ok, err
}

// TestCanary_HostileSlots: an answer that is wrong, missing, late, or never comes is found, and so are a
// panic and a large heap.
func TestCanary_HostileSlots(t *testing.T) {
	kept := [][]byte{}
	for says, get := range map[string]func(value []byte, ok bool) ([]byte, bool){
		"\"wrong\", true (<nil>), want": func(value []byte, ok bool) ([]byte, bool) {
			return []byte("wrong"),
				true
		},
		", false (<nil>), want":        func([]byte, bool) ([]byte, bool) { return nil, false },
		"the service panics: no cause": func([]byte, bool) ([]byte, bool) { panic("no cause") },
		"took": func(value []byte, ok bool) ([]byte, bool) {
			time.Sleep(300 * time.Millisecond)
			return value, ok
		},
		"the heap has grown": func(value []byte, ok bool) ([]byte, bool) {
			if len(kept) < 3 {
				kept = append(kept, make([]byte, heapMost/2))
			}
			return value, ok
		},
	} {
		t.Run(says, func(t *testing.T) {
			kept = nil
			runtime.GC() // the heap of the run before
			o := options(t)
			o.Words, o.most, o.noCuts = 1<<60, 200*time.Millisecond, true
			o.spoil = func(c remote.Cache) remote.Cache { return broken{c, get} }
			r, err := Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if all := strings.Join(r.Faults, "\n"); !strings.Contains(all, says) {
				t.Errorf("the faults are %q, want %q", all, says)
			}
		})
	}
}
