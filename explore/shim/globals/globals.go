// Package globals restores, at the begin of each execution, the variables of packages.
//
// A copy of foreign code registers its variables by [Add] when it is loaded. [Keep] copies their values, and
// everything to which these lead, and [Snapshot.Restore] restores that: numbers, texts, structures, arrays,
// slices, maps, channels that were open and empty, and what pointers lead to in packages that have registered
// variables, in the shims and in a few packages of the standard library. Not restored are channels that had
// elements, those in a structure in an interface or a map, what a function has captured, other types of the
// standard library, and values that are too large.
package globals

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Limits of what is kept. A larger table is seldom changed.
const (
	mostPieces   = 2_000
	mostElements = 1_024 // elements of a slice, an array or a map
	mostBytes    = 1 << 14
)

// shims is the folder of the shims. plain are packages whose types lead to nothing but their own contents.
const shims = "github.com/samecycle/samecycle/explore/shim/"

var plain = []string{"", "bytes", "container/list", "container/ring", "strings"}

// told are the addresses of the variables, and their packages.
var (
	told     []reflect.Value
	packages = map[string]bool{}
)

// Add registers variables of a package, by their addresses.
func Add(path string, variables ...any) {
	packages[path] = true
	for _, v := range variables {
		told = append(told, reflect.ValueOf(v))
	}
}

// A Snapshot has the memory to which variables led. A nil Snapshot has none.
type Snapshot struct {
	pieces   []piece
	tables   []table
	channels map[unsafe.Pointer]*channel // nil for those that are not kept
	seen     map[spot]bool
	copies   int  // more than 0: what is looked at is a copy
	grow     bool // a map that has as many pairs as before is as before
}

// A spot is memory of one type.
type spot struct {
	at unsafe.Pointer
	of reflect.Type
}

// A piece is memory, with its contents.
type piece struct {
	at, held reflect.Value
	is, was  []byte // of which these consist
}

// A table is a map, with its contents.
type table struct {
	m            reflect.Value
	keys, values []reflect.Value
}

// Keep copies what the variables lead to now. Nothing may change that during the call.
func Keep() *Snapshot { return keep(told, false) }

// KeepOnly is Keep for these variables alone, which lead to values of that package. Pairs may be added to the
// maps to which they lead, and none may be changed or taken away.
func KeepOnly(path string, variables ...any) *Snapshot {
	packages[path] = true
	var all []reflect.Value
	for _, v := range variables {
		all = append(all, reflect.ValueOf(v))
	}
	return keep(all, true)
}

func keep(all []reflect.Value, grow bool) *Snapshot {
	s := &Snapshot{grow: grow, seen: map[spot]bool{}, channels: map[unsafe.Pointer]*channel{}}
	for _, v := range all {
		s.piece(v.Type().Elem(), v.UnsafePointer())
	}
	s.seen = nil
	maps.DeleteFunc(s.channels, func(_ unsafe.Pointer, c *channel) bool { return c == nil })
	return s
}

// Restore restores what was kept.
func (s *Snapshot) Restore() {
	if s == nil {
		return
	}
	for _, c := range s.channels {
		c.renew()
	}
	for _, p := range s.pieces {
		if !bytes.Equal(p.is, p.was) { // constant memory cannot be written
			p.at.Set(p.held)
		}
	}
	for _, t := range s.tables {
		if s.grow && t.m.Len() == len(t.keys) {
			continue
		}
		t.m.Clear()
		for i, k := range t.keys {
			t.m.SetMapIndex(k, t.values[i])
		}
	}
	for _, c := range s.channels {
		c.put()
	}
}

// memory is what a value consists of.
func memory(v reflect.Value) []byte {
	return unsafe.Slice((*byte)(v.Addr().UnsafePointer()), v.Type().Size())
}

// piece keeps memory, and what it leads to.
func (s *Snapshot) piece(t reflect.Type, at unsafe.Pointer) {
	here := spot{at, t}
	if at == nil || t.Size() == 0 || t.Size() > mostBytes || s.seen[here] || s.full() {
		return
	}
	s.seen[here] = true
	p := piece{at: reflect.NewAt(t, at).Elem(), held: reflect.New(t).Elem()}
	p.held.Set(p.at)
	p.is, p.was = memory(p.at), memory(p.held)
	s.pieces = append(s.pieces, p)
	copies := s.copies
	s.copies = 0
	s.inside(t, at)
	s.copies = copies
}

func (s *Snapshot) full() bool { return len(s.pieces)+len(s.tables) >= mostPieces }

// inside keeps what a value leads to. The value is a part of a piece, or of an equivalent copy.
func (s *Snapshot) inside(t reflect.Type, at unsafe.Pointer) {
	switch v := reflect.NewAt(t, at).Elem(); t.Kind() {
	case reflect.Pointer:
		if known(t.Elem()) {
			s.piece(t.Elem(), v.UnsafePointer())
		}
	case reflect.Chan:
		s.channel(t, at)
	case reflect.Interface:
		if v = v.Elem(); v.IsValid() && v.Kind() == reflect.Chan { // which is in the second word
			s.channel(v.Type(), unsafe.Add(at, unsafe.Sizeof(at)))
		} else if v.IsValid() {
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

// copied keeps what a value leads to that is not in memory that changes: a key, or the content of an
// interface.
func (s *Snapshot) copied(v reflect.Value) {
	c := reflect.New(v.Type())
	c.Elem().Set(v)
	s.copies++
	s.inside(v.Type(), c.UnsafePointer())
	s.copies--
}

// table keeps a map, and what its pairs lead to.
func (s *Snapshot) table(m reflect.Value) {
	here := spot{m.UnsafePointer(), m.Type()}
	if m.IsNil() || m.Len() > mostElements || s.seen[here] || s.full() {
		return
	}
	s.seen[here] = true
	t := table{m: reflect.ValueOf(m.Interface())} // not the variable, which may hold another map later
	for all := m.MapRange(); all.Next(); {
		t.keys, t.values = append(t.keys, all.Key()), append(t.values, all.Value())
	}
	s.tables = append(s.tables, t)
	if t.m.Type().Elem().Kind() == reflect.Chan {
		for i := range t.values {
			if c := s.keptChannel(t.values[i].Type(), t.values[i].UnsafePointer()); c != nil {
				c.values = append(c.values, &t.values[i])
			}
		}
	}
	for i := range t.keys {
		s.copied(t.keys[i])
		s.copied(t.values[i])
	}
}

// known reports whether what a pointer leads to may be kept. It must not be known to the runtime or the
// operating system.
func known(t reflect.Type) bool {
	path := t.PkgPath()
	return packages[path] || slices.Contains(plain, path) || strings.HasPrefix(path, shims)
}

// pointee returns the type to which a Pointer or a Value of the shim of sync/atomic leads, or nil for other
// types.
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
