package explore_test

import (
	"errors"
	"math"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
)

// order is a program of three actors with two accesses each. It notes which actor made each access.
func order(seen *[]int) explore.Program {
	var w *atomic.Uint64
	var x *explore.Execution
	body := func() {
		for range 2 {
			w.Add(1)
			*seen = append(*seen, x.Actor())
		}
	}
	return explore.Program{Name: "order", Start: func(e *explore.Execution) []explore.Actor {
		w, x, *seen = new(atomic.Uint64), e, nil
		return []explore.Actor{{Body: body}, {Body: body}, {Body: body}}
	}}
}

func TestGuide_DecidesTheExecution(t *testing.T) {
	for _, c := range []struct {
		name  string
		bytes []byte
		kills int
		want  []int
	}{
		{"empty", []byte{}, 0, []int{0, 0, 1, 1, 2, 2}},
		{"zeros", make([]byte, 9), 0, []int{0, 0, 1, 1, 2, 2}},
		// After the last actor comes the first one.
		{"last first", []byte{2, 0, 0, 1}, 0, []int{2, 2, 0, 1, 1, 0}},
		// When actor 1 has ended, 2 would be next.
		{"round and round", []byte{1, 1, 1, 1, 1}, 0, []int{1, 2, 0, 1, 0, 2}},
		{"beyond the number of actors", []byte{5, 0, 3, 1}, 0, []int{2, 2, 1, 0, 0, 1}},
		{"a death", []byte{0, 0xFF}, 1, []int{0, 1, 1, 2, 2}},
		{"nobody may die", []byte{0, 0xF0}, 0, []int{0, 0, 1, 1, 2, 2}},
	} {
		var seen []int
		rep, err := explore.Explore(order(&seen), explore.Options{Preemptions: explore.Unbounded,
			Walks: 1, Guide: c.bytes, Kills: c.kills, Audit: -1})
		if err != nil || rep.Failure != nil || rep.Executions != 1 || rep.Everything() {
			t.Errorf("%s: %+v, %v", c.name, rep, err)
		}
		same := len(seen) == len(c.want)
		for i := range min(len(seen), len(c.want)) {
			same = same && seen[i] == c.want[i]
		}
		if !same {
			t.Errorf("%s: the order is %v, want %v", c.name, seen, c.want)
		}
	}
}

// With so many sequences of bytes, each of the 6!/(2!2!2!) orders occurs.
func TestGuide_ReachesEveryOrder(t *testing.T) {
	orders := map[[6]int]bool{}
	for n := range int(math.Pow(3, 5)) {
		var data []byte
		for range 5 {
			data, n = append(data, byte(n%3)), n/3
		}
		var seen []int
		if _, err := explore.Explore(order(&seen), explore.Options{Preemptions: explore.Unbounded,
			Walks: 1, Guide: data}); err != nil {
			t.Fatal(err)
		}
		orders[[6]int(seen)] = true
	}
	if len(orders) != 90 {
		t.Errorf("%d orders, want 90", len(orders))
	}
}

func TestGuide_Refusals(t *testing.T) {
	var seen []int
	for _, o := range []explore.Options{
		{Guide: []byte{1}}, {Guide: []byte{1}, Walks: 2},
		{Guide: []byte{1}, Walks: 1, Strategy: explore.Uniform, Preemptions: explore.Unbounded},
	} {
		if _, err := explore.Explore(order(&seen), o); !errors.Is(err, explore.ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
