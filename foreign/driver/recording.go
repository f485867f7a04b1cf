package driver

import (
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/samecycle/samecycle/explore"
)

// A performed call is a call that an actor made, with its answer. Times count the calls and returns of the
// execution from 1; returned is 0 for a call that has not returned.
type performed[C any, A comparable] struct {
	actor            int
	call             C
	answer           A
	called, returned int
}

// A recording is what the clients of one execution saw. It is used again for each execution.
type recording[C any, A comparable] struct {
	calls []performed[C, A]
	clock int
}

func (r *recording[C, A]) reset() { r.calls, r.clock = r.calls[:0], 0 }

// begin notes that the actor calls, and returns the call's index for end.
func (r *recording[C, A]) begin(actor int, c C) int {
	r.clock++
	r.calls = append(r.calls, performed[C, A]{actor: actor, call: c, called: r.clock})
	return len(r.calls) - 1
}

func (r *recording[C, A]) end(i int, a A) {
	r.clock++
	r.calls[i].answer, r.calls[i].returned = a, r.clock
}

// digests is the seed of hashes of answers, which are used only in this process.
var digests = maphash.MakeSeed()

// perform makes the calls of the actor, one after the other, by do. It reports to the explorer everything
// that the recording keeps, because states whose histories differ must not count as the same state.
func (r *recording[C, A]) perform(x *explore.Execution, actor int, calls []C, do func(C) A) {
	for _, c := range calls {
		x.Begin()
		x.Mark(0)
		id := r.begin(actor, c)
		a := do(c)
		r.end(id, a)
		x.Mark(maphash.Comparable(digests, a) | 1) // 0 stands for a call
	}
}

// actorName is the name of an actor in the explorer, and in a history.
func actorName(i int) string { return fmt.Sprintf("actor %d", i+1) }

// A row is a call of a history, as it is printed.
type row struct {
	actor            int
	call, answer     string
	called, returned int
}

// table prints the recording, with the texts of each call and answer.
func (r *recording[C, A]) table(text func(C, A) (call, answer string)) string {
	var rows []row
	for _, p := range r.calls {
		call, answer := text(p.call, p.answer)
		rows = append(rows, row{p.actor, call, answer, p.called, p.returned})
	}
	return columns(rows)
}

// columns prints calls with one column per actor and one row per call or return.
func columns(rows []row) string {
	actors, width, last := 0, len("actor 1"), 0
	for _, o := range rows {
		actors = max(actors, o.actor+1)
		width = max(width, len(o.call), len("-> "+o.answer))
		last = max(last, o.called, o.returned)
	}
	var b strings.Builder
	line := func(first string, text func(actor int) string) {
		fmt.Fprintf(&b, "%4s", first)
		for a := range actors {
			fmt.Fprintf(&b, " | %-*s", width, text(a))
		}
		b.WriteByte('\n')
	}
	line("time", actorName)
	line("----", func(int) string { return strings.Repeat("-", width) })
	for t := 1; t <= last; t++ {
		line(fmt.Sprint(t), func(a int) string { return moment(rows, a, t) })
	}
	return b.String()
}

// moment returns the text in the actor's column at a time.
func moment(rows []row, actor, time int) string {
	for _, o := range rows {
		switch {
		case o.actor != actor:
		case o.called == time:
			return o.call
		case o.returned == time:
			return "-> " + o.answer
		case o.called < time && (time < o.returned || o.returned == 0):
			return "|"
		}
	}
	return ""
}
