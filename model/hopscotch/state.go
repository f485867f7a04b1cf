package model

import (
	"math/bits"

	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
)

// mode says on whose behalf a search reads.
type mode uint8

const (
	modeNone mode = iota
	modeGet
	modeAdd
	modeUpdate
	modeDelete
	modeLookup
	modeLook // a helper looks into the other half before it decides
)

func (x mode) String() string {
	return [...]string{"none", "get", "add", "update", "delete", "lookup", "look"}[x]
}

// writes: the search is for an element where it stands at rest, to be changed there or to get a ticket.
func (x mode) writes() bool { return x == modeUpdate || x == modeDelete || x == modeLookup }

// addr is one cell.
type addr struct{ h, c uint8 }

// search is what a search remembers; its zero value is the specification's NoSearch.
type search struct {
	mode   mode
	k, h   uint8
	v      Word1
	b      Word0
	r      Ref
	head   Head
	pair   Pair
	plan   Plan
	expect Word1
	source Source
	t      Target
	twice  bool
	left   Offsets
	mw     Word0
	mv     Word1
}

// view is what an add saw at its home in one half.
type view struct {
	b Word0
	v Word1
}

// hole is an empty cell that a helper has found: offset and generation.
type hole struct{ c, g uint8 }

// help is what a helper remembers of the operation that it finishes; zero is NoHelp.
type help struct {
	r      Ref
	head   Head
	pair   Pair
	plan   Plan
	expect Word1
	source Source
	t      Target
	i      uint8
	hole   hole
}

// work is the operation on a bucket that is being prepared: the base at home of half h with its words b and
// v, the member at offset c with its words w and x, and the members that are still to be looked at. Its
// zero value is NoWork.
type work struct {
	kind Kind
	h    uint8
	home uint8
	v    Word1
	b    Word0
	c    uint8
	w    Word0
	x    Word1
	left Offsets
}

// ticket is the cell in which a lookup found its key, and word 1 there; its zero value is NoTicket.
type ticket struct {
	at addr
	w  Word1
}

// local is an actor's own memory. The program counter is the action it takes next.
type local struct {
	pc    ActionID
	i     uint8 // the operation of the program, from 1
	s     search
	view  [Halves]view
	half  uint8
	tried uint8 // a set of halves, one bit each
	room  uint8 // the cell that is looked at for room, 2 Reach: nothing can move; 0: not needed
	spare spare
	u     work
	p     help
	tk    ticket
}

// spare is a lost element above a member that cannot move: at offset c of the base in cell home of half h.
// Its zero value is NoSpare.
type spare struct{ h, home, c uint8 }

var noLocal = local{pc: ClientCall, i: 1, half: noHalf}

// State is one state of the specification: every variable of it, and nothing else but constants.
// It is a flat value without padding: two states are the same state exactly if their bytes are.
type State struct {
	marks    uint32            // bit n: the race of operation state n has happened
	freed    uint32            // two bits a value: how often it was handed to somebody, at most 2
	seen     [MaxActors]uint16 // sets of values: bit 0 is no value, bit i the i-th value
	w0       [Halves][MaxCells]Word0
	w1       [Halves][MaxCells]Word1
	desc     [MaxActors]Desc
	loc      [MaxActors]local
	contents [MaxKeys + 1]uint8 // the atomic map, by key
	busy     [MaxActors]Op
	out      [MaxActors]Out
	done     uint8            // a set of actors
	over     uint8            // a set of actors: its update or swap may count as just before a delete
	dead     uint8            // a set of actors
	length   [MaxActors]uint8 // constant: how many operations each actor has
}

func bit(actor int) uint8 { return 1 << (actor - 1) }

// Word0 returns word 0 of a cell.
func (s *State) Word0(half, cell int) Word0 { return s.w0[half][cell] }

// Word1 returns word 1 of a cell.
func (s *State) Word1(half, cell int) Word1 { return s.w1[half][cell] }

// Desc returns the descriptor that the actor owns.
func (s *State) Desc(actor int) Desc { return s.desc[actor-1] }

// Out returns the result of the actor's last operation.
func (s *State) Out(actor int) Out { return s.out[actor-1] }

// Busy returns the actor's operation in progress; its kind is OpIdle when there is none.
func (s *State) Busy(actor int) Op { return s.busy[actor-1] }

// Dead reports whether the actor will never move again.
func (s *State) Dead(actor int) bool { return s.dead&bit(actor) != 0 }

// Finished reports whether the actor is alive and has done its whole program.
func (s *State) Finished(actor int) bool {
	l := &s.loc[actor-1]
	return l.pc == ClientCall && l.i > s.length[actor-1]
}

// Map returns the atomic map: value by key, 0 is absent. Index 0 is not used.
func (s *State) Map() [MaxKeys + 1]uint8 { return s.contents }

// Marks returns the identifiers of the operation states whose race has happened.
func (s *State) Marks() []string { return markNames(s.marks) }

func markNames(set uint32) []string {
	var names []string
	for _, st := range register.States() {
		if set>>st.Number&1 == 1 {
			names = append(names, st.ID)
		}
	}
	return names
}

// Freed returns how often the value has left the table and was handed to somebody; 2 says more
// than once.
func (m *Machine) Freed(s *State, value uint8) int {
	return int(s.freed >> (2 * m.index[value]) & 3)
}

// The operation states, as bits of the marks.
const (
	markS01AddEmpty = 1 << (iota + 1)
	markS02AddCollision
	markS03AddFull
	markS04AddCollisionEmpty
	markS05AddEmptyGet
	markS06AddCollisionGet
	markS07AddCollisionUpdate
	markS08AddEmptyDelete
	markS09AddCollisionDeleteMember
	markS10AddCollisionDeleteBase
	markS11UsurpGet
	markS12UsurpUpdate
	markS13UsurpDelete
	markS14UsurpDeleteBase
	markS15GetMany
	markS16GetDeleteMember
	markS17GetDeleteBase
	markS18GetUpdate
	markS19UpdateSameKey
	markS20DeleteMembers
	markS21DeleteBase
	markS22DeleteBaseMembers
	markS23DeleteSameKey
	markS24UsurpDeleteInProgress
	markS25SwapDelete
	markS26StillReuse
	markS27CompareDelete
)

// mark: the race of an operation state happens if the condition holds.
func (s *State) mark(condition bool, state uint32) {
	if condition {
		s.marks |= state
	}
}

// moves is the set of the local states that an action may lead to. Only the choice of a half makes
// it larger than one: on a tie, at the beginning of a get or an update, and where one turns to half 1.
type moves struct {
	n  int
	at [Halves]local
}

func one(l local) moves { return moves{n: 1, at: [Halves]local{l}} }

func deadCount(s *State) int { return bits.OnesCount8(s.dead) }
