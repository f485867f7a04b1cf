package linearizability

import "sync/atomic"

// budget bounds the memory of one search. porcupine keeps an entry for each successful step that
// reaches a new configuration and has no bound of its own but time.
type budget struct {
	words    atomic.Int64 // 8-byte words left
	perEntry int64        // words that one entry takes
	spent    atomic.Bool  // a step was refused for want of words: "illegal" means nothing any more
}

// entryWords is what an entry takes besides its bit set and its state: map cell with slack, slice, head of
// the boxed state, and the stack of calls.
const entryWords = 22

// newBudget is of a search through so many operations, with states of so many words.
func newBudget(words int64, ops int, state int64) *budget {
	b := &budget{perEntry: entryWords + state + int64(ops+63)/64}
	b.words.Store(words)
	return b
}

// take reports whether one more entry fits, with so many words more than most have. After the first refusal
// it refuses everything, so the search ends in at most operations squared steps.
func (b *budget) take(more int64) bool {
	if b == nil {
		return true
	}
	if b.words.Add(-b.perEntry-more) < 0 {
		b.spent.Store(true)
		return false
	}
	return true
}
