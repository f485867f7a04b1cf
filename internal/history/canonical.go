package history

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
)

// moment is one call or return of a history.
type moment struct {
	time   int64
	op     *Op
	isCall bool
}

// moments lists the calls and returns in the order in which they bind: by time; calls before
// returns at one time, because intervals are closed; and inside a run of calls, or of returns, by
// client, because no operation precedes another one within such a run. Pending operations have
// no return. Precondition: the history is valid.
func (h History) moments(buf []moment) []moment {
	buf = buf[:0]
	for i := range h {
		op := &h[i]
		buf = append(buf, moment{op.Call, op, true})
		if !op.Pending {
			buf = append(buf, moment{op.Return, op, false})
		}
	}
	slices.SortFunc(buf, func(a, b moment) int {
		if c := compare(a.time, b.time); c != 0 {
			return c
		}
		if a.isCall != b.isCall {
			if a.isCall {
				return -1
			}
			return 1
		}
		return a.op.Client - b.op.Client
	})
	return buf
}

// Canon computes canonical forms and keeps its memory between them. The zero value is ready. It is
// not safe for goroutines that run at the same time.
type Canon struct {
	moments []moment
	form    []byte
}

// Bytes returns the canonical form of a valid history, good until the next call.
//
// Two valid histories have equal forms exactly when the same clients did the same things with the
// same results and the same operations precede one another: ids and distances in time do not
// count, nor does the order of neighbouring calls or of neighbouring returns. Such histories have
// one verdict, so the form is a key under which a verdict can be kept without any risk of a hash
// collision.
func (c *Canon) Bytes(h History) []byte {
	c.moments = h.moments(c.moments)
	c.sortRuns()
	out := c.form[:0]
	for _, m := range c.moments {
		out = binary.AppendUvarint(out, uint64(m.op.Client))
		if m.isCall {
			out = append(out, byte(m.op.Kind)<<1|1)
			out = binary.AppendUvarint(out, uint64(m.op.Key))
			out = binary.AppendUvarint(out, uint64(m.op.Value))
			continue
		}
		out = append(out, byte(m.op.Result.Outcome)<<1)
		out = binary.AppendUvarint(out, uint64(m.op.Result.Value))
	}
	c.form = out
	return out
}

// sortRuns orders each run of calls, and each run of returns, by client. A client occurs once in a
// run, because between two of its calls there is its return.
func (c *Canon) sortRuns() {
	for i := 1; i < len(c.moments); i++ {
		for j := i; j > 0; j-- {
			a, b := &c.moments[j-1], &c.moments[j]
			if a.isCall != b.isCall || a.op.Client <= b.op.Client {
				break
			}
			*a, *b = *b, *a
		}
	}
}

// Hash returns 64 bits (FNV-1a) of the canonical form of a valid history: for names and for
// figures, not for a decision, since two histories may share it.
func (h History) Hash() uint64 {
	var c Canon
	sum := fnv.New64a()
	sum.Write(c.Bytes(h))
	return sum.Sum64()
}
