package accesses

import (
	"bufio"
	"bytes"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// What a method reads into a slice, it writes there.
func TestRace_FilledByBuffer(t *testing.T) {
	b := bytes.NewBufferString("ab")
	race(func(p []byte) { b.Read(p) }, get1)
}

func TestRace_FilledByReader(t *testing.T) {
	var r io.Reader = strings.NewReader("ab")
	race(func(p []byte) {
		if n, err := r.Read(
			p,
		); n == 0 || err != nil {
			panic(err)
		}
	}, get1)
}

func TestRace_FilledAt(t *testing.T) {
	r := strings.NewReader("ab")
	race(func(p []byte) { r.ReadAt(p, 0) }, get1)
}

func TestRace_FilledAtByInterface(t *testing.T) {
	var r io.ReaderAt = strings.NewReader("ab")
	race(func(p []byte) { r.ReadAt(p, 0) }, get1)
}

func TestRace_FilledFull(t *testing.T) {
	r := strings.NewReader("ab")
	race(func(p []byte) { io.ReadFull(r, p) }, get1)
}

func TestRace_FilledByFile(t *testing.T) {
	f := file(t)
	race(func(p []byte) { f.ReadAt(p, 0) }, get1)
}

// What is written is read.
func TestRace_WrittenToBuffer(t *testing.T) {
	var b bytes.Buffer
	race(func(p []byte) { b.Write(p) }, set1)
}

func TestRace_WrittenToWriter(t *testing.T) {
	var w io.Writer = bufio.NewWriter(io.Discard)
	race(func(p []byte) { w.Write(p) }, set1)
}

func TestRace_WrittenToHash(t *testing.T) {
	h := crc32.NewIEEE()
	race(func(p []byte) { h.Write(p) }, set1)
}

func TestRace_WrittenToFile(t *testing.T) {
	f := file(t)
	race(func(p []byte) { f.Write(p) }, set1)
}

func TestRace_WrittenAsFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	race(func(p []byte) { os.WriteFile(name, p, 0o600) }, set1)
}

func file(t *testing.T) *os.File {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if _, err := f.WriteString("ab"); err != nil {
		t.Fatal(err)
	}
	return f
}

// own reads and writes the first byte only.
type own struct{}

func (own) Read(p []byte) (int, error)  { p[0] = 'z'; return 1, nil }
func (own) Write(p []byte) (int, error) { _ = p[0] == 'z'; return len(p), nil }

// What is behind the bytes that were read stays as it is, and what a writer does not read is not read.
func TestRight_Filled(t *testing.T) {
	race(func(p []byte) { strings.NewReader("a").Read(p) }, get2)
	var r io.Reader = own{}
	race(func(p []byte) { r.Read(p) }, get2)
	race(func(p []byte) { own{}.Read(p); (own{}).Write(p) }, set1)
	var w io.Writer = own{}
	race(func(p []byte) { w.Write(p) }, set1)
	w = io.Discard
	race(func(p []byte) { w.Write(p) }, set1)
	race(func(p []byte) { strings.NewReader("ab").Read(p[:1]) }, func(p []byte) { p[1] = 'x' })
}

func get2(b []byte) { _ = b[1] == 'z' }

// What was done before a file was written happens before what is done when it was read.
func TestRight_Files(t *testing.T) {
	name, x := filepath.Join(t.TempDir(), "file"), new(int)
	both(func() {
		*x = 1
		os.WriteFile(name, []byte("a"), 0o600)
	}, func() {
		if text, err := os.ReadFile(name); err == nil && len(text) == 1 {
			*x = 2
		}
	})
	f := file(t)
	both(func() {
		*x = 1
		f.WriteAt([]byte("c"), 1)
	}, func() {
		p := make([]byte, 2)
		if f.ReadAt(p, 0); p[1] == 'c' {
			*x = 2
		}
	})
}

func TestRace_FilesTheOtherWay(t *testing.T) {
	name, x := filepath.Join(t.TempDir(), "file"), new(int)
	both(func() {
		os.WriteFile(name, []byte("a"), 0o600)
		*x = 1
	}, func() {
		os.ReadFile(name)
		*x = 2
	})
}

// So do methods of package reflect.
func TestRace_ReflectSet(t *testing.T) {
	i := 0
	v := reflect.ValueOf(&i)
	both(func() { v.Elem().Set(reflect.ValueOf(1)) }, func() { _ = i == 7 })
}

func TestRace_ReflectInt(t *testing.T) {
	i := 0
	v := reflect.ValueOf(&i).Elem()
	both(func() { _ = v.Int() }, func() { i = 1 })
}

func TestRace_ReflectField(t *testing.T) {
	s := struct{ a, B int }{}
	v := reflect.ValueOf(&s).Elem()
	both(func() { v.Field(1).SetInt(1) }, func() { _ = s.B == 7 })
}

func TestRace_ReflectMap(t *testing.T) {
	m := map[string]int{}
	v := reflect.ValueOf(m)
	both(func() { v.SetMapIndex(reflect.ValueOf("a"), reflect.ValueOf(1)) }, func() { _ = m["b"] == 7 })
}

func TestRace_ReflectCopy(t *testing.T) {
	race(func(p []byte) { reflect.Copy(reflect.ValueOf(p), reflect.ValueOf([]byte("xy"))) }, get1)
}

func TestRight_Reflect(t *testing.T) {
	s := struct{ a, B int }{}
	v := reflect.ValueOf(&s).Elem()
	both(func() { v.Field(1).SetInt(1) }, func() { s.a = 1 })
	both(func() { _ = v.Field(1).Int() }, func() { _ = v.Interface() })
	both(func() { _ = reflect.ValueOf(s.a).Int() }, func() { s.B = 1 })
	if n := reflect.Copy(reflect.ValueOf([]byte("ab")), reflect.ValueOf("x")); n != 1 {
		t.Error(n)
	}
	race(func(p []byte) { reflect.Copy(reflect.ValueOf(p[:1]), reflect.ValueOf([]byte("xy"))) }, get2)
}
