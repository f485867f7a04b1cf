package slots

import "github.com/samecycle/samecycle/model/search"

// The most that a machine has of each.
const (
	MaxActors = 3
	MaxSlots  = 2
	MaxCalls  = 3 // of an actor
)

// Life is where a slot is in the life of a request.
type Life uint8

// The lives of a slot. The zero value is a free one.
const (
	Free Life = iota
	Claimed
	Published
	Taken
	Done
	Abandoned
	Failed
)

var lifeNames = [...]string{"free", "claimed", "published", "taken", "done", "abandoned", "failed"}

// String is the name that the specification has for it.
func (x Life) String() string { return lifeNames[x] }

// clients tells whether the slot is in the hands of a client that need not wait for anybody.
func (x Life) clients() bool { return x == Claimed || x == Done || x == Failed }

// Word is the state word of a slot.
type Word struct {
	Life   Life
	Serial uint8
}

// to is the word of this life in another state, or that of the next life.
func (w Word) to(x Life) Word {
	if x == Free || x == Claimed {
		w.Serial++
	}
	w.Life = x
	return w
}

// Result is how a call ends.
type Result uint8

// The results.
const (
	NotDone   Result = iota // the request is not performed, and never will be
	Performed               // it was performed, and this is its response
	Unknown                 // it may have been performed, or may be later
	Wrong                   // the response is that of another request
	Attached
	Busy // another process has the lock
)

var resultNames = [...]string{"none", "done", "unknown", "wrong", "attached", "busy"}

// String is the name that the specification has for it.
func (r Result) String() string { return resultNames[r] }

// phase is the part of what an actor is about.
type phase uint8

const (
	noPhase   phase = iota
	claiming        // looks for a free slot
	waiting         // for an answer
	late            // a wait has timed out, and the client asks whether the service lives
	leaving         // gives up
	attaching       // clears up what a dead process of its side has left
	first           // scans
	again           // scans once more, behind BellSleep
	tidying         // scans for what a dead client has left
)

var phaseNames = [...]string{"none", "claim", "wait", "late", "leave", "attach", "first", "again", "tidy"}

// Local is the state of one actor.
type Local struct {
	PC         Action
	Call       uint8 // of the program, from 1
	Slot       uint8 // 0 for none
	phase      phase
	word       Word  // as it was loaded, or as the actor has made it
	copied     uint8 // the request
	result     Result
	from, last uint8 // the slots that the next scan begins with, and that this one ends with
	seen       uint8 // of the doorbell
	held       bool  // what PeerLook has found, or that a service looks at this slot again
	found      bool  // the scan has taken a request
}

// Locks are the processes that have the locks; 0 is nobody.
type Locks struct{ Client, Service uint8 }

// results are those of an actor's calls that have returned.
type results struct {
	n    uint8
	item [MaxCalls]Result
}

func (x *results) all() []Result { return x.item[:x.n] }

// State is one state of the machine; two are the same exactly if they are equal. Of an actor or a slot that
// the machine does not have everything is zero.
type State struct {
	Word     [MaxSlots]Word
	Request  [MaxSlots]uint8 // a request by its number, 0 for none
	Response [MaxSlots]uint8
	Bell     uint8 // how often it was rung
	Sleeps   bool  // the service says that it sleeps
	Lock     Locks
	Asleep   search.Set // actors that sleep in the system's wait
	Dead     search.Set // processes
	Loc      [MaxActors]Local

	did [MaxActors][MaxCalls]uint8 // how often each call was performed (history)
	out [MaxActors]results
}

func (s *State) word(slot uint8) *Word { return &s.Word[slot-1] }

// Results are those of the actor's calls that have returned.
func (s *State) Results(actor int) []Result { return s.out[actor-1].all() }

func (l Local) at(pc Action) Local {
	l.PC = pc
	return l
}

func local(pc Action, call uint8) Local { return Local{PC: pc, Call: call, from: 1} }

// returns is the end of a call.
func (l Local) returns(r Result) Local {
	l = local(ClientReturn, l.Call)
	l.result = r
	return l
}

// number is that of the request of a call.
func number(actor int, call uint8) uint8 { return uint8(10*actor) + call }
