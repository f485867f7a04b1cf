//go:build explore

package cache

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// Operation state C01 for a get without a handle: the basket of the record is retired, freed, opened and
// filled again while a glance reads. The records and the table are those that ship, and each access of them
// is a step.

const (
	glancedHash = 7
	glancedKey  = "key"
)

// glanceWorld is what the actors of an execution share. Baskets have two records.
type glanceWorld struct {
	x      *explore.Execution
	store  *basket.Store
	table  *hopscotch.Table
	writer *basket.Writer
	index  basket.Index // of the canary, and of the judge
	value  string       // that a look has found
	what   basket.Sight
	looked bool
	broken error
}

// glancedValue is the value of a key: 24 times one letter.
func glancedValue(letter string) []byte { return bytes.Repeat([]byte(letter), 24) }

func (w *glanceWorld) begin(x *explore.Execution) error {
	*w = glanceWorld{x: x}
	var err error
	w.store, w.table, err = storeAndTable(basket.Layout{Baskets: 4, BasketBytes: 128, Writers: 1}, 8)
	if err != nil {
		return err
	}
	var indexes [2]basket.Index
	for i := range indexes {
		h, err := w.table.NewHandle(uint64(i + 1))
		if err != nil {
			return err
		}
		indexes[i] = basket.OnTable(h)
	}
	w.index = indexes[1]
	w.writer, err = w.store.NewWriter(indexes[0], basket.WriterOptions{NoTouch: true})
	if err != nil {
		return err
	}
	return w.set(glancedHash, glancedKey, "a")
}

// set sets a key, however often it takes.
func (w *glanceWorld) set(hash uint32, key, letter string) error {
	for range 10 {
		f, _, err := w.writer.Find(hash, []byte(key), nil)
		if err != nil {
			return err
		}
		if ok, err := w.writer.Replace(f, glancedValue(letter), basket.RecordOptions{}); ok || err != nil {
			return err
		}
	}
	return fmt.Errorf("set of %s: no swap of ten succeeds", key)
}

// refill sets other keys until the place of the record has been used again, by a record of the same hash.
func (w *glanceWorld) refill() error {
	for i := range uint32(6) {
		if err := w.set(20+i, "b", "b"); err != nil {
			return err
		}
	}
	for range 4 {
		if err := w.set(glancedHash, "c", "c"); err != nil {
			return err
		}
	}
	return nil
}

// act runs an actor's part.
func (w *glanceWorld) act(i uint64, part func() error) {
	if err := part(); err != nil {
		w.broken = fmt.Errorf("actor %d: %w", i, err)
	}
	n := i<<8 | uint64(w.what)
	w.x.Mark(n)
}

// glance is one by the table.
func (w *glanceWorld) glance() error {
	return w.seen(w.store.Glance(w.table, glancedHash, []byte(glancedKey), []byte("x")))
}

// halves is a glance as one of a batch: between its halves others are made.
func (w *glanceWorld) halves() error {
	r := w.store.Request(w.table, glancedHash)
	return w.seen(w.store.GlanceAt(w.table, r, []byte(glancedKey), []byte("x")))
}

// seen notes what a glance has come to.
func (w *glanceWorld) seen(value []byte, m basket.Meta, what basket.Sight) error {
	value, before := bytes.CutPrefix(value, []byte("x"))
	if !before {
		return fmt.Errorf("dst comes back as %q", value)
	}
	w.what, w.value, w.looked = what, string(value), true
	if what == basket.Present && m.Bytes != len(value) {
		return fmt.Errorf("%d bytes, of which the record says %d", len(value), m.Bytes)
	}
	return nil
}

// trusting is an index whose tickets hold for ever.
type trusting struct{ basket.Index }

func (trusting) Still(hopscotch.Ticket) bool { return true }

// trust is a get that asks for no ticket behind its copy.
func (w *glanceWorld) trust() error {
	r, err := w.store.NewReader(trusting{w.index}, basket.ReaderOptions{NoTouch: true})
	if err != nil {
		return err
	}
	value, _, ok, _ := r.Get(glancedHash, []byte(glancedKey), nil)
	if w.value, w.looked = string(value), true; ok {
		w.what = basket.Present
	}
	return nil
}

// marked reports whether any record is marked as used. The writer marks none.
func (w *glanceWorld) marked() bool {
	marks, err := w.store.Region().Section(basket.Engine, basket.SectionTouch)
	for i := range marks {
		if marks[i].Load() != 0 {
			return true
		}
	}
	return err != nil
}

// finish judges what the look has found.
func (w *glanceWorld) finish() error {
	switch {
	case w.broken != nil:
		return w.broken
	case w.looked && w.what == basket.Present && w.value != string(glancedValue("a")):
		return fmt.Errorf("the value is %q", w.value)
	case w.what != basket.Present && w.value != "":
		return fmt.Errorf("%q was appended for a key that was not found", w.value)
	case w.looked && w.what != basket.Present && w.marked():
		return errors.New("a record is marked as used by a look that has not found it")
	}
	if !w.looked || w.what != basket.Absent {
		return nil
	}
	r, err := w.store.NewReader(w.index, basket.ReaderOptions{NoTouch: true})
	if err != nil {
		return err
	}
	if _, there, err := r.Has(glancedHash, []byte(glancedKey)); there || err != nil {
		return fmt.Errorf("the key is absent, and never left: %v", err)
	}
	return nil
}

// glanceProgram is a program of a look and of a writer.
func glanceProgram(t *testing.T, look, change func(w *glanceWorld) error) explore.Program {
	w := &glanceWorld{}
	return explore.Program{Name: "glance", Start: func(x *explore.Execution) []explore.Actor {
		if err := w.begin(x); err != nil {
			t.Error(err)
			return nil
		}
		return []explore.Actor{
			{Name: "look", Body: func() { w.act(0, func() error { return look(w) }) }},
			{Name: "writer", Body: func() { w.act(1, func() error { return change(w) }) }},
		}
	}, Finish: func(*explore.Execution) error { return w.finish() }}
}

// glancedBeside runs a look beside a change, in every order with up to two preemptions and one kill.
func glancedBeside(t *testing.T, look, change func(w *glanceWorld) error) error {
	t.Helper()
	return searched(t, glanceProgram(t, look, change), 2)
}

// TestExploredC01_Glance: whatever becomes of the record, a glance gives the value of its key, whole, or says
// that the key is absent once it is, or that it is unsure.
func TestExploredC01_Glance(t *testing.T) {
	for name, change := range map[string]func(w *glanceWorld) error{
		"refill":     (*glanceWorld).refill,
		"same hash":  func(w *glanceWorld) error { return w.set(glancedHash, "c", "c") },
		"same value": func(w *glanceWorld) error { return w.set(glancedHash, glancedKey, "a") },
	} {
		t.Run(name, func(t *testing.T) {
			if err := glancedBeside(t, (*glanceWorld).glance, change); err != nil {
				t.Error(err)
			}
		})
		t.Run(name+" in halves", func(t *testing.T) {
			if err := glancedBeside(t, (*glanceWorld).halves, change); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestExploredC01_GlanceCanary: a look that trusts its ticket is found to give what it should not.
func TestExploredC01_GlanceCanary(t *testing.T) {
	err := glancedBeside(t, (*glanceWorld).trust, (*glanceWorld).refill)
	if err == nil || !strings.Contains(err.Error(), "the value is") {
		t.Errorf("the search does not see that a ticket was trusted: %v", err)
	}
}
