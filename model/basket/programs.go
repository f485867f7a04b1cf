package basket

import (
	"fmt"
	"slices"
)

// Program is what the actors of a run do, and what there is before. Actors, keys, hashes, baskets and records
// are numbered from 1.
type Program struct {
	Name    string
	State   string  // of the catalog
	Hashes  []uint8 // by key
	Start   []uint8 // by key: its value before, 0 for none
	Words   []uint8 // by hash: the ref that the index has
	Heads   []Head
	Records []Record
	Calls   [][]Op // by actor

	Mortal    []int // who may die
	Deaths    int   // how many may
	Moves     int   // how often the index moves an entry
	Described bool  // a new key is added by an operation that others may finish
	Going     int   // the actor that goes on; any other may stop anywhere
	Tiers     int   // how many there are; 0 is one
	Lanes     int   // into how many of them an actor appends, from the top; 0 is one
	Pair      Pair  // of the parameters of ageing before; zero where nobody ages by one
	Scarce    bool  // there is room for the one who goes on only when another one has died
}

// Programs returns all programs, in the order of their states.
func Programs() []Program { return slices.Clone(programs) }

// ProgramByName finds one of them.
func ProgramByName(name string) (Program, bool) {
	for _, p := range programs {
		if p.Name == name {
			return p, true
		}
	}
	return Program{}, false
}

// check says what a machine has no room for.
func (p *Program) check() error {
	if len(p.Calls) > MaxActors || len(p.Hashes) > MaxKeys || len(p.Heads) > MaxBaskets ||
		p.lanes() > MaxLanes || p.lanes() > p.tiers() ||
		len(p.Start) != len(p.Hashes) || len(p.Records) != Slots*len(p.Heads) || len(p.Words) != p.hashes() {
		return fmt.Errorf("program %s: choose %d actors, %d keys, %d baskets, %d lanes at most and a tier "+
			"for each lane, with a value for each key, a ref for each hash and %d records for each basket",
			p.Name, MaxActors, MaxKeys, MaxBaskets, MaxLanes, Slots)
	}
	return nil
}

// hashes is how many hashes the keys have.
func (p *Program) hashes() (n int) {
	for _, h := range p.Hashes {
		n = max(n, int(h))
	}
	return n
}

// tiers is how many there are.
func (p *Program) tiers() int { return max(p.Tiers, 1) }

// lanes is into how many tiers an actor appends.
func (p *Program) lanes() int { return max(p.Lanes, 1) }

func get(key uint8) Op        { return Op{Kind: Get, Key: key} }
func set(key, value uint8) Op { return Op{Kind: Set, Key: key, Value: value} }
func remove(key uint8) Op     { return Op{Kind: Delete, Key: key} }
func mark(key uint8) Op       { return Op{Kind: Mark, Key: key, Value: 1} }
func unmark(key uint8) Op     { return Op{Kind: Mark, Key: key} }
func crowd(key uint8) Op      { return Op{Kind: Crowd, Key: key} }
func tune(low, high uint8) Op { return Op{Kind: Tune, Pair: Pair{low, high}} }

var (
	retire  = Op{Kind: Retire}
	portion = Op{Kind: Portion}
	compact = Op{Kind: Compact}
	promote = Op{Kind: Promote}
	age     = Op{Kind: Age}
	tend    = Op{Kind: Tend}
)

var free = Head{Life: Free}

func sealed(number uint8) Head { return Head{Life: Sealed, Number: number} }
func open(actor uint8) Head    { return Head{Life: Open, Owner: actor, Number: 1 + actor} }
func ending(actor uint8) Head  { return Head{Life: Retiring, Owner: actor, Number: 1} }

// below is a basket in the tier below the top one.
func below(h Head) Head {
	h.Tier = 1
	return h
}

var none Record

func rec(key, value, next uint8) Record   { return Record{1, key, value, value, next, 0} }
func recOf(hash, key, value uint8) Record { return Record{hash, key, value, value, 0, 0} }

