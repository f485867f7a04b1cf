//go:build explore

package cache

import (
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// Operation state C19: a key is marked as a suspect while another actor sets or deletes it, or sets another
// key of its hash. The records and the index are those that ship, and each access of them is a step.

const markedHash = 7

// markWorld is what the actors of an execution share, and what they have come to.
type markWorld struct {
	x       *explore.Execution
	store   *basket.Store
	table   *hopscotch.Table
	writers [2]*basket.Writer
	judge   *basket.Reader
	saw     string // the value that the marker has found, "" for none
	marked  bool   // it has marked it
	done    [2]bool
	broken  error
}

// storeAndTable are the parts of a cache in one region, with so many cells in each half of the table.
func storeAndTable(l basket.Layout, cells uint32) (*basket.Store, *hopscotch.Table, error) {
	r, err := region.Heap(region.Layout{l.Part(),
		hopscotch.Layout{CellsPerHalf: cells, Window: 2, Descriptors: 4}.Part()})
	if err != nil {
		return nil, nil, err
	}
	store, err := basket.New(r)
	if err != nil {
		return nil, nil, err
	}
	table, err := hopscotch.NewWith(r, hopscotch.Options{Older: store.Older, Tie: func() uint32 { return 0 }})
	return store, table, err
}

// begin makes a store with a key, and another one of its hash.
func (w *markWorld) begin(x *explore.Execution) error {
	*w = markWorld{x: x}
	var err error
	w.store, w.table, err = storeAndTable(basket.Layout{Baskets: 6, BasketBytes: 512, Writers: 2}, 4)
	if err != nil {
		return err
	}
	for i := range 3 {
		h, err := w.table.NewHandle(uint64(i + 1))
		if err != nil {
			return err
		}
		if i == 2 {
			w.judge, err = w.store.NewReader(basket.OnTable(h), basket.ReaderOptions{NoTouch: true})
		} else {
			w.writers[i], err = w.store.NewWriter(basket.OnTable(h), basket.WriterOptions{NoTouch: true})
		}
		if err != nil {
			return err
		}
	}
	for _, key := range []string{"other", "key"} {
		if err := w.set(1, key, "old"); err != nil {
			return err
		}
	}
	return nil
}

// set sets a key, however often it takes.
func (w *markWorld) set(i int, key, value string) error {
	for range 10 {
		f, _, err := w.writers[i].Find(markedHash, []byte(key), nil)
		if err != nil {
			return err
		}
		if ok, err := w.writers[i].Replace(f, []byte(value), basket.RecordOptions{}); ok || err != nil {
			return err
		}
	}
	return fmt.Errorf("set of %s: no swap of ten succeeds", key)
}

// remove deletes the key.
func (w *markWorld) remove() error {
	for range 10 {
		f, _, err := w.writers[1].Find(markedHash, []byte("key"), nil)
		if err != nil {
			return err
		}
		if ok, err := w.writers[1].Remove(f, basket.ReasonDeleted); ok || err != nil {
			return err
		}
	}
	return fmt.Errorf("delete: no swap of ten succeeds")
}

// mark is what an Ask does: one try.
func (w *markWorld) mark() error {
	f, value, err := w.writers[0].Find(markedHash, []byte("key"), []byte{})
	if err != nil || !f.OK() {
		return err
	}
	w.saw = string(value)
	w.marked, err = w.writers[0].Mark(f, true)
	return err
}

// act runs an actor's part.
func (w *markWorld) act(i int, part func() error) {
	if err := part(); err != nil {
		w.broken = fmt.Errorf("actor %d: %w", i, err)
	}
	w.done[i] = true
	n := uint64(len(w.saw))<<2 | uint64(i)<<1
	if w.marked {
		n |= 1
	}
	w.x.Mark(n)
}

// is looks at a key: its value, "" if it is absent, and whether it has the mark.
func (w *markWorld) is(key string) (value string, suspect bool, err error) {
	v, m, ok, err := w.judge.Get(markedHash, []byte(key), nil)
	if !ok {
		return "", false, err
	}
	return string(v), m.Suspect, err
}

// finish holds the keys against what the actors were told. key and other are the values that the second actor
// gives them.
func (w *markWorld) finish(key, other string) error {
	if w.broken != nil {
		return w.broken
	}
	is, suspect, err := w.is("key")
	beside, besideSuspect, err2 := w.is("other")
	switch {
	case err != nil || err2 != nil:
		return fmt.Errorf("get: %v, %v", err, err2)
	case is != key && (is != "old" || w.done[1]):
		return fmt.Errorf("the key has %q, want %q", is, key)
	case beside != other && (beside != "old" || w.done[1]) || besideSuspect:
		return fmt.Errorf("the other key has %q, marked %v, want %q", beside, besideSuspect, other)
	case suspect && w.done[0] && (!w.marked || w.saw != is):
		return fmt.Errorf("%q has a mark; the marker has seen %q, and was told %v", is, w.saw, w.marked)
	case !suspect && w.marked && w.saw == is && is != "":
		return fmt.Errorf("%q has no mark, and the marker was told that it has", is)
	}
	found := w.store.Check(w.table.All(), nil)
	for _, x := range found.All {
		return fmt.Errorf("check: %v", x)
	}
	return nil
}

// markProgram is a program of a marker, and of an actor that gives the keys these values.
func markProgram(t *testing.T, mark func(w *markWorld) error, change func(w *markWorld) error, key,
	other string) explore.Program {
	w := &markWorld{}
	return explore.Program{Name: "mark", Start: func(x *explore.Execution) []explore.Actor {
		if err := w.begin(x); err != nil {
			t.Error(err)
			return nil
		}
		return []explore.Actor{
			{Name: "marker", Body: func() { w.act(0, func() error { return mark(w) }) }},
			{Name: "other", Body: func() { w.act(1, func() error { return change(w) }) }},
		}
	}, Finish: func(*explore.Execution) error { return w.finish(key, other) }}
}

// C19: in every order with up to two preemptions, with a kill at each step, a value that was set between the
// look and the swap of a mark stays, without it; a deleted key does not come back; a key of the same hash
// loses nothing; and the records are sound.
func TestExploredC19_Mark(t *testing.T) {
	for name, x := range map[string]struct {
		change     func(w *markWorld) error
		key, other string
	}{
		"set":          {func(w *markWorld) error { return w.set(1, "key", "new") }, "new", "old"},
		"delete":       {(*markWorld).remove, "", "old"},
		"set of other": {func(w *markWorld) error { return w.set(1, "other", "new") }, "old", "new"},
	} {
		t.Run(name, func(t *testing.T) {
			p := markProgram(t, (*markWorld).mark, x.change, x.key, x.other)
			if err := searched(t, p, 2); err != nil {
				t.Error(err)
			}
		})
	}
}

// A mark that sets the value which it has found, until it succeeds, is found to undo a set.
func TestExploredC19_Canary(t *testing.T) {
	mark := func(w *markWorld) error {
		value, _, _, err := w.judge.Get(markedHash, []byte("key"), nil)
		if err != nil {
			return err
		}
		return w.set(0, "key", string(value))
	}
	set := func(w *markWorld) error { return w.set(1, "key", "new") }
	err := searched(t, markProgram(t, mark, set, "new", "old"), 2)
	if err == nil || !strings.Contains(err.Error(), `the key has "old", want "new"`) {
		t.Errorf("the search does not see that a set is undone: %v", err)
	}
}
