package explore

import "math/bits"

// A key is a hash of 128 bits. It has two lanes with independent constants.
type key struct{ a, b uint64 }

const (
	k1 = 0x9e3779b97f4a7c15
	k2 = 0xd6e8feb86659fd93
	k3 = 0xa0761d6478bd642f
	k4 = 0xe7037ed1a0b428db
	k5 = 0x8ebc6af09c88c6e3
	k6 = 0x589965cc75374cc3
)

// mix64 hashes two words: a folded 128-bit product and a finaliser.
func mix64(x, y, k uint64) uint64 {
	hi, lo := bits.Mul64(x^k, y^k3)
	z := (hi ^ lo ^ x) * k4
	return z ^ z>>32 ^ bits.RotateLeft64(y, 29)*k1
}

func mix(x, y uint64) key { return key{mix64(x, y, k1), mix64(y, x, k2)} }

// then returns the key of the sequence k followed by v.
func (k key) then(v uint64) key {
	return key{mix64(k.a, v, k5), mix64(k.b, v, k6)}
}

func (k key) xor(o key) key { return key{k.a ^ o.a, k.b ^ o.b} }

func actorKey(id uint64) key { return mix(id+1, k5) }

// keys is the set of states seen, with the largest preemption budget that each was seen with.
// Open addressing over a power of two, at most half full; the zero key stands for an empty slot
// and is never stored (see add).
type keys struct {
	slots []keySlot
	n     uint64
}

type keySlot struct {
	key
	budget int32
}

// add enters k with a budget, and reports whether the state must be searched. It need not be if it was seen
// before with at least this budget.
func (s *keys) add(k key, budget int32) bool {
	if k == (key{}) {
		k.a = 1
	}
	if s.n*2 >= uint64(len(s.slots)) {
		s.grow()
	}
	slot := s.find(k)
	if slot.key == k {
		if slot.budget >= budget {
			return false
		}
		slot.budget = budget
		return true
	}
	*slot = keySlot{k, budget}
	s.n++
	return true
}

func (s *keys) find(k key) *keySlot {
	mask := uint64(len(s.slots) - 1)
	for i := k.a & mask; ; i = (i + 1) & mask {
		if slot := &s.slots[i]; slot.key == k || slot.key == (key{}) {
			return slot
		}
	}
}

// empty removes all keys.
func (s *keys) empty() {
	if len(s.slots) > keptObjects {
		s.slots = nil
	}
	clear(s.slots)
	s.n = 0
}

func (s *keys) grow() {
	old := s.slots
	s.slots = make([]keySlot, max(1<<5, 2*len(old)))
	for _, slot := range old {
		if slot.key != (key{}) {
			*s.find(slot.key) = slot
		}
	}
}
