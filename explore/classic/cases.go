package classic

import "github.com/samecycle/samecycle/explore"

// Cases are the programs at sizes that every mode of the explorer ends on within seconds.
// Their counts of classes have a reason that is given with the program, or none.
func Cases() []Case {
	sized := func(f func(int, Seen) explore.Program, n int) func(Seen) explore.Program {
		return func(s Seen) explore.Program { return f(n, s) }
	}
	pair := func(f func(int, int, Seen) explore.Program, a, b int) func(Seen) explore.Program {
		return func(s Seen) explore.Program { return f(a, b, s) }
	}
	return []Case{
		{Name: "sb", What: "store buffering", Orders: 6, Classes: 3, New: StoreBuffering},
		{Name: "mp", What: "message passing", Orders: 6, Classes: 3, New: MessagePassing},
		{Name: "writers4", What: "four stores to a word", Orders: 24, Classes: 24,
			New: sized(Writers, 4)},
		{Name: "readers4", What: "a store and four readers", Classes: 16, New: sized(Readers, 4)},
		{Name: "lastzero4", What: "the last zero of an array", Classes: 28,
			New: sized(LastZero, 4)},
		{Name: "treiber2x1", What: "Treiber's stack", New: pair(Treiber, 2, 1)},
		{Name: "msqueue1x1", What: "Michael and Scott's queue", New: pair(MichaelScott, 1, 1)},
		{Name: "msqueue2x1", What: "Michael and Scott's queue", New: pair(MichaelScott, 2, 1)},
		{Name: "seqlock1", What: "sequence lock", New: sized(Seqlock, 1)},
		{Name: "deque1", What: "work-stealing deque", New: sized(Deque, 1)},
		{Name: "ticket2", What: "ticket lock", SpinLimit: 4, New: sized(TicketLock, 2)},
		{Name: "spin2", What: "spin lock", SpinLimit: 4, New: sized(SpinLock, 2)},
		{Name: "mutex2", What: "mutex", Classes: 2, New: sized(Mutexes, 2)},
		{Name: "mutex3", What: "mutex", Classes: 6, New: sized(Mutexes, 3)},
		{Name: "rwmutex1", What: "readers and a writer", New: sized(RWMutexes, 1)},
		{Name: "rwmutex2", What: "readers and a writer", New: sized(RWMutexes, 2)},
	}
}
