// Package abi stands in for internal/abi in a copy of the standard library's sync.Map.
//
// The original reads the hash and equality functions of the compiler's map types. Its hash depends
// on a random number of the process and on addresses, so no schedule could be replayed. Here the
// hash is a function of the key alone, and its seed is ignored; see Hash.
package abi

import (
	"reflect"
	"unsafe"
)

// A Type is as much of a type's description as sync.Map asks for.
type Type struct {
	// Equal compares two values of the type, by address. It is nil if the type's values cannot
	// be compared.
	Equal func(unsafe.Pointer, unsafe.Pointer) bool

	m *MapType
}

// A MapType describes a map type.
type MapType struct {
	// Hasher hashes a key of the type, by address. The seed has no influence.
	Hasher func(unsafe.Pointer, uintptr) uintptr

	Elem *Type
}

// TypeOf describes the dynamic type of a.
func TypeOf(a any) *Type {
	t := reflect.TypeOf(a)
	d := describe(t)
	if t.Kind() == reflect.Map {
		d.m = &MapType{Hasher: hasher(t.Key()), Elem: describe(t.Elem())}
	}
	return d
}

// MapType returns the description of a map type, nil for other types.
func (t *Type) MapType() *MapType { return t.m }

// NoEscape returns p. The original hides it from escape analysis, which changes no result.
func NoEscape(p unsafe.Pointer) unsafe.Pointer { return p }

func describe(t reflect.Type) *Type {
	if !t.Comparable() {
		return &Type{}
	}
	if t == reflect.TypeFor[any]() {
		return &Type{Equal: func(p, q unsafe.Pointer) bool { return *(*any)(p) == *(*any)(q) }}
	}
	return &Type{Equal: func(p, q unsafe.Pointer) bool { return at(t, p) == at(t, q) }}
}

func at(t reflect.Type, p unsafe.Pointer) any { return reflect.NewAt(t, p).Elem().Interface() }

func hasher(t reflect.Type) func(unsafe.Pointer, uintptr) uintptr {
	if t == reflect.TypeFor[any]() {
		return func(p unsafe.Pointer, _ uintptr) uintptr { return hashOf(*(*any)(p)) }
	}
	return func(p unsafe.Pointer, _ uintptr) uintptr { return hashOf(at(t, p)) }
}

func hashOf(key any) uintptr {
	k, ok := key.(uint32)
	if !ok {
		panic("abi: the explored programs have keys of type uint32 alone: give Hash another type")
	}
	return Hash(k)
}

// Hash is the hash of a key: its lowest six digits of four bits in reverse order, at the top of the
// word. The trie takes four bits a level from the top, so a program chooses by its keys what
// happens inside:
//
//	1 and 2            different slots of the root
//	1 and 0x11         one slot of the root, different slots one level below
//	1 and 0x0100_0001  one hash: the chain of an entry
//
// The two highest digits of the key have no part in it, so that equal hashes exist.
func Hash(key uint32) uintptr {
	h := uint64(0)
	for level := range 6 {
		h |= uint64(key>>(4*level)&0xf) << (60 - 4*level)
	}
	return uintptr(h)
}
