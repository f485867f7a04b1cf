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

// ErrLayout is wrapped by the failures of New and of Layout.Check.
var ErrLayout = errors.New("layout of a quota unusable")

// Layout is the geometry of a sketch.
type Layout struct {
	Width     uint32 // cells of a row: a power of two, WidthMin..WidthMax
	Penalties bool   // whether Judge is called; without, Take alone
}

// Check returns an error that wraps ErrLayout, or nil.
func (l Layout) Check() error {
	if l.Width < WidthMin || l.Width > WidthMax || bits.OnesCount32(l.Width) != 1 {
		return fmt.Errorf("%w: width is %d, want a power of two of %d..%d: choose one", ErrLayout, l.Width,
			WidthMin, WidthMax)
	}
	return nil
}

// stride is how many words a cell of levels and that of penalties beside it have.
func (l Layout) stride() int {
	if l.Penalties {
		return 2
	}
	return 1
}

// Words is how many words of 8 bytes the sketch has.
func (l Layout) Words() int { return Depth * int(l.Width) * l.stride() }

// Sketch is one process's view of the rates of all identities. All goroutines may use it at once.
type Sketch struct {
	words  []seam.Uint64
	layout Layout
}

// New is the sketch in these words, which are those of a region or of the heap, all zero when it is new. No
// value of a word is trusted. Errors: ErrLayout.
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

// Layout is the geometry.
func (s *Sketch) Layout() Layout { return s.layout }

// cell is the index of the identity's word of levels in a row. Its word of penalties is the next one.
func (s *Sketch) cell(id uint64, row int) int {
	column := uint32(id>>(row*indexBits)) & (s.layout.Width - 1)
	return (row*int(s.layout.Width) + int(column)) * s.layout.stride()
}

// Request asks for the cells of the identity, so that they are near when a call behind it looks at them. It
// says nothing about what is there. Progress: wait-free.
func (s *Sketch) Request(id uint64) {
	for row := range Depth {
		seam.Request(&s.words[s.cell(id, row)])
	}
}

// Overestimate bounds the probability that an identity which asks own times a second is taken for one that
// asks rate times or more, when all others together ask others times a second, evenly in time: see the error
// bound of the package. 1 says that nothing is promised.
func Overestimate(width uint32, own, others, rate float64) float64 {
	if own >= rate {
		return 1
	}
	return math.Pow(min(others/(float64(width)*(rate-own)), 1), Depth)
}

// Covered is the probability that so many other identities, chosen without knowledge of the hash, share each
// cell of an identity: if each of them is just below the limit, or is a suspect, that one is judged so, too.
func Covered(width uint32, identities int) float64 {
	return math.Pow(1-math.Pow(1-1/float64(width), float64(identities)), Depth)
}
