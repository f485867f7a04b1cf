package hostile

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
)

// Options are the settings of a run.
type Options struct {
	Seed     uint64
	Words    uint64 // number of overwritten words after which it ends
	Round    uint64 // if not 0, only this round
	Folder   string // for files
	Progress func(what string, share float64)

	spoil func(x *round) // for a test: called in the middle of each round
}

// Report is what a run has done and found.
type Report struct {
	Seed      uint64            `json:"seed"`
	Words     uint64            `json:"words"`
	Rounds    uint64            `json:"rounds"`
	Parts     map[string]uint64 `json:"words_by_part"`
	Cuts      uint64            `json:"files_cut"`
	Refused   uint64            `json:"opens_refused"`
	Calls     uint64            `json:"calls"`
	Errors    uint64            `json:"calls_with_an_error"`
	Misses    uint64            `json:"gets_without_a_value"`
	True      uint64            `json:"gets_with_a_true_value"`
	Other     uint64            `json:"gets_with_an_overwritten_value"`
	Told      uint64            `json:"records_told"`
	Longest   int64             `json:"longest_call_ns"`
	Allocated uint64            `json:"allocated_a_round_max"`
	Faults    []string          `json:"faults"`
	Ended     string            `json:"ended"`
}

// The bounds of the judge.
const (
	callTime      = 30 * time.Second // on the wall; each loop is bounded, by some 2^20 rounds
	roundTime     = 5 * time.Minute  // after it the program ends, and shows where it was
	allocatedMost = 8 << 20
	faultsMost    = 20
)

// Run overwrites words until there are enough of them, until the first faults, or until the context ends.
// Errors: those of files. Faults of the cache are in the report.
func Run(ctx context.Context, o Options) (*Report, error) {
	r := &Report{Seed: o.Seed, Parts: map[string]uint64{}, Faults: []string{}}
	folder, err := os.MkdirTemp(o.Folder, "samecycle-hostile-")
	if err != nil {
		return nil, fmt.Errorf("no folder for the cache: %w; set TMPDIR to one that can be written", err)
	}
	defer os.RemoveAll(folder)
	var images []*image
	for _, bits := range []int{32, 5} {
		for _, closed := range []bool{true, false} {
			x, err := newImage(folder, bits, closed)
			if err != nil {
				return nil, err
			}
			images = append(images, &x)
		}
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	path := filepath.Join(folder, "cache")
	for n := max(o.Round, 1); ; n++ {
		switch {
		case ctx.Err() != nil:
			r.Ended = context.Cause(ctx).Error()
			return r, nil
		case r.Words >= o.Words || o.Round > 0 && n > o.Round:
			r.Ended = fmt.Sprintf("%d words", r.Words)
			return r, nil
		case len(r.Faults) >= faultsMost:
			r.Ended = "at faults"
			return r, nil
		}
		x := &round{Report: r, o: &o, number: n, path: path, image: images[n%uint64(len(images))],
			random: drawn(o.Seed, n)}
		if err := x.run(); err != nil {
			return r, err
		}
		r.Rounds++
		if n%64 == 0 {
			o.Progress(fmt.Sprintf("round %d, %d words, %d errors", n, r.Words, r.Errors),
				float64(r.Words)/float64(max(o.Words, 1)))
		}
	}
}

// drawn returns the random choices of a round. The generator is not a PCG, because the first numbers of PCGs
// with small seeds are similar.
func drawn(seed, round uint64) *rand.Rand {
	var b [32]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	binary.LittleEndian.PutUint64(b[8:], round)
	return rand.New(rand.NewChaCha8(b))
}

// round is one round.
type round struct {
	*Report
	o       *Options
	number  uint64
	path    string
	image   *image
	random  *rand.Rand
	file    []byte // mapped
	records bool   // a record was overwritten
	changed bool   // a call has changed the cache since
	call    string // call that runs
	begun   time.Time
}

func (x *round) fault(format string, args ...any) {
	x.Faults = append(x.Faults, fmt.Sprintf("%s; in %s, seed %d, round %d", fmt.Sprintf(format, args...),
		x.call, x.Seed, x.number))
}

// run makes the round. A panic in it is a fault; an error is one of files.
func (x *round) run() (err error) {
	if err := x.prepare(); err != nil {
		return err
	}
	defer func() {
		if p := recover(); p != nil {
			x.fault("it panics: %v\n%s", p, debug.Stack())
		}
		err = errors.Join(err, x.unmap())
	}()
	number, seed := x.number, x.Seed
	watch := time.AfterFunc(roundTime, func() {
		panic(fmt.Sprintf("round %d of seed %d goes on for ever; what follows says where", number, seed))
	})
	defer watch.Stop()
	allocated := allocations()
	late := x.random.IntN(2) == 0
	if !late && !x.damage() {
		return nil // the file was cut, and an Attach has refused it
	}
	x.begin("attach")
	c, bad := cache.Attach(x.path, cache.Options{NoJanitor: true, OnEvent: x.told})
	x.end()
	if bad != nil {
		x.Refused++
		return nil
	}
	if late {
		for range 3 {
			x.look(c, x.random.IntN(keys))
		}
		x.damage()
	}
	for range 12 {
		x.look(c, x.random.IntN(keys))
	}
	if x.o.spoil != nil {
		x.o.spoil(x)
	}
	for range 20 {
		x.step(c)
	}
	x.begin("close")
	_ = c.Close() // an error is allowed here
	x.end()
	if n := allocations() - allocated; n > x.Allocated {
		if x.Allocated = n; n > allocatedMost {
			x.fault("%d bytes were allocated", n)
		}
	}
	return nil
}

// allocations returns the number of bytes that were allocated so far.
func allocations() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func (x *round) begin(call string) {
	x.call, x.begun = call, time.Now()
}

func (x *round) end() {
	x.Calls++
	spent := time.Since(x.begun)
	x.Longest = max(x.Longest, int64(spent))
	if spent > callTime {
		x.fault("it took %v", spent)
	}
}

// told judges what is told.
func (x *round) told(e cache.Event) {
	if x.Told++; len(e.Key)+len(e.Value) > x.image.basket {
		x.fault("a record of %d bytes is told", len(e.Key)+len(e.Value))
	}
}

// answer judges the answer of a get.
func (x *round) answer(key int, value []byte, ok bool, err error) {
	switch {
	case err != nil:
		x.Errors++
	case !ok:
		x.Misses++
	case len(value) > x.image.basket:
		x.fault("a value of %d bytes from baskets of %d", len(value), x.image.basket)
	case whole(value, key):
		x.True++
	case x.records || x.changed:
		x.Other++
	default:
		x.fault("key %d has a value that nobody has set, and no record was overwritten: %.40x", key, value)
	}
}
