package volume

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/impl/slots"
	"github.com/samecycle/samecycle/internal/seam"
)

// The part of the region: words of all, words of each place in the ring, what was performed, and the slot
// files.
const (
	partName     = "slots ring"
	sectionWords = "words"
	sectionDone  = "performed"
	sectionFiles = "files"
	paramPlaces  = "places"
	paramSlots   = "slots of a file"

	keys      = 4
	areaBytes = 128
)

// Words of all.
const (
	wordNext     = iota // number of the last request
	wordReuse           // how often a service was about to free another life of a slot
	wordRegister        // the registers
	wordPlaces   = wordRegister + keys
)

// Words of a place.
const (
	placeService = iota // region.Process, plus 1, that serves its file; 0: nobody
	placeClient         // the same that is its client
	placeOwner          // owner of the client that stands there, by its service
	placeLate           // requests that a service found at the bound of its sleep
	placeWords
)

// Words of what was performed, by the number of the request modulo doneRoom. No round has so many requests.
const (
	doneCount  = iota // how often it was begun
	doneNumber        // of the request
	doneOld           // what the register had, plus 1; 0: not known
	doneWords  = 4
	doneRoom   = 1 << 17
)

// part is the memory of a ring.
func part(places, slotsOfFile int) region.Part {
	return region.Part{Engine: partName, Version: 1, Params: []region.Param{
		{Name: paramPlaces, Value: uint64(places)}, {Name: paramSlots, Value: uint64(slotsOfFile)}},
		Sections: []region.Section{
			{Name: sectionWords, Bytes: uint64(wordPlaces+places*placeWords) * region.WordBytes},
			{Name: sectionDone, Bytes: doneRoom * doneWords * region.WordBytes},
			{Name: sectionFiles, Bytes: uint64(places * fileBytes(slotsOfFile))}}}
}

// Sizes of a slot file: see slots.Options.
const (
	headerBytes = 256
	stateBytes  = 64
	strideBytes = stateBytes + 2*areaBytes
	sleepsAt    = 128 // 1 while the service sleeps, or is about to
)

func fileBytes(slotsOfFile int) int { return headerBytes + slotsOfFile*strideBytes }

// memory is one process's view of the ring.
type memory struct {
	region *region.Region
	words  region.Words
	done   region.Words
	files  region.Words
	places int
	slots  int
}

var errMemory = errors.New("the region has no ring of slot files")

func newMemory(r *region.Region) (m *memory, err error) {
	p, ok := r.Layout().Part(partName)
	places, has := p.Param(paramPlaces)
	n, also := p.Param(paramSlots)
	if !ok || !has || !also || places < 1 || n < 1 || n > slots.SlotsMax {
		return nil, errMemory
	}
	m = &memory{region: r, places: int(places), slots: int(n)}
	for name, to := range map[string]*region.Words{sectionWords: &m.words, sectionDone: &m.done,
		sectionFiles: &m.files} {
		if *to, err = r.Section(partName, name); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// place is a word of a place.
func (m *memory) place(i, word int) *seam.Uint64 { return &m.words[wordPlaces+i*placeWords+word] }

// file is the slot file of a place.
func (m *memory) file(i int) []byte {
	size := fileBytes(m.slots)
	at := i * size / region.WordBytes
	return unsafe.Slice((*byte)(unsafe.Pointer(&m.files[at])), size)
}

// state is the word of a slot of a file.
func (m *memory) state(i, slot int) slots.Word {
	return slots.Word(m.files[m.stateAt(i, slot)].Load())
}

// stateAt is where that word is.
func (m *memory) stateAt(i, slot int) int {
	return (i*fileBytes(m.slots) + headerBytes + slot*strideBytes) / region.WordBytes
}

// sleeps reports whether the service of a file sleeps, or is about to.
func (m *memory) sleeps(i int) bool {
	return m.files[(i*fileBytes(m.slots)+sleepsAt)/region.WordBytes].Load() != 0
}

// entry is what was performed of a request.
func (m *memory) entry(number uint64) region.Words {
	at := number % doneRoom * doneWords
	return m.done[at : at+doneWords]
}

// options are those of the slot files.
func (m *memory) options() slots.Options {
	return slots.Options{Slots: m.slots, RequestBytes: areaBytes, ResponseBytes: areaBytes}
}

// take takes a role of a file, if nobody has it who lives. On the heap nobody dies.
func (m *memory) take(i, role int) (bool, error) {
	w := m.place(i, role)
	was := w.Load()
	lives, err := m.alive(was)
	return !lives && err == nil && w.CompareAndSwap(was, uint64(m.region.Process())+1), err
}

// alive reports whether the process in a word of a role lives.
func (m *memory) alive(word uint64) (bool, error) {
	if word == 0 || m.region.File() == "" {
		return word != 0, nil
	}
	lives, err := m.region.Alive(region.Process(word - 1))
	if err != nil {
		return false, fmt.Errorf("whether a process lives: %w", err)
	}
	return lives, nil
}

// system is the operating system of a slot file.
type system struct {
	*memory
	at     int // whose file
	futex  region.Futex
	fault  fault
	linger func(r slots.Role) // nil, or what a service does behind the question
}

// Sleep implements slots.System.
func (s *system) Sleep(w *seam.Uint64, seen uint32, most seam.Duration) bool {
	return s.futex.Sleep(seam.LowHalf(w), seen, most)
}

// Wake implements slots.System.
func (s *system) Wake(w *seam.Uint64) {
	if !s.fault.deaf {
		s.futex.Wake(seam.LowHalf(w))
	}
}

// Lives implements slots.System.
func (s *system) Lives(r slots.Role) (bool, error) {
	role := placeService
	if r == slots.ClientRole {
		role = placeClient
	}
	lives, err := s.alive(s.place(s.at, role).Load())
	if s.fault.dead && r == slots.ClientRole {
		lives = false
	}
	if !lives && err == nil && s.linger != nil && !s.fault.dead {
		s.linger(r)
	}
	return lives, err
}
