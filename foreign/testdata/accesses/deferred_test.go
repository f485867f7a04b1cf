package accesses

import (
	"sync"
	"testing"
)

// The map is changed behind the unlock.
func TestRace_DeferDelete(t *testing.T) {
	var mu sync.Mutex
	m := map[any]int{1: 1}
	late := func() {
		mu.Lock()
		defer delete(m, 1)
		defer mu.Unlock()
	}
	both(late, late)
}

func TestRace_DeferClear(t *testing.T) {
	var mu sync.Mutex
	m := map[int]int{1: 1}
	late := func() {
		mu.Lock()
		defer clear(m)
		defer mu.Unlock()
	}
	both(late, late)
}

func TestRace_DeferClearSlice(t *testing.T) {
	var mu sync.Mutex
	s := []int{1}
	late := func() {
		mu.Lock()
		defer clear(s)
		defer mu.Unlock()
	}
	both(late, late)
}

func TestRace_GoDelete(t *testing.T) {
	var mu sync.Mutex
	m := map[int]int{1: 1}
	late := func() {
		mu.Lock()
		go delete(m, 1)
		mu.Unlock()
	}
	both(late, late)
}

// The map is changed under the lock, and is that which the variable had before.
func TestRight_Defer(t *testing.T) {
	var mu sync.Mutex
	m, k, s := map[int]int{1: 1, 2: 2}, 1, []int{1}
	here := func() {
		defer mu.Unlock()
		defer delete(m, 1)
		mu.Lock()
	}
	both(here, here)
	here = func() {
		defer mu.Unlock()
		defer clear(m)
		defer clear(s)
		mu.Lock()
	}
	func() {
		m := m
		defer delete(
			m,
			k)
		m, k = nil, 2
	}()
	if len(m) != 1 {
		t.Error(m)
	}
	both(here, here)
	if len(m) != 0 {
		t.Error(m)
	}
}
