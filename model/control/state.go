package control

import "github.com/samecycle/samecycle/model/search"

// The most that a machine has of each.
const (
	MaxActors = 3
	MaxWords  = 2 // with leases, and with live parameters
	MaxCells  = 5
	MaxCalls  = 2 // of an actor
)

// What is given to the calls, in units of time. A unit of a charge drains in one unit of time.
const (
	Rows        = 4
	Still       = 2 // for so long the owner of a lease may stand still
	Burst       = 2 // of a bucket
	levelMost   = 2 * Burst
	Retry       = 4 // for which the first offence makes a suspect
	forget      = 8 * Retry
	offenceMost = 7
	Lasts       = 2 // for so long a wish holds
)

// Lease is a word with a lease: whose it is, 0 for nobody, and when it was renewed.
type Lease struct{ Owner, At uint8 }

// Pair is a word with two live parameters, 0 for one that nobody has tuned.
type Pair struct{ A, B uint8 }

// Penalty is the instant at which it ends, and the offences.
type Penalty struct{ End, N uint8 }

// less tells which of two penalties ends first.
func (p Penalty) less(q Penalty) bool { return p.End < q.End || p.End == q.End && p.N < q.N }

// Wish is a word that says whether a writer is wanted, 1 or 0, and until when that holds.
type Wish struct{ On, End uint8 }

// holds tells whether a wish holds at an instant. One that ends further away than one can is damage.
func (w Wish) holds(now uint8) bool { return w.On == 1 && w.End > now && w.End-now <= Lasts }

// Kind is how a call ends.
type Kind uint8

// The ends of calls.
const (
	NoResult Kind = iota // of a turn: the process has no lease
	Held                 // it has one
	Left
	Ticked
	Tuned
	Got       // two live parameters
	LevelIs   // that of a bucket behind a charge
	OK        // the identity is no suspect
	Suspected // until an instant, with so many offences
	Taken     // so many units
	Denied    // and when to ask again
	Said      // that a writer is wanted, by this call or another one
	Unsaid    // since another call has changed the word
	Heard     // that a writer is wanted
	Quiet     // nothing was heard
)

var kindNames = [...]string{"none", "held", "left", "ticked", "tuned", "read", "level", "ok", "suspect",
	"taken", "denied", "said", "unsaid", "heard", "quiet"}

// String is the name that the specification has for it.
func (k Kind) String() string { return kindNames[k] }

// Result is how a call ends, and up to two numbers: of a turn how many leases it has found allowed.
type Result struct {
	Kind Kind
	A, B uint8
}

// phase is the part of a call that an actor is in.
type phase uint8

const (
	noPhase   phase = iota
	owning          // in search of the process's own lease
	taking          // in search of a vacant one
	leaving         // gives up what the process has
	first           // of a change of a pair
	second          // the other half of it, where the rule "pair" does not hold
	looking         // whether the bucket has room
	admitting       // charges what it has room for
	denying         // charges what it has no room for
	charging
	seeing // the penalties of an identity
	marking
	wanting
	asking  // whether a writer is wanted
	hearing // that one was wanted, in the last call of endless ones
)

var phaseNames = [...]string{"none", "own", "take", "leave", "first", "second", "look", "admit", "deny",
	"charge", "see", "mark", "want", "ask", "heard"}

// Local is the state of one actor.
type Local struct {
	PC    Action
	Call  uint8 // of the program, from 1
	phase phase
	i     uint8 // the word, or the row, from 1
	run   uint8 // how many leases there may be
	lease Lease // that was loaded
	clock uint8 // that was read
	old   Pair  // that was loaded
	x     uint8 // the level that was loaded
	low   uint8 // the lowest level of the rows
	p     Penalty
	q     Penalty // the lowest one of the rows, or the one to mark
	wish  Wish    // that was loaded
	res   Result
}

// results are those of an actor's calls that have returned.
type results struct {
	n    uint8
	item [MaxCalls]Result
}

func (x *results) all() []Result { return x.item[:x.n] }

// State is one state of the machine; two are the same exactly if they are equal. Of an actor, a word or a
// cell that the machine does not have everything is zero.
type State struct {
	Lease   [MaxWords]Lease
	Param   [MaxWords]Pair
	Level   [MaxCells]uint8 // the instant at which the bucket of the cell is empty
	Penalty [MaxCells]Penalty
	Wish    Wish
	Clock   uint8
	Dead    search.Set // actors
	Loc     [MaxActors]Local

	out  [MaxActors]results // history, as all that follows
	kept [MaxActors]uint8   // what it had read from the clock when it last had a lease
	did  [MaxActors]uint8   // how many words it has tuned
	fed  [MaxCells]uint8    // the bucket that is fed with each charge of the cell
	owed int8               // how many wishes were said that no call has heard or forgotten
	till uint8              // until when a wish holds that somebody has said
}

// Results are those of the actor's calls that have returned.
func (s *State) Results(actor int) []Result { return s.out[actor-1].all() }

// alive tells whether a process lives. One that is no actor has died before.
func (m *Machine) alive(s *State, process uint8) bool {
	return process >= 1 && int(process) <= len(m.p.Calls) && !s.Dead.Has(process)
}

func (l Local) at(pc Action) Local {
	l.PC = pc
	return l
}

func local(pc Action, call uint8) Local { return Local{PC: pc, Call: call} }

// returns is the end of a call.
func (l Local) returns(r Result) Local {
	l = local(ClientReturn, l.Call)
	l.res = r
	return l
}
