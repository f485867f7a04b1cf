package fuzz

import (
	"errors"
	"maps"
	"math"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// operationsMax bounds the calls of one input.
const operationsMax = 400

// table is what a handle offers to its owner. A canary puts a fault in between.
type table interface {
	Get(key uint32) (uint32, bool)
	Add(key, value uint32) (hopscotch.Result, error)
	AddBatch(keys, values []uint32, results []hopscotch.Result) (added int, err error)
	Update(key, value uint32) (uint32, bool, error)
	Delete(key uint32) (bool, error)
	Crop(key uint32) error
	Restore(key uint32) error
	CropAll(left func(hopscotch.Leaving)) error
	CropNext(buckets int, left func(hopscotch.Leaving)) (passed bool, err error)
	Clear(left func(hopscotch.Leaving)) (deleted uint64, err error)
	RestoreAll() error
	Left() []hopscotch.Leaving
}

// FuzzOperations holds calls, one after the other, against a plain map: what they return, what is
// handed over and when, what stays in the table, and its structure at rest.
func FuzzOperations(f *testing.F) {
	for _, data := range operationSeeds() {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := checkOperations(data, nil); err != nil {
			t.Fatal(err)
		}
	})
}

func operationSeeds() [][]byte {
	seeds := [][]byte{
		{0, 0, 1, 0x00, 3, 0x00, 7, 0x05, 3},
		{2, 1, 0, 0x00, 1, 0x09, 1, 0x0B, 1, 0x0D, 0},
	}
	for seed := range uint32(12) {
		seeds = append(seeds, random(seed, 300))
		// Adds, and here and there another call, in a window that is the whole ring of 3 to 6.
		crowd := random(seed+100, 160)
		crowd[0] &^= 1 // elements may leave
		crowd[1] = byte(1 + seed%4)
		crowd[2] = crowd[1]
		for i := 4; i < len(crowd); i += 2 {
			if i%10 != 0 {
				crowd[i] &= 0xF0
			}
		}
		seeds = append(seeds, crowd)
	}
	return append(seeds, batchSeeds()...)
}

// session is one run of an input.
type session struct {
	in      input
	region  *region.Region
	table   *hopscotch.Table
	handles []*hopscotch.Handle
	fault   func(table) table
	keepAll bool
	older   func(a, b uint32) bool
	keys    int
	values  uint32
	tie     uint32 // of which the next half is made that an add has the choice of
	want    contents
}

// checkOperations decodes and runs the input; fault, if not nil, alters what a handle does.
func checkOperations(data []byte, fault func(table) table) error {
	s, err := newSession(data)
	if err != nil {
		return err
	}
	s.fault = fault
	if err := s.calls(); err != nil {
		return err
	}
	return s.close()
}

// newSession decodes the geometry and makes the table.
func newSession(data []byte) (*session, error) {
	s := &session{in: input{data}, want: newContents()}
	return s, s.open()
}

// calls decodes and makes all calls.
func (s *session) calls() error {
	for n := 0; n < operationsMax && !s.in.done(); n++ {
		if err := s.call(); err != nil {
			return wrong("call %d: %w", n+1, err)
		}
		if n%4 == 3 || s.in.done() {
			if err := s.rest(); err != nil {
				return wrong("after call %d: %w", n+1, err)
			}
		}
	}
	return nil
}

