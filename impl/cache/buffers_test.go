package cache

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// overlap reports whether two slices share memory, also behind their ends.
func overlap(a, b []byte) bool {
	if cap(a) == 0 || cap(b) == 0 {
		return false
	}
	from, to := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return from < to+uintptr(cap(b)) && to < from+uintptr(cap(a))
}

// The buffers that a call leaves to the next one are apart, and none of them is memory of the caller: else
// the next call would write its value over its key, or over what the caller has.
func TestBuffers_StayApart(t *testing.T) {
	c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Readers: 1, Writers: 1})
	m, err := NewTyped[string, string](c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("long ", 100)
	own, dst := []byte("own key"), make([]byte, 3, 64)
	given := []byte(strings.Repeat("what the function returns ", 10))
	calls := answers(c, own, dst)
	typed := func(name string, call func() error) {
		calls["typed "+name] = func() (string, error) { return "", call() }
	}
	typed("get", func() error { _, _, err := m.Get(long); return err })
	typed("set", func() error { return m.Set(long, "v") })
	typed("set with a time", func() error { return m.SetTTL("k", long, time.Hour) })
	typed("set if absent", func() error { _, err := m.SetIfAbsent(long, long); return err })
	typed("set if absent with a time", func() error {
		_, err := m.SetIfAbsentTTL(long, "v", time.Hour)
		return err
	})
	typed("expire", func() error { _, err := m.Expire(long, time.Hour); return err })
	typed("swap", func() error { _, err := m.CompareAndSwap(long, "v", long); return err })
	typed("delete", func() error { _, err := m.Delete("none"); return err })
	typed("contains", func() error { _, err := m.Contains(long); return err })
	for op := Keep; op <= WriteKeepTTL; op++ {
		calls["compute "+fmt.Sprint(op)] = func() (string, error) {
			_, _, err := c.Compute(own, func(old []byte, _ bool) ([]byte, Op) { return given, op })
			return "", err
		}
		typed(fmt.Sprint("compute ", op), func() error {
			_, _, err := m.Compute(long, func(old string, _ bool) (string, Op) { return old + "v", op })
			return err
		})
	}
	calls["len"] = func() (string, error) { c.Len(); return "", nil }
	for name, call := range calls {
		for _, room := range []int{0, 1, 64, 4096} { // that the call before has left
			b := c.scratch.take()
			b.key, b.value = make([]byte, room/2, room), make([]byte, room/2, room)
			b.give()
			if err := m.Set("k", "12345678"); err != nil {
				t.Fatal(err)
			}
			set(t, c, string(own), string(own))
			if _, err := call(); err != nil && name != "add" {
				t.Errorf("%s: %v", name, err)
			}
			b = c.scratch.take()
			for what, shared := range map[string]bool{"each other's": overlap(b.key, b.value),
				"the key's":    overlap(b.key, own) || overlap(b.value, own),
				"dst's":        overlap(b.key, dst) || overlap(b.value, dst),
				"the result's": overlap(b.key, given) || overlap(b.value, given)} {
				if shared {
					t.Errorf("%s with buffers of %d bytes: they are of %s memory", name, room, what)
				}
			}
			b.give()
		}
	}
	if string(own) != "own key" ||
		!bytes.Equal(given, bytes.Repeat([]byte("what the function returns "), 10)) {
		t.Errorf("what the caller had is %q and %q", own, given)
	}
}

