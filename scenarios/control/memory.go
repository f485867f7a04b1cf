package control

import (
	"fmt"
	"unsafe"

	"github.com/samecycle/samecycle/impl/control"
	"github.com/samecycle/samecycle/impl/quota"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
	model "github.com/samecycle/samecycle/model/control"
)

// Where the words are, by their index.
const (
	leasesAt = 0
	paramsAt = leasesAt + model.MaxWords
	sketchAt = paramsAt + model.MaxWords
	width    = quota.WidthMin
	clockAt  = sketchAt + 2*quota.Depth*width
	livesAt  = clockAt + 1 // what the question who lives is named by; a bit for each process that is dead
	wishAt   = livesAt + 1
	wordsAll = wishAt + 1
)

// The hash of each identity, whose 16 bits for a row choose the column.
var identities = [...]uint64{0, 0x0004_0003_0002_0001, 0x0004_0003_0002_0007}

// The instant 0 of the model in nanoseconds, and the time that it takes to drain a unit. Both are multiples
// of 8, as ends of penalties are.
const (
	epoch = 1 << 40
	unit  = 10_000_000
)

// limits are those by which the model counts.
var limits = quota.Limits{Rate: 1_000_000_000 / unit, Burst: model.Burst, Retry: model.Retry * unit}

// instant is that of the model in nanoseconds.
func instant(t uint8) uint64 { return epoch + uint64(t)*unit }

// memory is what the processes share, word by word.
type memory struct{ words region.Words }

func newMemory() memory { return memory{make([]seam.Uint64, wordsAll)} }

func (m *memory) at(i int) unsafe.Pointer { return unsafe.Pointer(&m.words[i]) }

// raw is a word, read by nobody of the program.
func (m *memory) raw(i int) uint64 { return *(*uint64)(m.at(i)) }

func (m *memory) set(i int, v uint64) { *(*uint64)(m.at(i)) = v }

// cellAt is the index of the word of a cell's level; that of its penalty is the next one. Cells are numbered
// from 1, as in the model.
func cellAt(cell uint8) int {
	row, id := int(cell-1), identities[1]
	if cell > quota.Depth {
		row, id = 0, identities[2]
	}
	column := int(id>>(16*row)) & (width - 1)
	return sketchAt + 2*(row*width+column)
}

// pairAt is a word of live parameters as the model has it, and false if a field has a value without being
// tuned.
func pairOf(word uint64) (p model.Pair, ok bool) {
	a, tunedA := control.First(0).Of(word)
	b, tunedB := control.Second(0).Of(word)
	return model.Pair{A: uint8(a), B: uint8(b)}, tunedA == (a != 0) && tunedB == (b != 0)
}

// wordOf is the word of a pair.
func wordOf(p model.Pair) (word uint64) {
	if p.A != 0 {
		word = control.First(0).In(word, uint64(p.A))
	}
	if p.B != 0 {
		word = control.Second(0).In(word, uint64(p.B))
	}
	return word
}

// process is that of an actor.
func process(actor uint8) region.Process {
	if actor == 0 {
		return 0
	}
	return region.MakeProcess(uint32(actor), 7)
}

func leaseOf(word uint64) (model.Lease, bool) {
	l := control.Lease(word)
	m := model.Lease{Owner: uint8(l.Owner().Index()), At: uint8(l.Stamp())}
	if l == 0 {
		m = model.Lease{}
	}
	return m, l == 0 || l.Owner() == process(m.Owner) && uint32(m.At) == l.Stamp()
}

// wishOf is the word of a handover as the model has it, and false if it has other bits.
func wishOf(word uint64) (model.Wish, bool) {
	w := model.Wish{On: uint8(word >> 32), End: uint8(word)}
	return w, word == wordOfWish(w)
}

// wordOfWish is the word of a wish.
func wordOfWish(w model.Wish) uint64 { return uint64(w.On)<<32 | uint64(w.End) }

// units is a time in units, and false if it is no whole number of them.
func units(ns uint64) (uint8, bool) { return uint8(ns / unit), ns%unit == 0 && ns/unit < 256 }

// levelOf is a level of the model.
func levelOf(word uint64) (uint8, bool) {
	if word == 0 {
		return 0, true
	}
	return units(word - epoch)
}

func penaltyOf(word uint64) (model.Penalty, bool) {
	if word == 0 {
		return model.Penalty{}, true
	}
	p := quota.Penalty(word)
	end, ok := units(p.End() - epoch)
	return model.Penalty{End: end, N: uint8(p.Offences())}, ok
}

// placeName names a word.
func placeName(i int) string {
	switch {
	case i < paramsAt:
		return fmt.Sprintf("lease %d", i-leasesAt+1)
	case i < sketchAt:
		return fmt.Sprintf("live parameters %d", i-paramsAt+1)
	case i == clockAt:
		return "clock"
	case i == livesAt:
		return "who lives"
	case i == wishAt:
		return "wish"
	}
	for cell := uint8(1); cell <= model.MaxCells; cell++ {
		switch i - cellAt(cell) {
		case 0:
			return fmt.Sprintf("level %d", cell)
		case 1:
			return fmt.Sprintf("penalty %d", cell)
		}
	}
	return fmt.Sprintf("word %d", i)
}

// differs compares memory with a state of the model, and says where they first differ.
func (w *world) differs(s *model.State) string {
	for i := range w.Leases {
		if is, ok := leaseOf(w.raw(leasesAt + i)); !ok || is != s.Lease[i] {
			return fmt.Sprintf("lease %d is %+v, the model has %+v", i+1, is, s.Lease[i])
		}
	}
	for i := range w.Params {
		if is, ok := pairOf(w.raw(paramsAt + i)); !ok || is != s.Param[i] {
			return fmt.Sprintf("live parameters %d are %+v, the model has %+v", i+1, is, s.Param[i])
		}
	}
	for i := range w.Cells {
		if is, ok := levelOf(w.raw(cellAt(i + 1))); !ok || is != s.Level[i] {
			return fmt.Sprintf("level %d is %d, the model has %d", i+1, is, s.Level[i])
		}
		if is, ok := penaltyOf(w.raw(cellAt(i+1) + 1)); !ok || is != s.Penalty[i] {
			return fmt.Sprintf("penalty %d is %+v, the model has %+v", i+1, is, s.Penalty[i])
		}
	}
	if is, ok := wishOf(w.raw(wishAt)); !ok || is != s.Wish {
		return fmt.Sprintf("the wish is %+v, the model has %+v", is, s.Wish)
	}
	if is := w.raw(clockAt); is != uint64(s.Clock) {
		return fmt.Sprintf("the clock is at %d, in the model at %d", is, s.Clock)
	}
	if is := w.raw(livesAt); is != uint64(s.Dead) {
		return fmt.Sprintf("%b are dead, in the model %b", is, s.Dead)
	}
	return ""
}
