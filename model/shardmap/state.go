package shardmap

// The most that a machine has of each.
const (
	MaxActors = 4
	MaxShards = 4
	MaxKeys   = 4
	MaxCalls  = 4 // of an actor
	maxCounts = 4 // of a shard, in a program with Size
)

// An Entry is what a shard has of a key. The zero value is no entry: versions begin at 1.
type Entry struct{ Value, Meta, Version uint8 }

// Answer is what a call returned: a value or 0 of a get, 1 or 0 of an invalidation, the number of erased
// entries, the size. Shard is the one that the rotation named, 0 if none.
type Answer struct{ N, Shard uint8 }

// Hold is a lock that an operation has.
type Hold uint8

// The locks of a shard.
const (
	Free Hold = iota
	Shared
	Exclusive
)

// phase is what is left to do in a shard.
type phase uint8

const (
	toLook phase = iota
	toChange
	toEnd
)

// Frame is an operation in progress; its zero value is none.
type Frame struct {
	Shard   uint8 // 0: none yet
	Has     Hold
	Cleans  bool // the cleanup flag is taken
	left    phase
	Todo    [MaxKeys]uint8 // by key: the version that was collected for an erase, or 0
	Counts  [MaxShards]uint8
	Counted uint8 // shards
	N, Next uint8 // the answer so far, and the shard that the rotation named
}

// Local is the state of one actor. Frames[Depth-1] is the operation in progress; a second one was called by a
// callback or a predicate.
type Local struct {
	PC     Action
	Call   uint8 // of the program, from 1
	Depth  uint8
	Frames [2]Frame
}

// State is one state of the machine; two are the same exactly if they are equal. Of an actor, a shard or a
// key that the machine does not have everything is zero.
type State struct {
	Lock   [MaxShards]uint8
	Map    [MaxKeys]Entry
	Clock  [MaxShards]uint8 // number of puts, and 1
	Flag   bool
	Cursor uint8
	Loc    [MaxActors]Local

	// History.
	out   [MaxActors][MaxCalls]Answer
	outs  [MaxActors]uint8
	last  [MaxShards - 1]uint8 // the shards that the rotation named last, the latest last
	lasts uint8
	since [MaxActors]moments
}

// moments is a set of pairs of counts of two shards.
type moments uint16

func momentOf(first, second uint8) moments { return 1 << (first*maxCounts + second) }

// each calls f with the counts of each moment, in order.
func (x moments) each(f func(first, second uint8)) {
	for i := range uint8(maxCounts * maxCounts) {
		if x>>i&1 != 0 {
			f(i/maxCounts, i%maxCounts)
		}
	}
}

// top is the frame of the operation in progress. There is one unless the actor is between calls.
func (l *Local) top() *Frame { return &l.Frames[l.Depth-1] }

func (l Local) at(pc Action) Local {
	l.PC = pc
	return l
}
