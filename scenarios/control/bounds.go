package control

import (
	"github.com/samecycle/samecycle/internal/history"
	model "github.com/samecycle/samecycle/model/control"
)

// A charge changes one cell after the other, and the lowest cell of an identity counts. So a call sees at
// least the charges of its identity that had returned when it began, and at most all that had begun when it
// returned. The bucket that is fed with the first ones bounds the level from below, and with the last ones
// from above.

// levelMost is the highest level of a cell.
const levelMost = 2 * model.Burst

// judged marks the answers of the sketch for which no order of the charges accounts, and those of one who
// wants a writer, and says nothing since another call came between, if none can have.
func judged(full uint8, h history.History[call, answer]) history.History[call, answer] {
	out := make(history.History[call, answer], len(h))
	for i, op := range h {
		if op.Result.Kind == model.Unsaid {
			op.Result.odd = alone(h, i)
		}
		if c := op.Request.op; !op.Pending && op.Result.gave &&
			(c == model.OpCharge || c == model.OpJudge || c == model.OpTake) {
			op.Result.odd = odd(full, h, i)
		}
		out[i] = op
	}
	return out
}

// alone tells whether no other call of the handover can have changed the word in call i.
func alone(h history.History[call, answer], i int) bool {
	for j, op := range h {
		wishes := op.Request.op == model.OpWant || op.Request.op == model.OpAsk
		if wishes && j != i && op.Call < h[i].Return && (op.Pending || op.Return > h[i].Call) {
			return false
		}
	}
	return true
}

// least is the level at an instant of a bucket that is fed with some charges.
func least(now uint8, charges []call) (level uint8) {
	for _, from := range charges {
		var n uint8
		for _, c := range charges {
			if c.at >= from.at {
				n += c.units
			}
		}
		if end := from.at + min(n, levelMost); end > now {
			level = max(level, min(end-now, levelMost))
		}
	}
	return level
}

// odd tells whether answer i is out of its bounds.
func odd(full uint8, h history.History[call, answer], i int) bool {
	c, a := h[i].Request, h[i].Result
	var before []call            // of the identity, and returned
	last, most := full, uint8(0) // of all that have begun
	for j, op := range h {
		o := op.Request
		if j == i || op.Result.Kind == model.Denied {
			continue
		}
		if op.Call < h[i].Return {
			last, most = max(last, o.at), most+o.units
		}
		if !op.Pending && op.Return != 0 && op.Return < h[i].Call && o.n == c.n {
			before = append(before, o)
		}
	}
	others := min(levelMost, max(int(last)+int(most)-int(c.at), 0))
	with := least(c.at, append(before, c))
	switch a.Kind {
	case model.LevelIs:
		return a.A < with || int(a.A) > min(levelMost, max(int(last), int(c.at))+int(most+c.units)-int(c.at))
	case model.OK:
		return with > model.Burst
	case model.Suspected:
		return max(int(last), int(c.at))+int(most+c.units)-int(c.at) <= model.Burst || a.A <= c.at || a.B == 0
	case model.Taken:
		return least(c.at, before)+c.units > model.Burst
	case model.Denied:
		return others+int(c.units) <= model.Burst || a.A == 0
	}
	return true
}
