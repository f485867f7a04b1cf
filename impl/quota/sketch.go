package quota

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/samecycle/samecycle/internal/seam"
)

// Geometry of a sketch.
const (
	Depth    = 4 // rows
	WidthMin = 16
	WidthMax = 1 << indexBits

	indexBits = 16 // of the hash, for each row
	triesMost = 64 // swaps of one cell that a call may lose
)

// ErrLayout is wrapped by the errors of New and of Layout.Check.
var ErrLayout = errors.New("layout of a quota unusable")

// Layout is the geometry of a sketch.
type Layout struct {
	Width     uint32 // cells of a row: a power of two, WidthMin..WidthMax
	Penalties bool   // whether Judge may be called; without it, only Take
}

// Check returns an error that wraps ErrLayout, or nil.
func (l Layout) Check() error {
	if l.Width < WidthMin || l.Width > WidthMax || bits.OnesCount32(l.Width) != 1 {
		return fmt.Errorf("%w: width is %d, want a power of two of %d..%d: choose one", ErrLayout, l.Width,
			WidthMin, WidthMax)
	}
	return nil
}

// stride is the number of words of a cell of levels, together with the cell of penalties beside it.
func (l Layout) stride() int {
	if l.Penalties {
		return 2
	}
	return 1
}

// Words is the number of words of the sketch, of 8 bytes each.
func (l Layout) Words() int { return Depth * int(l.Width) * l.stride() }

// Sketch is one process's view of the rates of all identities. Any number of goroutines may use it at once.
type Sketch struct {
	words  []seam.Uint64
	layout Layout
}

// New makes a sketch of these words, which are in a region or on the heap. The words of a new sketch are
// zero. No value of a word is trusted. Errors: ErrLayout.
func New(words []seam.Uint64, l Layout) (*Sketch, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	if len(words) != l.Words() {
		return nil, fmt.Errorf("%w: %d words, want %d: give the section of this layout", ErrLayout,
			len(words), l.Words())
	}
	return &Sketch{words, l}, nil
}

// Layout returns the geometry.
func (s *Sketch) Layout() Layout { return s.layout }

// cell is the index of the identity's word of levels in a row. Its word of penalties is the next one.
func (s *Sketch) cell(id uint64, row int) int {
	column := uint32(id>>(row*indexBits)) & (s.layout.Width - 1)
	return (row*int(s.layout.Width) + int(column)) * s.layout.stride()
}

// Request requests the cells of the identity from memory, so a later call does not wait for them. It does
// not read them. Progress: wait-free.
func (s *Sketch) Request(id uint64) {
	for row := range Depth {
		seam.Request(&s.words[s.cell(id, row)])
	}
}

// Overestimate bounds the probability that an identity is mistaken for one that asks rate times a second or
// more. The identity itself asks own times a second, and all others together ask others times a second,
// evenly in time: see the error bound of the package. A result of 1 means that there is no bound.
func Overestimate(width uint32, own, others, rate float64) float64 {
	if own >= rate {
		return 1
	}
	return math.Pow(min(others/(float64(width)*(rate-own)), 1), Depth)
}

// Covered is the probability that so many other identities, chosen without knowledge of the hash, share
// every cell of one identity. If each of them is just below the limit, or is a suspect, that identity is
// judged so, too.
func Covered(width uint32, identities int) float64 {
	return math.Pow(1-math.Pow(1-1/float64(width), float64(identities)), Depth)
}
