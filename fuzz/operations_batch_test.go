package fuzz

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// batchMax bounds the elements of a batch of adds: more than two groups of those that the engine prepares
// together.
const batchMax = 40

// addBatch adds elements one by one, each held against the map, puts the table back, and adds them in one
// call: that must end in the same way, and with the same words.
func (s *session) addBatch(h table) error {
	keys, values := s.batch()
	results := slices.Repeat([]hopscotch.Result{hopscotch.Full}, len(keys))
	if _, err := h.AddBatch(keys, append(values, 1), results); !errors.Is(err, hopscotch.ErrBatch) {
		return wrong("batch of adds with one value more: %v", err)
	}
	words, tie := s.region.Words().Plain(), s.tie
	before := slices.Clone(words)
	want, err := s.singles(h, keys, values)
	if err != nil {
		return wrong("before a batch: %w", err)
	}
	after := slices.Clone(words)
	copy(words, before)
	s.tie = tie
	for _, h := range s.handles {
		h.Rewind()
	}
	n, err := h.AddBatch(keys, values, results)
	switch {
	case !errors.Is(err, want.err):
		return wrong("batch of %d adds: %v, want %v", len(keys), err, want.err)
	case n != want.added || !slices.Equal(results, want.results):
		return wrong("batch of adds: %d added, %v, want %d, %v", n, results, want.added, want.results)
	case !slices.Equal(h.Left(), want.left):
		return wrong("batch of adds: %v has left, want %v", h.Left(), want.left)
	case !slices.Equal(words, after):
		return wrong("batch of adds: the words are not those after single adds")
	}
	return nil
}

// batch decodes the elements of a batch. A few have a key or a value that none may have.
func (s *session) batch() (keys, values []uint32) {
	for range s.in.below(batchMax + 1) {
		b := s.in.next()
		key, value := uint32(b)%uint32(s.keys)+1, s.value()
		switch b {
		case 0xFD:
			value = 0
		case 0xFE:
			key = 0
		case 0xFF:
			key = math.MaxUint32
		}
		keys, values = append(keys, key), append(values, value)
	}
	return keys, values
}

// ending is what a batch of adds comes to.
type ending struct {
	added   int
	results []hopscotch.Result
	left    []hopscotch.Leaving
	err     error
}

// singles is a batch of adds one by one.
func (s *session) singles(h table, keys, values []uint32) (e ending, err error) {
	e.results = make([]hopscotch.Result, len(keys))
	for i, key := range keys {
		switch {
		case key == 0 || key == math.MaxUint32:
			e.err = hopscotch.ErrKey
			return e, nil
		case values[i] == 0:
			e.err = hopscotch.ErrValue
			return e, nil
		}
		if e.results[i], err = s.addValue(h, key, values[i]); err != nil {
			return e, err
		}
		if e.results[i] == hopscotch.Added {
			e.added++
		}
		e.left = append(e.left, h.Left()...)
	}
	return e, nil
}

// batchSeeds have batches of adds, empty, of one group and of more, and a few other calls between them.
func batchSeeds() [][]byte {
	var seeds [][]byte
	for seed := range uint32(6) {
		data := random(seed+200, 600)
		data[0] &^= byte(seed & 1) // in every other one elements may leave
		for i := 4; i+2 < len(data); i += 3 + int(data[i+2])%(batchMax+1) + 8 {
			data[i], data[i+1] = data[i]|15, 2 // key 3
			if seed < 3 {
				data[i+2] = byte(seed) * 16 // the ends of a group
			}
		}
		seeds = append(seeds, data)
	}
	return seeds
}

// unsorted has its results one place too far.
type unsorted struct{ table }

func (x unsorted) AddBatch(keys, values []uint32, results []hopscotch.Result) (int, error) {
	n, err := x.table.AddBatch(keys, values, results)
	if len(results) > 1 {
		copy(results[1:], results)
	}
	return n, err
}

// boastful has added what was there.
type boastful struct{ table }

func (x boastful) AddBatch(keys, values []uint32, results []hopscotch.Result) (int, error) {
	n, err := x.table.AddBatch(keys, values, results)
	if err == nil {
		n = len(keys)
	}
	return n, err
}

// careless goes on after an add that fails.
type careless struct{ table }

func (x careless) AddBatch(keys, values []uint32, results []hopscotch.Result) (int, error) {
	n, err := x.table.AddBatch(keys, values, results)
	if err != nil && len(values) == len(keys) {
		_, _ = x.Add(keys[len(keys)-1], values[len(keys)-1])
	}
	return n, err
}

// brief hands over what left by the last add of a batch.
type brief struct {
	table
	batch *bool
}

func (x brief) AddBatch(keys, values []uint32, results []hopscotch.Result) (int, error) {
	n, err := x.table.AddBatch(keys, values, results)
	*x.batch = true
	return n, err
}

func (x brief) Add(key, value uint32) (hopscotch.Result, error) {
	*x.batch = false
	return x.table.Add(key, value)
}

func (x brief) Left() []hopscotch.Leaving {
	left := x.table.Left()
	if *x.batch {
		left = left[max(0, len(left)-1):]
	}
	return left
}

func TestOperations_CanariesBatch(t *testing.T) {
	for name, fault := range map[string]func(table) table{
		"results at other places": func(h table) table { return unsorted{h} },
		"counts what was there":   func(h table) table { return boastful{h} },
		"goes on after a failure": func(h table) table { return careless{h} },
		"hands over the last one": func(h table) table { return brief{h, new(bool)} },
	} {
		t.Run(name, func(t *testing.T) {
			findsFault(t, corpus(t, "FuzzOperations", batchSeeds()),
				func(data []byte) error { return checkOperations(data, fault) })
		})
	}
}
