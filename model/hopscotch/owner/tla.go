package owner

import (
	"fmt"

	"github.com/samecycle/samecycle/model/search/tla"
)

// Variables are the specification's variables in the state, sorted by name.
func (m *Machine) Variables(s *State) []tla.Pair {
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
	return []tla.Pair{
		{"again", s.Again.tla()},
		{"cell", tla.Each(s.Cell[:m.descriptors], tla.Num)},
		{"deaths", tla.Num(s.Deaths)},
		{"died", tla.Set(died)},
		{"given", s.Given.tla()},
		{"giveups", tla.Num(s.GiveUps)},
		{"handed", tla.Set(handed)},
		{"head", tla.Each(s.Head[:m.descriptors], Head.tla)},
		{"known", tla.Set(known)},
		{"left", s.Left.tla()},
		{"loc", tla.Each(s.Loc[:m.actors], Local.tla)},
		{"lock", tla.Each(s.Lock[:m.entries], tla.Num)},
		{"lost", s.Lost.tla()},
		{"ops", tla.Each(s.Ops[:m.actors], tla.Num)},
		{"owner", tla.Each(s.Owner[:m.descriptors], Word.tla)},
		{"state", tla.Each(s.Entries[:m.entries], Entry.tla)},
		{"target", tla.Each(s.Target[:m.descriptors], Target.tla)},
	}
}

func valueTLA(d, g uint8) string { return fmt.Sprintf("[d |-> %d, g |-> %d]", d, g) }

func (v Values) tla() string {
	var items []string
	v.each(func(d, g uint8) { items = append(items, valueTLA(d, g)) })
	return tla.Set(items)
}

func (w Word) tla() string { return fmt.Sprintf("[e |-> %d, ep |-> %d, n |-> %d]", w.E, w.Ep, w.N) }

func (e Entry) tla() string { return fmt.Sprintf("[at |-> %s, ep |-> %d]", tla.Bool(e.At), e.Ep) }

func (h Head) tla() string {
	return fmt.Sprintf(`[gen |-> %d, kind |-> "%v"]`, h.Gen, h.Kind)
}

func (t Target) tla() string { return fmt.Sprintf(`[gen |-> %d, st |-> "%v"]`, t.Gen, t.St) }

func (l Local) tla() string {
	return fmt.Sprintf(`[d |-> %d, fin |-> %s, gen |-> %d, i |-> %d, life |-> %d, n |-> %d, pc |-> "%v", `+
		`pocket |-> %s, seen |-> %s, w |-> %s, why |-> "%v", win |-> %s]`, l.D, tla.Bool(l.Fin), l.Gen, l.I,
		l.Life, l.N, l.PC, l.Pocket.tla(), l.Seen.tla(), l.W.tla(), l.Why, l.Win.tla())
}
