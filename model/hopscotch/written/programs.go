package written

import (
	"slices"
	"strings"
)

// Element is an element in memory before the program; one whose cell is its base stands there.
type Element struct{ Cell, Base, K, V uint8 }

// Program is one program of the specification: the operations of each actor, and the memory at the start. A
// state may have several; the first one has the state's name, the others a suffix.
type Program struct {
	Name    string
	State   string // the operation state, as in the catalog
	Ops     [][]Op // client 1 is the first one
	Memory  []Element
	N, W    int // cells of a half, a ring; window: offsets 0..W-1
	Records int // of the stash

	// What follows is a change of the protocol, and zero in all Programs. Tied: a record is changed
	// only while the cell names it, in one step with the cell.
	Tied     bool
	Readings []Reading
	Deaths   int   // actors that may die, at any step
	Halves   int   // 2, or one
	Draws    []int // clients whose random bit is 1
}

// Reading is another reading of the text, where it leaves a choice.
type Reading string

// The readings, under the names of the specification.
const (
	TwoServices Reading = "two services" // two completion services take work from the queue
	OneField    Reading = "one field"    // a record's map is also where the bits of a member are saved
	Stays       Reading = "stays"        // a pair stays in the stash after its reinsertion
	Waits       Reading = "waits"        // an update and a delete wait until a pair has left the stash
)

var readings = []Reading{TwoServices, OneField, Stays, Waits}

func (p *Program) reads(r Reading) bool { return slices.Contains(p.Readings, r) }

// homeOf is the home cell of a key.
func homeOf(k uint8) uint8 {
	switch {
	case k <= 4:
		return 0
	case k <= 6:
		return 1
	case k <= 8:
		return 2
	}
	return 3
}

func add(k, v uint8) Op    { return Op{OpAdd, k, v} }
func get(k uint8) Op       { return Op{OpGet, k, None} }
func update(k, v uint8) Op { return Op{OpUpdate, k, v} }
func del(k uint8) Op       { return Op{OpDelete, k, None} }

func one() []Element   { return []Element{{0, 0, 1, 10}} }
func two() []Element   { return append(one(), Element{1, 0, 2, 20}) }
func far() []Element   { return append(one(), Element{2, 0, 3, 30}) }
func three() []Element { return append(two(), Element{2, 0, 3, 30}) }

// donor: the bucket of 1 has no hole; the only member in its window is 6, of base 5.
func donor(more ...Element) []Element {
	return append([]Element{{0, 0, 1, 10}, {1, 1, 5, 50}, {2, 1, 6, 60}}, more...)
}

// program has the geometry of most programs. Its state's name ends at the underscore.
func program(name string, ops [][]Op, memory []Element) Program {
	state, _, _ := strings.Cut(name, "_")
	return Program{Name: name, State: state, Ops: ops, Memory: memory, N: 4, W: 3, Records: 4}
}

// withRecords is the program with another number of stash records: a usurper needs two at once.
func withRecords(n int, p Program) Program {
	p.Records = n
	return p
}

// Programs returns all programs in the order of the specification: those of the states, then those of
// one suspicion each.
func Programs() []Program { return append(ofStates(), ofSuspicions()...) }

