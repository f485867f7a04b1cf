package failure

import (
	"context"
	"errors"
	"reflect"
	"testing"
)

func TestNames(t *testing.T) {
	for _, c := range []struct {
		name, whole string
		d           Dropped
	}{
		{"S04AddCollisionEmpty", "S04AddCollisionEmpty", nil},
		{"S04-1.2-3.1", "S04", Dropped{{1, 2}, {3, 1}}},
		{"get-or-set", "get-or-set", nil},
		{"get-or-set-2.1", "get-or-set", Dropped{{2, 1}}},
		{"x-0.1", "x-0.1", nil}, // there is no actor 0
		{"x-01.1", "x-01.1", nil},
		{"x-1.1y", "x-1.1y", nil},
		{"x-2.1-1.1", "x-2.1", Dropped{{1, 1}}}, // not ascending, so the first is a part of the name
		{"x-1.1-1.1", "x-1.1", Dropped{{1, 1}}},
		{"", "", nil},
	} {
		whole, d := Split(c.name)
		if whole != c.whole || !reflect.DeepEqual(d, c.d) || whole+d.Suffix() != c.name {
			t.Errorf("%q is %q without %v", c.name, whole, d)
		}
	}
}

func TestKeep(t *testing.T) {
	ops := [][]string{{"a", "b"}, {"c"}}
	for _, c := range []struct {
		d    Dropped
		want [][]string
		ok   bool
	}{
		{nil, [][]string{{"a", "b"}, {"c"}}, true},
		{Dropped{{1, 1}}, [][]string{{"b"}, {"c"}}, true},
		{Dropped{{2, 1}}, [][]string{{"a", "b"}}, true},
		{Dropped{{1, 1}, {1, 2}, {2, 1}}, nil, false},
		{Dropped{{3, 1}}, ops, false},
	} {
		got, ok := Keep(ops, c.d)
		if ok != c.ok || !reflect.DeepEqual(got, c.want) {
			t.Errorf("without %v: %v, %v", c.d, got, ok)
		}
	}
}

// TestReduce: what the failure needs stays, all else goes, also two operations of one actor of which
// neither may go alone.
func TestReduce(t *testing.T) {
	sizes := []int{3, 2, 1}
	for name, c := range map[string]struct {
		fails func(has map[Position]bool) bool
		want  Dropped
	}{
		"one operation": {func(has map[Position]bool) bool { return has[Position{2, 2}] },
			Dropped{{1, 1}, {1, 2}, {1, 3}, {2, 1}, {3, 1}}},
		"two actors": {func(has map[Position]bool) bool { return has[Position{1, 2}] && has[Position{3, 1}] },
			Dropped{{1, 1}, {1, 3}, {2, 1}, {2, 2}}},
		"a pair of one actor": {func(has map[Position]bool) bool {
			return has[Position{3, 1}] && has[Position{2, 1}] == has[Position{2, 2}]
		}, Dropped{{1, 1}, {1, 2}, {1, 3}, {2, 1}, {2, 2}}},
		"all": {func(has map[Position]bool) bool { return len(has) == 6 }, nil},
	} {
		calls := 0
		got, err := Reduce(t.Context(), sizes, nil, func(d Dropped) (bool, error) {
			calls++
			has := map[Position]bool{}
			for a, n := range sizes {
				for i := range n {
					has[Position{a + 1, i + 1}] = true
				}
			}
			for _, p := range d {
				delete(has, p)
			}
			return c.fails(has), nil
		})
		if err != nil || !reflect.DeepEqual(got, c.want) || calls > 7*9 {
			t.Errorf("%s: %v after %d calls, %v; want %v", name, got, calls, err, c.want)
		}
	}
}

func TestReduce_Ends(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	got, err := Reduce(ctx, []int{2, 2}, nil, func(Dropped) (bool, error) {
		cancel()
		return true, nil
	})
	if err != nil || len(got) != 1 {
		t.Errorf("interrupted: %v, %v", got, err)
	}
	broken := errors.New("broken")
	if _, err := Reduce(t.Context(), []int{2}, nil, func(Dropped) (bool, error) {
		return false, broken
	}); !errors.Is(err, broken) {
		t.Errorf("the error is lost: %v", err)
	}
}
