package slots

import (
	"encoding/binary"
	"fmt"
	"runtime/debug"
	"unsafe"

	"github.com/samecycle/samecycle/internal/seam"
)

// mailbox is one process's view of a slot file: what both sides have.
type mailbox struct {
	geometry
	*headerWords
	slots  []slot
	memory []byte
	system System

	// Words whose addresses name the locks; nobody stores there.
	serviceLock, clientLock *seam.Uint64

	file *descriptor // nil for memory that the caller has mapped
	path string      // "" for the same
}

// over is the view of memory, which begins at a cache line and has the size of the geometry.
func over(memory []byte, g geometry, s System) mailbox {
	m := mailbox{geometry: g, memory: memory, system: s}
	m.headerWords, m.slots = g.cut(memory)
	at := func(offset uintptr) *seam.Uint64 { return (*seam.Uint64)(unsafe.Pointer(&memory[offset])) }
	m.serviceLock, m.clientLock = at(offsetService), at(offsetClient)
	return m
}

// peerLook reports whether some process has the role. For the explorer the place of the lock names it.
func (m *mailbox) peerLook(r Role) (bool, error) {
	name := m.serviceLock
	if r == ClientRole {
		name = m.clientLock
	}
	return seam.Locked(name, func() (bool, error) { return m.system.Lives(r) })
}

// guard runs f, which reads and writes the mapped file. If a page of it is gone, since somebody has truncated
// the file, guard returns ErrCorrupt instead of ending the process.
func (m *mailbox) guard(f func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	start, size := uintptr(unsafe.Pointer(unsafe.SliceData(m.memory))), uintptr(len(m.memory))
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		fault, ok := cause.(interface{ Addr() uintptr })
		if !ok || fault.Addr()-start >= size {
			panic(cause)
		}
		err = &Error{Reason: ErrCorrupt, File: m.path, Field: "page",
			Found: fmt.Sprintf("not there at offset %d", fault.Addr()-start), Want: "mapped memory",
			Do: "the file was truncated while in use: unlink it, and let the service create it anew"}
	}()
	f()
	return nil
}

// checkHeader holds the header of a file against a geometry. Want is the geometry; do is what a person does
// about another one.
func (m *mailbox) checkHeader(do string) error {
	want := m.geometry.header()
	for i, name := range [...]string{"magic", "version", "slots", "bytes of a slot",
		"bytes of a request area", "bytes of a response area", "bytes of the file"} {
		if found := m.fixed[i]; found != want[i] {
			return &Error{Reason: ErrFile, File: m.path, Field: name, Found: fmt.Sprintf("%#x", found),
				Want: fmt.Sprintf("%#x", want[i]), Do: do}
		}
	}
	return nil
}

// doDamaged is what a person does about a header that no options make right.
const doDamaged = "the file is damaged, or of another version: unlink it, and let the service create it anew"

// headerIn is what the header of a file of that length says, held against the bounds. An error is one of the
// file, and names what the header has: whoever dials has given no options.
func headerIn(path string, head []byte, length uint64) (geometry, error) {
	word := func(offset int) uint64 { return binary.NativeEndian.Uint64(head[offset:]) }
	g := geometry{word(offsetSlots), word(offsetRequest), word(offsetResponse)}
	bad := func(field, found, want, do string) (geometry, error) {
		return g, &Error{Reason: ErrFile, File: path, Field: field, Found: found, Want: want, Do: do}
	}
	if word(0) != Magic {
		return bad("header", "not that of a slot file", "",
			"name the file that the service created for this client")
	}
	const do = doDamaged
	if n := word(offsetVersion); n != Version {
		return bad("version", fmt.Sprintf("%#x", n), fmt.Sprintf("%#x", Version), do)
	}
	for _, x := range []struct {
		name            string
		is, least, most uint64
		multiple        uint64
	}{{"number of slots in the header", g.slots, 1, SlotsMax, 1},
		{"size of a request area in the header", g.request, AreaMin, AreaMax, lineBytes},
		{"size of a response area in the header", g.response, AreaMin, AreaMax, lineBytes}} {
		if x.is < x.least || x.is > x.most {
			return bad(x.name, fmt.Sprint(x.is), fmt.Sprintf("%d..%d", x.least, x.most), do)
		}
		if x.is%x.multiple != 0 {
			return bad(x.name, fmt.Sprint(x.is), fmt.Sprintf("a multiple of %d", x.multiple), do)
		}
	}
	switch size := g.size(); {
	case size != length:
		return bad("size", fmt.Sprint(length), fmt.Sprintf("%d, as the header says", size), do)
	case size > FileMax:
		return bad("size", fmt.Sprint(size), fmt.Sprintf("at most %d", FileMax), do)
	}
	return g, nil
}

// aligned reports whether memory of the caller can hold a slot file.
func aligned(memory []byte, size uint64) error {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	if uint64(len(memory)) != size || at%lineBytes != 0 {
		return &Error{Reason: ErrFile, Field: "memory",
			Found: fmt.Sprintf("%d bytes at %#x", len(memory), at),
			Want:  fmt.Sprintf("%d bytes at a multiple of %d", size, lineBytes), Do: "map whole pages"}
	}
	return nil
}
