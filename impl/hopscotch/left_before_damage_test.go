package hopscotch

import (
	"errors"
	"testing"
)

// TestPasses_TellWhatLeftBeforeTheDamage: a bucket whose first member is reclaimed and whose second one is
// damaged ends the pass, and the value that has left the table by then is handed over: nobody else has it.
func TestPasses_TellWhatLeftBeforeTheDamage(t *testing.T) {
	for name, pass := range map[string]func(h *Handle, left func(Leaving)) error{
		"CropAll":  func(h *Handle, left func(Leaving)) error { return h.CropAll(left) },
		"CropNext": func(h *Handle, left func(Leaving)) error { _, err := h.CropNext(16, left); return err },
		"Clear":    func(h *Handle, left func(Leaving)) error { _, err := h.Clear(left); return err },
	} {
		table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 2})
		p := planted{table, t}
		p.put(0, 2, BaseWord(KeyLost, Map(0).With(1).With(2)), MakeWord1(20, 5))
		p.put(0, 3, MemberWord(KeyLost, 1, 1), MakeWord1(7, 1))
		p.put(0, 4, EngagedWord(p.key(0, 6, 0), table.refs.Make(3, 1)), MakeWord1(8, 1)) // of 2 descriptors
		var told []Leaving
		err := pass(h, func(l Leaving) { told = append(told, l) })
		if !errors.Is(err, ErrCorrupt) || p.word0(0, 3).Form() != FormEmpty {
			t.Errorf("%s: %v, and the lost member is %v; want that it leaves before the damage is met",
				name, err, p.word0(0, 3))
		}
		if len(told) != 1 || told[0] != (Leaving{0, 7, ReasonDeleted}) {
			t.Errorf("%s: told of %v, want the value 7", name, told)
		}
	}
}
