package written

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
}

// homeOf is the home cell of a key.
func homeOf(k uint8) uint8 {
	switch {
	case k <= 4:
		return 0
	case k <= 6:
		return 1
	}
	return 2
}

func add(k, v uint8) Op { return Op{OpAdd, k, v} }
func get(k uint8) Op    { return Op{OpGet, k, None} }

func one() []Element { return []Element{{0, 0, 1, 10}} }
func two() []Element { return append(one(), Element{1, 0, 2, 20}) }

// program has the geometry of most programs.
func program(name, state string, ops [][]Op, memory []Element) Program {
	return Program{Name: name, State: state, Ops: ops, Memory: memory, N: 4, W: 3, Records: 4}
}

// Programs returns all programs in the order of the specification.
func Programs() []Program {
	return []Program{
		program("S01AddEmpty", "S01AddEmpty", [][]Op{{add(1, 11)}}, nil),
		program("S02AddCollision", "S02AddCollision", [][]Op{{add(2, 12)}, {add(3, 13)}}, one()),
		program("S02AddCollision_Alone", "S02AddCollision", [][]Op{{add(2, 12)}}, one()),
		program("S04AddCollisionEmpty", "S04AddCollisionEmpty",
			[][]Op{{add(1, 11)}, {add(2, 12)}}, nil),
		program("S04AddCollisionEmpty_SameKey", "S04AddCollisionEmpty",
			[][]Op{{add(1, 11)}, {add(1, 12)}}, nil),
		program("S05AddEmptyGet", "S05AddEmptyGet", [][]Op{{add(1, 11)}, {get(1)}}, nil),
		program("S06AddCollisionGet", "S06AddCollisionGet", [][]Op{{add(2, 12)}, {get(1)}}, one()),
		program("S15GetMany", "S15GetMany", [][]Op{{get(1)}, {get(2)}, {get(3)}}, two()),
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
