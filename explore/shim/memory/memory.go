// Package memory reports plain memory accesses of explored code to the explorer's race detector.
//
// Code written by hand calls [Read] and [Write] before an access. A copy of foreign code calls the other
// functions, which package foreign inserts. The name is the text of the memory in the source. Outside
// explorations, and if races are not looked for, the functions only make the access.
package memory

import (
	"bufio"
	"bytes"
	"hash"
	"os"
	"reflect"
	"strings"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// Read reports that *p is about to be read.
func Read[T any](p *T, name string) { report(p, name, false) }

// Write reports that *p is about to be written.
func Write[T any](p *T, name string) { report(p, name, true) }

func report[T any](p *T, name string, write bool) {
	hook.Access(hook.Plain{
		P: unsafe.Pointer(p), Size: unsafe.Sizeof(*p), Write: write, Name: name,
	})
}

// Load reports a read of *p and returns its value.
func Load[T any](p *T, name string) T {
	report(p, name, false)
	return *p
}

// Store reports a write of *p and returns p, through which the caller writes next.
func Store[T any](p *T, name string) *T {
	report(p, name, true)
	return p
}

// Like returns n, with the type of the number at p.
func Like[T any](p *T, n T) T { return n }

// Then returns a. The other operand is evaluated behind it.
func Then[A, B any](a A, _ B) A { return a }

// Reads reports that a method reads *p, and returns p.
func Reads[T any](p *T, name string) *T { return uses(p, name, false) }

// Writes reports that a method writes *p, and returns p.
func Writes[T any](p *T, name string) *T { return uses(p, name, true) }

// uses reports the access of a method. A nil receiver is left to the method.
func uses[T any](p *T, name string, write bool) *T {
	if p != nil {
		report(p, name, write)
	}
	return p
}

// Draws reports that a method draws from the generator at *p, whose type is Rand of math/rand or
// math/rand/v2, and returns p. If the source of its numbers is no type of these packages, it may be one that
// goroutines may use at the same time, and nothing is reported.
func Draws[T any](p *T, name string) *T {
	if p == nil {
		return p
	}
	if source := reflect.ValueOf(p).Elem().FieldByName("src"); source.Kind() == reflect.Interface {
		t := source.Elem().Type()
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if path := t.PkgPath(); path != "math/rand" && path != "math/rand/v2" {
			return p
		}
	}
	report(p, name, true)
	return p
}

// Stream reports that something is written to a stream, or read from it, if its type is one of the standard
// library that goroutines may not use at the same time, and returns the stream.
func Stream[T any](v T, name string) T {
	switch p := any(v).(type) {
	case *bufio.Reader:
		uses(p, name, true)
	case *bufio.Writer:
		uses(p, name, true)
	case *bytes.Buffer:
		uses(p, name, true)
	case *bytes.Reader:
		uses(p, name, true)
	case *strings.Builder:
		uses(p, name, true)
	case *strings.Reader:
		uses(p, name, true)
	case *os.File:
		FilesWritten()
	case hash.Hash:
		sum := reflect.ValueOf(p)
		if sum.Kind() == reflect.Pointer && !sum.IsNil() && summing(sum.Type().Elem()) {
			hook.Access(hook.Plain{P: sum.UnsafePointer(), Size: 1, Write: true, Name: name})
		}
	}
	return v
}

// elements reports an access to all elements of a slice.
func elements[E any](s []E, name string, write bool) {
	if len(s) > 0 {
		hook.Access(hook.Plain{P: unsafe.Pointer(&s[0]), Size: uintptr(len(s)) * unsafe.Sizeof(s[0]),
			Write: write, Name: name})
	}
}

// Copy reports and does what the builtin copy does.
func Copy[E any](dst, src []E, to, from string) int {
	n := min(len(dst), len(src))
	elements(src[:n], from, false)
	elements(dst[:n], to, true)
	return copy(dst, src)
}

// Cleared reports that all elements of s are about to be cleared, and returns s.
func Cleared[S ~[]E, E any](s S, name string) S {
	elements(s, name, true)
	return s
}

// ClearAll reports and does what the builtin clear does with a slice.
func ClearAll[S ~[]E, E any](s S, name string) { clear(Cleared(s, name)) }

// Grow reports the accesses of appending n elements to s, and returns s.
func Grow[S ~[]E, E any](s S, n int, name string) S {
	if len(s)+n <= cap(s) {
		elements(s[len(s):len(s)+n], name, true)
	} else {
		elements(s, name, false)
	}
	return s
}

// AppendAll reports and does what append(s, more...) does.
func AppendAll[S ~[]E, E any](s S, more []E, name, from string) S {
	elements(more, from, false)
	return append(Grow(s, len(more), name), more...)
}

// Look reports a read of a map, as one object, and returns the map.
func Look[M ~map[K]V, K comparable, V any](m M, name string) M { return whole(m, name, false) }

// Change reports a write of a map, as one object, and returns the map.
func Change[M ~map[K]V, K comparable, V any](m M, name string) M { return whole(m, name, true) }

// Deleting returns a function that reports and does what the builtin delete does with m.
func Deleting[M ~map[K]V, K comparable, V any](m M, name string) func(K) {
	return func(k K) { delete(Change(m, name), k) }
}

// Clear reports and does what the builtin clear does.
func Clear[M ~map[K]V, K comparable, V any](m M, name string) { clear(Change(m, name)) }

func whole[M ~map[K]V, K comparable, V any](m M, name string, write bool) M {
	if p := *(*unsafe.Pointer)(unsafe.Pointer(&m)); p != nil {
		hook.Access(hook.Plain{P: p, Size: 1, Write: write, Name: name})
	}
	return m
}