// suspect is the record with a mark.
func suspect(r Record) Record {
	r.Suspect = 1
	return r
}

// unled is a record that the index has not.
var unled = rec(1, 9, 0)

func heads(x ...Head) []Head       { return x }
func records(x ...Record) []Record { return x }
func actor(calls ...Op) []Op       { return calls }
func actors(calls ...[]Op) [][]Op  { return calls }

// one is a program with one key in the first basket, behind it a dead record.
func one(name, state string, h []Head, calls ...[]Op) Program {
	return Program{Name: name, State: state, Hashes: []uint8{1}, Start: []uint8{10}, Words: []uint8{1},
		Heads: h, Records: records(rec(1, 10, 0), unled, none, none, none, none)[:Slots*len(h)], Calls: calls,
		Going: 1}
}

// two is a program with two keys of one hash in the first basket; the second one is the head.
func two(name, state string, h []Head, calls ...[]Op) Program {
	return Program{Name: name, State: state, Hashes: []uint8{1, 1}, Start: []uint8{10, 20}, Words: []uint8{2},
		Heads: h, Records: records(rec(1, 10, 0), rec(2, 20, 1), none, none, none, none), Calls: calls,
		Going: 1}
}

// apart is the same with the head in the second basket.
func apart(name, state string, h []Head, calls ...[]Op) Program {
	p := two(name, state, h, calls...)
	p.Words, p.Records = []uint8{3}, records(rec(1, 10, 0), unled, rec(2, 20, 1), none, none, none)
	return p
}

// empty is a program whose index has nothing.
func empty(name, state string, hashes []uint8, h []Head, calls ...[]Op) Program {
	return Program{Name: name, State: state, Hashes: hashes, Start: make([]uint8, len(hashes)),
		Words: []uint8{0}, Heads: h, Records: make([]Record, Slots*len(h)), Calls: calls, Going: 1}
}

func (p Program) having(r ...Record) Program {
	p.Records = r
	return p
}

func (p Program) dying(mortal ...int) Program {
	p.Mortal, p.Deaths = mortal, 1
	return p
}

func (p Program) moving() Program {
	p.Moves = 1
	return p
}

func (p Program) described() Program {
	p.Described = true
	return p
}

func (p Program) going(actor int) Program {
	p.Going = actor
	return p
}

func (p Program) tiered(tiers int) Program {
	p.Tiers = tiers
	return p
}

func (p Program) paired(low, high uint8) Program {
	p.Pair = Pair{low, high}
	return p
}

func (p Program) scarce() Program {
	p.Scarce = true
	return p
}

const (
	c01 = "C01GetReuse"
	c02 = "C02SetEvict"
	c03 = "C03SetCompact"
	c04 = "C04DeleteEvict"
	c05 = "C05PromoteSet"
	c06 = "C06PromoteAge"
	c07 = "C07SetSetColliding"
	c08 = "C08DeleteSetColliding"
	c09 = "C09EvictColliding"
	c10 = "C10OpenOwnerDies"
	c11 = "C11RetireOwnerDies"
	c12 = "C12RoomForTwo"
	c13 = "C13IndexFull"
	c19 = "C19SuspectSet"
	c20 = "C20ParameterChange"
)

var programs = slices.Concat(keyPrograms, tierPrograms, chainPrograms, deathPrograms, roomPrograms,
	markPrograms, pairPrograms)

var keyPrograms = []Program{
	one(c01, c01, heads(sealed(1), open(2), free), actor(get(1)),
		actor(set(1, 11), retire, set(1, 12), set(1, 13))),
	two(c01+"_Colliding", c01, heads(sealed(1), open(2), free), actor(get(1)),
		actor(set(1, 11), set(2, 21), set(1, 12))),
	one(c02, c02, heads(sealed(1), open(1), free), actor(set(1, 11), get(1)), actor(retire)).
		dying(1, 2).moving(),
	one(c02+"_Last", c02, heads(open(2), open(1), free), actor(set(1, 11), set(1, 12)),
		actor(retire, get(1))).having(rec(1, 10, 0), none, unled, none, none, none),
	one(c03, c03, heads(sealed(1), open(1), open(2)), actor(set(1, 11), get(1)), actor(compact)).
		dying(1, 2).moving(),
	apart(c03+"_Colliding", c03, heads(sealed(1), open(1), open(2)), actor(set(1, 11), get(2)),
		actor(compact)),
	one(c04, c04, heads(sealed(1), open(1), free), actor(remove(1), get(1)), actor(retire)).
		dying(1, 2).moving(),
}

