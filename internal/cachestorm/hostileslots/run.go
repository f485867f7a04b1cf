package hostileslots

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/remote"
)

// Options say what a run is.
type Options struct {
	Seed     uint64
	Words    uint64 // it ends when so many were overwritten
	Folder   string // for the slot files
	Progress func(what string, share float64)

	spoil  func(remote.Cache) remote.Cache // of a test: what the services see of the cache
	most   time.Duration                   // of a test: instead of callTime
	noCuts bool                            // of a test: no file is cut
}

// Report is what a run has done and found.
type Report struct {
	Seed     uint64            `json:"seed"`
	Words    uint64            `json:"words"`
	Rounds   uint64            `json:"rounds"`
	Parts    map[string]uint64 `json:"words_by_part"`
	Cuts     uint64            `json:"files_cut"`
	CutsMet  uint64            `json:"cuts_that_ended_a_service"`
	Sent     uint64            `json:"requests_sent"`
	Answered uint64            `json:"requests_answered"`
	Hostile  remote.Counts     `json:"hostile_service"`
	Honest   remote.Counts     `json:"honest_service"`
	Calls    uint64            `json:"honest_calls"`
	Longest  int64             `json:"longest_honest_call_ns"`
	Heap     uint64            `json:"heap_growth_bytes_max"`
	Faults   []string          `json:"faults"`
	Ended    string            `json:"ended"`
}

// Bounds that the judge sets.
const (
	callTime   = 30 * time.Second // on the wall
	heapMost   = 64 << 20
	faultsMost = 20
)

// run is a run under way.
type run struct {
	*Report
	o      Options
	cache  *cache.Cache
	view   remote.Cache
	random *rand.Rand
	folder string

	before uint64 // bytes of the heap

	lock sync.Mutex // of what follows, and of Report.Faults
	left map[string]bool
}

// fault notes what is wrong.
func (x *run) fault(format string, args ...any) {
	x.lock.Lock()
	defer x.lock.Unlock()
	if len(x.Faults) < faultsMost {
		x.Faults = append(x.Faults, fmt.Sprintf(format, args...))
	}
}

func (x *run) failed() bool {
	x.lock.Lock()
	defer x.lock.Unlock()
	return len(x.Faults) > 0
}

// told keeps the honest keys that left without a delete.
func (x *run) told(e cache.Event) {
	if e.Reason == cache.Deleted || e.Reason == cache.Replaced {
		return
	}
	x.lock.Lock()
	defer x.lock.Unlock()
	x.left[string(e.Key)] = true
}

// hasLeft reports whether the cache told that the key left, and forgets it.
func (x *run) hasLeft(key string) bool {
	x.lock.Lock()
	defer x.lock.Unlock()
	was := x.left[key]
	delete(x.left, key)
	return was
}

// Run overwrites words until there are enough of them, at the first faults, or with the context. Errors:
// those of files. What the judge refuses is in the report.
func Run(ctx context.Context, o Options) (*Report, error) {
	r := &Report{Seed: o.Seed, Parts: map[string]uint64{}, Faults: []string{}}
	var b [32]byte
	binary.LittleEndian.PutUint64(b[:], o.Seed)
	x := &run{Report: r, o: o, random: rand.New(rand.NewChaCha8(b)), left: map[string]bool{}}
	if x.o.most == 0 {
		x.o.most = callTime
	}
	runtime.GC()
	x.before = heapBytes()
	var err error
	if x.folder, err = os.MkdirTemp(o.Folder, "samecycle-slots-"); err != nil {
		return nil, fmt.Errorf("no folder for slot files: %w; set TMPDIR to one that can be written", err)
	}
	defer os.RemoveAll(x.folder)
	// It has no janitor, and is large enough for what both clients keep.
	x.cache, err = cache.Open("", cache.Options{Bytes: 4 << 20, OnEvent: x.told, NoJanitor: true})
	if err != nil {
		return nil, err
	}
	defer x.cache.Close()
	x.view = x.cache
	if o.spoil != nil {
		x.view = o.spoil(x.cache)
	}
	return r, x.all(ctx)
}

// all is the run, with both clients.
func (x *run) all(ctx context.Context) error {
	honest, err := x.newServed(filepath.Join(x.folder, "honest.slots"))
	if err != nil {
		return err
	}
	over, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		x.honest(over, honest.path)
	}()
	bad := x.hostile(ctx)
	stop()
	<-ended
	if err := honest.end(); err != nil {
		x.fault("the service of the honest client ended: %v", err)
	}
	x.Honest = honest.service.Counts()
	return bad
}

// served is a service that runs, with what it ended with.
type served struct {
	path    string
	service *remote.Service
	ended   chan error
}

// newServed makes a slot file and serves it. A panic of the service is a fault.
func (x *run) newServed(path string) (*served, error) {
	s, err := remote.Create(path, remote.Options{File: geometry, Idle: 20 * time.Millisecond})
	if err != nil {
		return nil, err
	}
	v := &served{path, s, make(chan error, 1)}
	go func() {
		var err error
		defer func() {
			if cause := recover(); cause != nil {
				x.fault("the service panics: %v", cause)
			}
			v.ended <- err
		}()
		err = s.Serve(context.Background(), x.view)
		if errors.Is(err, remote.ErrClosed) {
			err = nil // it was closed before it had begun
		}
	}()
	return v, nil
}

// end closes the service and returns what Serve ended with.
func (v *served) end() error {
	closed := v.service.Close()
	if err := <-v.ended; err != nil {
		return err
	}
	return closed
}

// heapBytes is how large the heap is.
func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// heap notes by how much the heap has grown.
func (x *run) heap() {
	n := heapBytes()
	if n = n - min(n, x.before); n > x.Heap {
		if x.Heap = n; n > heapMost {
			x.fault("the heap has grown by %d bytes, want %d at most", n, heapMost)
		}
	}
}
