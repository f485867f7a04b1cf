//go:build explore

package processes

import (
	"errors"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// Who comes last knows who lives, and that nobody has what is another one's.
func TestKnown(t *testing.T) {
	l, locks, dead := small, Locks{}, map[int]bool{}
	m, err := NewMemory(l, 4)
	if err != nil {
		t.Fatal(err)
	}
	join := func(number int) *region.Region {
		s := System{Locks: &locks, Self: number, Gone: func(i int) bool { return dead[i] }}
		r, err := region.Attach(m.View(number-1), l, s)
		if errors.Is(err, region.ErrUnfinished) {
			r, err = region.Make(m.View(number-1), l, s)
		}
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first, second := join(1).Process(), join(2).Process()
	dead[2] = true
	third, later := join(3).Process(), join(4)
	if second.Index() != third.Index() {
		t.Fatalf("the entry of %v is not used again by %v", second, third)
	}
	one, two, three := attached{"first", first, true}, attached{"second", second, false},
		attached{"third", third, true}
	if err := known(later, []attached{one, two, three}); err != nil {
		t.Error(err)
	}
	for name, wrong := range map[string][]attached{
		"one who lives counts as dead":      {one, {"second", second, true}},
		"a dead one counts as alive":        {{"first", first, false}},
		"two living have one attachment":    {one, {"third", first, true}},
		"two dead have had one attachment":  {two, {"third", second, false}},
		"one has that of who comes later":   {one, {"third", later.Process(), true}},
		"one lives in another one's entry":  {one, {"third", region.MakeProcess(first.Index(), 9), true}},
		"it is the last one who is unknown": {one, two, three, {"fourth", region.MakeProcess(9, 1), true}},
	} {
		if err := known(later, wrong); !errors.Is(err, ErrEntries) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
