package volume

import (
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/region"
	impl "github.com/samecycle/samecycle/impl/slots"
	"github.com/samecycle/samecycle/stress"
)

// emptyWorld is a ring of two files without clients.
func emptyWorld(t *testing.T, state int) *world {
	t.Helper()
	r, err := region.Heap(region.Layout{part(2, recipes[state].slots)})
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorld(&subject{}, state, r)
	if err != nil {
		t.Fatal(err)
	}
	w.patient = time.Millisecond
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// done notes that a request was performed.
func (w *world) note(number, times, old uint64) {
	e := w.entry(number)
	e[doneNumber].Store(number)
	e[doneCount].Store(times)
	e[doneOld].Store(old + 1)
}

// event is an operation of client 2 on register 0.
func event(k kind, number uint64, o impl.Outcome, old uint64) stress.Event {
	return stress.Event{ID: number, Owner: 2, Request: request(k, 0, number),
		Result: stress.Words{uint64(o), old}, Call: int64(10 * number), Return: int64(10*number + 5)}
}

// TestAudit holds the judges at rest against rings and journals that are made by hand.
func TestAudit(t *testing.T) {
	dies := event(kindSwap, 1, 0, 0)
	dies.Pending, dies.Return = true, 0
	for name, x := range map[string]struct {
		make   func(w *world)
		events []stress.Event
		says   string // "": no fault
	}{
		"nothing": {func(*world) {}, nil, ""},
		"a slot is lost": {func(w *world) {
			w.files[w.stateAt(1, 0)].Store(1<<8 | uint64(impl.Claimed))
		}, nil, "lost: slot 0 of file 1 is claimed"},
		"a wake-up is lost": {func(w *world) { w.place(1, placeLate).Store(1) }, nil,
			"1 wake-ups of service 1"},
		"nobody has asked": {func(w *world) { w.note(9, 1, 0) }, nil, "which no client of this round"},
		"answered": {func(w *world) { w.note(1, 1, 0); w.words[wordRegister].Store(1) },
			[]stress.Event{event(kindSwap, 1, impl.Answered, 0)}, ""},
		"answered, and not performed": {func(*world) {}, []stress.Event{event(kindSwap, 1, impl.Answered, 0)},
			"performed: not"},
		"answered otherwise": {func(w *world) { w.note(1, 1, 0) },
			[]stress.Event{event(kindSwap, 1, impl.Answered, 7)}, "had 0, and the answer is 7"},
		"twice": {func(w *world) { w.note(1, 2, 0) }, []stress.Event{event(kindSwap, 1, impl.Unknown, 0)},
			"2 times"},
		"not done": {func(*world) {}, []stress.Event{event(kindTry, 1, impl.NotDone, 0)}, ""},
		"not done, and performed": {func(w *world) { w.note(1, 1, 0) },
			[]stress.Event{event(kindTry, 1, impl.NotDone, 0)}, "would never be"},
		"unknown, and not performed": {func(*world) {},
			[]stress.Event{event(kindTry, 1, impl.Unknown, 0)}, ""},
		"of a dead, performed": {func(w *world) { w.note(1, 1, 0); w.words[wordRegister].Store(1) },
			[]stress.Event{dies}, ""},
		"an old value is read": {func(w *world) {
			w.note(1, 1, 0)
			w.note(2, 1, 0)
			w.words[wordRegister].Store(1)
		}, []stress.Event{event(kindSwap, 1, impl.Answered, 0), event(kindGet, 2, impl.Answered, 0)},
			"linearizable"},
		"the register has another one": {func(w *world) { w.note(1, 1, 0) },
			[]stress.Event{event(kindSwap, 1, impl.Answered, 0)}, "linearizable"},
	} {
		w := emptyWorld(t, 1)
		x.make(w)
		var f stress.Faults
		a := w.Audit(&stress.Window{Events: x.events, Ended: 1000}, &f)
		if err := a.History.Decide(time.Minute, 100); err != nil {
			f.Add("%v", err)
		}
		if got := strings.Join(f, "\n"); (x.says == "") != (got == "") || !strings.Contains(got, x.says) {
			t.Errorf("%s: %q, want %q", name, got, x.says)
		}
	}
}

// TestMarks: what is a mark of each state, and what is not.
func TestMarks(t *testing.T) {
	with := func(e stress.Event, extra uint64) stress.Event {
		e.Extra = extra
		return e
	}
	pending := event(kindSwap, 1, 0, 0)
	pending.Pending = true
	gaveUp := event(kindTry, 1, impl.Unknown, 0)
	answered := event(kindSwap, 1, impl.Answered, 0)
	for _, x := range []struct {
		state     int
		e         stress.Event
		performed bool
		left      impl.State
		want      bool
	}{
		{1, with(gaveUp, seenGaveUp), true, 0, true},
		{1, with(gaveUp, seenGaveUp), false, 0, false},
		{1, gaveUp, true, 0, false},
		{2, with(gaveUp, seenDied), false, 0, true},
		{2, with(gaveUp, seenGaveUp), false, 0, false},
		{3, pending, false, impl.Taken, true},
		{3, pending, false, impl.Free, false},
		{3, answered, false, impl.Taken, false},
		{4, with(answered, seenSleep), true, 0, true},
		{4, answered, true, 0, false},
		{4, with(gaveUp, seenSleep), false, 0, false},
	} {
		w := emptyWorld(t, x.state)
		if w.left[2] = x.left; x.performed {
			w.note(1, 1, 0)
		}
		if got := w.race(&x.e); got != x.want {
			t.Errorf("state %d, %+v: %v, want %v", x.state, x.e, got, x.want)
		}
	}
	w := emptyWorld(t, 5)
	w.words[wordReuse].Store(3)
	if first, second := w.marks(nil), w.marks(nil); first != 3 || second != 0 {
		t.Errorf("%d marks, then %d, want 3, then none", first, second)
	}
}
