//go:build explore

package basket

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/internal/hook/hooktest"
)

// watcher notes which words of a store are loaded.
type watcher struct {
	hooktest.Alone
	s    *Store
	text strings.Builder
}

func (w *watcher) Before(k hook.Kind, p unsafe.Pointer) {
	if k != hook.Load {
		fmt.Fprint(&w.text, k, "! ")
		return
	}
	for i := range w.s.records {
		if p == unsafe.Pointer(&w.s.records[i]) {
			fmt.Fprint(&w.text, i, " ")
		}
	}
	for i := range w.s.touch {
		if p == unsafe.Pointer(&w.s.touch[i]) {
			fmt.Fprint(&w.text, "mark ", i, " ")
		}
	}
}

// indexed is a store with the table that leads to its records.
func indexed(t *testing.T) (s *Store, table *hopscotch.Table, h *hopscotch.Handle) {
	t.Helper()
	r, err := region.Heap(region.Layout{Layout{Baskets: 4, BasketBytes: 256, Writers: 1}.Part(),
		hopscotch.Layout{CellsPerHalf: 64, Window: 32, Descriptors: 4}.Part()})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = New(r); err != nil {
		t.Fatal(err)
	}
	if table, err = hopscotch.New(r); err != nil {
		t.Fatal(err)
	}
	if h, err = table.NewHandle(1); err != nil {
		t.Fatal(err)
	}
	return s, table, h
}

// TestRequests_OfAGlance: it asks for the two lines of a record and for that of its marks, as far as they are
// there, and of a hash that has nothing for none.
func TestRequests_OfAGlance(t *testing.T) {
	s, table, h := indexed(t)
	for i, x := range []struct {
		ref  uint32
		want string
	}{
		{1, "0 mark 0 8 "}, {101, "100 mark 1 108 "}, {120, "119 mark 1 127 "}, {121, "120 mark 1 "},
		{64, "63 mark 0 71 "}, {128, "127 mark 1 "}, {129, ""}, {1<<32 - 1, ""},
	} {
		hash := uint32(5 + 2*i)
		if _, err := h.Add(hash, x.ref); err != nil {
			t.Fatal(err)
		}
		watch := &watcher{s: s}
		hook.Active = watch
		s.Request(table, hash)
		s.Request(table, hash+1)
		hook.Active = nil
		if got := watch.text.String(); got != x.want {
			t.Errorf("of %d it asks for %s, want %s", x.ref, got, x.want)
		}
	}
}

// loads counts the loads of all words.
type loads struct {
	hooktest.Alone
	n int
}

func (l *loads) Before(k hook.Kind, _ unsafe.Pointer) {
	if k == hook.Load {
		l.n++
	}
}

// TestRequests_OfAGlanceThatGrows: before it allocates room for a value, and only then, it asks whether the
// ticket holds, which takes two loads.
func TestRequests_OfAGlanceThatGrows(t *testing.T) {
	s, table, h := indexed(t)
	w, err := s.NewWriter(OnTable(h), WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	put(t, w, 5, "key", "value")
	glance := func(dst []byte) int {
		l := &loads{}
		hook.Active = l
		value, _, what := s.Glance(table, 5, []byte("key"), dst)
		hook.Active = nil
		if what != Present || string(value) != string(dst)+"value" {
			t.Errorf("%d, %q", what, value)
		}
		return l.n
	}
	glance(nil) // it marks the record, which a second one need not
	least := glance(make([]byte, 0, 100))
	for _, x := range []struct{ head, room, more int }{
		{0, 5, 0}, {7, 5, 0}, {0, 0, 2}, {0, 4, 2}, {7, 4, 2},
	} {
		if n := glance(make([]byte, x.head, x.head+x.room)); n != least+x.more {
			t.Errorf("%d bytes and room for %d: %d loads, want %d", x.head, x.room, n, least+x.more)
		}
	}
}

// TestRequests_OfAGet: it asks for the marks of the first record ahead of a look at that, unless it leaves
// them alone.
func TestRequests_OfAGet(t *testing.T) {
	for _, noTouch := range []bool{false, true} {
		w, _ := failed(t, WriterOptions{NoTouch: noTouch})
		put(t, w, 5, "key", "value")
		watch := &watcher{s: w.store}
		hook.Active = watch
		_, _, ok, err := w.Get(5, []byte("other"), nil)
		hook.Active = nil
		want := map[bool]string{false: "mark 0 0 1 ", true: "0 1 "}[noTouch]
		if got := watch.text.String(); ok || err != nil || got != want {
			t.Errorf("without marks %v: it looks at %s, want %s", noTouch, got, want)
		}
	}
}
