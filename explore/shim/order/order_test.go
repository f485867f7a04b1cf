package order

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/internal/hook"
)

// keysOf are the keys of a map in the order of a walk.
func keysOf[K comparable, V any](m map[K]V) (all []K) {
	for w, k, _ := Over(m); w.Next(&k, nil); {
		all = append(all, k)
	}
	return all
}

// sorted holds the keys of a map against the order that they should have.
func sorted[K comparable](t *testing.T, want ...K) {
	t.Helper()
	m := map[K]int{}
	for i, k := range want {
		m[k] = i
	}
	for range 20 { // the runtime has another order each time
		if got := keysOf(m); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
			return
		}
	}
}

type celsius float64

type place struct {
	x, y int
	name string
}

func TestOver_Orders(t *testing.T) {
	sorted(t, false, true)
	sorted(t, -3, 1, 2, 10)
	sorted[uint8](t, 0, 9, 200)
	sorted[celsius](t, celsius(math.Inf(-1)), -1.5, 0, 2)
	sorted(t, 1+1i, 1+2i, 2-1i)
	sorted(t, "", "a", "aa", "b")
	sorted(t, [2]int8{-1, 5}, [2]int8{0, -9}, [2]int8{0, 1})
	sorted(t, place{0, 1, "z"}, place{1, 0, "b"}, place{1, 0, "c"}, place{2, 0, "a"})
	sorted[any](t, nil, 2, 3, int8(1), celsius(1), place{}, "a", "b", struct{}{})
}

// TestOver_Seen: pointers and channels come in the order in which they were seen, also in structures.
func TestOver_Seen(t *testing.T) {
	type both struct {
		c chan int
		p *int
	}
	numbers := make([]*int, 20)
	set, pairs := map[any]int{}, map[both]int{}
	channels := []chan int{make(chan int), make(chan int)}
	for i := range numbers {
		numbers[i] = new(int)
	}
	slices.Reverse(numbers) // not by their addresses
	for i, p := range numbers {
		set[Seen(any(p))] = i
		pairs[Seen(both{channels[i%2], p})] = i
	}
	for range 20 {
		for i, p := range keysOf(set) {
			if p != numbers[i] {
				t.Fatalf("the pointer of place %d comes at %d", set[p], i)
			}
		}
	}
	for i, k := range keysOf(pairs) {
		if want := i*2%20 + i/10; pairs[k] != want {
			t.Fatalf("the pair of place %d comes at %d", pairs[k], i)
		}
	}
}

// TestSeen_Epochs: what is seen in an execution is forgotten behind it, unless Keep was called, and what
// nobody saw comes last.
func TestSeen_Epochs(t *testing.T) {
	before := hook.Epoch
	t.Cleanup(func() { hook.Epoch = before })
	all := []*int{new(int), new(int), new(int), new(int), new(int)}
	place := func() (places []int) {
		m := map[*int]int{}
		for i, p := range all {
			m[p] = i
		}
		for _, p := range keysOf(m) {
			places = append(places, m[p])
		}
		return places
	}
	hook.Epoch++
	Seen(all[4])
	Keep()
	hook.Epoch++
	Seen(all[3])
	Seen(all[0])
	if got := place(); !slices.Equal(got[:3], []int{4, 3, 0}) {
		t.Errorf("in the execution: %v", got)
	}
	hook.Epoch++
	Seen(all[0])
	Seen(all[3])
	if got := place(); !slices.Equal(got[:3], []int{4, 0, 3}) {
		t.Errorf("in the next one: %v", got)
	}
}

// TestWalk_Changes: what is deleted ahead of its turn does not come, nor what is added, and values are those
// of now.
func TestWalk_Changes(t *testing.T) {
	m := map[int]string{1: "a", 2: "b", 3: "c", 4: "d"}
	got := map[int]string{}
	for w, k, v := Over(m); w.Next(&k, &v); {
		got[k] = v
		delete(m, 2)
		m[3] = "new"
		m[5] = "e"
	}
	if want := map[int]string{1: "a", 3: "new", 4: "d"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	n := 0
	for w, _, _ := Over(map[string]int(nil)); w.Next(nil, nil); {
		n++
	}
	if n != 0 {
		t.Errorf("a map that is nil has %d keys", n)
	}
}

// TestWalk_NotEqual: keys that are not equal to themselves come, with their values, until the map is cleared.
func TestWalk_NotEqual(t *testing.T) {
	m := map[float64]int{math.NaN(): 1, math.NaN(): 2, 7: 3}
	sum, n := 0, 0
	for w, k, v := Over(m); w.Next(&k, &v); n++ {
		sum += v
	}
	if sum != 6 || n != 3 {
		t.Errorf("%d with the sum %d", n, sum)
	}
	n = 0
	for w, _, _ := Over(m); w.Next(nil, nil); n++ {
		clear(m)
		m[9] = 1
	}
	if n != 1 {
		t.Errorf("%d came of a map that was cleared at the first", n)
	}
}
