package stress

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/region"
)

// arena is the memory besides the table that the clients of one run share: a clock, the number of
// the round, and a log for each client. It lies in a region of its own, so that what a process
// has written survives it, whenever it is killed: a log is never flushed.
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
	region *region.Region
	words  region.Words
	slots  int
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

// logRoom is how many records a log holds; roundRoom is how many of them one operation may need:
// itself, what left by it, and how slow it was.
const (
	logRoom   = 16384
	roundRoom = 64
)

// arenaLayout is the region's geometry. Only its cells are used, as plain words.
func arenaLayout(slots int) region.Layout {
	words := wordSlots + slots*(slotWords+logRoom*recordWords)
	return region.Layout{CellsPerHalf: uint32((words + 3) / 4), Window: region.WindowMin,
		Descriptors: region.DescriptorsMin}
}

// openArena is the arena of that many clients in r.
func openArena(r *region.Region, slots int) (*arena, error) {
	words, err := r.Section(region.SectionCells)
	if err != nil {
		return nil, err
	}
	if need := wordSlots + slots*(slotWords+logRoom*recordWords); slots < 1 || need > len(words) {
		return nil, fmt.Errorf("the shared log has %d words, %d clients need %d: "+
			"give the worker the run's own files", len(words), slots, need)
	}
	return &arena{r, words, slots}, nil
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
