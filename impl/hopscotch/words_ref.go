package hopscotch

import (
	"fmt"
	"math/bits"
)

// Generation counts the uses of one descriptor, modulo the power of two that the table's RefLayout
// has bits for: 2^17 to 2^27.
type Generation uint32

// Ref names one use of one descriptor. How it is split depends on the region: see RefLayout. Two
// references of one table are equal exactly when both of their fields are.
//
//	descriptors     1..4    5..8    9..16   17..32  33..64  ...  1025..2048  2049..4096
//	index, bits     28..27  28..26  28..25  28..24  28..23  ...  28..18      28..17
//	generation      26..0   25..0   24..0   23..0   22..0   ...  17..0       16..0
type Ref uint32

const (
	refBits        = 29
	refMask        = 1<<refBits - 1
	generationBits = 27 // at most: head and target have no room for more
	generationMask = 1<<generationBits - 1
	indexBitsMin   = refBits - generationBits
)

// String prints the undivided reference as eight hex digits. RefLayout.Text knows more.
func (r Ref) String() string { return fmt.Sprintf("%08x", uint32(r)) }

// RefLayout splits the references of one table: the index has as many bits as the number of descriptors
// needs, and the generation has the rest. So the generation of a descriptor wraps as late as the words allow.
// All views of a region have the same RefLayout, because it follows from the geometry.
//
// The zero RefLayout cannot be used: take the result of RefLayoutOf or of Table.RefLayout.
type RefLayout struct {
	generationBits uint8      // 17..27
	last           Generation // all these bits set
}

// RefLayoutOf is the split for a region of that many descriptors, 1..DescriptorsMax. A number out
// of these bounds counts as the nearest one; Layout.Check refuses it.
func RefLayoutOf(descriptors uint32) RefLayout {
	last := min(max(descriptors, 1), DescriptorsMax) - 1
	n := uint8(refBits - max(bits.Len32(last), indexBitsMin))
	return RefLayout{n, 1<<n - 1}
}

// Make packs a descriptor's index and the generation of this use.
func (l RefLayout) Make(index uint32, g Generation) Ref {
	return Ref(index)<<(l.generationBits&31)&refMask | Ref(l.wrap(g))
}

// Index is the index of the descriptor. The bits can name more descriptors than the region has: compare it
// before use.
func (l RefLayout) Index(r Ref) uint32 { return uint32(r&refMask) >> (l.generationBits & 31) }

// Generation of the descriptor that the reference means.
func (l RefLayout) Generation(r Ref) Generation { return l.wrap(Generation(r)) }

// Next is the generation after g; the last one, all bits set, is followed by 0.
func (l RefLayout) Next(g Generation) Generation { return l.wrap(g + 1) }

// Until counts the generations after g up to h, fewer than there are.
func (l RefLayout) Until(g, h Generation) uint32 { return uint32(l.wrap(h - g)) }

// wrap is g modulo the number of generations.
func (l RefLayout) wrap(g Generation) Generation { return g & l.last }

// has reports whether there is a generation g: it fits the bits of a reference.
func (l RefLayout) has(g Generation) bool { return l.wrap(g) == g }

// Text is Word0.String with its reference as index#generation.
func (l RefLayout) Text(w Word0) string {
	return w.text(func(r Ref) string { return fmt.Sprintf("%d#%d", l.Index(r), l.Generation(r)) })
}
