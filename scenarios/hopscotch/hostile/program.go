package hostile

// A Program is what one or two ordinary actors do with a table while somebody else writes one word of its
// region.
type Program struct {
	Name string
	Says string // what it is about

	Standing []Element // in the order in which they were added
	Evicts   bool      // an add that finds no place makes room; else it is full

	// Dead are clients of a process that has died, in the order of their descriptors, the first ones.
	Dead []Death

	// Spare is a descriptor that nobody owns. Without it an actor that wants a handle has to take over a
	// descriptor from the dead.
	Spare bool

	Cast [][]Call // the ordinary actors, each in a process of its own
}

// An Element stands in the table before the program. One that is lost has been deleted, and its cell not been
// reclaimed.
type Element struct {
	Key   int
	Value uint32
	Lost  bool
}

// A Death is a client that died in a call, after so many of its accesses. One that is spoilt has the head of
// its descriptor overwritten before the program begins.
type Death struct {
	Call     Call
	Accesses int
	Spoilt   bool
}

// A Call is one call of the public interface.
type Call struct {
	Do    Verb
	Key   int // by number
	Value uint32
}

// Verb says which call.
type Verb uint8

// The calls of a program.
const (
	Get     Verb = iota // Lookup, then Get
	Add                 // Handle.Add
	Update              // Handle.Update
	Delete              // Handle.Delete
	Crop                // Handle.Crop
	Restore             // Handle.Restore
	CropAll             // Handle.CropAll
	Empty               // Handle.Clear
	Reclaim             // Handle.Reclaim
	Walk                // Table.Walk
	Gets                // Table.GetBatch of the key and the two after it
	Adds                // Handle.AddBatch of the key and the one after it
	Idle                // Region.Clear of the entry of the process that has died
	Enter               // Table.NewHandle
	Leave               // Handle.Close of the newest handle
	verbs
)

var verbNames = [verbs]string{"get", "add", "update", "delete", "crop", "restore", "crop all", "clear",
	"reclaim", "walk", "get batch", "add batch", "clear entry", "new handle", "close"}

// String is the name of the call.
func (v Verb) String() string { return verbNames[v] }

// The geometry of all programs. Keys 1 to nearLast have home 0 in both halves. The next two have home 1,
// where the members of home 0 stand. The others have home farHome, to which no call on the earlier keys
// comes: not even an add that makes room, which looks at 3 windows and moves within one more.
const (
	cells, window      = 16, 3
	nearLast, besideTo = 7, 9
	keyCount           = 12
	farHome            = 12
)

// homeOf is the home of the key with that number, in both halves.
func homeOf(number int) uint32 {
	switch {
	case number <= nearLast:
		return 0
	case number <= besideTo:
		return 1
	}
	return farHome
}

// far are the elements of the bucket that no call of a program comes to.
var far = []Element{{Key: 10, Value: 100}, {Key: 11, Value: 110}}

// Programs are those that are explored.
func Programs() []Program {
	return append(ofOne(), ofTwo()...)
}

// full fills both windows of home 0.
var full = []Element{{Key: 1, Value: 11}, {Key: 2, Value: 12}, {Key: 3, Value: 13}, {Key: 4, Value: 14},
	{Key: 5, Value: 15}, {Key: 6, Value: 16}}

// some leaves a hole in each window of home 0; lost is the same with a base and a member deleted.
var (
	some = full[:4]
	lost = []Element{{Key: 1, Value: 11, Lost: true}, {Key: 2, Value: 12}, {Key: 3, Value: 13},
		{Key: 4, Value: 14, Lost: true}, {Key: 5, Value: 15}}
)

