package abi

import (
	"testing"
	"unsafe"
)

// TestHash: keys choose the slots of the trie as the documentation says.
func TestHash(t *testing.T) {
	slot := func(key uint32, level int) uintptr { return Hash(key) >> (60 - 4*level) & 0xf }
	if slot(1, 0) == slot(2, 0) {
		t.Error("1 and 2 share a slot of the root")
	}
	if slot(1, 0) != slot(0x11, 0) || slot(1, 1) == slot(0x11, 1) {
		t.Error("1 and 0x11 do not part on the second level")
	}
	if Hash(1) != Hash(0x0100_0001) {
		t.Error("1 and 0x01000001 differ")
	}
	// Keys below 2^24 all differ, or the trie would run out of bits.
	seen := map[uintptr]bool{}
	for key := range uint32(1 << 12) {
		seen[Hash(key)], seen[Hash(key<<12)] = true, true
	}
	if want := 2<<12 - 1; len(seen) != want { // 0 is in both
		t.Errorf("%d hashes of %d keys", len(seen), want)
	}
}

// TestMapType: the description serves map[any]any as sync.Map uses it.
func TestMapType(t *testing.T) {
	m := TypeOf(map[any]any{}).MapType()
	a, b, c := any(uint32(1)), any(uint32(1)), any(uint32(2))
	at := func(v *any) unsafe.Pointer { return unsafe.Pointer(v) }
	if m.Hasher(at(&a), 1) != m.Hasher(at(&b), 2) || m.Hasher(at(&a), 1) == m.Hasher(at(&c), 1) {
		t.Error("the hash is not that of the key alone")
	}
	if !m.Elem.Equal(at(&a), at(&b)) || m.Elem.Equal(at(&a), at(&c)) {
		t.Error("equality is not that of the values")
	}
	if TypeOf(map[uint32]func(){}).MapType().Elem.Equal != nil {
		t.Error("functions can be compared")
	}
	if TypeOf(1).MapType() != nil {
		t.Error("a number is a map")
	}
}
