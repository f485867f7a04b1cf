package accesses

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
)

type inner struct{ n int }

func (i *inner) pointer() int { return 1 }
func (i inner) value() int    { return i.n }

type (
	byPointer struct {
		pad int
		*inner
	}
	byValue struct {
		pad int
		inner
	}
	twice struct {
		byValue
		*byPointer
	}
	filler struct {
		pad int
		io.Reader
	}
	text1 struct {
		pad int
		bytes.Buffer
	}
	guarded struct {
		sync.Mutex
		*byPointer
	}
)

// What is selected through an embedded pointer reads the pointer, and what takes an embedded value reads it.
func TestRace_EmbeddedPointerMethod(t *testing.T) {
	d := byPointer{inner: &inner{}}
	both(func() { d.pointer() }, func() { d.inner = &inner{} })
}

func TestRace_EmbeddedPointerField(t *testing.T) {
	d := &byPointer{inner: &inner{}}
	both(func() { _ = d.n == 7 }, func() { d.inner = &inner{} })
}

func TestRace_EmbeddedPointerOverwritten(t *testing.T) {
	d := byPointer{inner: &inner{}}
	both(func() { d.n++ }, func() { d = byPointer{inner: &inner{}} })
}

func TestRace_EmbeddedPointerTaken(t *testing.T) {
	d := byPointer{inner: &inner{}}
	both(func() { f := d.pointer; f() }, func() { d.inner = nil; d.inner = &inner{} })
}

func TestRace_EmbeddedValueOfPointer(t *testing.T) {
	d := byPointer{inner: &inner{}}
	both(func() { d.value() }, func() { d.inner.n = 1 })
}

func TestRace_EmbeddedValue(t *testing.T) {
	var d byValue
	both(func() { d.value() }, func() { d.n = 1 })
}

func TestRace_EmbeddedTwice(t *testing.T) {
	d := &twice{byPointer: &byPointer{inner: &inner{}}}
	both(func() { _ = d.byPointer.n }, func() { d.byPointer.inner = &inner{} })
}

func TestRace_EmbeddedInterface(t *testing.T) {
	d := &filler{Reader: strings.NewReader("a")}
	both(func() { d.Read(make([]byte, 1)) }, func() { d.Reader = nil })
}

func TestRace_EmbeddedBuffer(t *testing.T) {
	var d text1
	both(func() { d.WriteString("a") }, func() { _ = d.Len() })
}

func TestRace_EmbeddedBufferBehind(t *testing.T) {
	d, one := &text1{}, func() string { return "a" }
	both(func() { d.WriteString(one()) }, func() { d.WriteString("b") })
}

// Other fields than those on the way are not read, nor what has the address of the embedded value alone.
func TestRight_Embedded(t *testing.T) {
	d := byPointer{inner: &inner{}}
	both(func() { d.pointer() }, func() { d.pad = 1 })
	both(func() { d.pointer(); d.value(); _ = d.n == 7 }, func() { d.pointer(); d.value() })
	var v byValue
	both(func() { v.pointer() }, func() { v = byValue{} })
	both(func() { v.value() }, func() { v.pad = 1 })
	made := func() byPointer { return byPointer{inner: &inner{}} }
	both(func() { made().pointer() }, func() { _ = made().n == 7 })
	g := &guarded{byPointer: &byPointer{}}
	held := func() {
		g.Lock()
		defer g.Unlock()
		g.inner = &inner{}
		g.n++
		g.byPointer = &byPointer{inner: g.inner}
	}
	both(held, held)
}

func TestRight_EmbeddedNil(t *testing.T) {
	var d *byPointer
	defer func() {
		var e interface{ RuntimeError() }
		if err, is := recover().(error); !is || !errors.As(err, &e) {
			t.Error("no error of the runtime")
		}
	}()
	_ = d.n == 7
}
