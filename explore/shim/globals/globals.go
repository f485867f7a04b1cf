// Package globals gives each execution the variables of packages as they were at its beginning.
//
// A copy of foreign code tells its variables by [Add] when it is loaded. [Keep] takes what is in them, and in
// what they lead to, and [Snapshot.Restore] puts it back: numbers, texts, structures, arrays, slices, maps,
// and what pointers lead to in packages that have told variables, in the shims and in a few packages of the
// standard library. What is in a channel, what a function has captured, other types of the standard library,
// and what is too large stay as they are.
package globals

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Limits of what is kept. A table that is larger is seldom changed.
const (
	mostPieces   = 2_000
	mostElements = 1_024 // of a slice, an array or a map
	mostBytes    = 1 << 14
)

// shims is the folder of the shims, and plain are packages whose types lead to nothing but what is in them.
const shims = "github.com/samecycle/samecycle/explore/shim/"

var plain = []string{"", "bytes", "container/list", "container/ring", "strings"}

// told are the addresses of the variables, and of which packages they are.
var (
	told     []reflect.Value
	packages = map[string]bool{}
)

// Add tells variables of a package, by their addresses.
func Add(path string, variables ...any) {
	packages[path] = true
	for _, v := range variables {
		told = append(told, reflect.ValueOf(v))
	}
}

// A Snapshot is what variables led to. None is kept by nil.
type Snapshot struct {
	pieces []piece
	tables []table
	seen   map[spot]bool
}

// A spot is memory of one type.
type spot struct {
	at unsafe.Pointer
	of reflect.Type
}

// A piece is memory, with what was in it.
type piece struct{ at, held reflect.Value }

// A table is a map, with what was in it.
type table struct {
	m            reflect.Value
	keys, values []reflect.Value
}

// Keep takes what the variables lead to now. Nobody may change that meanwhile.
func Keep() *Snapshot {
	s := &Snapshot{seen: map[spot]bool{}}
	for _, v := range told {
		s.piece(v.Type().Elem(), v.UnsafePointer())
	}
	s.seen = nil
	return s
}

// Restore puts back what was kept.
func (s *Snapshot) Restore() {
	if s == nil {
		return
	}
	for _, p := range s.pieces {
		if !bytes.Equal(memory(p.at), memory(p.held)) { // constant memory cannot be written
			p.at.Set(p.held)
		}
	}
	for _, t := range s.tables {
		t.m.Clear()
		for i, k := range t.keys {
			t.m.SetMapIndex(k, t.values[i])
		}
	}
}

// memory is what a value consists of.
func memory(v reflect.Value) []byte {
	return unsafe.Slice((*byte)(v.Addr().UnsafePointer()), v.Type().Size())
}

// piece takes memory, and what it leads to.
func (s *Snapshot) piece(t reflect.Type, at unsafe.Pointer) {
	here := spot{at, t}
	if at == nil || t.Size() == 0 || t.Size() > mostBytes || s.seen[here] || s.full() {
		return
	}
	s.seen[here] = true
	p := piece{reflect.NewAt(t, at).Elem(), reflect.New(t).Elem()}
	p.held.Set(p.at)
	s.pieces = append(s.pieces, p)
	s.inside(t, at)
}

func (s *Snapshot) full() bool { return len(s.pieces)+len(s.tables) >= mostPieces }

// inside takes what a value leads to, which is a part of a piece, or of a copy that is as good.
func (s *Snapshot) inside(t reflect.Type, at unsafe.Pointer) {
	switch v := reflect.NewAt(t, at).Elem(); t.Kind() {
	case reflect.Pointer:
		if known(t.Elem()) {
			s.piece(t.Elem(), v.UnsafePointer())
		}
	case reflect.Interface:
		if v = v.Elem(); v.IsValid() {
			s.copied(v)
		}
	case reflect.Slice:
		if n := v.Len(); n > 0 && n <= mostElements {
			s.piece(reflect.ArrayOf(n, t.Elem()), v.UnsafePointer())
		}
	case reflect.Map:
		s.table(v)
	case reflect.Array:
		for i := range min(t.Len(), mostElements) {
			s.inside(t.Elem(), unsafe.Add(at, uintptr(i)*t.Elem().Size()))
		}
	case reflect.Struct:
		if target := pointee(t); target != nil {
			s.piece(target, *(*unsafe.Pointer)(at))
		}
		if !known(t) {
			return
		}
		for i := range t.NumField() {
			s.inside(t.Field(i).Type, unsafe.Add(at, t.Field(i).Offset))
		}
	}
}

// copied takes what a value leads to that is nowhere in memory that changes: a key, or what is in an
// interface.
func (s *Snapshot) copied(v reflect.Value) {
	c := reflect.New(v.Type())
	c.Elem().Set(v)
	s.inside(v.Type(), c.UnsafePointer())
}

// table takes a map, and what its pairs lead to.
func (s *Snapshot) table(m reflect.Value) {
	here := spot{m.UnsafePointer(), m.Type()}
	if m.IsNil() || m.Len() > mostElements || s.seen[here] || s.full() {
		return
	}
	s.seen[here] = true
	t := table{m: reflect.ValueOf(m.Interface())} // not the variable, which may hold another map by then
	for all := m.MapRange(); all.Next(); {
		t.keys, t.values = append(t.keys, all.Key()), append(t.values, all.Value())
	}
	s.tables = append(s.tables, t)
	for i := range t.keys {
		s.copied(t.keys[i])
		s.copied(t.values[i])
	}
}

// known reports whether what a pointer leads to is kept: it can be nothing that the runtime or the operating
// system knows of.
func known(t reflect.Type) bool {
	path := t.PkgPath()
	return packages[path] || slices.Contains(plain, path) || strings.HasPrefix(path, shims)
}

// pointee is the type that a Pointer or a Value of the shim of sync/atomic leads to, nil for others.
func pointee(t reflect.Type) reflect.Type {
	switch {
	case t.PkgPath() != shims+"atomic":
		return nil
	case t.Name() == "Value":
		return reflect.TypeFor[any]()
	case strings.HasPrefix(t.Name(), "Pointer["):
		if p := t.Field(0).Type.Elem().Elem(); known(p) {
			return p
		}
	}
	return nil
}
