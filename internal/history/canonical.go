package history

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
)

// moment is one call or return of a history.
type moment[Q, R Value] struct {
	time   int64
	op     *Op[Q, R]
	isCall bool
}

// moments lists the calls and returns in the order that matters. They are sorted by time. Calls come before
// returns of the same time, because intervals are closed. Within a run of calls, or of returns, they are
// sorted by client, because no operation precedes another one within such a run. Pending operations have no
// return. Precondition: the history is valid.
func (h History[Q, R]) moments(buf []moment[Q, R]) []moment[Q, R] {
	buf = buf[:0]
	for i := range h {
		op := &h[i]
		buf = append(buf, moment[Q, R]{op.Call, op, true})
		if !op.Pending {
			buf = append(buf, moment[Q, R]{op.Return, op, false})
		}
	}
	slices.SortFunc(buf, func(a, b moment[Q, R]) int {
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
type Canon[Q, R Value] struct {
	moments []moment[Q, R]
	form    []byte
}

// Bytes returns the canonical form of a valid history, good until the next call.
//
// Two valid histories have equal forms exactly when the same clients made the same operations with the same
// results, and the same operations precede one another. Ids and distances in time do not count, nor does
// the order of neighbouring calls or of neighbouring returns. Such histories have one verdict, so the form
// is a key under which a verdict can be kept without any risk of a hash collision.
func (c *Canon[Q, R]) Bytes(h History[Q, R]) []byte {
	c.moments = h.moments(c.moments)
	c.sortRuns()
	out := c.form[:0]
	for _, m := range c.moments {
		if m.isCall {
			out = binary.AppendUvarint(out, uint64(m.op.Client)<<1|1)
			out = appendForm(out, &m.op.Request)
			continue
		}
		out = binary.AppendUvarint(out, uint64(m.op.Client)<<1)
		out = appendForm(out, &m.op.Result)
	}
	c.form = out
	return out
}

// Compact is a request or a result with a canonical form that takes less room, and less time, than its
// text. As texts do, the forms of different values of one type differ.
type Compact interface {
	AppendForm(b []byte) []byte
}

// appendForm appends the value's form, or its text, with the length ahead of it, so that no two sequences
// of forms look alike. It takes the value by its address: an interface with a pointer costs no memory.
func appendForm[T Value](out []byte, v *T) []byte {
	start := len(out)
	out = append(out, 0)
	if c, ok := any(v).(Compact); ok {
		out = c.AppendForm(out)
	} else {
		out = (*v).Append(out)
	}
	n := len(out) - start - 1
	if n < 1<<7 {
		out[start] = byte(n)
		return out
	}
	head := binary.AppendUvarint(nil, uint64(n))
	return slices.Insert(slices.Delete(out, start, start+1), start, head...)
}

// sortRuns orders each run of calls, and each run of returns, by client. A client occurs once in a
// run, because between two of its calls there is its return.
func (c *Canon[Q, R]) sortRuns() {
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
func (h History[Q, R]) Hash() uint64 {
	var c Canon[Q, R]
	sum := fnv.New64a()
	sum.Write(c.Bytes(h))
	return sum.Sum64()
}
