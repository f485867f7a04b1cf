package slots

import (
	"fmt"

	"github.com/samecycle/samecycle/model/search/tla"
)

// Variables are the specification's variables in the state, sorted by name.
func (m *Machine) Variables(s *State) []tla.Pair {
	slots, actors := int(m.p.Slots), len(m.p.Calls)
	did := make([]string, actors)
	for a := range did {
		did[a] = tla.Each(s.did[a][:len(m.p.Calls[a])], tla.Num)
	}
	return []tla.Pair{
		{"asleep", s.Asleep.TLA()},
		{"bell", tla.Num(s.Bell)},
		{"dead", s.Dead.TLA()},
		{"did", tla.Sequence(did)},
		{"loc", tla.Each(s.Loc[:actors], Local.tla)},
		{"lock", fmt.Sprintf("[client |-> %d, service |-> %d]", s.Lock.Client, s.Lock.Service)},
		{"out", tla.Each(s.out[:actors], func(x results) string {
			return tla.Each(x.all(), func(r Result) string { return tla.String(r.String()) })
		})},
		{"req", tla.Each(s.Request[:slots], tla.Num)},
		{"resp", tla.Each(s.Response[:slots], tla.Num)},
		{"sleeps", tla.Bool(s.Sleeps)},
		{"word", tla.Each(s.Word[:slots], Word.tla)},
	}
}

func (w Word) tla() string { return fmt.Sprintf(`[ser |-> %d, st |-> "%v"]`, w.Serial, w.Life) }

func (l Local) tla() string {
	return fmt.Sprintf(`[found |-> %s, from |-> %d, held |-> %s, i |-> %d, ip |-> %d, last |-> %d, `+
		`pc |-> "%v", ph |-> "%s", res |-> "%v", seen |-> %d, v |-> %d, w |-> %s]`, tla.Bool(l.found), l.from,
		tla.Bool(l.held), l.Slot, l.Call, l.last, l.PC, phaseNames[l.phase], l.result, l.seen, l.copied,
		l.word.tla())
}