var tierPrograms = []Program{
	one(c05, c05, heads(below(sealed(1)), open(1), open(2)), actor(set(1, 11), get(1)), actor(promote)).
		dying(1, 2).moving().tiered(2),
	{Name: c05 + "_Lanes", State: c05, Hashes: []uint8{1, 2}, Start: []uint8{10, 20}, Words: []uint8{1, 3},
		Heads: heads(below(sealed(1)), below(sealed(2)), open(2),
			Head{Life: Open, Owner: 2, Number: 4, Tier: 1}),
		Records: records(rec(1, 10, 0), unled, recOf(2, 2, 20), unled, none, none, none, none),
		Calls:   actors(actor(set(1, 11), get(2)), actor(compact, promote)),
		Mortal:  []int{2}, Deaths: 1, Going: 1, Tiers: 2, Lanes: 2},
	one(c06, c06, heads(sealed(1), open(1), open(2)), actor(age, promote, get(1)), actor(promote, age)).
		dying(1, 2).tiered(2),
	one(c06+"_Three", c06, heads(sealed(1), below(sealed(2)), open(2)), actor(age, retire, set(1, 11)),
		actor(age, promote)).having(rec(1, 10, 0), unled, unled, unled, none, none).dying(2).tiered(3),
}

var chainPrograms = []Program{
	two(c07, c07, heads(sealed(1), open(1), open(2)), actor(set(1, 11), get(2)), actor(set(2, 21), get(1))),
	empty(c07+"_New", c07, []uint8{1, 1}, heads(open(1), open(2), free), actor(set(1, 11), get(1)),
		actor(set(2, 21), get(1))).described(),
	two(c07+"_Get", c07, heads(sealed(1), open(1), open(2)), actor(set(1, 11), get(2), set(1, 12)),
		actor(get(2))).moving(),
	two(c08, c08, heads(sealed(1), open(1), open(2)), actor(remove(1), get(2)), actor(set(2, 21), get(1))),
	two(c08+"_Back", c08, heads(sealed(1), open(1), free), actor(set(1, 11), remove(1), get(1)),
		actor(get(2))),
	apart(c09, c09, heads(sealed(1), open(1), open(2)), actor(set(2, 21), get(1)), actor(retire)),
	apart(c09+"_Cut", c09, heads(sealed(1), open(1), free), actor(set(2, 21), get(1)), actor(retire)),
	apart(c09+"_Reuse", c09, heads(ending(2), sealed(3), open(1)), actor(set(2, 21), retire, set(1, 12)),
		actor(retire)),
}

var deathPrograms = []Program{
	one(c10, c10, heads(sealed(1), open(1), open(2)), actor(set(1, 11)),
		actor(set(1, 12), set(1, 13), set(1, 14), get(1))).
		having(rec(1, 10, 0), unled, none, none, unled, unled).dying(1).going(2),
	empty(c10+"_New", c10, []uint8{1}, heads(free, open(1), open(2)), actor(set(1, 11)),
		actor(retire, get(1), set(1, 12))).dying(1).described().going(2),
	empty(c10+"_Scarce", c10, []uint8{1}, heads(open(1), open(3)), actor(set(1, 11)), actor(set(1, 12)),
		actor()).dying(1).going(2).scarce(),
	one(c11, c11, heads(ending(1), free, free), actor(retire), actor(retire), actor(retire)).dying(1).
		going(3),
	{Name: c11 + "_Portions", State: c11, Hashes: []uint8{1, 2}, Start: []uint8{10, 20},
		Words: []uint8{1, 2}, Heads: heads(sealed(1), open(1), open(2)),
		Records: records(rec(1, 10, 0), recOf(2, 2, 20), none, none, none, none),
		Calls:   actors(actor(portion, set(1, 11), portion, portion), actor(compact, get(2))),
		Mortal:  []int{1}, Deaths: 1, Going: 2},
	one(c11+"_Scarce", c11, heads(sealed(1), open(3)), actor(retire), actor(set(1, 12)), actor()).dying(1).
		going(2).scarce(),
}

