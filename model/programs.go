package model

import "sort"

// Program is one program of the specification's Scenarios: who does what on which memory. A
// state may have several; the first one has the state's name, the others a suffix.
type Program struct {
	Name   string
	State  string // the operation state, as in the catalog
	Ops    [][]Op
	Memory []Standing
}

// The geometry of all programs: bucket 3 of a half wraps.
const (
	ProgramCells  = 4
	ProgramWindow = 3
)

// ProgramCrashes is how many actors may die where a program is searched as evidence. The states
// without a death are among those with at most one.
const ProgramCrashes = 1

// HomeOf returns the home cell of a key, the same in both halves.
func HomeOf(key int) int {
	switch {
	case key <= 4:
		return 0
	case key <= 8:
		return 1
	}
	return 2
}

func add(k, v uint8) Op { return Op{OpAdd, k, v} }
func get(k uint8) Op    { return Op{OpGet, k, 0} }

func twoBases() []Standing { return []Standing{{0, 1, 10}, {1, 3, 30}} }

// Programs returns all programs in the order of the specification.
func Programs() []Program {
	return []Program{
		{"S01AddEmpty", "S01AddEmpty", [][]Op{{add(1, 11)}}, nil},

		{"S02AddCollision", "S02AddCollision", [][]Op{{add(2, 12)}}, twoBases()},
		{"S02AddCollision_SharedHole", "S02AddCollision",
			[][]Op{{add(2, 12)}, {add(6, 16)}},
			[]Standing{{0, 1, 10}, {0, 5, 50}, {1, 3, 30}, {1, 7, 70}, {1, 9, 90}}},
		// A hole is lost to a new base, and a late helper asks what became of the operation.
		{"S02AddCollision_LostHole", "S02AddCollision",
			[][]Op{{add(2, 12)}, {add(5, 15), add(2, 22)}},
			[]Standing{{0, 1, 10}, {1, 3, 30}, {1, 6, 60}}},
		// Half 0 has no hole; a late helper still believes in it.
		{"S02AddCollision_FullHalf", "S02AddCollision",
			[][]Op{{add(2, 12)}, {add(4, 24)}},
			[]Standing{{0, 1, 10}, {0, 5, 50}, {0, 9, 90}, {1, 3, 30}}},

		{"S04AddCollisionEmpty", "S04AddCollisionEmpty",
			[][]Op{{add(1, 11)}, {add(2, 22)}}, nil},
		{"S04AddCollisionEmpty_SameKey", "S04AddCollisionEmpty",
			[][]Op{{add(1, 11)}, {add(1, 21)}}, nil},
		{"S04AddCollisionEmpty_SameKeyBases", "S04AddCollisionEmpty",
			[][]Op{{add(2, 12)}, {add(2, 22)}}, twoBases()},
		{"S04AddCollisionEmpty_LateHelper", "S04AddCollisionEmpty",
			[][]Op{{add(2, 12)}, {add(2, 22), add(4, 24)}}, twoBases()},

		{"S05AddEmptyGet", "S05AddEmptyGet", [][]Op{{add(1, 11)}, {get(1)}}, nil},

		{"S06AddCollisionGet", "S06AddCollisionGet",
			[][]Op{{add(2, 12)}, {get(1)}}, twoBases()},
		{"S06AddCollisionGet_New", "S06AddCollisionGet",
			[][]Op{{add(2, 12)}, {get(2)}}, twoBases()},
		{"S06AddCollisionGet_Helped", "S06AddCollisionGet",
			[][]Op{{add(2, 12)}, {add(4, 24), get(1)}},
			[]Standing{{0, 1, 10}, {1, 3, 30}, {1, 7, 70}}},
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

// ProgramsOf returns the programs of one operation state.
func ProgramsOf(state string) []Program {
	var list []Program
	for _, p := range Programs() {
		if p.State == state {
			list = append(list, p)
		}
	}
	return list
}

// States returns the operation states that have a program, sorted.
func States() []string {
	seen := map[string]bool{}
	for _, p := range Programs() {
		seen[p.State] = true
	}
	var list []string
	for s := range seen {
		list = append(list, s)
	}
	sort.Strings(list)
	return list
}

// Config returns the constants of the program's machine, with every repair on.
func (p Program) Config(maxCrashes int) Config {
	cfg := Config{
		Name: p.Name, N: ProgramCells, W: ProgramWindow,
		Program: p.Ops, Memory: p.Memory, MaxCrashes: maxCrashes, Fixes: AllFixes,
	}
	for h := range cfg.Home {
		for k := 1; k <= MaxKeys; k++ {
			cfg.Home[h][k] = uint8(HomeOf(k))
		}
	}
	return cfg
}
