package cachestorm

import (
	"fmt"
	"sync/atomic"
)

// shared are words of memory that processes share.
type shared []atomic.Uint64

// board is what the processes of a run share beside the cache: the clock, the round, and the journals. What a
// process has written to it survives the process.
//
//	word     what
//	0        clock: how many numbers were drawn from it
//	8        round that runs; roundQuit at the end
//	9        raised: the round is to end
//	16+16s   slot s, see slot...
//	...      journals of calls, by slot and thread; of events, by slot; of slow calls, by slot
type board struct {
	words   shared
	slots   int // of processes; one more is that of the parent
	threads int
	file    string
}

const (
	wordClock = 0
	wordRound = 8
	wordRest  = 9
	wordSlots = 16
	roundQuit = ^uint64(0)
)

// Words of a slot.
const (
	slotRested  = iota // the last round that its process has ended
	slotAtWork         // atWork of the process that has opened the cache
	slotValue          // number of the last value
	slotEvents         // length of the journal of events
	slotSlow           // length of the journal of slow calls
	slotBusy           // calls that found all baskets, or all writers, taken
	slotLongest        // nanoseconds of the longest call
	slotRefused        // calls of the round that were not made, the journal being full
	slotCalls          // length of the journal of calls, by thread
	slotWords   = slotCalls + ThreadsMost
)

// Bounds of Options.
const (
	ProcessesMost = 32
	ThreadsMost   = 8
)

// Sizes of journals.
const (
	callRoom  = 20000
	eventRoom = 120000
	slowRoom  = 256

	callWords  = 8
	eventWords = 4
	slowWords  = 7
)

// Words of a journal's call.
const (
	callWhat  = iota // kind, and the key above 8 bits
	callBegin        // number of the clock; 0: not begun
	callEnd          // the same; 0: not ended
	callNew          // number of the value that it brings
	callSeen         // number of the value that it has found; of a set with an end, callTime of its return
	callFound        // found... flags
	callTime         // nanoseconds of the system's clock at its begin
	callLife         // nanoseconds for which the value that it brings is to live; 0: for ever
)

// What a call has found. Each is so at an instant between its begin and its end.
const (
	foundSeen   = 1 << iota // the key had the value callSeen
	foundAbsent             // the key was absent
	foundOther              // the key had not the value callSeen
	foundNew                // the key had the value callNew
	foundTorn               // a value that nobody can have set
)

// boardWords is how many words a board has.
func boardWords(slots, threads int) int {
	all := slots + 1
	return wordSlots + all*slotWords + all*threads*callRoom*callWords + all*eventRoom*eventWords +
		all*slowRoom*slowWords
}

// openBoard maps the board in that file; make says that it is to be made.
func openBoard(path string, slots, threads int, make bool) (*board, error) {
	if slots < 1 || slots > ProcessesMost || threads < 1 || threads > ThreadsMost {
		return nil, fmt.Errorf("%w: %d processes of %d threads", ErrAssignment, slots, threads)
	}
	words, err := mapWords(path, boardWords(slots, threads), make)
	return &board{words, slots, threads, path}, err
}

// tick draws a number.
func (b *board) tick() uint64 { return b.words[wordClock].Add(1) }

// slot is a word of a slot.
func (b *board) slot(s, word int) *atomic.Uint64 { return &b.words[wordSlots+s*slotWords+word] }

// calls is the journal of a thread.
func (b *board) calls(s, thread int) shared {
	from := wordSlots + (b.slots+1)*slotWords + (s*b.threads+thread)*callRoom*callWords
	return b.words[from : from+callRoom*callWords]
}

func (b *board) events(s int) shared {
	all := b.slots + 1
	from := wordSlots + all*slotWords + all*b.threads*callRoom*callWords + s*eventRoom*eventWords
	return b.words[from : from+eventRoom*eventWords]
}

func (b *board) slows(s int) shared {
	all := b.slots + 1
	from := wordSlots + all*slotWords + all*b.threads*callRoom*callWords + all*eventRoom*eventWords +
		s*slowRoom*slowWords
	return b.words[from : from+slowRoom*slowWords]
}

// call is an entry of a journal, which its thread alone writes.
type call shared

// newCall is what is known of a call when it begins.
type newCall struct {
	kind      kind
	key       int
	value     uint64
	now, life int64
}

// claim is the next entry of a thread's journal, with what is begun; nil if there is no room.
func (b *board) claim(s, thread int, x newCall) call {
	n := b.slot(s, slotCalls+thread).Add(1)
	if n > callRoom {
		return nil
	}
	e := call(b.calls(s, thread)[(n-1)*callWords : n*callWords])
	e[callWhat].Store(uint64(x.kind) | uint64(x.key)<<8)
	e[callNew].Store(x.value)
	e[callTime].Store(uint64(x.now))
	e[callLife].Store(uint64(x.life))
	e[callBegin].Store(b.tick())
	return e
}

// end says what the call has found.
func (e call) end(b *board, seen, found uint64) {
	e[callSeen].Store(seen)
	e[callFound].Store(found)
	e[callEnd].Store(b.tick())
}

// tell enters an event into the journal of a slot. An entry that its process did not complete is empty.
func (b *board) tell(s int, reason uint8, key int, value uint64, whole bool) {
	n := b.slot(s, slotEvents).Add(1)
	if n > eventRoom {
		return
	}
	e := b.events(s)[(n-1)*eventWords : n*eventWords]
	e[1].Store(value)
	e[2].Store(b.tick())
	torn := uint64(0)
	if !whole {
		torn = 1
	}
	e[3].Store(torn)
	e[0].Store(1<<63 | uint64(key)<<8 | uint64(reason))
}

// slow enters a slow call.
func (b *board) slow(s int, x slowness) {
	n := b.slot(s, slotSlow).Add(1)
	if n > slowRoom {
		return
	}
	e := b.slows(s)[(n-1)*slowWords : n*slowWords]
	e[1].Store(uint64(x.begin))
	e[2].Store(uint64(x.spent))
	e[3].Store(uint64(x.ready))
	e[4].Store(uint64(x.ran))
	e[5].Store(uint64(x.faults))
	e[0].Store(1<<63 | uint64(x.kind))
}

// begin empties the journals, and starts a round. All processes are at rest, and stay so if rest says that.
func (b *board) begin(n uint64, rest bool) {
	empty := func(words shared, length uint64, each int) {
		words = words[:min(int(length)*each, len(words))]
		for i := range words {
			words[i].Store(0)
		}
	}
	for s := range b.slots + 1 {
		for t := range b.threads {
			empty(b.calls(s, t), b.slot(s, slotCalls+t).Swap(0), callWords)
		}
		empty(b.events(s), b.slot(s, slotEvents).Swap(0), eventWords)
		empty(b.slows(s), b.slot(s, slotSlow).Swap(0), slowWords)
	}
	raised := uint64(0)
	if rest {
		raised = 1
	}
	b.words[wordRest].Store(raised)
	b.words[wordRound].Store(n)
}

// atWork is what a process writes into slotAtWork that has opened the cache in a round.
func atWork(number, round uint64) uint64 { return number<<16 | round&0xFFFF }

// round is the one that runs, and whether it is to end.
func (b *board) round() (n uint64, rest bool) {
	return b.words[wordRound].Load(), b.words[wordRest].Load() != 0
}
