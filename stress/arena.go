package stress

import (
	"fmt"
	"path/filepath"
)

// arena is the memory besides the engine's that the clients of one run share: a clock, the number of
// the round, and a log for each client. What a process has written to it survives the process, whenever it is
// killed: a log is never flushed.
//
//	word    what
//	0       clock: the number of calls and returns so far
//	8       round that runs, 0 before the first, roundQuit at the end
//	9       how many operations a client makes in the round at most
//	10      raised: the round is to end
//	11      moment at which the round began
//	16+8i   slot i: the last round that its client has ended
//	...     the logs, one after the other
type arena struct {
	words shared
	slots int
	file  string // "" on the heap
}

const (
	wordClock = 0
	wordRound = 8
	wordQuota = 9
	wordHurry = 10
	wordBegan = 11
	wordSlots = 16
	slotWords = 8
	roundQuit = ^uint64(0)
)

// NotesMost is how many notes one operation may leave.
const NotesMost = 62

// logRoom is how many records a log holds; roundRoom is how many of them one operation may need:
// itself, its notes, and how slow it was.
const (
	logRoom   = 16384
	roundRoom = NotesMost + 2
)

// arenaWords is how many words an arena has.
func arenaWords(slots int) int { return wordSlots + slots*(slotWords+logRoom*recordWords) }

// newArena makes the arena of that many clients, in a file of the folder, or on the heap if that is "".
func newArena(folder string, slots int) (*arena, error) {
	if folder == "" {
		return &arena{words: make(shared, arenaWords(slots)), slots: slots}, nil
	}
	path := filepath.Join(folder, "log")
	words, err := createShared(path, arenaWords(slots))
	return &arena{words, slots, path}, err
}

// openArena is the arena of that many clients that another process has made.
func openArena(path string, slots int) (*arena, error) {
	if slots < 1 || slots > ClientsMost {
		return nil, fmt.Errorf("%w: %d clients", ErrAssignment, slots)
	}
	words, err := openShared(path, arenaWords(slots))
	return &arena{words, slots, path}, err
}

// close gives the memory back.
func (a *arena) close() error {
	if a.file == "" {
		return nil
	}
	return a.words.unmap()
}

// tick is the next moment. One counter orders the calls and returns of all processes; it is the
// only clock whose readings cannot move across the operation that they enclose.
func (a *arena) tick() int64 { return int64(a.words[wordClock].Add(1)) }

// now is the last moment.
func (a *arena) now() int64 { return int64(a.words[wordClock].Load()) }

func (a *arena) round() uint64 { return a.words[wordRound].Load() }
func (a *arena) quota() int    { return int(a.words[wordQuota].Load()) }

// begin starts a round in which each client makes at most that many operations.
func (a *arena) begin(n uint64, quota int) {
	a.words[wordHurry].Store(0)
	a.words[wordQuota].Store(uint64(quota))
	a.words[wordBegan].Store(a.words[wordClock].Load())
	a.words[wordRound].Store(n)
}

func (a *arena) hurry() { a.words[wordHurry].Store(1) }

// windowMost is how many operations of all clients make a round end: a longer window might not be
// decided within the judge's memory.
const windowMost = 40000

// hurried tells whether the round is to end.
func (a *arena) hurried() bool {
	long := a.words[wordClock].Load()-a.words[wordBegan].Load() > 2*windowMost
	return long || a.words[wordHurry].Load() != 0
}

func (a *arena) ended(slot int) uint64  { return a.words[wordSlots+slot*slotWords].Load() }
func (a *arena) end(slot int, n uint64) { a.words[wordSlots+slot*slotWords].Store(n) }

// log is the one of a slot, empty.
func (a *arena) log(slot int) *logbook {
	from := wordSlots + a.slots*slotWords + slot*logRoom*recordWords
	return &logbook{words: a.words[from : from+logRoom*recordWords]}
}
