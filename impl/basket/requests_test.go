//go:build explore

package basket

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

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

// TestRequests_OfAReader: it asks for the two lines of a record and for that of its marks, as far as they are
// there, and of a hash that has nothing for none.
func TestRequests_OfAReader(t *testing.T) {
	w, x := failed(t, WriterOptions{})
	for _, c := range []struct {
		ref     uint32
		noTouch bool
		fails   error
		want    string
	}{
		{1, false, nil, "0 mark 0 8 "}, {101, false, nil, "100 mark 1 108 "}, {101, true, nil, "100 108 "},
		{120, false, nil, "119 mark 1 127 "}, {121, false, nil, "120 mark 1 "}, {128, true, nil, "127 "},
		{129, false, nil, ""}, {0, false, nil, ""}, {101, false, errIndex, ""},
	} {
		x.refs[5], x.fails, w.noTouch = c.ref, c.fails, c.noTouch
		watch := &watcher{s: w.store}
		hook.Active = watch
		w.Request(5)
		w.Request(6)
		hook.Active = nil
		if got := watch.text.String(); got != c.want {
			t.Errorf("%+v: it asks for %s", c, got)
		}
	}
	(&Reader{}).Request(5)
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
