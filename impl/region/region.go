package region

import (
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"unsafe"

	"github.com/samecycle/samecycle/internal/seam"
)

// Words is a view of a part of a region: a plain slice, so Go itself checks each index against the length
// that was fixed when the process attached. Callers mask or validate an index before they use it; At does
// both for an index of unknown origin. A view of a mapped region is valid until the region is closed.
type Words []seam.Uint64

// At is the word at index i, or false when there is none.
func (w Words) At(i uint64) (*seam.Uint64, bool) {
	if i >= uint64(len(w)) {
		return nil, false
	}
	return &w[i], true
}

// Plain is the same memory as ordinary words, for a caller that is the only user of the region: to clear,
// copy, compare or damage it.
func (w Words) Plain() []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(w))), len(w))
}

// Huge says whether a region lies on huge pages. If they are asked for in advance, as Heap does, the system
// may grant them later or never.
type Huge uint8

const (
	HugeNotAsked Huge = iota // the region is too small, existed before, or cannot have huge pages
	HugeAsked                // the system took the advice
	HugeRefused              // the system does not know the advice, or has no huge pages to give
	HugeGranted              // the region lies on them
)

// String describes it in words.
func (h Huge) String() string {
	switch h {
	case HugeAsked:
		return "asked for, granted or not is unknown"
	case HugeRefused:
		return "refused"
	case HugeGranted:
		return "granted"
	}
	return "not asked for"
}

// Region is one process's handle of a region. Its methods only read the handle. Many goroutines may call them
// at once, except Close, which must come after every other use of the region.
type Region struct {
	layout Layout
	spans  []span // of the layout
	file   string // path as given, "" for the heap
	words  Words  // the whole region, nil when closed
	mapped []byte // what Close gives back to the system, nil if Go owns the memory
	huge   Huge

	fd       int     // the file, open for its locks; noFile on the heap
	system   System  // who keeps the locks if no file of ours does
	process  Process // the own entry of the process table, 0 for none
	readOnly bool
	inUse    bool // by goroutines, while it is closed
}

// noFile is the fd of a region on the heap.
const noFile = -1

// Heap makes a region that only this process sees, aligned as its sections are. A region of HugePage bytes or
// more is mapped outside of the Go heap, aligned to HugePage, and huge pages are asked for. All bytes after
// the header are zero. Errors: ErrGeometry, ErrSize, ErrSystem (no memory).
func Heap(l Layout) (*Region, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	size, err := addressable("", l.Size())
	if err != nil {
		return nil, err
	}
	r := &Region{fd: noFile}
	r.settle(l)
	var memory []byte
	if size >= HugePage && canMap {
		if memory, err = r.mapAnonymous(size); err != nil {
			return nil, err
		}
	} else {
		align := uintptr(l.align())
		memory = aligned(make([]byte, size+int(align)), align)[:size]
	}
	r.adopt(memory)
	r.publish()
	return r, nil
}

// addressable is size as an int, or ErrSize if this machine cannot address so many bytes.
func addressable(file string, size uint64) (int, error) {
	if size > math.MaxInt-HugePage {
		return 0, &Error{Reason: ErrSize, File: file, Field: "total size",
			Found: fmt.Sprint(size), Want: fmt.Sprintf("at most %d", math.MaxInt-HugePage),
			Do: "choose a smaller layout"}
	}
	return int(size), nil
}

// aligned cuts b so that it begins at a multiple of to, a power of two; b has to bytes to spare.
func aligned(b []byte, to uintptr) []byte {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return b[-at&(to-1):]
}

// settle fixes l as the layout of the region.
func (r *Region) settle(l Layout) {
	r.layout = l.complete()
	r.spans, _ = r.layout.spans()
}

// adopt makes memory (64-byte aligned) the region's memory, without the bytes behind its last whole word.
func (r *Region) adopt(memory []byte) {
	first := (*seam.Uint64)(unsafe.Pointer(unsafe.SliceData(memory)))
	r.words = unsafe.Slice(first, len(memory)/WordBytes)
}

// publish writes the header, the magic last: with that store the region exists for others.
func (r *Region) publish() {
	h := r.layout.header()
	for i := wordMagic + 1; i < len(h); i++ {
		r.words[i].Store(h[i])
	}
	r.words[wordMagic].Store(h[wordMagic])
}

// Layout is the layout of the region, as it was checked when the process attached. The result is a copy for
// the caller.
func (r *Region) Layout() Layout { return r.layout.complete() }

// File is the path of a file region as it was given, "" for the heap.
func (r *Region) File() string { return r.file }

// Huge says whether this handle got huge pages when it made the region.
func (r *Region) Huge() Huge { return r.huge }

// Size is the length of the region in bytes, 0 when it is closed.
func (r *Region) Size() uint64 { return uint64(len(r.words)) * WordBytes }

