package ours

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/internal/trace"
)

// assignment is what a worker process is told, as JSON in its last argument.
type assignment struct {
	Region string `json:"region"` // file of the cache
	Trace  string `json:"trace"`  // file that storeTrace has written
}

// ErrAssignment says that a worker was not started by a crew.
var ErrAssignment = errors.New("assignment of the worker is refused: let samecycle trace start it")

// part are the requests From to To of the trace, To not included: what a worker is to do next.
type part struct{ From, To uint64 }

// answer is what became of a part.
type answer struct {
	Requests, Hits, Bytes, HitBytes uint64
	Refused, Busy                   uint64
	Longest                         uint64 // nanoseconds of the longest call
}

// add counts more.
func (a *answer) add(b answer) {
	a.Requests, a.Hits, a.Bytes, a.HitBytes = a.Requests+b.Requests, a.Hits+b.Hits, a.Bytes+b.Bytes,
		a.HitBytes+b.HitBytes
	a.Refused, a.Busy, a.Longest = a.Refused+b.Refused, a.Busy+b.Busy, max(a.Longest, b.Longest)
}

// Worker is a worker process, from its start to its end: it opens the cache, and does the parts of the trace
// that it reads from in, until that ends. Errors: ErrAssignment, ErrValue, those of the cache and of files.
func Worker(text string, in io.Reader, out io.Writer) error {
	var a assignment
	if err := json.Unmarshal([]byte(text), &a); err != nil || a.Region == "" || a.Trace == "" {
		return fmt.Errorf("%w: %q", ErrAssignment, text)
	}
	t, err := loadTrace(a.Trace)
	if err != nil {
		return err
	}
	c, err := cache.Open(a.Region, cache.Options{})
	if err != nil {
		return err
	}
	x := New(c, slices.Max(t.Sizes))
	if err := binary.Write(out, binary.LittleEndian, answer{}); err != nil { // it is ready
		return errors.Join(fmt.Errorf("answer: %w", err), x.Close())
	}
	return errors.Join(x.serve(t, in, out), x.Close())
}

func (x *Cache) serve(t *trace.Trace, in io.Reader, out io.Writer) error {
	for {
		var p part
		switch err := binary.Read(in, binary.LittleEndian, &p); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("parts of the trace: %w", err)
		case p.From > p.To || p.To > uint64(len(t.Requests)):
			return fmt.Errorf("%w: requests %d to %d of %d", ErrAssignment, p.From, p.To, len(t.Requests))
		}
		a := x.do(t, p)
		if x.failed != nil {
			return nil // Close tells it
		}
		if err := binary.Write(out, binary.LittleEndian, a); err != nil {
			return fmt.Errorf("answer: %w", err)
		}
	}
}

// do makes the requests of a part.
func (x *Cache) do(t *trace.Trace, p part) (a answer) {
	refused, busy := x.Refused, x.Busy
	last := time.Now()
	for _, object := range t.Requests[p.From:p.To] {
		size := t.Sizes[object]
		hit := x.Access(uint64(object), size)
		now := time.Now()
		a.Longest, last = max(a.Longest, uint64(now.Sub(last))), now
		a.Requests++
		a.Bytes += uint64(size)
		if hit {
			a.Hits++
			a.HitBytes += uint64(size)
		}
	}
	a.Refused, a.Busy = x.Refused-refused, x.Busy-busy
	return a
}

// storeTrace writes sizes and requests to a file: the number of objects, their sizes, then the requests, all
// of 4 bytes.
func storeTrace(path string, t *trace.Trace) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for _, list := range [][]uint32{{uint32(len(t.Sizes))}, t.Sizes, t.Requests} {
		var b [4]byte
		for _, x := range list {
			binary.LittleEndian.PutUint32(b[:], x)
			if _, err := w.Write(b[:]); err != nil {
				return errors.Join(err, f.Close())
			}
		}
	}
	return errors.Join(w.Flush(), f.Close())
}

// loadTrace reads what storeTrace has written.
func loadTrace(path string) (*trace.Trace, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all := make([]uint32, len(text)/4)
	for i := range all {
		all[i] = binary.LittleEndian.Uint32(text[4*i:])
	}
	if len(all) < 2 || uint64(all[0])+1 > uint64(len(all)) || all[0] == 0 {
		return nil, fmt.Errorf("%w: %s is no trace of a crew", ErrAssignment, path)
	}
	objects := int(all[0])
	t := &trace.Trace{Name: path, Sizes: all[1 : 1+objects], Requests: all[1+objects:]}
	for _, r := range t.Requests {
		if int(r) >= objects {
			return nil, fmt.Errorf("%w: %s is no trace of a crew", ErrAssignment, path)
		}
	}
	return t, nil
}
