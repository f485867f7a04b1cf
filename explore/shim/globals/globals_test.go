package globals

import (
	"container/list"
	"embed"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/explore/shim/atomic"
)

type node struct {
	n    int
	next *node
}

//go:embed globals.go
var files embed.FS

// TestRestore_All: what variables lead to is as it was, whatever became of it, and each time again.
func TestRestore_All(t *testing.T) {
	var (
		number  = 1
		counter atomic.Int64
		chain   = &node{1, &node{2, nil}}
		row     = []int{1, 2, 3}
		table   = map[string][]int{"a": {1}, "b": nil}
		boxed   any
		current atomic.Pointer[node]
		value   atomic.Value
		inner   list.List
		lazy    *node
	)
	counter.Store(7)
	boxed = map[int]*node{1: {n: 1}}
	current.Store(&node{n: 5})
	value.Store([]int{1})
	inner.PushBack(1)
	told = nil
	Add("", &number, &counter, &chain, &row, &table, &boxed, &current, &value, &inner, &lazy, &files)
	s := Keep()
	for range 2 {
		number++
		counter.Add(1)
		chain.next.n, chain.n = 9, 8
		chain.next, chain = nil, nil
		row[0] = 5
		row = append(row, 4)[1:]
		table["a"][0] = 3
		table["c"] = []int{3}
		delete(table, "b")
		boxed.(map[int]*node)[1].n = 4
		boxed = 3
		current.Load().n = 6
		current.Store(nil)
		value.Load().([]int)[0] = 2
		value.Store([]int(nil))
		inner.PushFront(0)
		lazy = &node{}
		s.Restore()
		switch {
		case number != 1, counter.Load() != 7, lazy != nil:
			t.Errorf("numbers: %d, %d, %v", number, counter.Load(), lazy)
		case chain.n != 1 || chain.next.n != 2 || chain.next.next != nil:
			t.Errorf("pointers: %+v", chain)
		case !slices.Equal(row, []int{1, 2, 3}):
			t.Errorf("a slice: %v", row)
		case !maps.EqualFunc(table, map[string][]int{"a": {1}, "b": nil}, slices.Equal):
			t.Errorf("a map: %v", table)
		case boxed.(map[int]*node)[1].n != 1:
			t.Errorf("an interface: %v", boxed)
		case current.Load().n != 5 || value.Load().([]int)[0] != 1:
			t.Errorf("atomics: %v, %v", current.Load(), value.Load())
		case inner.Len() != 1 || inner.Front().Value != 1 || inner.Back() != inner.Front():
			t.Errorf("a list: %d, %v", inner.Len(), inner.Front())
		}
	}
}

// ends holds one channel in several places.
type ends struct {
	in  <-chan int
	out chan<- int
}

// TestRestore_Channels: whoever has closed a channel, or has left elements in it, the next one finds an open
// and empty one, which is the same in all places that led to the same one. A channel that had elements, or
// was closed, is left alone.
func TestRestore_Channels(t *testing.T) {
	var (
		closed, left, same     = make(chan int), make(chan int, 3), make(chan int, 1)
		both                   = &ends{closed, closed}
		rows                   = []chan int{left, nil}
		table                  = map[string]chan int{"left": left, "none": nil, "alone": make(chan int)}
		boxed              any = closed
		value              atomic.Value
		had, gone          = make(chan int, 2), make(chan int)
	)
	value.Store(left)
	had <- 1
	close(gone)
	was, kept := [...]any{closed, left, same, had, gone}, table["alone"]
	told = nil
	Add(reflect.TypeFor[ends]().PkgPath(), &closed, &left, &same, &both, &rows, &table, &boxed, &value, &had,
		&gone)
	s := Keep()
	s.Restore()
	if now := [...]any{closed, left, same, had, gone}; now != was || table["alone"] != kept {
		t.Error("channels that have not changed are others")
	}
	for range 3 {
		first := closed
		close(closed)
		left <- 1
		left <- 2
		close(table["alone"])
		delete(table, "left")
		both.in, boxed, rows[1] = nil, 5, closed
		s.Restore()
		select {
		case <-closed:
			t.Error("a channel is still closed")
		default:
		}
		if closed == first || both.in != closed || both.out != closed || boxed != any(closed) {
			t.Error("a channel that was closed is not the same everywhere")
		}
		if len(left) != 0 || cap(left) != 3 || rows[0] != left || table["left"] != left ||
			value.Load() != any(left) {
			t.Errorf("a channel with elements: %d of %d", len(left), cap(left))
		}
		if table["none"] != nil || rows[1] != nil || same != was[2] {
			t.Error("what was no channel is one now, or one that has not changed is another")
		}
		go func(c chan int) { c <- 7 }(table["alone"])
		if <-table["alone"] != 7 {
			t.Error("the channel of a map does not work")
		}
	}
	if <-had != 1 || had != was[3] || gone != was[4] {
		t.Error("channels that had elements, or were closed, are others")
	}
}

// TestRestore_Stays: what cannot be kept as a whole is left alone, as is what is too large.
func TestRestore_Stays(t *testing.T) {
	large := map[int]int{}
	for i := range mostElements + 1 {
		large[i] = i
	}
	foreign := regexp.MustCompile("a|ab")
	long := [mostBytes + 1]byte{}
	told = nil
	Add("", &large, &foreign, &long)
	s := Keep()
	large[0], long[0] = 7, 7
	foreign.Longest()
	s.Restore()
	if large[0] != 7 || long[0] != 7 || foreign.FindString("ab") != "ab" {
		t.Errorf("changed back: %d, %d, %q", large[0], long[0], foreign.FindString("ab"))
	}
	if n := len(s.pieces); n != 2 {
		t.Errorf("kept are %d pieces, not the two variables", n)
	}
	(*Snapshot)(nil).Restore()
}

// TestKeep_Ends: a structure without end is kept as far as the limit goes.
func TestKeep_Ends(t *testing.T) {
	var first *node
	for range 2 * mostPieces {
		first = &node{0, first}
	}
	ring := &node{}
	ring.next = ring
	told = nil
	Add("", &ring, &first)
	if s := Keep(); len(s.pieces) != mostPieces || s.pieces[0].at.Type() != reflect.TypeFor[*node]() {
		t.Errorf("%d pieces", len(s.pieces))
	}
}
