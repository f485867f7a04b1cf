package hopscotch

// Hashing: from a key to its home cell in each half.
//
// The two homes come from different bits of one mixed word. Homes that are apart are independent: two keys
// that share a home in one half share the one in the other half no more often than any two keys do. Near
// homes share a cache line. The second home is in the same pair of rows as the first, and another bit says
// in which row. So of the keys that share one home, half share the other one as well. That their windows
// are not full together is the displacement's doing (displacement.go).

// mix spreads the bits of a key over 64 bits: two rounds of a multiplication, with the high half
// folded onto the low one in between. It is a bijection of 64-bit words; of what comes out each
// half by itself is mixed, and its high bits best.
func mix(key uint32) uint64 { return halfMix(key) * lastFactor }

const lastFactor = 0xC4CEB9FE1A85EC53

// halfMix is mix but for the second multiplication.
func halfMix(key uint32) uint64 {
	x := uint64(key) ^ 0x9E3779B97F4A7C15
	x *= 0xFF51AFD7ED558CCD
	return x ^ x>>32
}

// Homes gives the index of the home cell of key in half 0 and in half 1, each below the number of
// cells of a half. It is a pure function: all processes of one region agree.
func Homes(key uint32, l Layout) (h0, h1 uint32) {
	if l.Homes == HomesApart {
		return homesApart(key, spanOf(l))
	}
	return homesNear(key, spanOf(l))
}

// spanOf is how many rows of a table can be homes: those of the ring, and of whole lines where homes are
// near. In the few that are left of a short ring members stand.
func spanOf(l Layout) uint32 {
	n := ringOf(l.CellsPerHalf)
	if l.Homes != HomesApart {
		n &^= 1
	}
	return n
}

// homes is Homes for the table.
func (t *Table) homes(k Key) (h0, h1 uint32) {
	if t.near {
		return homesNear(uint32(k), t.span)
	}
	return homesApart(uint32(k), t.span)
}

// homesApart chooses each home in the whole half.
func homesApart(key, span uint32) (h0, h1 uint32) {
	x := mix(key)
	n := uint64(span)
	return uint32(x >> 32 * n >> 32), uint32(x & 0xFFFFFFFF * n >> 32)
}

// homesNear chooses the first home in the whole half, whose span is even, and the second in the same pair
// of rows.
func homesNear(key, span uint32) (h0, h1 uint32) {
	x := mix(key)
	h0 = uint32(x >> 32 * uint64(span) >> 32)
	return h0, h0 ^ uint32(x)>>31
}
