package cachestorm

import (
	"encoding/binary"
	"fmt"
)

// kind is what a call does.
type kind uint8

const (
	kindGet kind = 1 + iota
	kindPeek
	kindContains
	kindBatch
	kindWalk
	kindAsk
	kindSet // this kind and the following ones change something
	kindSetTTL
	kindSetIfAbsent
	kindCompareAndSwap
	kindCompute
	kindRemove // by Compute
	kindDelete
)

// String is the method.
func (k kind) String() string {
	names := [...]string{"", "get", "peek", "contains", "get of a batch", "walk", "ask", "set",
		"set with an end", "set if absent", "compare and swap", "compute", "remove by compute", "delete"}
	if int(k) < len(names) && k > 0 {
		return names[k]
	}
	return fmt.Sprintf("call of kind %d", uint8(k))
}

// changes reports whether calls of the kind change the cache.
func (k kind) changes() bool { return k >= kindSet }

// takesOut reports whether calls of the kind may take values out.
func (k kind) takesOut() bool { return k >= kindAsk }

// Sizes of entries. A basket has at most recordsMost of them, so one call takes few of them out.
const (
	basketBytes = 4 << 10
	keyBytes    = 8
	valueLeast  = 160
	valueSpread = 700
	recordsMost = basketBytes / (16 + keyBytes + valueLeast)
)

// keyOf is the key of that number.
func keyOf(k int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(k)) }

// keyNumber returns the number of the key, or -1 for a key that the storm does not have.
func keyNumber(key []byte) int {
	if len(key) != keyBytes || binary.BigEndian.Uint64(key) >= 1<<32 {
		return -1
	}
	return int(binary.BigEndian.Uint64(key))
}

// The number of a value has 64 bits: the slot of the process that sets it, and a count of the slot.
const valueShift = 48

// mixed returns a number that has no simple relation to x.
func mixed(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xBF58476D1CE4E5B9
	x ^= x >> 27
	x *= 0x94D049BB133111EB
	return x ^ x>>31
}

// appendValue appends the value of that number for the key: the number, the key, and a filling.
func appendValue(b []byte, number uint64, key int) []byte {
	size := valueLeast + int(mixed(number)%valueSpread)
	from := len(b)
	b = binary.LittleEndian.AppendUint64(b, number)
	b = binary.LittleEndian.AppendUint64(b, uint64(key))
	for i := uint64(0); len(b)-from < size; i++ {
		b = binary.LittleEndian.AppendUint64(b, mixed(number+i<<40))
	}
	return b[:from+size]
}

// numberOf returns the number of a value of the key, and whether all its bytes are correct.
func numberOf(value []byte, key int, scratch []byte) (number uint64, whole bool, used []byte) {
	if len(value) < valueLeast {
		return 0, false, scratch
	}
	number = binary.LittleEndian.Uint64(value)
	scratch = appendValue(scratch[:0], number, key)
	return number, string(scratch) == string(value), scratch
}
