package bell

import (
	"fmt"
	"strings"

	"github.com/samecycle/samecycle/model/search"
	"github.com/samecycle/samecycle/model/search/tla"
)

// The most that a machine has of each.
const (
	MaxActors = 4 // the size of a State
	most      = 7 // places, work of a ringer, deaths
)

// A Word is the bell: the number of rings, somebody listens, somebody may not be woken yet.
type Word struct {
	N              uint8
	Asleep, Waking bool
}

// Set is a set of actors, or of places.
type Set = search.Set

// One is the set of one number.
func One(i uint8) Set { return search.One(i) }

// Local is the state of one actor, as Local in the specification explains it.
type Local struct {
	PC      Action
	Word    Word
	I, Rest uint8
	Over    bool
}

// State is one state of the machine; two are the same exactly if they are equal. Of an actor that a machine
// does not have everything is zero, and so is Made and Meant of a service.
type State struct {
	Bell   Word
	Work   Set
	Loc    [MaxActors]Local
	Made   [MaxActors]uint8
	Deaths uint8

	// History.
	Meant [MaxActors]Set
	Owed  Set
	Rang  Set
}

// Variables are the specification's variables in the state, sorted by name.
func (m *Machine) Variables(s *State) []tla.Pair {
	return []tla.Pair{
		{"bell", s.Bell.tla()},
		{"deaths", tla.Num(s.Deaths)},
		{"loc", tla.Each(s.Loc[:m.actors], Local.tla)},
		{"made", m.ofRingers(func(i uint8) string { return tla.Num(s.Made[i]) })},
		{"meant", m.ofRingers(func(i uint8) string { return s.Meant[i].TLA() })},
		{"owed", s.Owed.TLA()},
		{"rang", s.Rang.TLA()},
		{"work", s.Work.TLA()},
	}
}

// ofRingers is a function on the ringers.
func (m *Machine) ofRingers(value func(i uint8) string) string {
	var pairs []string
	for a := uint8(1); a <= m.actors; a++ {
		if m.ringers.Has(a) {
			pairs = append(pairs, fmt.Sprintf("%d :> %s", a, value(a-1)))
		}
	}
	return "(" + strings.Join(pairs, " @@ ") + ")"
}

func (w Word) tla() string {
	return fmt.Sprintf("[asleep |-> %s, n |-> %d, waking |-> %s]", tla.Bool(w.Asleep), w.N,
		tla.Bool(w.Waking))
}

func (l Local) tla() string {
	return fmt.Sprintf(`[i |-> %d, over |-> %s, pc |-> "%v", rest |-> %d, word |-> %s]`, l.I,
		tla.Bool(l.Over), l.PC, l.Rest, l.Word.tla())
}
