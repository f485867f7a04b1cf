package owner

import (
	"fmt"
	"slices"
)

// The most that a machine has of each; they are the sizes of State.
const (
	MaxActors      = 5
	MaxEntries     = 4
	MaxDescriptors = 4

	generations = 16 // of a descriptor, 0 among them
	maxWords    = 16 // owner words that have died, or have seen a value
)

// A Word is an owner word: number of the actor, entry of the process table, epoch. Zero is nobody.
type Word struct{ N, E, Ep uint8 }

// An Entry of the process table: the epoch of the last attachment, and whether it is there.
type Entry struct {
	Ep uint8
	At bool
}

// A Kind tells what becomes of the table by an operation that is committed.
type Kind uint8

// The kinds.
const (
	None   Kind = iota // there is no operation to speak of
	Leaves             // something leaves
	Stays              // nothing does
)

var kindNames = [...]string{"none", "leaves", "stays"}

func (k Kind) String() string { return kindNames[k] }

// A Head is a descriptor's generation, and the kind of its operation.
type Head struct {
	Gen  uint8
	Kind Kind
}

// A Status is how far an operation has come.
type Status uint8

// The statuses.
const (
	Undecided Status = iota
	Committed
	Aborted
	Full // there is no place for its element
)

var statusNames = [...]string{"undecided", "committed", "aborted", "full"}

func (s Status) String() string { return statusNames[s] }

// A Target is generation and status.
type Target struct {
	Gen uint8
	St  Status
}

// A Reason is for which call an actor looks at a descriptor.
type Reason uint8

// The reasons.
const (
	NoReason Reason = iota
	ForAttach
	ForTake
	ForInherit
	ForReclaim
	ForClose
	ForCall
	ForClear
)

var reasonNames = [...]string{"none", "attach", "take", "inherit", "reclaim", "close", "call",
	"clear"}

func (r Reason) String() string { return reasonNames[r] }

// Values are a set of what has left the table: a descriptor and the generation of its operation.
type Values uint64

func value(d, g uint8) Values { return 1 << ((d-1)*generations + g) }

// each calls f for each value of the set, by descriptor and generation.
func (v Values) each(f func(d, g uint8)) {
	for i := range uint8(MaxDescriptors * generations) {
		if v&(1<<i) != 0 {
			f(i/generations+1, i%generations)
		}
	}
}

// Of counts those of descriptor d.
func (v Values) Of(d int) (n int) {
	v.each(func(of, _ uint8) {
		if int(of) == d {
			n++
		}
	})
	return n
}

// A Sight is that the owner of a word has seen a value.
type Sight struct {
	Value Values // one
	By    Word
}

// Local is the state of one actor, as Born in the specification explains it.
type Local struct {
	PC          Action
	Life        uint8
	W           Word
	D, Gen      uint8
	I           uint8
	Why         Reason
	Seen        Word
	Fin         bool
	Win, Pocket Values
	N           uint8
}

// State is one state of the machine; two are the same exactly if they are equal.
type State struct {
	Entries [MaxEntries]Entry
	Lock    [MaxEntries]uint8
	Owner   [MaxDescriptors]Word
	Head    [MaxDescriptors]Head
	Target  [MaxDescriptors]Target
	Cell    [MaxDescriptors]uint8
	Loc     [MaxActors]Local
	Ops     [MaxActors]uint8

	Deaths, GiveUps uint8

	// History. What was handed over may be there as certain, as doubtful, or as both.
	Left, Certain, Doubtful, Again, Given, Lost Values
	Known                                       [maxWords]Sight // sorted, the empty ones first
	Died                                        [maxWords]Word  // the same
}

func (s *State) handed() Values { return s.Certain | s.Doubtful }

func compareWords(a, b Word) int {
	return slices.Compare([]uint8{a.N, a.E, a.Ep}, []uint8{b.N, b.E, b.Ep})
}

func compareSights(a, b Sight) int {
	if a.Value != b.Value {
		if a.Value < b.Value {
			return -1
		}
		return 1
	}
	return compareWords(a.By, b.By)
}

// see adds what an owner has seen. A set that is full is a machine that is larger than State.
func (s *State) see(won Values, by Word) {
	won.each(func(d, g uint8) {
		x := Sight{value(d, g), by}
		if slices.Contains(s.Known[:], x) {
			return
		}
		if s.Known[0] != (Sight{}) {
			panic(fmt.Sprintf("owner: more than %d values are seen: make maxWords larger", maxWords))
		}
		s.Known[0] = x
		slices.SortFunc(s.Known[:], compareSights)
	})
}

// die adds a word whose actor has died.
func (s *State) die(w Word) {
	if w == (Word{}) || slices.Contains(s.Died[:], w) {
		return
	}
	if s.Died[0] != (Word{}) {
		panic(fmt.Sprintf("owner: more than %d lives ended: make maxWords larger", maxWords))
	}
	s.Died[0] = w
	slices.SortFunc(s.Died[:], compareWords)
}

// leaves tells what has left by the last operation of a descriptor. The target is the last word to be
// filled: one of another generation is of another operation.
func (s *State) leaves(d uint8) bool {
	t := s.Target[d-1]
	return t.Gen == s.Head[d-1].Gen && t.St == Committed
}

func (s *State) winnings(d uint8) Values {
	if !s.leaves(d) {
		return 0
	}
	return s.Left & value(d, s.Target[d-1].Gen)
}

// inDescriptor is what whoever looks into the descriptors will find there.
func (s *State) inDescriptor() (all Values) {
	for i, h := range s.Head {
		if d := uint8(i + 1); s.Owner[i] != (Word{}) && h.Kind != None && s.leaves(d) {
			all |= value(d, h.Gen)
		}
	}
	return all
}
