//go:build explore

package slots

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/internal/hook/hooktest"
)

// between does something ahead of the n-th access of a kind to the state of a slot. It is the other side,
// which comes between two steps of this one.
type between struct {
	hooktest.Alone
	slot *slot
	kind hook.Kind
	left int
	does func()
}

func (b *between) Before(k hook.Kind, p unsafe.Pointer) {
	if k != b.kind || p != unsafe.Pointer(&b.slot.state) {
		return
	}
	if b.left--; b.left == 0 {
		hook.Active = nil
		b.does()
		hook.Active = b
	}
}

// come runs f, into whose n-th access of that kind does comes.
func come(s *slot, k hook.Kind, n int, does, f func()) {
	hook.Active = &between{slot: s, kind: k, left: n, does: does}
	defer func() { hook.Active = nil }()
	f()
}

// TestBetween_Read: the word of an answer changes while it is copied: it is nobody's, and is not given out.
func TestBetween_Read(t *testing.T) {
	s, c, _ := both(t, 1)
	h := sent(t, c, "x")
	turn(t, s, 1)
	x := &c.slots[0]
	come(x, hook.CompareAndSwap, 1, func() { x.state.Store(uint64(h.word.in(Taken))) }, func() {
		o, dst, err := c.Poll(h, []byte("<"))
		if o != Unknown || string(dst) != "<" || !errors.Is(err, ErrCorrupt) ||
			!strings.Contains(err.Error(), "slot 0 is taken with serial 1, want published") {
			t.Errorf("%v %q %v", o, dst, err)
		}
	})
}

// TestBetween_GiveUp: the service takes the request, or answers it, between the look and the swap: the call
// looks again. A slot that changes each time is damage.
func TestBetween_GiveUp(t *testing.T) {
	for first, want := range map[State]Outcome{Taken: Unknown, Done: Answered, Failed: Unknown} {
		s, c, _ := both(t, 1)
		h := sent(t, c, "x")
		s.slots[0].slotAnswer([]byte("answer"))
		x := &c.slots[0]
		come(x, hook.CompareAndSwap, 1, func() { x.state.Store(uint64(h.word.in(first))) }, func() {
			o, dst, err := c.GiveUp(h, []byte("<"))
			if o != want || err != nil || string(dst) != map[Outcome]string{Unknown: "<",
				Answered: "<answer"}[want] {
				t.Errorf("%v: %v %q %v", first, o, dst, err)
			}
		})
		left := map[State]string{Taken: "abandoned", Done: "free", Failed: "free"}[first]
		if got := states(&c.mailbox); got != left {
			t.Errorf("%v: it is left %s, want %s", first, got, left)
		}
	}
	_, c, _ := both(t, 1)
	h := sent(t, c, "x")
	x, swaps := &c.slots[0], 0
	toggle := &between{slot: x, kind: hook.CompareAndSwap, left: 1}
	toggle.does = func() {
		swaps++
		to := Taken
		if x.slotLook().State() == Taken {
			to = Published
		}
		x.state.Store(uint64(h.word.in(to)))
		toggle.left = 1
	}
	hook.Active = toggle
	o, dst, err := c.GiveUp(h, []byte("<"))
	hook.Active = nil
	if o != Unknown || string(dst) != "<" || !errors.Is(err, ErrCorrupt) || swaps != reclaimTries ||
		!strings.Contains(err.Error(), "slot 0 is taken with serial 1, want taken with serial 1") {
		t.Errorf("of a slot that changes all the time: %v %q %v, %d swaps", o, dst, err, swaps)
	}
}

// TestBetween_Mourn: the next service comes when the system has been asked.
func TestBetween_Mourn(t *testing.T) {
	s, c, system := both(t, 1)
	h := sent(t, c, "x")
	system.dead[ServiceRole] = true
	x := &c.slots[0]
	s.slots[0].slotTake(h.word)
	come(x, hook.CompareAndSwap, 1, func() { x.state.Store(uint64(h.word.in(Failed))) }, func() {
		o, _, err := c.Mourn(h, nil)
		if o != Unknown || err != nil || x.slotLook().State() != Free {
			t.Errorf("%v %v", o, err)
		}
	})
	_, c, path := pair(t, small) // and the file is truncated then
	h = sent(t, c, "x")
	x = &c.slots[0]
	x.state.Store(uint64(h.word.in(Taken)))
	c.system = system
	come(x, hook.Load, 2, func() {
		if err := os.Truncate(path, 0); err != nil {
			t.Error(err)
		}
	}, func() {
		if o, dst, err := c.Mourn(h, []byte("<")); o != Unknown || string(dst) != "<" ||
			!errors.Is(err, ErrCorrupt) {
			t.Errorf("%v %q %v", o, dst, err)
		}
	})
}

// TestBetween_Claim: whoever claims a slot that another thread has just claimed takes the next one.
func TestBetween_Claim(t *testing.T) {
	_, c, _ := both(t, 2)
	x := &c.slots[0]
	come(x, hook.CompareAndSwap, 1, func() { x.state.Store(uint64(Word(0).claimed())) }, func() {
		if h, ok, err := c.Claim(); !ok || err != nil || h.index != 1 {
			t.Errorf("claimed %+v %v %v", h, ok, err)
		}
	})
}

