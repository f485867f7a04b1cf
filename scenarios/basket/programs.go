package basket

import (
	"cmp"
	"slices"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	model "github.com/samecycle/samecycle/model/basket"
)

// row is a program of the model, with how far a check searches it on the code: every order, and a death of
// one actor anywhere, unless it has a bound of preemptions.
type row struct {
	name   string
	bound  int                    // of preemptions; 0: none
	shrunk func(p *model.Program) // makes it one that the code can run; text says why
	text   string
	full   bool   // an add takes hash 1 out of the index
	of     string // the program of the model that it is made from, if that has another name
	again  bool   // the last actor makes a writer by its first call, in the entry of one that has died
	moves  bool   // the index moves an entry; one order of each class is run then
}

// leftOut are the programs of the model that the code does not run, and why.
var leftOut = map[string]string{
	"C10OpenOwnerDies_Scarce":   scarce,
	"C11RetireOwnerDies_Scarce": scarce,
}

const scarce = "two baskets, where a store has three at least; and who wants room looks again and again as " +
	"long as nobody has died, which is no execution that ends"

// rows are the programs of the states.
var rows = []row{
	{name: "C01GetReuse", shrunk: noThird,
		text: "the third basket is not free: the code opens the next one, not the first one"},
	{name: "C01GetReuse_Colliding"},
	{name: "C02SetEvict"},
	{name: "C02SetEvict_Moving", of: "C02SetEvict", moves: true},
	{name: "C02SetEvict_Last"},
	{name: "C03SetCompact"},
	{name: "C03SetCompact_Moving", of: "C03SetCompact", moves: true},
	{name: "C03SetCompact_Colliding", bound: 2},
	{name: "C04DeleteEvict"},
	{name: "C04DeleteEvict_Moving", of: "C04DeleteEvict", moves: true},
	{name: "C05PromoteSet"},
	{name: "C05PromoteSet_Moving", of: "C05PromoteSet", moves: true},
	{name: "C05PromoteSet_Lanes", bound: 2},
	{name: "C06PromoteAge"},
	{name: "C06PromoteAge_Three", bound: 3},
	{name: "C07SetSetColliding"},
	{name: "C07SetSetColliding_New"},
	{name: "C07SetSetColliding_Get"},
	{name: "C07SetSetColliding_Get_Moving", of: "C07SetSetColliding_Get", moves: true},
	{name: "C08DeleteSetColliding"},
	{name: "C08DeleteSetColliding_Back"},
	{name: "C09EvictColliding"},
	{name: "C09EvictColliding_Cut"},
	{name: "C09EvictColliding_Reuse", bound: 2},
	{name: "C10OpenOwnerDies", bound: 3},
	{name: "C10OpenOwnerDies_New"},
	{name: "C10OpenOwnerDies_Again", bound: 1, of: "C10OpenOwnerDies", again: true, shrunk: opensAgain,
		text: anew},
	{name: "C11RetireOwnerDies", shrunk: oneFree,
		text: "one basket is free, not two: the code retires none as long as its reserve is free"},
	{name: "C11RetireOwnerDies_Portions", bound: 3},
	{name: "C11RetireOwnerDies_Again", bound: 2, of: "C11RetireOwnerDies", again: true, shrunk: retiresAgain,
		text: anew},
	{name: "C12RoomForTwo"},
	{name: "C13IndexFull", shrunk: crowded, full: true, text: handed},
	{name: "C13IndexFull_Set", bound: 1, shrunk: crowded, full: true, text: handed},
	{name: "C13IndexFull_Two", bound: 1, shrunk: crowded, full: true, text: handed},
	{name: "C19SuspectSet"},
	{name: "C19SuspectSet_Moving", of: "C19SuspectSet", moves: true},
	{name: "C19SuspectSet_Delete"},
	{name: "C19SuspectSet_Colliding"},
	{name: "C19SuspectSet_Evict"},
	{name: "C19SuspectSet_Move"},
	{name: "C19SuspectSet_Both"},
	{name: "C19SuspectSet_Reuse", bound: 3},
	{name: "C20ParameterChange"},
	{name: "C20ParameterChange_Halves"},
	{name: "C20ParameterChange_Again"},
	{name: "C20ParameterChange_Tiers"},
}

const anew = "there are entries for two; the third actor takes that of a dead one by its first call, which " +
	"the specification does not have; what comes of it if nobody is dead is not looked at"

const handed = "what takes the entry out is the set of another key, and the entry has one record"

