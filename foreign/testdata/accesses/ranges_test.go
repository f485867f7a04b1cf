package accesses

import (
	"sync"
	"testing"
)

func TestRace_RangeValue(t *testing.T) {
	var last int
	both(func() {
		for _, last = range []int{1, 2} {
		}
	}, func() { _ = last })
}

func TestRace_RangeElements(t *testing.T) {
	s := []int{1, 2}
	both(func() {
		var v int
		for _, v = range s {
			panicIf(v == 7)
		}
	}, func() { s[1] = 3 })
}

func TestRace_RangeArray(t *testing.T) {
	var a [2]int
	both(func() {
		var i, v int
		for i, v = range &a {
			panicIf(i+v == 7)
		}
	}, func() { a[1] = 3 })
}

func TestRace_RangeKey(t *testing.T) {
	var i int
	both(func() {
		for i = range []int{1, 2} {
		}
	}, func() { _ = i })
}

func TestRace_RangeNumber(t *testing.T) {
	var i int64
	both(func() {
		for i = range 3 {
		}
	}, func() { _ = i })
}

func TestRace_RangeText(t *testing.T) {
	var r rune
	both(func() {
		for _, r = range "ab" {
		}
	}, func() { _ = r })
}

func TestRace_RangeFunction(t *testing.T) {
	var i int
	both(func() {
		for i = range func(yield func(int) bool) { yield(1) } {
		}
	}, func() { _ = i })
}

func TestRace_RangeEntry(t *testing.T) {
	m := map[string]int{}
	both(func() {
		for _, m["a"] = range []int{1, 2} {
		}
	}, func() { _ = m["b"] })
}

// What is behind a break is not read, and a loop without an iteration writes nothing.
func TestRight_Range(t *testing.T) {
	s, n, last := []int{1, 2}, int8(0), any(nil)
	both(func() {
		for _, last = range s {
			break
		}
		if last != 1 {
			t.Error(last)
		}
	}, func() {
		s[1] = 3
		for last = range s[2:] {
		}
		for n = range 0 {
		}
		for n = range 1 {
		}
	})
	m := map[int]int{}
outer:
	for n, m[len(m)] = range func(yield func(int8, int) bool) { _ = yield(1, 2) && yield(2, 3) } {
		for _,// on two lines
		last = range s {
			if last == 3 {
				continue outer
			}
		}
	}
	if n != 2 || m[0] != 2 || m[1] != 3 {
		t.Error(n, m)
	}
}

// each calls the body of a range in a goroutine for each value.
func each(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		var wg sync.WaitGroup
		for i := range n {
			wg.Add(1)
			go func() {
				defer wg.Done()
				yield(i)
			}()
		}
		wg.Wait()
	}
}

func TestRace_RangeBody(t *testing.T) {
	sum := 0
	for v := range each(2) {
		sum += v
	}
	panicIf(sum == 7)
}

func TestRace_RangeBodyKey(t *testing.T) {
	var v int
	for v = range each(2) {
	}
	panicIf(v == 7)
}

// An iterator that makes its calls in turn, in goroutines of their own.
func TestRight_RangeBody(t *testing.T) {
	var mu sync.Mutex
	sum := 0
	for v := range func(yield func(int) bool) {
		var wg sync.WaitGroup
		for i := range 2 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				mu.Lock()
				defer mu.Unlock()
				yield(i)
			}()
		}
		wg.Wait()
	} {
		twice := v
		twice += v
		sum += twice
	}
	panicIf(sum != 2)
}
