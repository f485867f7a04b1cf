package basket

import "github.com/samecycle/samecycle/model/search"

// The most that a machine has of each.
const (
	MaxActors  = 3
	MaxKeys    = 2
	MaxBaskets = 4
	MaxLanes   = 2
	Slots      = 2 // records of a basket
	MaxRefs    = MaxBaskets * Slots

	// maxChain bounds the records that are followed: those of two keys, and one more where a chain is torn.
	maxChain = MaxKeys + 1
)

// Word is what the index has of a hash: the ref of a record, 0 for none, and the version of the word. A
// ticket is a word as it was seen.
type Word struct{ Ref, Version uint8 }

// Pending is an add that is installed and not flipped yet; Owner 0 is none.
type Pending struct{ Owner, Ref uint8 }

// Life is what a basket is at the moment.
type Life uint8

// The lives of a basket, in their order.
const (
	NoLife Life = iota
	Free
	Open
	Sealed
	Retiring
)

var lifeNames = [...]string{"none", "free", "open", "sealed", "retiring"}

// String is the name that the specification has for it.
func (x Life) String() string { return lifeNames[x] }

// Head is the packed word of a basket. Number is its age; Owner 0 is nobody; Tier 0 is the top one.
type Head struct {
	Life                            Life
	Owner, Generation, Number, Tier uint8
}

// Record is what a slot of a basket has. Size is the hash of the key, 0 where a walk ends; Low and High are
// the halves of the value; Suspect is 1 where the key is marked as one.
type Record struct{ Size, Key, Low, High, Next, Suspect uint8 }

// Copy is what was copied of a record, or is to be appended; Ref 0 is nothing of the memory.
type Copy struct{ Ref, Key, Low, High, Next, Suspect uint8 }

// value is -1 where the copy is torn.
func (c *Copy) value() int8 { return valueOf(c.Low, c.High) }

func valueOf(low, high uint8) int8 {
	if low != high {
		return -1
	}
	return int8(low)
}

// copied is what the load of its key and next copies of a record.
func (r *Record) copied(ref uint8) Copy {
	return Copy{Ref: ref, Key: r.Key, Next: r.Next, Suspect: r.Suspect}
}

// Told is a removal that somebody owes to whoever wants to know.
type Told struct {
	Key   uint8
	Value int8 // -1: torn
}

// list is a sequence of a few values; behind its end all is zero.
type list[T comparable] struct {
	n    uint8
	item [maxChain]T
}

func (x *list[T]) len() int { return int(x.n) }

func (x *list[T]) all() []T { return x.item[:x.n] }

func (x list[T]) with(item T) list[T] {
	x.item[x.n] = item
	x.n++
	return x
}

func (x list[T]) tail() (rest list[T]) { return listOf(x.item[1:x.n]) }

func listOf[T comparable](items []T) (x list[T]) {
	x.n = uint8(copy(x.item[:], items))
	return x
}

// errand is what an operation is about at the moment: the call of a client, or what is done to a record of a
// basket that retires, or to a hand.
type errand uint8

const (
	noErrand errand = iota
	toGet
	toSet
	toDelete
	toEvict
	toMove    // within its tier
	toPromote // to the top tier
	toPush    // the own hand
	toHand    // looks into somebody's hand
	toTake    // what a dead actor had in its hand
	toMark
)

var errandNames = [...]string{"none", "get", "set", "delete", "evict", "move", "promote", "push", "hand",
	"take", "mark"}

// ofRecord tells whether it is about a record of a basket that retires.
func (e errand) ofRecord() bool {
	return e == toEvict || e.moves()
}

// moves tells whether the record is appended anew.
func (e errand) moves() bool { return e == toMove || e == toPromote }

// candidate is the best basket that was seen so far, with its head.
type candidate struct {
	basket uint8
	head   Head
}

// Frame is what an actor remembers within an operation; its zero value is nothing.
type Frame struct {
	errand           errand
	key, value, hash uint8
	record           uint8 // that the errand is about; 1 where the own add is installed; the value of a mark
	ticket           Word
	at               uint8 // what is copied
	copy             Copy
	chain            list[Copy] // as far as it was followed
	tell             list[Copy] // to copy for the telling
	told             list[Told] // what was copied
	todo             list[Copy] // to append, the last of the chain first
	next             uint8      // what they lead to
	count            uint8      // how many are appended, or followed by a get; or the number of a basket
	basket           uint8      // that is looked at, or the actor whose hand is
	best             candidate
	lane             uint8 // where the code appends, from 1, if the specification does not; else 0
}

// stage is how far a call is.
type stage uint8

const (
	idle stage = iota
	opened
	done
)

var stageNames = [...]string{"idle", "open", "done"}

// Local is the state of one actor.
type Local struct {
	PC       Action
	Call     uint8 // of the program, from 1
	stage    stage
	answer   int8
	mark     uint8 // that a get has found
	owed     list[Told]
	Open     [MaxLanes]uint8 // by lane: the basket that it appends to, 0 for none
	Position [MaxLanes]int8  // the next slot there, from 1; one behind the last one where it is full
	Retiring uint8           // the basket that it retires, 0 for none
	Pair     Pair            // of the parameters, as it has loaded it
	Walked   uint8           // the next record there, from 1
	frame    Frame
}

// State is one state of the machine; two are the same exactly if they are equal. Of an actor, a basket or a
// key that the machine does not have everything is zero.
type State struct {
	Word    [MaxKeys]Word    // by hash
	Pending [MaxKeys]Pending // by hash
	Head    [MaxBaskets]Head
	Record  [MaxRefs]Record
	Number  uint8 // the next one of a basket
	Dead    search.Set
	Moved   uint8 // entries that the index has moved
	Pair    Pair  // of the parameters of ageing
	Hand    [MaxActors]uint8
	Loc     [MaxActors]Local

	born [MaxRefs]uint8 // by ref: the generation in which its size word was written (history)
}

// refOf is the ref of a record: its basket and its place there are numbered from 1.
func refOf(basket, i uint8) uint8 { return (basket-1)*Slots + i }

// basketOf is the basket of a ref.
func basketOf(ref uint8) uint8 { return (ref-1)/Slots + 1 }

func (s *State) rec(ref uint8) *Record { return &s.Record[ref-1] }

func (s *State) head(basket uint8) *Head { return &s.Head[basket-1] }

func (l Local) at(pc Action) Local {
	l.PC = pc
	return l
}

// done is an operation that has its answer.
func (l Local) done(answer int8) Local {
	l.PC, l.stage, l.answer, l.frame = ClientReturn, done, answer, Frame{}
	return l
}

// givenUp is a mark that was overtaken: it gives up what it has appended.
func (l Local) givenUp() Local {
	l.Position[0] -= int8(l.frame.count)
	return l.done(0).at(AppendZero)
}