// noThird gives the third basket to the first actor, who has none.
func noThird(p *model.Program) { p.Heads[2] = model.Head{Life: model.Open, Owner: 1, Number: 2} }

// oneFree gives the third basket to the second actor.
func oneFree(p *model.Program) { p.Heads[2] = model.Head{Life: model.Open, Owner: 2, Number: 3} }

// opensAgain and retiresAgain let a third actor come when one has died.
func opensAgain(p *model.Program) {
	p.Calls = [][]model.Op{{set(11)}, {set(12)}, {{Kind: model.Retire}, set(13), {Kind: model.Get, Key: 1}}}
}

func retiresAgain(p *model.Program) {
	oneFree(p)
	p.Calls = [][]model.Op{{{Kind: model.Retire}}, {{Kind: model.Retire}}, {{Kind: model.Retire}, set(13)}}
}

func set(value uint8) model.Op { return model.Op{Kind: model.Set, Key: 1, Value: value} }

// crowded lets the first actor add another key to an index that is full, from an open basket of its own.
func crowded(p *model.Program) {
	two, _ := model.ProgramByName("C11RetireOwnerDies_Portions")
	p.Hashes, p.Start, p.Words = two.Hashes, []uint8{10, 0}, []uint8{1, 0}
	mine := model.Head{Life: model.Open, Owner: 1, Number: 2}
	if p.Heads[1].Life == model.Open {
		p.Heads[2] = mine
	} else {
		p.Heads[1] = mine
	}
	p.Records = slices.Clone(two.Records)
	p.Records[1] = model.Record{}
	calls := [][]model.Op{{{Kind: model.Set, Key: 2, Value: 21}}}
	for _, ops := range p.Calls[1:] {
		calls = append(calls, slices.DeleteFunc(slices.Clone(ops),
			func(o model.Op) bool { return o.Key == 2 }))
	}
	p.Calls = calls
}

// program is one that is explored.
type program struct {
	model.Program
	row
}

// programByName finds the program of a row.
func programByName(name string) (program, bool) {
	i := slices.IndexFunc(rows, func(r row) bool { return r.name == name })
	if i < 0 {
		return program{}, false
	}
	p, ok := model.ProgramByName(cmp.Or(rows[i].of, name))
	if !ok {
		return program{}, false
	}
	p.Name = name
	p.Heads, p.Records = slices.Clone(p.Heads), slices.Clone(p.Records)
	p.Described, p.Mortal, p.Deaths = false, nil, 0
	if !rows[i].moves {
		p.Moves = 0
	}
	if r := rows[i]; r.shrunk != nil {
		r.shrunk(&p)
	}
	return program{p, rows[i]}, true
}

// budget is how far a check searches the program.
func (p program) budget() harness.Budget {
	b := harness.Budget{Preemptions: explore.Unbounded, Kills: 1}
	if b.Reduce = p.moves; p.bound > 0 {
		b.Preemptions = p.bound
	}
	return b
}

// dying is the program with so many deaths, of anybody.
func (p program) dying(kills int) program {
	if p.Deaths = kills; kills > 0 {
		p.Mortal = nil
		for a := range p.Calls {
			p.Mortal = append(p.Mortal, a+1)
		}
	}
	return p
}

// calls are those of each actor. Behind the clients, the index moves an entry where the program has that.
func (p program) calls() (all [][]call) {
	for _, ops := range p.Calls {
		all = append(all, callsOf(ops))
	}
	if p.Moves > 0 {
		all = append(all, []call{{moved: true, key: 1}})
	}
	return all
}

func callsOf(ops []model.Op) (all []call) {
	for _, o := range ops {
		all = append(all, callOf(o))
	}
	return all
}

// writers is how many entries the store has for them.
func (p program) writers() int {
	if p.again {
		return len(p.Calls) - 1
	}
	return len(p.Calls)
}

// tuned reports whether baskets age by parameters.
func (p program) tuned() bool { return p.Pair != model.Pair{} }

// serves reports whether an actor makes room by calls of their own.
func (p program) serves(actor int) bool {
	return slices.ContainsFunc(p.Calls[actor-1], func(o model.Op) bool { return o.Kind.Service() })
}

// compacts reports whether somebody moves what lives since the basket is sparse.
func (p program) compacts() bool {
	return !p.tiered() && slices.ContainsFunc(p.Calls, func(calls []model.Op) bool {
		return slices.ContainsFunc(calls, func(o model.Op) bool {
			return o.Kind == model.Compact || o.Kind == model.Tend
		})
	})
}