func (s *session) open() error {
	options := s.in.next()
	l := hopscotch.Layout{CellsPerHalf: uint32(s.in.between(2, 12))}
	l.Window = uint32(s.in.between(2, int(min(l.CellsPerHalf, 8))))
	l.Descriptors = uint32(1 + options>>2&1)
	l.Homes = hopscotch.HomesNear + hopscotch.Placement(options>>4&1)
	s.keepAll = options&1 != 0
	s.older = func(a, b uint32) bool { return a < b }
	if options&2 != 0 {
		s.older = func(a, b uint32) bool { return a > b }
	}
	s.keys = 1 + 4*int(l.CellsPerHalf)>>(options>>3&1)
	var err error
	if s.region, err = hopscotch.Heap(l); err != nil {
		return err
	}
	s.tie = uint32(s.in.next()) << 16
	s.table, err = hopscotch.NewWith(s.region, hopscotch.Options{KeepAll: s.keepAll, Older: s.older,
		Tie: func() uint32 { s.tie = s.tie*1664525 + 1013904223; return s.tie >> 31 }})
	if err != nil {
		return err
	}
	for i := range l.Descriptors {
		h, err := s.table.NewHandle(uint64(i) + 1)
		if err != nil {
			return err
		}
		s.handles = append(s.handles, h)
	}
	if _, err := s.table.NewHandle(99); !errors.Is(err, hopscotch.ErrHandles) {
		return wrong("one handle more: %v", err)
	}
	return nil
}

// call decodes and makes one call.
func (s *session) call() error {
	b := s.in.next()
	i := int(b>>4) % len(s.handles)
	h := table(s.handles[i])
	if s.fault != nil {
		h = s.fault(h)
	}
	key := uint32(s.in.below(s.keys)) + 1
	switch b & 15 {
	case 4:
		return s.whole(h, key)
	case 5, 6:
		return s.get(h, key)
	case 7, 8:
		return s.update(h, key)
	case 9, 10:
		return s.delete(h, key)
	case 11:
		return s.tend(h, key, h.Crop(key))
	case 12:
		return s.tend(h, key, h.Restore(key))
	case 13:
		return s.cropAll(h)
	case 14:
		return s.tend(h, key, h.RestoreAll())
	case 15:
		switch key % 4 {
		case 1:
			return s.refused(h, key)
		case 3:
			return s.addBatch(h)
		}
		return s.reopen(i)
	}
	return s.add(h, key)
}

// value is another one each time, in no order.
func (s *session) value() uint32 {
	s.values++
	return s.values * 0x9E3779B1 // odd: no value comes twice
}

func (s *session) get(h table, key uint32) error {
	v, ok := h.Get(key)
	if want, there := s.want.elements[key]; ok != there || v != want {
		return wrong("get of %d: %d, %v, want %d, %v", key, v, ok, want, there)
	}
	return nil
}

// whole makes the calls that are about many keys.
func (s *session) whole(h table, choice uint32) error {
	switch choice % 4 {
	case 0:
		return s.getBatch()
	case 1:
		return s.walk()
	case 2:
		return s.clear(h)
	}
	var left []hopscotch.Leaving
	_, err := h.CropNext(int(choice), func(l hopscotch.Leaving) { left = append(left, l) })
	if err != nil {
		return wrong("crop of %d buckets: %w", choice, err)
	}
	if evicted, err := s.want.takeLeft(left); err != nil || len(evicted) > 0 {
		return wrong("crop of %d buckets: evicted %v, %v", choice, evicted, err)
	}
	return nil
}

// getBatch asks for all keys, and some that cannot be there, more than a batch at once.
func (s *session) getBatch() error {
	keys := make([]uint32, s.keys+20)
	for i := range keys {
		keys[i] = uint32(i)
	}
	values, found := make([]uint32, len(keys)), make([]bool, len(keys))
	if _, err := s.table.GetBatch(keys, values[1:], found); !errors.Is(err, hopscotch.ErrBatch) {
		return wrong("batch with one value less: %v", err)
	}
	n, err := s.table.GetBatch(keys, values, found)
	if err != nil || n != len(s.want.elements) {
		return wrong("batch: %d found, %v, want %d", n, err, len(s.want.elements))
	}
	for i, key := range keys {
		if want, there := s.want.elements[key]; found[i] != there || values[i] != want {
			return wrong("batch: key %d is %d, %v, want %d, %v", key, values[i], found[i], want, there)
		}
	}
	return nil
}