var roomPrograms = []Program{
	one(c12, c12, heads(sealed(1), free, sealed(2)), actor(set(1, 11)), actor(set(1, 12))).
		having(rec(1, 10, 0), unled, none, none, unled, unled),
	apart(c13, c13, heads(sealed(1), sealed(2), free), actor(crowd(1)),
		actor(retire, set(1, 11), set(2, 21), get(1))).dying(1).going(2),
	one(c13+"_Set", c13, heads(sealed(1), open(2), free), actor(crowd(1)), actor(set(1, 11), retire, get(1)),
		actor(get(1))).going(2),
	one(c13+"_Two", c13, heads(sealed(1), free, free), actor(crowd(1)), actor(retire), actor(retire)).
		dying(1, 2).going(3),
}

var markPrograms = []Program{
	one(c19, c19, heads(sealed(1), open(1), open(2)), actor(set(1, 11), get(1)), actor(mark(1), get(1))).
		dying(1, 2).moving(),
	one(c19+"_Delete", c19, heads(sealed(1), open(1), open(2)), actor(remove(1), get(1)), actor(mark(1))).
		dying(1, 2),
	two(c19+"_Colliding", c19, heads(sealed(1), open(1), open(2)), actor(set(2, 21), get(1)),
		actor(mark(1), get(2))).having(rec(1, 10, 0), suspect(rec(2, 20, 1)), none, none, none, none).
		dying(1, 2),
	one(c19+"_Evict", c19, heads(sealed(1), open(1), open(2)), actor(mark(1), get(1)), actor(retire)).
		dying(1, 2),
	one(c19+"_Move", c19, heads(sealed(1), open(1), open(2)), actor(unmark(1), get(1)), actor(compact)).
		having(suspect(rec(1, 10, 0)), unled, none, none, none, none).dying(1, 2),
	one(c19+"_Both", c19, heads(sealed(1), open(1), open(2)), actor(mark(1), get(1)),
		actor(mark(1), unmark(1))).dying(1, 2),
	one(c19+"_Reuse", c19, heads(sealed(1), open(2), open(1)), actor(mark(1), get(1)),
		actor(set(1, 11), retire, set(1, 12), set(1, 13))),
}

var pairPrograms = []Program{
	one(c20, c20, heads(sealed(1), open(1), open(2)), actor(tend, get(1)), actor(tune(2, 1))).dying(1, 2).
		paired(1, 2),
	one(c20+"_Halves", c20, heads(sealed(1), open(1), open(2)), actor(tune(2, 0), tend, get(1)),
		actor(tune(0, 1), get(1))).dying(1, 2).paired(1, 2),
	Program{Name: c20 + "_Again", State: c20, Hashes: []uint8{1, 2}, Start: []uint8{10, 20},
		Words: []uint8{1, 3}, Heads: heads(sealed(1), sealed(4), open(1), open(2)),
		Records: records(rec(1, 10, 0), unled, recOf(2, 2, 20), unled, none, none, none, none),
		Calls:   actors(actor(tend, tend, get(2)), actor(tune(2, 0))), Going: 1}.dying(1, 2).paired(1, 2),
	one(c20+"_Tiers", c20, heads(sealed(1), below(sealed(2)), free), actor(tend, get(1)),
		actor(tune(2, 1), tend)).dying(1, 2).tiered(3).paired(1, 2),
}
