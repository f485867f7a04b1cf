package written

import "strings"

// Element is an element in memory before the program; one whose cell is its base stands there.
type Element struct{ Cell, Base, K, V uint8 }

// Program is one program of the specification: who does what on which memory. A state may have
// several; the first one has the state's name, the others a suffix.
type Program struct {
	Name    string
	State   string // the operation state, as in the catalog
	Ops     [][]Op // client 1 is the first one
	Memory  []Element
	N, W    int // cells, a ring; window: offsets 0..W-1
	Records int // of the stash

	// Tied is a change of the protocol, false in all Programs: a record is changed only while the cell
	// names it, in one step with the cell.
	Tied bool
}

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

// Programs returns all programs in the order of the specification.
func Programs() []Program {
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

// ProgramByName returns the program of that name.
func ProgramByName(name string) (Program, bool) {
	for _, p := range Programs() {
		if p.Name == name {
			return p, true
		}
	}
	return Program{}, false
}
