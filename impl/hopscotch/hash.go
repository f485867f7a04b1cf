package hopscotch

// Hashing: from a key to its home cell in each half.
//
// The two homes come from different bits of one mixed word, so two keys that share a home in one
// half share the one in the other half no more often than any two keys do.

// mix spreads the bits of a key over 64 bits. It is a bijection of 64-bit words: the finaliser
// of MurmurHash3, over the key in the low half and a constant above it.
func mix(key uint32) uint64 {
	x := uint64(key) | 0x9E3779B9<<32
	x ^= x >> 33
	x *= 0xFF51AFD7ED558CCD
	x ^= x >> 33
	x *= 0xC4CEB9FE1A85EC53
	x ^= x >> 33
	return x
}

// Homes gives the index of the home cell of key in half 0 and in half 1, each below cells, the
// number of cells of a half. It is a pure function: all processes of one region agree.
func Homes(key, cells uint32) (h0, h1 uint32) {
	x := mix(key)
	n := uint64(cells)
	return uint32(x & 0xFFFFFFFF * n >> 32), uint32(x >> 32 * n >> 32)
}