// Words is the whole region, empty when it is closed.
func (r *Region) Words() Words { return r.words }

// Section is one section of an engine, without the padding after it, or of the region itself for the
// engine Own. It is fetched once and kept: the hot path costs one bounds check. Errors: ErrClosed, ErrRange
// for a section that the region does not have.
func (r *Region) Section(engine, section string) (Words, error) {
	if r.words == nil {
		return nil, r.closed()
	}
	s, ok := find(r.spans, engine, section)
	if !ok {
		return nil, &Error{Reason: ErrRange, File: r.file, Field: "section", Found: fmt.Sprintf("%s of %s",
			section, engine), Want: "one that the region has",
			Do: "open a region that has a part of that engine; " +
				"this one has " + r.layout.engines()}
	}
	from := s.offset / WordBytes
	to := from + s.size/WordBytes
	return r.words[from:to:to], nil
}

// Word is the word at a byte offset, checked: the offset may come from anywhere. Errors:
// ErrClosed, ErrRange when it is not a multiple of 8 or not inside the region.
func (r *Region) Word(offset uint64) (*seam.Uint64, error) {
	if r.words == nil {
		return nil, r.closed()
	}
	if w, ok := r.words.At(offset / WordBytes); ok && offset%WordBytes == 0 {
		return w, nil
	}
	return nil, &Error{Reason: ErrRange, File: r.file, Field: "offset",
		Found: fmt.Sprint(offset), Want: fmt.Sprintf("a multiple of 8 below %d", r.Size()),
		Do: "check the region: the offset was taken from damaged memory or computed wrongly"}
}

func (r *Region) closed() error {
	return &Error{Reason: ErrClosed, File: r.file, Field: "handle", Found: "closed",
		Want: "open", Do: "attach the region again"}
}

// Close ends this handle; the file and other handles stay. From now on the process counts as dead. Whatever
// it still owns in the region, such as handles of the table, may be reclaimed by other processes. Nobody may
// use a view of a mapped region after Close: an access through one faults as long as something refers to the
// Region, and a table and its handles do. A second Close returns ErrClosed.
func (r *Region) Close() error {
	if r.words == nil {
		return r.closed()
	}
	p, name := r.process, (*seam.Uint64)(nil)
	if p != 0 {
		name = r.lockName(p.Index())
	}
	err := r.Guard(r.detach)
	mapped := r.mapped
	r.words, r.mapped = nil, nil
	if mapped != nil {
		err = errors.Join(err, r.withdraw(mapped))
	}
	if p != 0 {
		return errors.Join(err, seam.Unlock(name, func() error { return r.leave(p.Index()) }))
	}
	return errors.Join(err, r.leave(p.Index()))
}

// CloseInUse is Close for a program whose goroutines may still be using Sections. Their accesses do no harm
// as long as something refers to r. From now on such goroutines read zeros, or what other goroutines of this
// process have written since, and no other process sees what they write. If the system cannot provide zeros,
// the memory stays mapped as it was. So after a read they must check whether the program has closed r. All of
// this holds if addresses have 64 bits; otherwise CloseInUse is Close.
func (r *Region) CloseInUse() error {
	r.inUse = true
	return r.Close()
}

// leave gives up what the system keeps for this handle: the file, and with it the lock of the entry.
func (r *Region) leave(index uint32) error {
	switch {
	case r.fd != noFile:
		return r.closeFile()
	case r.system != nil:
		return r.system.Unlock(index)
	}
	return nil
}

// Guard runs f, which reads or writes the region, in the calling goroutine. It returns ErrFault instead of
// crashing the process if a page of the region is missing, as after a truncation of its file, or cannot be
// provided, as for a hole of the file on a full file system. In this case f ends in the middle, so it must
// not leave shared structures half changed. If the region is closed, Guard does not run f, and returns
// ErrClosed. It also returns ErrClosed for a fault after f itself has closed the region. In a build with the
// race detector it promises less; see the package documentation.
func (r *Region) Guard(f func()) (err error) {
	if f == nil {
		panic("region: guard of a nil function: give one")
	}
	if r.words == nil {
		return r.closed()
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	start := uintptr(unsafe.Pointer(unsafe.SliceData(r.words)))
	size := uintptr(r.Size())
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		fault, ok := cause.(interface{ Addr() uintptr })
		if !ok || fault.Addr()-start >= size {
			panic(cause)
		}
		if r.words == nil {
			err = r.closed()
			return
		}
		e := &Error{Reason: ErrFault, File: r.file, Field: "page",
			Found: fmt.Sprintf("not there at offset %d", fault.Addr()-start), Want: "mapped memory",
			Do: r.gone(uint64(fault.Addr() - start))}
		if r.readOnly {
			e.Do = "an observer cannot write; if nobody tried to, " + e.Do
		}
		err = e
	}()
	f()
	return nil
}