// ofOne are the programs with one ordinary actor.
func ofOne() []Program {
	one := func(calls ...Call) [][]Call { return [][]Call{calls} }
	undecided := []Death{{Call: Call{Add, 5, 15}, Accesses: 16}}
	decided := []Death{{Call: Call{Add, 5, 15}, Accesses: 25}}
	return []Program{
		{Name: "HostileGet", Says: "gets, a batch of them and a walk", Standing: some,
			Cast: one(Call{Do: Get, Key: 1}, Call{Do: Get, Key: 3}, Call{Do: Gets, Key: 4}, Call{Do: Walk})},
		{Name: "HostileGetHelped", Says: "gets and a walk at a bucket with an operation in progress",
			Standing: some, Dead: decided,
			Cast: one(Call{Do: Get, Key: 1}, Call{Do: Get, Key: 5}, Call{Do: Walk})},
		{Name: "HostileAdd", Says: "an add that displaces, and one into an empty cell", Standing: some,
			Cast: one(Call{Add, 5, 15}, Call{Add, 6, 16}, Call{Add, 9, 19})},
		{Name: "HostileAddHelps", Says: "an add that has to finish what a dead process has begun",
			Standing: some, Dead: undecided, Cast: one(Call{Add, 6, 16})},
		{Name: "HostileAddUsurps", Says: "an add whose home another bucket's member has", Standing: some,
			Evicts: true, Cast: one(Call{Add, 8, 18}, Call{Add, 9, 19})},
		{Name: "HostileAddFull", Says: "an add that makes room, or lets the oldest leave", Standing: full,
			Evicts: true, Cast: one(Call{Add, 7, 17})},
		{Name: "HostileAddBatch", Says: "a batch of adds, and what it left is cropped", Standing: lost,
			Cast: one(Call{Adds, 6, 16}, Call{Do: CropAll})},
		{Name: "HostileUpdate", Says: "updates and deletes of base and member", Standing: some,
			Cast: one(Call{Update, 1, 21}, Call{Update, 3, 23}, Call{Do: Delete, Key: 1},
				Call{Do: Delete, Key: 3})},
		{Name: "HostileCrop", Says: "a crop of a bucket with a lost base and a lost member", Standing: lost,
			Cast: one(Call{Do: Crop, Key: 1})},
		{Name: "HostileRestore", Says: "a restore of what a dead process has begun", Standing: some,
			Dead: undecided, Cast: one(Call{Do: Restore, Key: 1}, Call{Do: Get, Key: 5})},
		{Name: "HostileClear", Says: "the table is cleared", Standing: some[:3], Cast: one(Call{Do: Empty})},
		{Name: "HostileReclaim", Says: "two descriptors of a dead process are reclaimed", Standing: some,
			Evicts: true, Dead: []Death{{Call: Call{Add, 8, 18}, Accesses: 40},
				{Call: Call{Add, 5, 15}, Accesses: 20}},
			Cast: one(Call{Do: Reclaim})},
		{Name: "HostileReclaimSpoilt", Says: "of three descriptors of the dead the first is damaged already",
			Standing: some, Evicts: true,
			Dead: []Death{{Call: Call{Add, 5, 15}, Accesses: 3, Spoilt: true},
				{Call: Call{Add, 8, 18}, Accesses: 40}, {Call: Call{Add, 6, 16}, Accesses: 20}},
			Cast: one(Call{Do: Reclaim})},
		{Name: "HostileHandle", Says: "a handle is taken, used and closed, and what was free is taken again",
			Standing: some, Spare: true, Cast: one(Call{Do: Enter}, Call{Add, 5, 15}, Call{Do: Leave},
				Call{Do: Enter}, Call{Do: Leave})},
		{Name: "HostileInherit", Says: "a handle is taken over from a dead process, used and closed",
			Standing: some, Dead: undecided,
			Cast: one(Call{Do: Enter}, Call{Add, 6, 16}, Call{Do: Leave})},
		{Name: "HostileEntry", Says: "the entry of a dead process is cleared, then its descriptor reclaimed",
			Standing: some, Dead: undecided, Cast: one(Call{Do: Idle}, Call{Do: Reclaim}, Call{Do: Idle})},
	}
}

// ofTwo are those with two.
func ofTwo() []Program {
	two := func(first, second Call) [][]Call { return [][]Call{{first}, {second}} }
	return []Program{
		{Name: "HostileTwoAdds", Says: "two adds displace at one home", Standing: some,
			Cast: two(Call{Add, 5, 15}, Call{Add, 6, 16})},
		{Name: "HostileAddGet", Says: "a get beside an add that displaces", Standing: some,
			Cast: two(Call{Add, 5, 15}, Call{Do: Get, Key: 1})},
		{Name: "HostileAddDelete", Says: "a delete beside an add that displaces", Standing: some,
			Cast: two(Call{Add, 5, 15}, Call{Do: Delete, Key: 1})},
		{Name: "HostileUsurpUpdate", Says: "an update of the member whose cell an add wants", Standing: some,
			Evicts: true, Cast: two(Call{Add, 8, 18}, Call{Update, 1, 21})},
		{Name: "HostileCropGet", Says: "a get beside a crop", Standing: lost,
			Cast: two(Call{Do: Crop, Key: 1}, Call{Do: Get, Key: 2})},
		{Name: "HostileTwoReclaim", Says: "two reclaim one descriptor", Standing: some,
			Dead: []Death{{Call: Call{Add, 5, 15}, Accesses: 25}},
			Cast: two(Call{Do: Reclaim}, Call{Do: Reclaim})},
	}
}

// ProgramByName finds one of them.
func ProgramByName(name string) (Program, bool) {
	for _, p := range Programs() {
		if p.Name == name {
			return p, true
		}
	}
	return Program{}, false
}
