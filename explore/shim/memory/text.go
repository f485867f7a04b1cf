package memory

import "unsafe"

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// bytesOf returns a slice of bytes, and nil for a text.
func bytesOf[S ~[]byte | ~string](s S) []byte {
	if unsafe.Sizeof(s) == unsafe.Sizeof("") {
		return nil
	}
	return *(*[]byte)(unsafe.Pointer(&s))
}

// At reports a read of element i of s, if s is a slice, and returns the element.
func At[S ~[]byte | ~string, I integer](s S, i I, name string) byte {
	if b := bytesOf(s); i >= 0 && uint64(i) < uint64(len(b)) {
		report(&b[i], name, false)
	}
	return s[i]
}

// Elements reports a read of all elements of a slice, and returns the slice.
func Elements[S ~[]E, E any](s S, name string) S {
	elements(s, name, false)
	return s
}

// First reports a read of the first n elements of a slice, and returns the slice. A slice that has fewer is
// not read.
func First[S ~[]E, E any](s S, n int, name string) S {
	if n <= len(s) {
		elements(s[:n], name, false)
	}
	return s
}

// Bytes reports a read of all elements of s, if s is a slice, and returns s.
func Bytes[S ~[]byte | ~string](s S, name string) S {
	elements(bytesOf(s), name, false)
	return s
}

// CopyText reports and does what the builtin copy does with bytes of a text, or of a slice.
func CopyText[S ~[]byte | ~string](dst []byte, src S, to, from string) int {
	n := min(len(dst), len(src))
	if b := bytesOf(src); b != nil {
		elements(b[:n], from, false)
	}
	elements(dst[:n], to, true)
	return copy(dst, src)
}

// AppendText reports and does what append(s, more...) does with bytes of a text, or of a slice.
func AppendText[S ~[]byte, T ~[]byte | ~string](s S, more T, name, from string) S {
	elements(bytesOf(more), from, false)
	return append(Grow(s, len(more), name), more...)
}
