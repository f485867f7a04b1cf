package slots

import (
	"fmt"
	"unsafe"

	impl "github.com/samecycle/samecycle/impl/slots"
	"github.com/samecycle/samecycle/internal/seam"
	model "github.com/samecycle/samecycle/model/slots"
)

// Where the parts of a slot file are: see the layout in impl/slots.
const (
	bellOffset    = 64
	sleepsOffset  = 128
	serviceOffset = 192
	clientOffset  = 200
	headerBytes   = 256
	stateBytes    = 64
	areaBytes     = impl.AreaMin
	slotBytes     = stateBytes + 2*areaBytes
	lineBytes     = 64

	requestBytes = 8 // of a request and of a response in the programs
)

// part is one of the parts of a slot.
type part uint8

const (
	noPart part = iota
	statePart
	requestSize
	requestPart
	responseSize
	responsePart
)

var partNames = [...]string{"", "state", "length of the request", "request", "length of the response",
	"response"}

// memory is the slot file, word by word.
type memory struct{ words []uint64 }

// newMemory has room for so many slots, and begins at a cache line.
func newMemory(slots int) memory {
	n := (headerBytes + slots*slotBytes) / 8
	words := make([]uint64, n+lineBytes/8)
	for uintptr(unsafe.Pointer(&words[0]))%lineBytes != 0 {
		words = words[1:]
	}
	return memory{words[:n:n]}
}

func (m *memory) at(offset int) unsafe.Pointer { return unsafe.Pointer(&m.words[offset/8]) }

func (m *memory) word(offset int) *seam.Uint64 { return (*seam.Uint64)(m.at(offset)) }

func (m *memory) bytes() []byte { return unsafe.Slice((*byte)(m.at(0)), 8*len(m.words)) }

// slotAt is where a part of a slot, from 0, is.
func slotAt(slot int, p part) int {
	at := headerBytes + slot*slotBytes
	switch p {
	case requestSize:
		return at + stateBytes
	case requestPart:
		return at + stateBytes + 8
	case responseSize:
		return at + stateBytes + areaBytes
	case responsePart:
		return at + stateBytes + areaBytes + 8
	}
	return at
}

// part is the slot, from 0, and its part at an offset; noPart if it is none.
func (m *memory) part(offset int) (slot int, p part) {
	if offset < headerBytes {
		return 0, noPart
	}
	slot = (offset - headerBytes) / slotBytes
	for p = statePart; p <= responsePart; p++ {
		if slotAt(slot, p) == offset {
			return slot, p
		}
	}
	return slot, noPart
}

// placeName names the word at an offset.
func (m *memory) placeName(offset int) string {
	switch offset {
	case bellOffset:
		return "doorbell"
	case sleepsOffset:
		return "whether the service sleeps"
	case serviceOffset:
		return "whether a service lives"
	case clientOffset:
		return "whether a client lives"
	}
	if slot, p := m.part(offset); p != noPart {
		return fmt.Sprintf("%s of slot %d", partNames[p], slot+1)
	}
	return fmt.Sprintf("word %d", offset/8)
}

func (m *memory) load(offset int) uint64 { return m.words[offset/8] }

func (m *memory) state(slot int) impl.Word { return impl.Word(m.load(slotAt(slot, statePart))) }

// numberAt is the first byte of a word.
func (m *memory) numberAt(offset int) uint8 { return m.bytes()[offset] }

// differs compares memory with a state of the model, and says where they first differ. But is an actor that
// falls asleep in this step, which is noted behind it; 0 is nobody.
func (w *world) differs(s *model.State, but int) string {
	for i := range int(w.Slots) {
		x := w.state(i)
		if is := (model.Word{Life: model.Life(x.State()), Serial: uint8(x.Serial())}); is != s.Word[i] {
			return fmt.Sprintf("slot %d is %v with serial %d, the model has %v with serial %d", i+1, is.Life,
				is.Serial, s.Word[i].Life, s.Word[i].Serial)
		}
		if is := w.numberAt(slotAt(i, requestPart)); is != s.Request[i] {
			return fmt.Sprintf("slot %d has request %d, the model %d", i+1, is, s.Request[i])
		}
		if is := w.numberAt(slotAt(i, responsePart)); is != s.Response[i] {
			return fmt.Sprintf("slot %d has response %d, the model %d", i+1, is, s.Response[i])
		}
	}
	if is := w.load(bellOffset); is != uint64(s.Bell) {
		return fmt.Sprintf("the doorbell was rung %d times, in the model %d", is, s.Bell)
	}
	if is := w.load(sleepsOffset) != 0; is != s.Sleeps {
		return fmt.Sprintf("the service says that it sleeps: %v, in the model: %v", is, s.Sleeps)
	}
	if is := (model.Locks{Client: w.lock[impl.ClientRole], Service: w.lock[impl.ServiceRole]}); is != s.Lock {
		return fmt.Sprintf("the locks are %+v, in the model %+v", is, s.Lock)
	}
	if is := w.own[asleepWord]; (is^uint64(s.Asleep))&^(1<<but) != 0 {
		return fmt.Sprintf("actors %b sleep, in the model %b", is, s.Asleep)
	}
	return ""
}