// walk wants each element once.
func (s *session) walk() error {
	seen := map[uint32]uint32{}
	for key, value := range s.table.All() {
		if _, twice := seen[key]; twice {
			return wrong("walk: key %d comes twice", key)
		}
		seen[key] = value
	}
	if !maps.Equal(seen, s.want.elements) {
		return wrong("walk: %v, want %v", seen, s.want.elements)
	}
	return nil
}

// clear wants every value handed over, and nothing left.
func (s *session) clear(h table) error {
	n := uint64(len(s.want.elements))
	for key, value := range s.want.elements {
		delete(s.want.elements, key)
		s.want.lost[value] = true
	}
	var left []hopscotch.Leaving
	deleted, err := h.Clear(func(l hopscotch.Leaving) { left = append(left, l) })
	if err != nil || deleted != n {
		return wrong("clear: %d deleted, %v, want %d", deleted, err, n)
	}
	if evicted, err := s.want.takeLeft(left); err != nil || len(evicted)+len(s.want.lost) > 0 {
		return wrong("clear: evicted %v, %v; %d values were not handed over", evicted, err,
			len(s.want.lost))
	}
	return s.rest()
}

func (s *session) add(h table, key uint32) error {
	_, err := s.addValue(h, key, s.value())
	return err
}

// addValue adds the key with a value that nobody else has.
func (s *session) addValue(h table, key, value uint32) (hopscotch.Result, error) {
	_, exists := s.want.elements[key]
	before := s.picture()
	place, victims := before.place(key, s.keepAll), before.victims(key, s.older)
	result, err := h.Add(key, value)
	if err != nil {
		return result, wrong("add of %d: %w", key, err)
	}
	evicted, err := s.want.takeLeft(h.Left())
	if err != nil {
		return result, wrong("add of %d: %w", key, err)
	}
	want, least, most := hopscotch.Added, 0, 0
	switch {
	case exists:
		want = hopscotch.Exists
	case !place && s.keepAll:
		want = hopscotch.Full
	case !place && before.chain(key):
		most = 1
	case !place:
		least, most = 1, 1
	}
	if n := len(evicted); result != want || n < least || n > most {
		return result, wrong("add of %d: %v, evicted %v, want %v and %d to %d evicted\n%v", key, result,
			evicted, want, least, most, before)
	}
	for _, l := range evicted {
		if !victims[l.Key] {
			return result, wrong("add of %d: evicted %v, want one of %v\n%v", key, l, victims, before)
		}
	}
	if result == hopscotch.Added {
		s.want.elements[key] = value
	}
	return result, nil
}

func (s *session) update(h table, key uint32) error {
	value := s.value()
	old, ok, err := h.Update(key, value)
	want, there := s.want.elements[key]
	if err != nil || ok != there || old != want {
		return wrong("update of %d: %d, %v, %v, want %d, %v", key, old, ok, err, want, there)
	}
	if there {
		s.want.elements[key] = value
		s.want.gone[old] = true
	}
	return s.nothingLeft(h)
}

func (s *session) delete(h table, key uint32) error {
	ok, err := h.Delete(key)
	value, there := s.want.elements[key]
	if err != nil || ok != there {
		return wrong("delete of %d: %v, %v, want %v", key, ok, err, there)
	}
	if there {
		delete(s.want.elements, key)
		s.want.lost[value] = true
	}
	return s.nothingLeft(h)
}

func (s *session) nothingLeft(h table) error {
	if left := h.Left(); len(left) != 0 {
		return wrong("%v has left by an update, a delete or a refused call", left)
	}
	return nil
}

// tend books what a call that changes no contents has handed over; err is what it returned.
func (s *session) tend(h table, key uint32, err error) error {
	if err != nil {
		return wrong("tending %d: %w", key, err)
	}
	evicted, err := s.want.takeLeft(h.Left())
	if err == nil && len(evicted) > 0 {
		err = wrong("%v was evicted", evicted)
	}
	if err != nil {
		return wrong("tending %d: %w", key, err)
	}
	return nil
}

