package volume

import (
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/control"
	"github.com/samecycle/samecycle/impl/quota"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/stress"
)

// emptyWorld is the words of a state, with the processes of owners 2 to 5. Owner 5 comes when owner 2 has
// died, at moment 100.
func emptyWorld(t *testing.T, state int) *world {
	t.Helper()
	r, err := region.Heap(region.Layout{part(state)})
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorld(&subject{}, r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	for owner, p := range map[uint32]region.Process{2: region.MakeProcess(2, 1), 3: region.MakeProcess(3, 1),
		4: region.MakeProcess(4, 1), 5: region.MakeProcess(2, 2)} {
		w.owner(owner, ownerProcess).Store(uint64(p))
	}
	w.owner(5, ownerSince).Store(100)
	w.run[wordClock].Store(1000)
	return w
}

// did is an operation from one moment to another, which is 0 for one whose client has died in it.
func did(owner uint32, k kind, fields uint32, from, to uint64, res ...uint64) stress.Event {
	e := stress.Event{ID: from, Owner: owner, Request: request(k, fields, from), Call: int64(from),
		Return: int64(to), Pending: to == 0, Extra: to << extraSeen}
	copy(e.Result[:], res)
	return e
}

// held and refused are turns of a janitor that may have one lease.
func held(owner uint32, from, to uint64) stress.Event {
	return did(owner, kindHold, 0, from, to, 1, 1<<wordRun|1)
}

func refused(owner uint32, from, to uint64) stress.Event {
	return did(owner, kindHold, 0, from, to, 0, 1<<wordRun)
}

// left is what a process leaves of a lease at rest.
func (w *world) leaseOf(owner uint32) {
	w.leases[0].Store(uint64(control.MakeLease(w.processOf(owner), 1)))
}

// audited is what the judges say of a round.
func audited(w *world, events []stress.Event) string {
	var f stress.Faults
	a := w.Audit(&stress.Window{Events: events, Ended: 2000, Living: []uint32{3, 4, 5}, Dead: []uint32{2}},
		&f)
	if err := a.History.Decide(time.Minute, 1000); err != nil {
		f.Add("%v", err)
	}
	return strings.Join(f, "\n")
}

// TestAudit_Words holds the judges of leases and live parameters against histories that are made by hand.
func TestAudit_Words(t *testing.T) {
	type events = []stress.Event
	nothing := func(*world) {}
	for name, x := range map[string]struct {
		state  int
		make   func(w *world)
		events events
		says   string // "": no fault
	}{
		"nothing": {1, nothing, nil, ""},
		"one has it": {1, func(w *world) { w.leaseOf(3) }, events{held(3, 1, 2), refused(4, 3, 4)},
			""},
		"two have it":   {1, nothing, events{held(3, 1, 2), held(4, 3, 4)}, "linearizable"},
		"nobody has it": {1, nothing, events{refused(3, 1, 2)}, "linearizable"},
		"it was given up": {1, nothing, events{held(3, 1, 2), did(3, kindLeave, 0, 3, 4),
			held(4, 5, 6)}, ""},
		"it was told of none": {1, func(w *world) { w.leaseOf(4) }, events{held(3, 1, 2)}, "linearizable"},
		"it is told of none":  {1, nothing, events{did(3, kindHold, 0, 1, 2, 0, 1<<wordRun|1)}, "told: "},
		"it stood still":      {3, nothing, events{held(3, 1, 2), held(4, 67, 68)}, ""},
		"it renews in time": {3, nothing, events{held(3, 1, 2), held(3, 10, 11), held(4, 70, 71)},
			"linearizable"},
		"it learns of it late": {3, nothing, events{held(3, 1, 2), held(4, 70, 71), refused(3, 72, 73)}, ""},
		"the owner has died":   {2, nothing, events{held(2, 1, 2), refused(3, 3, 4), held(3, 5, 6)}, ""},
		"the owner lives yet": {2, nothing, events{held(2, 1, 2), held(3, 3, 4), held(2, 5, 6)},
			"linearizable"},
		"the owner dies in a turn": {2, nothing, events{held(2, 1, 0), refused(3, 3, 4), held(3, 5, 6)},
			""},
		"the lease died with it": {2, nothing, events{held(2, 1, 2), refused(3, 101, 102)},
			"linearizable"},
		"the lease died with its turn": {2, nothing, events{held(2, 1, 0), refused(3, 101, 102)}, "linear"},

		"two leases": {4, nothing, events{did(3, kindTurn, 0, 1, 2, 1, 2<<wordRun|3)}, "one: "},
		"too many leases": {4, nothing, events{did(4, kindTune, fieldFirst, 4, 5),
			did(3, kindTurn, 0, 6, 7, 1, 1<<wordRun|2)}, "few: "},
		"a number of before": {4, nothing, events{did(4, kindTune, fieldFirst, 4, 5),
			did(3, kindTurn, 0, 6, 7, 1, 2<<wordRun|1)}, "linearizable"},
		"three have two leases": {4, nothing, events{did(3, kindTurn, 0, 1, 2, 1, 2<<wordRun|1),
			did(4, kindTurn, 0, 3, 4, 1, 2<<wordRun|2), did(5, kindTurn, 0, 5, 6, 1, 2<<wordRun|2)},
			"linearizable"},

		"fields of two": {5, func(w *world) { w.params[0].Store(1<<31 | 1 | (1<<31|3)<<32) },
			events{did(3, kindTune, fieldFirst, 1, 2), did(4, kindTune, fieldSecond, 3, 4)}, ""},
		"a change is lost": {5, func(w *world) { w.params[0].Store((1<<31 | 3) << 32) },
			events{did(3, kindTune, fieldFirst, 1, 2), did(4, kindTune, fieldSecond, 3, 4)}, "linearizable"},
		"a pair is torn": {5, func(w *world) { w.params[0].Store(1<<31 | 1 | (1<<31|1)<<32) },
			events{did(3, kindTune, fieldFirst|fieldSecond, 1, 9), did(4, kindRead, 0, 2, 3, 1<<31|1)},
			"linearizable"},
		"a change that a dead one may have made": {5, nothing,
			events{did(2, kindTune, 7, 1, 0), did(4, kindRead, 0, 2, 3, 0, 0)}, ""},
		"its second word first": {5, func(w *world) { w.params[1].Store(1<<63 | 1) },
			events{did(2, kindTune, 7, 1, 0), did(4, kindRead, 0, 2, 3, 0, 1<<63|1)}, "linearizable"},
	} {
		w := emptyWorld(t, x.state)
		x.make(w)
		got := audited(w, x.events)
		if (x.says == "") != (got == "") || !strings.Contains(got, x.says) {
			t.Errorf("%s: %q, want %q", name, got, x.says)
		}
	}
}

// TestAudit_Wishes holds the judge of handovers against histories that are made by hand. A wish holds for 64
// moments.
func TestAudit_Wishes(t *testing.T) {
	type events = []stress.Event
	nothing := func(*world) {}
	for name, x := range map[string]struct {
		make   func(w *world)
		events events
		says   string // "": no fault
	}{
		"a wish":  {wishUntil(68), events{did(3, kindWant, 0, 1, 9, 1)}, ""},
		"its end": {wishUntil(74), events{did(3, kindWant, 0, 1, 9, 1)}, "linearizable"},
		"it is heard": {nothing, events{did(3, kindWant, 0, 1, 2, 1), did(4, kindAsk, 0, 3, 4, 1)},
			""},
		"it is heard late": {nothing, events{did(3, kindWant, 0, 1, 2, 1),
			did(4, kindAsk, 0, 66, 67, 1)}, "linearizable"},
		"it is over": {nothing, events{did(3, kindWant, 0, 1, 2, 1), did(4, kindAsk, 0, 60, 65)},
			""},
		"it holds": {nothing, events{did(3, kindWant, 0, 1, 2, 1), did(4, kindAsk, 0, 60, 64)},
			"linearizable"},
		"it is renewed": {nothing, events{did(3, kindWant, 0, 1, 2, 1), did(3, kindWant, 0, 66, 67, 1),
			did(4, kindAsk, 0, 120, 121, 1)}, ""},
		"it is seen": {nothing, events{did(3, kindWant, 0, 1, 2, 1), did(3, kindWant, 0, 60, 61, 1),
			did(4, kindAsk, 0, 120, 121, 1)}, "linearizable"},
		"somebody came between": {nothing, events{did(3, kindWant, 0, 1, 2), did(4, kindAsk, 0, 3, 4)},
			""},
		"nobody has said it": {nothing, events{did(4, kindAsk, 0, 3, 4, 1)}, "linearizable"},
		"it is heard twice": {nothing, events{did(3, kindWant, 0, 1, 2, 1), did(4, kindAsk, 0, 3, 4, 1),
			did(5, kindAsk, 0, 5, 6, 1)}, "linearizable"},
		"it is lost":          {nothing, events{did(3, kindWant, 0, 990, 999, 1)}, "linearizable"},
		"it is left":          {wishUntil(70), nil, "linearizable"},
		"who said it is dead": {wishUntil(70), events{did(2, kindWant, 0, 1, 0)}, ""},
		"who heard it is dead": {nothing, events{did(3, kindWant, 0, 1, 2, 1), did(2, kindAsk, 0, 3, 0),
			did(4, kindAsk, 0, 5, 6)}, ""},
	} {
		w := emptyWorld(t, 9)
		x.make(w)
		got := audited(w, x.events)
		if (x.says == "") != (got == "") || !strings.Contains(got, x.says) {
			t.Errorf("%s: %q, want %q", name, got, x.says)
		}
	}
}

// wishUntil leaves a wish in the word, at rest.
func wishUntil(moment uint32) func(w *world) {
	return func(w *world) { w.wish[0].Store(1<<32 | uint64(moment)) }
}

// rate is an operation of the sketch, number n of the round.
func (w *world) rate(owner uint32, k kind, n, to uint64, res uint64) stress.Event {
	return did(owner, k, 0, w.run[wordFirst].Load()+n, to, res)
}

// charge raises a cell by some units.
func (w *world) raise(row int, column uint32, units uint64) {
	w.level(row, column).Add(units * w.unit())
}

// TestAudit_Charges holds the judge of the cells against charges that are made by hand. Operation 2 of a
// round charges identity 0 with 8 times 2 units.
func TestAudit_Charges(t *testing.T) {
	for name, x := range map[string]struct {
		rows [quota.Depth]uint64 // units in them
		to   uint64              // moment of the return
		told uint64              // units
		says string
	}{
		"all rows":               {[4]uint64{16, 16, 16, 16}, 50, 17, ""},
		"a row has less":         {[4]uint64{16, 16, 16, 14}, 50, 17, "sum: cell 0 of row 3"},
		"a row has more":         {[4]uint64{16, 18, 16, 16}, 50, 17, "sum: cell 0 of row 1"},
		"the level is too low":   {[4]uint64{16, 16, 16, 16}, 50, 16, "level: "},
		"the level is too high":  {[4]uint64{16, 16, 16, 16}, 50, 18, "level: "},
		"a dead one in part":     {[4]uint64{4, 4, 2, 2}, 0, 0, ""},
		"a dead one beyond that": {[4]uint64{18, 4, 2, 2}, 0, 0, "sum: cell 0 of row 0"},
	} {
		w := emptyWorld(t, 6)
		for row, units := range x.rows {
			w.raise(row, 0, units)
		}
		got := audited(w, []stress.Event{w.rate(2, kindCharge, 2, x.to, x.told*w.unit())})
		if (x.says == "") != (got == "") || !strings.Contains(got, x.says) {
			t.Errorf("%s: %q, want %q", name, got, x.says)
		}
	}
}

// TestAudit_Answers holds the judges of a ruling and of an admission against single answers. Units are those
// that have returned ahead of the call, its own included, and those that have begun behind it.
func TestAudit_Answers(t *testing.T) {
	for name, x := range map[string]struct {
		kind              kind
		told, least, most uint64
		says              string
	}{
		"admitted":                    {kindTake, 0, 32, 40, ""},
		"admitted without room":       {kindTake, 0, 33, 40, "admitted: "},
		"refused":                     {kindTake, 1, 0, 32, ""},
		"refused with room":           {kindTake, 1, 0, 31, "refused: with"},
		"refused for too long":        {kindTake, 4, 0, 34, "refused: for the time"},
		"an offence":                  {kindJudge, 1<<bitsOfEnd | 5, 0, 7, ""},
		"one with a longer end":       {kindJudge, 1<<bitsOfEnd | 10, 0, 8, ""},
		"an offence that is too long": {kindJudge, 1<<bitsOfEnd | 10, 0, 7, "bound: "},
		"one that is too short":       {kindJudge, 1<<bitsOfEnd | 3, 0, 7, "bound: "},
		"one that counts twice":       {kindJudge, 2<<bitsOfEnd | 5, 0, 7, "once: "},
		"none":                        {kindJudge, 0, 0, 7, "once: "},
	} {
		w := emptyWorld(t, map[kind]int{kindTake: 8, kindJudge: 7}[x.kind])
		r := w.roundOf(&stress.Window{})
		got := r.oddTake(x.told, x.least, x.most)
		if x.kind == kindJudge {
			e := w.rate(2, x.kind, 0, 50, x.told)
			got = r.oddPenalty(0, charge{&e, 0}, x.most)
		}
		if (x.says == "") != (got == "") || !strings.Contains(got, x.says) {
			t.Errorf("%s: %q, want %q", name, got, x.says)
		}
	}
}
