package reduced

import (
	"bytes"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// both calls two functions beside one another.
func both(f, g func()) {
	var w sync.WaitGroup
	w.Go(f)
	w.Go(g)
	w.Wait()
}

func TestLibrary_Buffer(t *testing.T) {
	var b bytes.Buffer
	both(func() { b.WriteString("a") }, func() { b.WriteString("b") })
}

func TestLibrary_Reader(t *testing.T) {
	r := strings.NewReader("ab")
	both(func() { r.ReadByte() }, func() { r.ReadByte() })
}

func TestLibrary_Form(t *testing.T) {
	form := url.Values{}
	both(func() { form.Set("a", "") }, func() { form.Get("a") })
}

func TestLocked_Library(t *testing.T) {
	var mu sync.Mutex
	var b bytes.Buffer
	form := url.Values{"a": {"b"}}
	use := func() {
		mu.Lock()
		defer mu.Unlock()
		b.WriteString(form.Get("a"))
	}
	both(use, use)
	both(func() { b.Len() }, func() { form.Get(b.String()) })
}
