package memory

import (
	"bufio"
	"bytes"
	"hash"
	"io"
	"os"
	"reflect"
	"strings"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// What the standard library does with the memory that it is given.

// Filled calls a method that reads into p, and reports what it has written there.
func Filled(read func([]byte) (int, error), p []byte, name string) (int, error) {
	n, err := read(p)
	return filled(p, n, name), err
}

// FilledAt is Filled for a method that reads from an offset on.
func FilledAt(read func([]byte, int64) (int, error), p []byte, from int64, name string) (int, error) {
	n, err := read(p, from)
	return filled(p, n, name), err
}

// FilledFrom is Filled for a function such as io.ReadFull.
func FilledFrom(read func(io.Reader, []byte) (int, error), r io.Reader, p []byte, name string) (int, error) {
	n, err := read(r, p)
	if isFile(r) {
		FilesRead()
	}
	return filled(p, n, name), err
}

// ReadFrom is Filled for Read of an interface or a file.
func ReadFrom(r io.Reader, p []byte, name string) (int, error) {
	return FilledFrom(readOnce, r, p, name)
}

func readOnce(r io.Reader, p []byte) (int, error) { return r.Read(p) }

// ReadFromAt is FilledAt for ReadAt of an interface or a file.
func ReadFromAt(r io.ReaderAt, p []byte, from int64, name string) (int, error) {
	n, err := r.ReadAt(p, from)
	if isFile(r) {
		FilesRead()
	}
	return filled(p, n, name), err
}

func filled(p []byte, n int, name string) int {
	elements(p[:max(0, min(n, len(p)))], name, true)
	return n
}

// WriteTo calls Write of an interface or a file, and reports that p is read, if the type is one that does so.
func WriteTo(w io.Writer, p []byte, name string) (int, error) {
	switch w := w.(type) {
	case *bufio.Writer, *bytes.Buffer, *strings.Builder:
		elements(p, name, false)
	case *os.File:
		elements(p, name, false)
		FilesWritten()
	case hash.Hash:
		if t := reflect.TypeOf(w); t.Kind() == reflect.Pointer && summing(t.Elem()) {
			elements(p, name, false)
		}
	}
	return w.Write(p)
}

// summing reports whether a type is one of the standard library for sums.
func summing(t reflect.Type) bool {
	return strings.HasPrefix(t.PkgPath(), "hash/") || strings.HasPrefix(t.PkgPath(), "crypto/")
}

func isFile(x any) bool {
	f, is := x.(*os.File)
	return is && f != nil
}

// files is what happened before writes to files in the running execution.
var files struct {
	epoch uint64
	told  []unsafe.Pointer
}

// FilesWritten says that a file is about to be written. What happened before happens before what comes behind
// a read of any file, as for the race detector of the toolchain.
func FilesWritten() {
	s, explored := hook.Active.(hook.Messenger)
	if !explored {
		return
	}
	if files.epoch != hook.Epoch {
		files.epoch, files.told = hook.Epoch, nil
	}
	if told := s.Tell(); told != nil {
		files.told = append(files.told, told)
	}
}

// FilesRead says that a file was read.
func FilesRead() {
	s, explored := hook.Active.(hook.Messenger)
	if !explored || files.epoch != hook.Epoch {
		return
	}
	for _, told := range files.told {
		s.Learn(told)
	}
}

// Gets reports that a method of package reflect reads the variable or the map that v is, and returns v.
func Gets(v reflect.Value, name string) reflect.Value { return reflects(v, name, false) }

// Sets reports that a method of package reflect writes it, and returns v.
func Sets(v reflect.Value, name string) reflect.Value { return reflects(v, name, true) }

func reflects(v reflect.Value, name string, write bool) reflect.Value {
	if v.IsValid() && v.CanAddr() {
		hook.Access(hook.Plain{P: v.Addr().UnsafePointer(), Size: v.Type().Size(), Write: write, Name: name})
	}
	return v
}

// GetsMap reports that a method of package reflect reads the map that v is, and returns v.
func GetsMap(v reflect.Value, name string) reflect.Value { return reflectsMap(v, name, false) }

// SetsMap reports that a method of package reflect writes it, and returns v.
func SetsMap(v reflect.Value, name string) reflect.Value { return reflectsMap(v, name, true) }

func reflectsMap(v reflect.Value, name string, write bool) reflect.Value {
	if v.Kind() == reflect.Map && !v.IsNil() {
		hook.Access(hook.Plain{P: v.UnsafePointer(), Size: 1, Write: write, Name: name})
	}
	return v
}

// ReflectCopy reports and does what reflect.Copy does.
func ReflectCopy(to, from reflect.Value) int {
	items := func(v reflect.Value, n int, name string, write bool) {
		if v.Kind() == reflect.Array && !v.CanAddr() || v.Kind() == reflect.String {
			return
		}
		first := v.Index(0)
		hook.Access(hook.Plain{P: first.Addr().UnsafePointer(), Size: uintptr(n) * first.Type().Size(),
			Write: write, Name: name})
	}
	if listed(to) && (listed(from) || from.Kind() == reflect.String) {
		if n := min(to.Len(), from.Len()); n > 0 {
			items(from, n, "what reflect.Copy copies", false)
			items(to, n, "what reflect.Copy copies to", true)
		}
	}
	return reflect.Copy(to, from)
}

func listed(v reflect.Value) bool { return v.Kind() == reflect.Slice || v.Kind() == reflect.Array }
