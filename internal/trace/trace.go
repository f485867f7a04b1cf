// Package trace reads traces of requests to a cache in several formats, and generates some.
package trace

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/internal/trace/policy"
)

// Trace is a sequence of requests. Its objects are numbered from 0, in the order of their first requests.
type Trace struct {
	Name     string   // of the file, or how it was made
	Format   string   // see Formats; empty if it was made
	Requests []uint32 // the object of each
	Sizes    []uint32 // of each object in bytes, at least 1
	Sized    bool     // the trace has sizes; otherwise all objects have the same size
	Bytes    uint64   // of all objects together
	Resized  uint64   // requests with another size than the first request for the object, whose size counts
	Empty    uint64   // requests of 0 bytes, which are left out
	Cut      bool     // the file has more requests than were wanted
}

// Objects is the number of distinct objects.
func (t *Trace) Objects() int { return len(t.Sizes) }

// Future returns the knowledge of later requests that Belady's optimum needs.
func (t *Trace) Future() policy.Future { return policy.Foresee(t.Requests, t.Objects()) }

// Options say how to read or make a trace.
type Options struct {
	Format   string // one of Formats; if empty, the format is recognised
	Object   uint32 // bytes of each object, if the trace has no sizes; at least 1
	Requests int    // most requests to read, or number to generate; 0: all
	// Progress is called after every few thousand requests with the number of bytes that have been read. If
	// it returns an error, the reading ends.
	Progress func(bytes int64) error
}

// MostRequests bounds a trace, which is kept in memory.
const MostRequests = 1 << 30

// Errors of a file. Each error that wraps one of them names the file and says what to do.
var (
	ErrEmpty   = errors.New("no request in it")
	ErrFormat  = errors.New("unknown format")
	ErrLine    = errors.New("unreadable")
	ErrTooLong = fmt.Errorf("more than %d requests", MostRequests)
)

// errEnough ends the reading when all wanted requests were read.
var errEnough = errors.New("enough requests")

// builder collects requests.
type builder struct {
	t       *Trace
	o       Options
	numbers map[uint64]uint32
	texts   map[string]uint32
	tick    func() error // called every few thousand requests
}

func newBuilder(name string, o Options) *builder {
	return &builder{t: &Trace{Name: name}, o: o, numbers: map[uint64]uint32{}, texts: map[string]uint32{},
		tick: func() error { return nil }}
}

// number adds a request for the object with that number as its key. A size of 0 means that the trace has no
// sizes.
func (b *builder) number(key uint64, size uint32) error {
	if b.enough() {
		return errEnough
	}
	object, known := b.numbers[key]
	if !known {
		object = uint32(len(b.t.Sizes))
		b.numbers[key] = object
	}
	return b.request(object, known, size)
}

// text adds a request for the object with that key.
func (b *builder) text(key []byte, size uint32) error {
	if b.enough() {
		return errEnough
	}
	object, known := b.texts[string(key)]
	if !known {
		object = uint32(len(b.t.Sizes))
		b.texts[string(key)] = object
	}
	return b.request(object, known, size)
}

// enough reports whether all wanted requests were read, so the next one is not wanted.
func (b *builder) enough() bool {
	b.t.Cut = b.o.Requests > 0 && len(b.t.Requests) == b.o.Requests
	return b.t.Cut
}

func (b *builder) request(object uint32, known bool, size uint32) error {
	if size == 0 {
		size = b.o.Object
	}
	switch {
	case !known:
		b.t.Sizes = append(b.t.Sizes, size)
		b.t.Bytes += uint64(size)
	case b.t.Sizes[object] != size:
		b.t.Resized++
	}
	b.t.Requests = append(b.t.Requests, object)
	switch n := len(b.t.Requests); {
	case n > MostRequests:
		return ErrTooLong
	case n%8192 == 0:
		return b.tick()
	}
	return nil
}

// sized adds a request of a trace with sizes, unless its size is 0.
func (b *builder) sized(size uint32, add func(size uint32) error) error {
	b.t.Sized = true
	if size == 0 {
		b.t.Empty++
		return nil
	}
	return add(size)
}
