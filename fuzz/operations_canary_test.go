package fuzz

import (
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// forgetful loses every third add, and says that it was made.
type forgetful struct {
	table
	adds *int
}

func (x forgetful) Add(key, value uint32) (hopscotch.Result, error) {
	if _, there := x.Get(key); !there {
		if *x.adds++; *x.adds%3 == 0 {
			return hopscotch.Added, nil
		}
	}
	return x.table.Add(key, value)
}

// silent hands nothing over.
type silent struct{ table }

func (silent) Left() []hopscotch.Leaving { return nil }

// generous hands over twice what is handed over first.
type generous struct{ table }

func (x generous) Left() []hopscotch.Leaving {
	if left := x.table.Left(); len(left) > 0 {
		return append(left[:len(left):len(left)], left[0])
	}
	return nil
}

// flipped returns a value with one bit changed.
type flipped struct{ table }

func (x flipped) Get(key uint32) (uint32, bool) {
	v, ok := x.table.Get(key)
	if ok {
		v ^= 1 << 7
	}
	return v, ok
}

// stale returns the new value of an update for the old one.
type stale struct{ table }

func (x stale) Update(key, value uint32) (uint32, bool, error) {
	old, ok, err := x.table.Update(key, value)
	if ok {
		old = value
	}
	return old, ok, err
}

// undying says that it deletes, and does not.
type undying struct{ table }

func (x undying) Delete(key uint32) (bool, error) {
	_, there := x.Get(key)
	return there, nil
}

// lazy tends one bucket where it should tend all.
type lazy struct{ table }

func (x lazy) CropAll(left func(hopscotch.Leaving)) error {
	err := x.Crop(1)
	for _, l := range x.Left() {
		left(l)
	}
	return err
}

// wasteful evicts, or is full, when there is a place.
type wasteful struct{ table }

func (x wasteful) Add(key, value uint32) (hopscotch.Result, error) {
	r, err := x.table.Add(key, value)
	if r == hopscotch.Added && len(x.Left()) == 0 && key%5 == 0 {
		if _, err := x.Delete(key); err != nil {
			return 0, err
		}
		return hopscotch.Full, x.Crop(key)
	}
	return r, err
}

func TestOperations_Canaries(t *testing.T) {
	adds := 0
	for name, fault := range map[string]func(table) table{
		"add lost":                  func(h table) table { return forgetful{h, &adds} },
		"nothing handed over":       func(h table) table { return silent{h} },
		"handed over twice":         func(h table) table { return generous{h} },
		"value flipped":             func(h table) table { return flipped{h} },
		"new value for the old":     func(h table) table { return stale{h} },
		"delete lost":               func(h table) table { return undying{h} },
		"one bucket cropped":        func(h table) table { return lazy{h} },
		"full though there is room": func(h table) table { return wasteful{h} },
	} {
		t.Run(name, func(t *testing.T) {
			findsFault(t, corpus(t, "FuzzOperations", operationSeeds()),
				func(data []byte) error { return checkOperations(data, fault) })
		})
	}
}

// The oldest element leaves: if the options say another one than the check believes, it is found.
func TestOperations_CanaryOldest(t *testing.T) {
	findsFault(t, corpus(t, "FuzzOperations", operationSeeds()), func(data []byte) error {
		s, err := newSession(data)
		if err != nil {
			return err
		}
		older := s.older
		s.older = func(a, b uint32) bool { return older(b, a) }
		return s.calls()
	})
}

// A word of the table that somebody changes is found at rest.
func TestOperations_CanaryStructure(t *testing.T) {
	findsFault(t, corpus(t, "FuzzOperations", operationSeeds()), func(data []byte) error {
		s, err := newSession(data)
		if err == nil {
			err = s.calls()
		}
		if err != nil {
			return err
		}
		cells, err := s.region.Section(hopscotch.Engine, hopscotch.SectionCells)
		if err != nil {
			return err
		}
		cells.Plain()[1] ^= 1 // the version of the first cell
		if hopscotch.Word0(cells.Plain()[0]).Form() != hopscotch.FormEmpty {
			return nil // any version will do
		}
		if err := s.rest(); err != nil {
			return wrong("%w", err)
		}
		return nil
	})
}