// TestBetween_Judge: a client changes the slot that a service judges. The service looks again, and it counts
// what it has done itself.
func TestBetween_Judge(t *testing.T) {
	const life = Word(5 << 8)
	for _, x := range []struct {
		first, then, left Word
		counts            Counts
	}{
		{life | Word(Taken), life | Word(Abandoned), 6 << 8, Counts{Reclaimed: 1, Sleeps: 1}},
		{life | Word(Taken), life | 9, 6 << 8, Counts{Damaged: 1, Sleeps: 1}},
		{life | Word(Abandoned), life | Word(Taken), life | Word(Failed), Counts{Reclaimed: 1, Sleeps: 1}},
		{life | 9, life | Word(Done), life | Word(Done), Counts{Sleeps: 1}},
		{life | Word(Taken), life | Word(Claimed), life | Word(Claimed), Counts{Sleeps: 1}},
	} {
		s, _, _ := both(t, 1)
		y := &s.slots[0]
		y.state.Store(uint64(x.first))
		come(y, hook.CompareAndSwap, 1, func() { y.state.Store(uint64(x.then)) }, func() { turn(t, s, 0) })
		if got := y.slotScan(); got != x.left || s.Counts() != x.counts {
			t.Errorf("%v: it is left %v of %d, counts %+v", x, got.State(), got.Serial(), s.Counts())
		}
	}
	s, _, system := both(t, 1) // the next service, which looks at each slot once
	y, n := &s.slots[0], 0
	y.state.Store(uint64(life | Word(Taken)))
	come(y, hook.CompareAndSwap, 1, func() { y.state.Store(uint64(life | Word(Abandoned))) }, func() {
		next, err := Over(s.memory, Options{Slots: 1, RequestBytes: 128, ResponseBytes: 192}, system)
		if err != nil || y.slotScan() != 6<<8 || next.Counts() != (Counts{Reclaimed: 1}) {
			t.Errorf("it is left %v of %d, %v", y.slotScan().State(), y.slotScan().Serial(), err)
		}
	})
	toggle := &between{slot: y, kind: hook.CompareAndSwap, left: 1}
	toggle.does = func() {
		n++
		y.state.Store(uint64(Word(uint64(2*n+5)<<8 | uint64(Taken))))
		toggle.left = 1
	}
	y.state.Store(uint64(life | Word(Taken)))
	hook.Active = toggle
	again, err := Over(s.memory, Options{Slots: 1, RequestBytes: 128, ResponseBytes: 192}, &played{})
	hook.Active = nil
	if err != nil || n != reclaimTries || again.Counts() != (Counts{}) {
		t.Errorf("of a slot that changes all the time: %v, %d swaps, %+v", err, n, again.Counts())
	}
}

// TestBetween_Inherit: the same of a client that begins.
func TestBetween_Inherit(t *testing.T) {
	_, c, system := both(t, 1)
	o := Options{Slots: 1, RequestBytes: 128, ResponseBytes: 192}
	x, n := &c.slots[0], 0
	x.state.Store(5<<8 | uint64(Claimed))
	come(x, hook.CompareAndSwap, 1, func() { x.state.Store(5<<8 | uint64(Taken)) }, func() {
		if _, err := OverClient(c.memory, o, system); err != nil || x.slotLook() != 5<<8|Word(Abandoned) {
			t.Errorf("it is left %v, %v", x.slotLook().State(), err)
		}
	})
	toggle := &between{slot: x, kind: hook.CompareAndSwap, left: 1}
	toggle.does = func() {
		n++
		x.state.Store(uint64(2*n+5)<<8 | uint64(Claimed))
		toggle.left = 1
	}
	x.state.Store(5<<8 | uint64(Claimed))
	hook.Active = toggle
	_, err := OverClient(c.memory, o, system)
	hook.Active = nil
	if err != nil || n != reclaimTries {
		t.Errorf("of a slot that changes all the time: %v, %d swaps", err, n)
	}
}

// TestBetween_Tidy: what a dead client has left, and somebody else has freed meanwhile, does not count.
func TestBetween_Tidy(t *testing.T) {
	s, _, system := both(t, 1)
	system.dead[ClientRole] = true
	x := &s.slots[0]
	x.state.Store(5<<8 | uint64(Done))
	come(x, hook.CompareAndSwap, 1, func() { x.state.Store(6 << 8) }, func() {
		if err := s.Tidy(); err != nil || s.Counts() != (Counts{}) || x.slotScan() != 6<<8 {
			t.Errorf("%v, %+v", err, s.Counts())
		}
	})
}

// TestBetween_Take: a request that is withdrawn ahead of the swap is not performed.
func TestBetween_Take(t *testing.T) {
	s, c, _ := both(t, 1)
	h := sent(t, c, "x")
	x := &s.slots[0]
	come(x, hook.CompareAndSwap, 1, func() {
		if o, _, err := c.GiveUp(h, nil); o != NotDone || err != nil {
			t.Error(o, err)
		}
	}, func() { turn(t, s, 0) })
	if s.Counts() != (Counts{Sleeps: 1}) {
		t.Errorf("%+v", s.Counts())
	}
}

// TestBetween_Scans: a request that comes between the two scans of a turn is performed in it, and ends the
// row
// of wakes for nothing.
func TestBetween_Scans(t *testing.T) {
	s, c, _ := both(t, 1)
	early := func(n int) {
		t.Helper()
		for range n {
			if _, err := s.Turn(echo, time.Hour); err != nil {
				t.Fatal(err)
			}
		}
	}
	early(emptyFree)
	var h *Held
	come(&s.slots[0], hook.Load, 2, func() { h = sent(t, c, "x") }, func() { turn(t, s, 1) })
	poll(t, c, h, Answered, "re:x")
	early(emptyFree)
	if n := s.Counts(); n.Requests != 1 || n.Empty != 0 {
		t.Errorf("%+v", n)
	}
	early(1)
	if n := s.Counts(); n.Empty != 1 {
		t.Errorf("%+v", n)
	}
}