func ofStates() []Program {
	return []Program{
		program("S01AddEmpty", [][]Op{{add(1, 11)}}, nil),
		program("S02AddCollision", [][]Op{{add(2, 12)}, {add(3, 13)}}, one()),
		program("S02AddCollision_Alone", [][]Op{{add(2, 12)}}, one()),
		program("S02AddCollision_SameKey", [][]Op{{add(1, 12), del(1), del(1)}}, one()),
		program("S03AddFull", [][]Op{{add(2, 12)}}, donor(Element{3, 3, 9, 90})),
		program("S03AddFull_Space", [][]Op{{add(2, 12)}}, donor()),
		program("S03AddFull_Own", [][]Op{{add(4, 14)}}, three()),
		program("S04AddCollisionEmpty", [][]Op{{add(1, 11)}, {add(2, 12)}}, nil),
		program("S04AddCollisionEmpty_SameKey", [][]Op{{add(1, 11)}, {add(1, 12)}}, nil),
		program("S05AddEmptyGet", [][]Op{{add(1, 11)}, {get(1)}}, nil),
		program("S06AddCollisionGet", [][]Op{{add(2, 12)}, {get(1)}}, one()),
		program("S07AddCollisionUpdate", [][]Op{{add(2, 12)}, {update(1, 15)}}, one()),
		program("S08AddEmptyDelete", [][]Op{{add(1, 11)}, {del(1)}}, nil),
		program("S09AddCollisionDeleteMember", [][]Op{{add(3, 13)}, {del(2)}}, two()),
		program("S10AddCollisionDeleteBase", [][]Op{{add(3, 13)}, {del(1)}}, two()),
		program("S10AddCollisionDeleteBase_Alone", [][]Op{{add(3, 13)}, {del(1)}}, one()),
		withRecords(5, program("S11UsurpGet", [][]Op{{add(5, 15)}, {get(2)}}, two())),
		withRecords(5, program("S12UsurpUpdate", [][]Op{{add(5, 15)}, {update(2, 25)}}, two())),
		withRecords(5, program("S13UsurpDelete", [][]Op{{add(5, 15)}, {del(2)}}, two())),
		withRecords(5, program("S14UsurpDeleteBase", [][]Op{{add(5, 15)}, {del(1)}}, two())),
		program("S15GetMany_Two", [][]Op{{get(1)}, {get(2)}}, two()),
		program("S15GetMany", [][]Op{{get(1)}, {get(2)}, {get(3)}}, two()),
		program("S16GetDeleteMember", [][]Op{{get(3)}, {del(2)}}, three()),
		program("S17GetDeleteBase", [][]Op{{get(2)}, {del(1)}}, two()),
		program("S18GetUpdate", [][]Op{{get(2)}, {update(2, 25)}}, two()),
		program("S19UpdateSameKey", [][]Op{{update(2, 25)}, {update(2, 26)}}, two()),
		program("S18GetUpdate_Base", [][]Op{{get(1)}, {update(1, 15)}}, two()),
		program("S19UpdateSameKey_Base", [][]Op{{update(1, 15)}, {update(1, 16)}}, two()),
		program("S20DeleteMembers", [][]Op{{del(2)}, {del(3)}}, three()),
		program("S21DeleteBase", [][]Op{{del(1)}, {get(1)}}, one()),
		program("S21DeleteBase_Add", [][]Op{{del(1)}, {add(2, 12)}}, one()),
		program("S22DeleteBaseMembers", [][]Op{{del(1)}, {del(2)}}, two()),
		program("S23DeleteSameKey", [][]Op{{del(2)}, {del(2)}}, two()),
		program("S23DeleteSameKey_Base", [][]Op{{del(1)}, {del(1)}}, two()),
		withRecords(5, program("S24UsurpDeleteInProgress", [][]Op{{del(2), add(5, 15)}}, three())),
	}
}

func ofSuspicions() []Program {
	return []Program{
		program("S01AddEmpty_TwoBases", [][]Op{{add(1, 11)}, {add(5, 15)}}, nil),
		program("S02AddCollision_NewBase", [][]Op{{add(2, 12)}, {add(9, 19)}}, one()),
		program("S02AddCollision_SameKeyGet", [][]Op{{add(1, 12)}, {get(1)}}, one()),
		program("S02AddCollision_SameKeyDelete", [][]Op{{add(1, 12), del(1)}, {del(1)}}, one()),
		withRecords(5, program("S02AddCollision_Member", [][]Op{{add(2, 12), add(5, 15)}}, one())),
		withRecords(5, program("S02AddCollision_Usurp", [][]Op{{add(3, 13)}, {add(5, 15)}}, two())),
		withRecords(5, program("S02AddCollision_SameMember", [][]Op{{add(7, 17)}, {add(8, 18)}}, far())),
		withRecords(2, program("S02AddCollision_PoolEmpty",
			[][]Op{{add(5, 15)}, {add(7, 17)}}, three())),
		program("S03AddFull_Get", [][]Op{{add(2, 12)}, {get(6)}}, donor()),
		program("S03AddFull_Update", [][]Op{{add(2, 12)}, {update(6, 26)}}, donor()),
		program("S03AddFull_Delete", [][]Op{{add(2, 12)}, {del(6)}}, donor(Element{3, 3, 9, 90})),
		program("S06AddCollisionGet_Moved",
			[][]Op{{del(5), add(2, 12)}, {get(5)}}, append(one(), Element{1, 1, 5, 50})),
		program("S09AddCollisionDeleteMember_NewBase", [][]Op{{add(9, 19)}, {del(2)}}, two()),
		withRecords(5, program("S11UsurpGet_Home", [][]Op{{add(5, 15)}, {get(5)}}, two())),
		withRecords(5, program("S13UsurpDelete_Get", [][]Op{{add(5, 15), del(2), get(2)}}, two())),
		program("S22DeleteBaseMembers_Anew", [][]Op{{del(2), del(1), add(3, 13)}}, two()),
		withRecords(5, program("S24UsurpDeleteInProgress_Alone", [][]Op{{del(2), add(5, 15)}}, two())),
	}
}

// ProgramByName returns the program of that name.
func ProgramByName(name string) (Program, bool) {
	for _, p := range Programs() {
		if p.Name == name {
			return p, true
		}
	}
	return Program{}, false
}
