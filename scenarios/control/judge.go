package control

import (
	"math"
	"strconv"
	"time"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
	model "github.com/samecycle/samecycle/model/control"
)

// The sequential specification of leases: each process has one or none. Who is told that it has one has it,
// from then on until it is told otherwise; it has taken it from nobody, from a dead process, or from one that
// has stood still. Where there is one word, nobody is refused it while no other living process has it. That
// of live parameters: a word has what was set last. A change of two words is two calls.
//
// A handover has one wish or none, which was said at some time between the begin and the end of a call. Who
// hears of it takes it, at a time at which it may hold; who hears of none finds none, or one that may be
// over.
//
// Calls of the sketch change many words, and have no single instant. They are held against bounds, see
// bounds.go.

// errLost is what the judge of the words at rest complains of.
const errLost = harness.Complaint("a charge that has returned is not in all rows")

// held is the sequential state.
type held struct {
	since [model.MaxActors + 2]uint8 // by process: 1 more than the clock ahead of its last turn; 0 without
	param [model.MaxWords]model.Pair
	wish  wish
}

func appendNumbers(text []byte, all ...uint64) []byte {
	for _, n := range all {
		text = append(text, ' ')
		text = strconv.AppendUint(text, n, 10)
	}
	return text
}

// others counts the living processes but one that have a lease, and have not stood still.
func (h *held) others(me uint8, a answer, still bool) (n int) {
	for p, since := range h.since {
		switch {
		case since == 0 || p == int(me) || p > model.MaxActors || a.died>>p&1 != 0:
		case still && a.to > uint32(since-1)+model.Still:
		default:
			n++
		}
	}
	return n
}

// living counts those but one that were alive when the call began.
func (h *held) living(me uint8, a answer) (n int) {
	for p, since := range h.since[:model.MaxActors+1] {
		if since != 0 && p != int(me) && a.dead>>p&1 == 0 {
			n++
		}
	}
	return n
}

// turn is the state behind a turn, and whether it may end so.
func (h held) turn(words int, c call, a answer) (held, bool) {
	if a.Kind == model.Held {
		ok := h.others(c.actor, a, true) < words
		h.since[c.actor] = uint8(a.from) + 1
		return h, ok && a.A > 0
	}
	had := h.since[c.actor] != 0
	h.since[c.actor] = 0
	return h, words > 1 || a.A == 0 || had || h.living(c.actor, a) > 0
}

// step returns the state behind a call, and whether the call may answer as it did.
func (p program) step(h held, c call, a answer) (held, bool) {
	switch c.op {
	case model.OpHold, model.OpTurn:
		return h.turn(len(p.Leases), c, a)
	case model.OpLeave:
		h.since[c.actor] = 0
		return h, a.Kind == model.Left
	case model.OpTune:
		return h.tuned(c), a.Kind == model.Tuned
	case model.OpWant, model.OpAsk:
		return h.wished(c, a)
	case model.OpRead:
		return h, a.Kind == model.Got && h.param[c.n-1] == model.Pair{A: a.A, B: a.B}
	}
	return h, !a.odd
}

// wish is the sequential state of a handover: a wish that holds until some time between two. Both are 0 if
// there is none.
type wish struct{ least, most uint32 }

// wished is the state behind a call of a handover, and whether it may answer so. Without an answer a wish may
// be over at once, or last.
func (h held) wished(c call, a answer) (held, bool) {
	may := h.wish.most > a.from
	switch said := (wish{a.from + model.Lasts, a.to + model.Lasts}); {
	case a.Kind == model.Unsaid:
		return h, !a.odd
	case a.Kind == model.Said && h.wish.least > a.to: // seen
	case a.Kind == model.Said && may:
		h.wish = wish{min(h.wish.least, said.least), max(h.wish.most, said.most)}
	case a.Kind == model.Said:
		h.wish = said
	case a.Kind == model.Heard:
		h.wish = wish{}
		return h, may
	default:
		over := h.wish.least <= a.to
		h.wish = wish{}
		return h, over
	}
	return h, true
}

// tuned is the state behind a change of live parameters.
func (h held) tuned(c call) held {
	for i, set := range c.set[:c.words] {
		if set.A != 0 {
			h.param[i].A = set.A
		}
		if set.B != 0 {
			h.param[i].B = set.B
		}
	}
	return h
}

// pending is what a call may have left of a process that has died in it.
func pending(h held, c call) []held {
	switch c.op {
	case model.OpHold, model.OpTurn:
		has, none := h, h
		has.since[c.actor], none.since[c.actor] = 1, 0
		return []held{has, none}
	case model.OpLeave:
		h.since[c.actor] = 0
		return []held{h}
	case model.OpTune:
		return []held{h.tuned(c)}
	case model.OpWant:
		h.wish = wish{0, math.MaxUint32}
		return []held{h}
	case model.OpAsk:
		h.wish = wish{}
		return []held{h}
	}
	return nil
}

// first is the state at the beginning.
func (p program) first() (h held) {
	for _, l := range p.Leases {
		if l.Owner != 0 {
			h.since[l.Owner] = l.At + 1
		}
	}
	copy(h.param[:], p.Params)
	if p.Wish.On == 1 && p.Wish.End <= model.Lasts {
		h.wish = wish{uint32(p.Wish.End), uint32(p.Wish.End)}
	}
	return h
}

// History splits changes of several words, and holds the answers of the sketch against their bounds.
func (w *world) History(h history.History[call, answer]) history.History[call, answer] {
	return splitWords(judged(w.Full, h))
}

// splitWords makes a call of each word of a change. Each is that of a client of its own, since they are under
// way at the same time.
func splitWords(h history.History[call, answer]) history.History[call, answer] {
	out := make(history.History[call, answer], 0, len(h))
	for i, op := range h {
		if op.Request.op != model.OpTune || op.Request.words < 2 {
			out = append(out, op)
			continue
		}
		for word := range op.Request.words {
			part := op
			part.Request.set = [model.MaxWords]model.Pair{}
			part.Request.set[word] = op.Request.set[word]
			if word > 0 {
				part.ID, part.Client = part.ID+1<<32, model.MaxActors+1+i
			}
			out = append(out, part)
		}
	}
	return out
}

// judgeTimeout bounds the judging of one history; one that needs longer is unknown, a failure.
const judgeTimeout = 10 * time.Second

// judge gives the verdict on the histories of a program.
func judge(p program) *linearizability.Judge[call, answer] {
	return linearizability.NewJudge(linearizability.Spec[call, answer, held]{
		Init: func(call) held { return p.first() },
		Step: p.step, Pending: pending,
	}.Model(), judgeTimeout)
}