// cropAll wants every value that waits to be handed over, and an end of all deleted elements.
func (s *session) cropAll(h table) error {
	var left []hopscotch.Leaving
	if err := h.CropAll(func(l hopscotch.Leaving) { left = append(left, l) }); err != nil {
		return wrong("crop of all: %w", err)
	}
	evicted, err := s.want.takeLeft(left)
	switch {
	case err != nil:
		return wrong("crop of all: %w", err)
	case len(evicted) > 0:
		return wrong("crop of all: %v was evicted", evicted)
	case len(s.want.lost) > 0:
		return wrong("crop of all: %d values of deleted elements were not handed over", len(s.want.lost))
	}
	return nil
}

// reopen gives a descriptor back and takes one again.
func (s *session) reopen(i int) error {
	if err := s.handles[i].Close(); err != nil {
		return wrong("close: %w", err)
	}
	if _, err := s.handles[i].Add(1, 1); !errors.Is(err, hopscotch.ErrClosed) {
		return wrong("add with a closed handle: %v", err)
	}
	var err error
	if s.handles[i], err = s.table.NewHandle(uint64(i) + 1); err != nil {
		return wrong("handle: %w", err)
	}
	return nil
}

// refused makes calls with a key or a value that none may have.
func (s *session) refused(h table, key uint32) error {
	if _, err := h.Add(key, 0); !errors.Is(err, hopscotch.ErrValue) {
		return wrong("add of the value 0: %v", err)
	}
	if _, _, err := h.Update(key, 0); !errors.Is(err, hopscotch.ErrValue) {
		return wrong("update to the value 0: %v", err)
	}
	for _, k := range []uint32{0, math.MaxUint32} {
		_, errAdd := h.Add(k, 1)
		_, _, errUpdate := h.Update(k, 1)
		_, errDelete := h.Delete(k)
		_, _, errLookup := s.table.Lookup(k)
		for i, err := range []error{errAdd, errUpdate, errDelete, h.Crop(k), h.Restore(k), errLookup} {
			if !errors.Is(err, hopscotch.ErrKey) {
				return wrong("call %d with the key %#x: %v", i, k, err)
			}
		}
	}
	return s.nothingLeft(h)
}

// rest compares all of the table with the map, and checks its structure.
func (s *session) rest() error {
	if err := hopscotch.Check(s.table, hopscotch.CheckOptions{}).Err(); err != nil {
		return err
	}
	for key := uint32(1); key <= uint32(s.keys); key++ {
		v, ok, err := s.table.Lookup(key)
		if want, there := s.want.elements[key]; err != nil || ok != there || v != want {
			return wrong("lookup of %d: %d, %v, %v, want %d, %v", key, v, ok, err, want, there)
		}
	}
	n := hopscotch.Measure(s.table)
	if n.Elements != len(s.want.elements) || n.Lost != len(s.want.lost) || n.Held+n.Frozen != 0 {
		return wrong("the table counts %+v, want %d elements and %d lost", n, len(s.want.elements),
			len(s.want.lost))
	}
	return nil
}

// close takes everything out: each value has been handed over by then, and all cells are empty.
func (s *session) close() error {
	h := table(s.handles[0])
	if s.fault != nil {
		h = s.fault(h)
	}
	for key := uint32(1); key <= uint32(s.keys); key++ {
		if err := s.delete(h, key); err != nil {
			return err
		}
	}
	if err := s.cropAll(h); err != nil {
		return err
	}
	if err := s.rest(); err != nil {
		return err
	}
	if n := hopscotch.Measure(s.table); n.Empty != 2*int(s.table.Layout().CellsPerHalf) {
		return wrong("at the end %d cells are empty: %+v", n.Empty, n)
	}
	for _, h := range s.handles {
		if err := h.Close(); err != nil {
			return wrong("close: %w", err)
		}
	}
	return nil
}
