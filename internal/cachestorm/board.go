package cachestorm

import (
	"fmt"
	"sync/atomic"
)

// shared are words in memory that processes share.
type shared []atomic.Uint64

// board is the memory that the processes of a run share besides the cache: the clock, the round, and the
// journals. What a process has written to it remains after the process has ended.
//
//	word     what
//	0        clock: how many numbers were drawn from it
//	8        round that runs; roundQuit at the end
//	9        raised: the round is to end
//	16+16s   slot s, see slot...
//	...      journals of calls, by slot and thread; then the other journals, by slot
type board struct {
	words   shared
	slots   int // number of slots for processes; the parent has one more
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
	slotRested  = iota // the last round that its process has finished
	slotAtWork         // atWork, after the process has opened the cache, or a slot file
	slotValue          // number of the last value
	slotServing        // number of the clock at which its service began a change; 0: no change runs
	slotBusy           // calls that found no basket, or no writer, available
	slotLongest        // nanoseconds of the longest call
	slotRefused        // calls of the round that were not made because the journal was full
	slotLengths        // lengths of the journals, by journal
	slotCalls   = slotLengths + int(journals)
	slotWords   = slotCalls + ThreadsMost
)

// Bounds of Options.
const (
	ProcessesMost = 32
	ThreadsMost   = 8
)

// Sizes of the journal of calls.
const (
	callRoom  = 20000
	callWords = 10
)

// journal is a journal of a slot, other than that of its calls.
type journal int

// The journals. The first word of an entry is written last. An entry without it does not count: its process
// has died.
const (
	journalEvents journal = iota // the events of OnEvent
	journalSlow                  // slow calls
	journalStore                 // entries that Options.Overflow was given
	journalTunes                 // changes of live parameters
	journalReads                 // readings of all live parameters
	journals
)

// journalSizes are the number of entries of each journal, and the number of words of an entry.
var journalSizes = [journals]struct{ room, words int }{
	journalEvents: {120000, 4},
	journalSlow:   {256, 8},
	journalStore:  {120000, 5},
	journalTunes:  {20000, 2 + tuneMost},
	journalReads:  {8000, 2 + registersMost},
}

// The words of a call in a journal.
const (
	callWhat  = iota // kind, and the key above 8 bits
	callBegin        // number of the clock; 0: not begun
	callEnd          // number of the clock; 0: not ended
	callNew          // number of the value that it sets
	callSeen         // number of the value that it has found; for a set with an end, callTime of its return
	callFound        // found... flags
	callTime         // nanoseconds of the system's clock at its begin
	callLife         // nanoseconds for which the value that it sets will live; 0: for ever
	callAsk          // for an Ask: its answer
	callDone         // for an Ask: nanoseconds of the system's clock at its end
)

// The results of a call. Each of them was true at an instant between the call's begin and end.
const (
	foundSeen    = 1 << iota // the key had the value callSeen
	foundAbsent              // the key was absent
	foundOther               // the key did not have the value callSeen
	foundNew                 // the key had the value callNew
	foundTorn                // a value that no process can have set
	foundNot                 // no result: the client of a service was told that the call was not made
	foundUnknown             // no result: the client was told that the outcome is unknown; callEnd stays 0
)

// The bits after these flags say why a call through a service was not made, or why its outcome is unknown.
const whyShift = 8

// boardWords is how many words a board has.
func boardWords(slots, threads int) int {
	return (&board{slots: slots, threads: threads}).from(journals, 0)
}

// from returns where a journal of a slot begins. For journals it returns where all of them end.
func (b *board) from(which journal, s int) int {
	all := b.slots + 1
	at := wordSlots + all*slotWords + all*b.threads*callRoom*callWords
	for j := range which {
		at += all * journalSizes[j].room * journalSizes[j].words
	}
	if which < journals {
		at += s * journalSizes[which].room * journalSizes[which].words
	}
	return at
}

// openBoard maps the board in that file; with make it creates the file.
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

// journal has the words of a journal of a slot.
func (b *board) journal(which journal, s int) shared {
	from, size := b.from(which, s), journalSizes[which]
	return b.words[from : from+size.room*size.words]
}

// length is the length of the journal; it counts entries that had no room, too.
func (b *board) length(which journal, s int) *atomic.Uint64 { return b.slot(s, slotLengths+int(which)) }

// enter returns the next entry of a journal, or nil if there is no room.
func (b *board) enter(which journal, s int) shared {
	n, size := b.length(which, s).Add(1), journalSizes[which]
	if n > uint64(size.room) {
		return nil
	}
	return b.journal(which, s)[(n-1)*uint64(size.words) : n*uint64(size.words)]
}

// entries yields the entries of a journal that have their first word.
func (b *board) entries(which journal, s int) func(yield func(e shared) bool) {
	return func(yield func(e shared) bool) {
		words, size := b.journal(which, s), journalSizes[which]
		for i := range min(int(b.length(which, s).Load()), size.room) {
			if e := words[i*size.words : (i+1)*size.words]; e[0].Load() != 0 && !yield(e) {
				return
			}
		}
	}
}

// call is an entry of a journal. Only its thread writes to it.
type call shared

// newCall is what is known of a call when it begins.
type newCall struct {
	kind      kind
	key       int
	value     uint64
	now, life int64
}

// claim returns the next entry of a thread's journal, with the begin of the call, or nil if there is no
// room.
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

// end writes what the call has found.
func (e call) end(b *board, seen, found uint64) {
	e[callSeen].Store(seen)
	e[callFound].Store(found)
	e[callEnd].Store(b.tick())
}

// entryIs is a bit of every first word, so none is zero.
const entryIs = 1 << 63

// flag is 1 for true.
func flag(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}

// tell enters an event into the journal of a slot.
func (b *board) tell(s int, reason uint8, key int, value uint64, whole bool) {
	e := b.enter(journalEvents, s)
	if e == nil {
		return
	}
	e[1].Store(value)
	e[2].Store(b.tick())
	e[3].Store(flag(!whole))
	e[0].Store(entryIs | uint64(key)<<8 | uint64(reason))
}

// slow enters a slow call.
func (b *board) slow(s int, x slowness) {
	e := b.enter(journalSlow, s)
	if e == nil {
		return
	}
	for i, n := range []int64{x.begin, x.spent, x.ready, x.ran, x.faults, x.allowed, x.nth} {
		e[1+i].Store(uint64(n))
	}
	e[0].Store(entryIs | uint64(x.kind))
}

// begin empties the journals, and starts a round. All processes are at rest, and stay so if rest is true.
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
		for j := range journals {
			empty(b.journal(j, s), b.length(j, s).Swap(0), journalSizes[j].words)
		}
		b.slot(s, slotServing).Store(0)
	}
	b.words[wordRest].Store(flag(rest))
	b.words[wordRound].Store(n)
}

// atWork is the value of slotAtWork for a process that has opened the cache in a round.
func atWork(number, round uint64) uint64 { return number<<16 | round&0xFFFF }

// round returns the present round, and whether it has to end.
func (b *board) round() (n uint64, rest bool) {
	return b.words[wordRound].Load(), b.words[wordRest].Load() != 0
}