// Whatever a call has left in its buffers, the next one finds its own key and sets its own value, whether
// they are longer than what was there or shorter.
func TestBuffers_OfTheCallBefore(t *testing.T) {
	c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Readers: 1, Writers: 1})
	m, err := NewTyped[string, string](c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := func(n int) string { return strings.Repeat(fmt.Sprint(n, "."), n) }
	sizes := []int{0, 1, 7, 40, 300}
	for _, before := range sizes {
		for _, then := range sizes {
			k, v := "key"+text(then), text(before)+"value"
			for name, call := range map[string]func() error{
				"walk":     func() error { return c.Walk(func(_, _ []byte) bool { return true }) },
				"len":      func() error { c.Len(); return nil },
				"suspects": func() error { _, err := c.Suspects(); return err },
				"view":     func() error { _, err := c.View([]byte(k), func([]byte) {}); return err },
				"get":      func() error { _, _, err := m.Get(k); return err },
				"swap": func() error {
					_, err := m.CompareAndSwap("key"+text(before), text(then), text(before))
					return err
				},
				"add": func() error { _, err := c.Add([]byte("counter"), 1); return err },
			} {
				if err := m.Set(k, v); err != nil {
					t.Fatal(err)
				}
				if err := call(); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if got, ok, err := m.Get(k); got != v || !ok || err != nil {
					t.Errorf("behind %s the value is %q, %v, %v, want %q", name, got, ok, err, v)
				}
				if err := call(); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if err := m.Set(k+"!", v+"!"); err != nil {
					t.Fatal(err)
				}
				want(t, c, k+"!", v+"!")
				for _, there := range []bool{true, false} {
					if ok, err := m.Contains(k + "!"); ok != there || err != nil {
						t.Errorf("behind %s a key is there: %v, %v, want %v", name, ok, err, there)
					}
					if ok, err := m.Delete(k + "!"); ok != there || err != nil {
						t.Errorf("behind %s a key is deleted: %v, %v, want %v", name, ok, err, there)
					}
					if set, err := m.SetIfAbsent(k, "other"); set || err != nil {
						t.Errorf("behind %s a key is set that is there: %v, %v", name, set, err)
					}
				}
				want(t, c, k, v)
			}
		}
	}
}

// A call keeps the buffers that it has filled for the next one, which allocates nothing for its bytes then.
func TestBuffers_AreKept(t *testing.T) {
	c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Readers: 1, Writers: 1})
	m, err := NewTyped[string, string](c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	k, v := strings.Repeat("key", 20), strings.Repeat("value", 100)
	own, both := []byte(k), len(k)+len(v)
	keep := func(old []byte, _ bool) ([]byte, Op) { return old, Keep }
	same := func(old string, _ bool) (string, Op) { return old, Write }
	for name, x := range map[string]struct {
		call       func() error
		key, value int // that it fills
	}{
		"View":         {func() error { _, err := c.View(own, func([]byte) {}); return err }, 0, len(v)},
		"Compute":      {func() error { _, _, err := c.Compute(own, keep); return err }, len(v), len(v)},
		"swap":         {func() error { _, err := c.CompareAndSwap(own, nil, nil); return err }, 0, len(v)},
		"Walk":         {func() error { return c.Walk(func(_, _ []byte) bool { return true }) }, 0, both},
		"Len":          {func() error { c.Len(); return nil }, 0, both},
		"Suspects":     {func() error { _, err := c.Suspects(); return err }, 0, both},
		"typed Get":    {func() error { _, _, err := m.Get(k); return err }, len(k), len(v)},
		"typed Set":    {func() error { return m.Set(k, v) }, len(k), len(v)},
		"typed SetTTL": {func() error { return m.SetTTL(k, v, time.Hour) }, len(k), len(v)},
		"typed absent": {func() error { _, err := m.SetIfAbsent(k, v); return err }, len(k), len(v)},
		"typed timed": {func() error { _, err := m.SetIfAbsentTTL(k, v, time.Hour); return err }, len(k),
			len(v)},
		"typed expire": {func() error { _, err := m.Expire(k, time.Hour); return err }, len(k), 0},
		"typed swap":   {func() error { _, err := m.CompareAndSwap(k, v, v); return err }, len(k), len(v)},
		"typed compute": {func() error { _, _, err := m.Compute(k, same); return err }, len(k),
			len(v)},
		"typed there":  {func() error { _, err := m.Contains(k); return err }, len(k), 0},
		"typed Delete": {func() error { _, err := m.Delete(k); return err }, len(k), 0},
	} {
		set(t, c, k, v)
		b := &c.scratch.all[0]
		b.key, b.value = nil, nil
		if err := x.call(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if cap(b.key) < x.key || cap(b.value) < x.value {
			t.Errorf("%s keeps buffers of %d and %d bytes, and has filled %d and %d", name, cap(b.key),
				cap(b.value), x.key, x.value)
		}
		key, value := unsafe.SliceData(b.key), unsafe.SliceData(b.value)
		if err := x.call(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if unsafe.SliceData(b.key) != key || unsafe.SliceData(b.value) != value {
			t.Errorf("%s does not use the buffers that it has kept", name)
		}
	}
}
