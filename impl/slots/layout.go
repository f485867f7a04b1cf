package slots

import (
	"fmt"
	"unsafe"

	"github.com/samecycle/samecycle/internal/seam"
)

// The slot file: one header, then the slots, one behind the other. All words have 64 bits in the byte order
// of the host. Nothing in it is an address.
//
//	offset  header
//	0       magic
//	8       version of this layout
//	16      slots, 1 to 64
//	24      bytes of a slot
//	32      bytes of a request area
//	40      bytes of a response area
//	48      bytes of the file
//	64      doorbell: the client adds 1 for each request; its low half is the futex word of the service
//	128     1 while the service sleeps, or is about to; the service alone writes it
//	192     the byte whose lock the service holds; nothing is stored there
//	200     the byte whose lock the client holds
//	256     the first slot
//
//	offset  slot
//	0       state word (Word); its low half is the futex word of the client
//	64      request area: its length in bytes, then the operations
//	64+R    response area, with R the bytes of a request area: its length in bytes, then the results
const (
	Magic   = 0x3153544f4c534353 // "SCSLOTS1" where the byte order is little endian
	Version = 1

	offsetVersion  = 8
	offsetSlots    = 16
	offsetStride   = 24
	offsetRequest  = 32
	offsetResponse = 40
	offsetSize     = 48
	offsetBell     = 64
	offsetSleeps   = 128
	offsetService  = 192
	offsetClient   = 200
	headerBytes    = 256

	stateBytes = 64 // of a slot ahead of its request area
	lineBytes  = 64 // of a cache line; each part begins at a multiple
	wordBytes  = 8
)

// State is the step of a request's life in which a slot is.
type State uint8

// The states. Each arrow is one compare-and-swap of the state word.
//
//	Free -claim-> Claimed -publish-> Published -take-> Taken -done-> Done -free-> Free
//	Published -withdraw-> Free                      the client gives up: not done
//	Taken -abandon-> Abandoned -drop-> Free         the client gives up: the request may take effect
//	Taken -fail-> Failed -free-> Free               the service has died: the request may have taken effect
const (
	Free      State = iota // has no owner: the client may claim it
	Claimed                // belongs to the client, which writes a request
	Published              // the service may take it, or the client withdraw it
	Taken                  // belongs to the service, which performs the request
	Done                   // belongs to the client, which reads the answer
	Abandoned              // belongs to the service, which frees it after it has performed the request
	Failed                 // belongs to the client, because the service died
)

// String is the state's name in lower case.
func (s State) String() string {
	names := [...]string{"free", "claimed", "published", "taken", "done", "abandoned", "failed"}
	if int(s) < len(names) {
		return names[s]
	}
	return fmt.Sprintf("state%d", uint8(s))
}

// Word is the state word of a slot. Each life of the slot has a serial of its own, so a late compare-and-swap
// never changes a later life. No state occurs twice in one life. So the low half differs after each change,
// until 2^23 lives have passed; a sleep during which exactly so many lives pass ends by its time limit.
//
//	bits    field
//	63..8   serial, raised by each claim and by each free: odd in use, even while the slot is free
//	7..0    State
type Word uint64

const stateBits = 8

// State is the state in the word, which may be an undefined one.
func (w Word) State() State { return State(w) }

// Serial is the serial of the life.
func (w Word) Serial() uint64 { return uint64(w) >> stateBits }

// Sound reports whether the word can be one of the protocol.
func (w Word) Sound() bool {
	return w.State() <= Failed && (w.State() == Free) == (w.Serial()&1 == 0)
}

// in is the word of the same life in another state.
func (w Word) in(s State) Word { return w&^(1<<stateBits-1) | Word(s) }

// claimed is the first word of the life that follows a free one.
func (w Word) claimed() Word { return Word((w.Serial()+1)<<stateBits | uint64(Claimed)) }

// freed is the word of a free slot behind this life, also behind a word that is not sound.
func (w Word) freed() Word { return Word(((w.Serial() | 1) + 1) << stateBits) }

// geometry is where the parts of a slot file are. All numbers are those of the options, or were held against
// the length of the file: none is read from the file later.
type geometry struct {
	slots, request, response uint64
}

func (g geometry) stride() uint64 { return stateBytes + g.request + g.response }
func (g geometry) size() uint64   { return headerBytes + g.slots*g.stride() }

// header is what the words ahead of the doorbell hold.
func (g geometry) header() [offsetBell / wordBytes]uint64 {
	return [...]uint64{0: Magic, offsetVersion / wordBytes: Version, offsetSlots / wordBytes: g.slots,
		offsetStride / wordBytes: g.stride(), offsetRequest / wordBytes: g.request,
		offsetResponse / wordBytes: g.response, offsetSize / wordBytes: g.size(), offsetBell/wordBytes - 1: 0}
}

// headerWords is the header in the memory of the file.
type headerWords struct {
	fixed  [offsetBell / wordBytes]uint64 // written before anybody else has the file, and never again
	bell   seam.Uint64
	_      [offsetSleeps - offsetBell - wordBytes]byte
	sleeps seam.Uint64
	_      [headerBytes - offsetSleeps - wordBytes]byte
}

// slotHead is the begin of a slot in the memory of the file.
type slotHead struct {
	state seam.Uint64
	_     [stateBytes - wordBytes]byte
}

// The structures are as large as the layout says; otherwise one of these has a negative length.
var (
	_ [headerBytes - unsafe.Sizeof(headerWords{})]byte
	_ [unsafe.Sizeof(headerWords{}) - headerBytes]byte
	_ [stateBytes - unsafe.Sizeof(slotHead{})]byte
	_ [unsafe.Sizeof(slotHead{}) - stateBytes]byte
)

// slot is one slot in the memory of the file.
type slot struct {
	*slotHead
	request, response []seam.Uint64
}

// cut finds the header and the slots in the memory of a file, which has at least as many bytes as the
// geometry needs. All slices are cut here once, so that no later index goes behind the memory.
func (g geometry) cut(memory []byte) (*headerWords, []slot) {
	slots := make([]slot, g.slots)
	for i := range slots {
		s := memory[headerBytes+uint64(i)*g.stride():][:g.stride()]
		slots[i] = slot{(*slotHead)(unsafe.Pointer(&s[0])), overlay(s[stateBytes:][:g.request]),
			overlay(s[stateBytes+g.request:])}
	}
	return (*headerWords)(unsafe.Pointer(&memory[0])), slots
}

// overlay is the memory as words; it begins at a word.
func overlay(memory []byte) []seam.Uint64 {
	return unsafe.Slice((*seam.Uint64)(unsafe.Pointer(&memory[0])), len(memory)/wordBytes)
}
