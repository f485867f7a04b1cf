package slots

import (
	"fmt"
	"strings"
)

// TLA returns the canonical text of the state as the specification's record of variables: what the reader of
// TLC's dumps makes of the same state. Fields are sorted by name, sets by their text; a function on 1..n is a
// sequence.
func (m *Machine) TLA(s *State) string {
	var fields []string
	for _, x := range m.variables(s) {
		fields = append(fields, x.name+" |-> "+x.value)
	}
	return "[" + strings.Join(fields, ", ") + "]"
}

// variable is one of the specification's, and its value as TLA+ writes it.
type variable struct{ name, value string }

// variables are all of the state, sorted by name.
func (m *Machine) variables(s *State) []variable {
	slots, actors := int(m.p.Slots), len(m.p.Calls)
	did := make([]string, actors)
	for a := range did {
		did[a] = sequence(s.did[a][:len(m.p.Calls[a])], num)
	}
	return []variable{
		{"asleep", s.Asleep.TLA()},
		{"bell", num(s.Bell)},
		{"dead", s.Dead.TLA()},
		{"did", "<<" + strings.Join(did, ", ") + ">>"},
		{"loc", sequence(s.Loc[:actors], Local.tla)},
		{"lock", fmt.Sprintf("[client |-> %d, service |-> %d]", s.Lock.Client, s.Lock.Service)},
		{"out", sequence(s.out[:actors], func(x results) string {
			return sequence(x.all(), func(r Result) string { return `"` + r.String() + `"` })
		})},
		{"req", sequence(s.Request[:slots], num)},
		{"resp", sequence(s.Response[:slots], num)},
		{"sleeps", truth(s.Sleeps)},
		{"word", sequence(s.Word[:slots], Word.tla)},
	}
}

func num(x uint8) string { return fmt.Sprint(x) }

func truth(x bool) string { return strings.ToUpper(fmt.Sprint(x)) }

func sequence[T any](list []T, text func(T) string) string {
	items := make([]string, len(list))
	for i, x := range list {
		items[i] = text(x)
	}
	return "<<" + strings.Join(items, ", ") + ">>"
}

func (w Word) tla() string { return fmt.Sprintf(`[ser |-> %d, st |-> "%v"]`, w.Serial, w.Life) }

func (l Local) tla() string {
	return fmt.Sprintf(`[found |-> %s, from |-> %d, held |-> %s, i |-> %d, ip |-> %d, last |-> %d, `+
		`pc |-> "%v", ph |-> "%s", res |-> "%v", seen |-> %d, v |-> %d, w |-> %s]`, truth(l.found), l.from,
		truth(l.held), l.Slot, l.Call, l.last, l.PC, phaseNames[l.phase], l.result, l.seen, l.copied,
		l.word.tla())
}
