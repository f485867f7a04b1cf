package owner

import (
	"fmt"
	"sort"
	"strings"
)

// TLA returns the canonical text of the state as the specification's record of variables: what
// model.ReadStates makes of the same state dumped by TLC. Fields are sorted by name, sets by their
// text; a function on 1..n is a sequence.
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
	var died, known []string
	for _, w := range s.Died {
		if w != (Word{}) {
			died = append(died, w.tla())
		}
	}
	for _, x := range s.Known {
		x.Value.each(func(d, g uint8) {
			known = append(known, fmt.Sprintf("<<%s, %s>>", valueTLA(d, g), x.By.tla()))
		})
	}
	var handed []string
	for _, x := range []struct {
		all  Values
		sure string
	}{{s.Certain, "TRUE"}, {s.Doubtful, "FALSE"}} {
		x.all.each(func(d, g uint8) {
			handed = append(handed, fmt.Sprintf("<<%s, %s>>", valueTLA(d, g), x.sure))
		})
	}
	return []variable{
		{"again", s.Again.tla()},
		{"cell", sequence(m.descriptors, func(i uint8) string { return num(s.Cell[i]) })},
		{"deaths", num(s.Deaths)},
		{"died", setOf(died)},
		{"given", s.Given.tla()},
		{"giveups", num(s.GiveUps)},
		{"handed", setOf(handed)},
		{"head", sequence(m.descriptors, func(i uint8) string { return s.Head[i].tla() })},
		{"known", setOf(known)},
		{"left", s.Left.tla()},
		{"loc", sequence(m.actors, func(i uint8) string { return s.Loc[i].tla() })},
		{"lock", sequence(m.entries, func(i uint8) string { return num(s.Lock[i]) })},
		{"lost", s.Lost.tla()},
		{"ops", sequence(m.actors, func(i uint8) string { return num(s.Ops[i]) })},
		{"owner", sequence(m.descriptors, func(i uint8) string { return s.Owner[i].tla() })},
		{"state", sequence(m.entries, func(i uint8) string { return s.Entries[i].tla() })},
		{"target", sequence(m.descriptors, func(i uint8) string { return s.Target[i].tla() })},
	}
}

func num(x uint8) string { return fmt.Sprint(x) }

func truth(b bool) string { return strings.ToUpper(fmt.Sprint(b)) }

func sequence(n uint8, item func(i uint8) string) string {
	items := make([]string, n)
	for i := range n {
		items[i] = item(i)
	}
	return "<<" + strings.Join(items, ", ") + ">>"
}

func setOf(items []string) string {
	sort.Strings(items)
	return "{" + strings.Join(items, ", ") + "}"
}

func valueTLA(d, g uint8) string { return fmt.Sprintf("[d |-> %d, g |-> %d]", d, g) }

func (v Values) tla() string {
	var items []string
	v.each(func(d, g uint8) { items = append(items, valueTLA(d, g)) })
	return setOf(items)
}

func (w Word) tla() string { return fmt.Sprintf("[e |-> %d, ep |-> %d, n |-> %d]", w.E, w.Ep, w.N) }

func (e Entry) tla() string { return fmt.Sprintf("[at |-> %s, ep |-> %d]", truth(e.At), e.Ep) }

func (h Head) tla() string {
	return fmt.Sprintf(`[gen |-> %d, kind |-> "%v"]`, h.Gen, h.Kind)
}

func (t Target) tla() string { return fmt.Sprintf(`[gen |-> %d, st |-> "%v"]`, t.Gen, t.St) }

func (l Local) tla() string {
	return fmt.Sprintf(`[d |-> %d, fin |-> %s, gen |-> %d, i |-> %d, life |-> %d, n |-> %d, pc |-> "%v", `+
		`pocket |-> %s, seen |-> %s, w |-> %s, why |-> "%v", win |-> %s]`, l.D, truth(l.Fin), l.Gen, l.I,
		l.Life, l.N, l.PC, l.Pocket.tla(), l.Seen.tla(), l.W.tla(), l.Why, l.Win.tla())
}
