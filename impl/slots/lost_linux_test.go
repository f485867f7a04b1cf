package slots

import (
	"encoding/binary"
	"errors"
	"os"
	"runtime/debug"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestOver_Defaults: zero options are those of a slot file that was made with them, on either side; and
// memory
// that is refused stays as it is.
func TestOver_Defaults(t *testing.T) {
	m, system := memory(Options{}.complete()), &played{}
	s, err := Over(m, Options{}, system)
	if err != nil || len(s.slots) != DefaultSlots {
		t.Fatal(err)
	}
	c, err := OverClient(m, Options{}, system)
	if err != nil || c.Slots() != DefaultSlots {
		t.Fatal(err)
	}
	s.slots[3].state.Store(5<<8 | uint64(Taken))
	if _, err := Over(m, Options{}, system); err != nil || s.slots[3].slotScan() != 5<<8|Word(Failed) {
		t.Errorf("the next service has left %v, %v", s.slots[3].slotScan().State(), err)
	}
	if _, err := Over(m, Options{Slots: 65}, system); !errors.Is(err, ErrOptions) {
		t.Errorf("65 slots: %v", err)
	}
	s.slots[3].state.Store(5<<8 | uint64(Taken))
	s.fixed[0]++
	if _, err := OverClient(m, Options{}, system); !errors.Is(err, ErrFile) {
		t.Errorf("a client of something else: %v", err)
	}
	if _, err := Over(m, Options{}, system); !errors.Is(err, ErrFile) {
		t.Errorf("a service of something else: %v", err)
	}
	if w := s.slots[3].slotScan(); w != 5<<8|Word(Taken) || s.fixed[0] != Magic+1 {
		t.Errorf("memory that was refused has %v, %#x", w.State(), s.fixed[0])
	}
	if _, err := OverClient(m[:64], Options{}, system); !errors.Is(err, ErrFile) {
		t.Errorf("a client of too little memory: %v", err)
	}
	if _, err := Over(m[:64], Options{}, system); !errors.Is(err, ErrFile) {
		t.Errorf("a service of too little memory: %v", err)
	}
}

// TestOverwritten_EachCall: a slot that has another life, or a state that cannot be, is damage to whoever
// asks
// for the request, and what was in the buffer of the caller stays.
func TestOverwritten_EachCall(t *testing.T) {
	_, c, system := both(t, 1)
	system.dead[ServiceRole] = true
	h := sent(t, c, "x")
	rung := c.bell.Load()
	was := h.word
	for _, w := range []Word{was + 2<<8, was + 2<<40, was.in(Claimed), was.in(9), was.freed()} {
		for name, call := range map[string]func(*Held, []byte) (Outcome, []byte, error){"poll": c.Poll,
			"give up": c.GiveUp, "mourn": c.Mourn} {
			c.slots[0].state.Store(uint64(w))
			h.word = was
			o, dst, err := call(h, []byte("<"))
			if o != Unknown || string(dst) != "<" || !errors.Is(err, ErrCorrupt) ||
				c.slots[0].slotLook() != w {
				t.Errorf("%s of %v with serial %d: %v %q %v, and it is %v", name, w.State(), w.Serial(),
					o, dst,
					err, c.slots[0].slotLook().State())
			}
		}
	}
	c.slots[0].state.Store(uint64(was.freed()))
	h.word = was.in(Claimed)
	if err := c.Send(h, nil); !errors.Is(err, ErrCorrupt) || h.word != was.in(Claimed) ||
		c.bell.Load() != rung {
		t.Errorf("a send into another life: %v, the word is %v, and the doorbell has rung %d times", err,
			h.word.State(), c.bell.Load()-rung)
	}
	if h.word = was.in(Claimed); errors.Is(c.Send(h, make([]byte, 121)), ErrCorrupt) {
		t.Error("a request that is too large was sent")
	}
}

// TestSleep_WithoutASystem: of a system that cannot sleep on a word, both sides sleep for a while, and no
// longer.
func TestSleep_WithoutASystem(t *testing.T) {
	s, c, system := both(t, 1)
	system.cannot = true
	h := sent(t, c, "x")
	const often = 20 // one that does not sleep may take as long, if the system lets others run
	for range often {
		begun := time.Now()
		if err := c.Sleep(h, time.Hour); err != nil || time.Since(begun) < time.Millisecond {
			t.Fatalf("the client slept %v, %v", time.Since(begun), err)
		}
	}
	turn(t, s, 1)
	for range often {
		begun := time.Now()
		if n, err := s.Turn(echo, time.Hour); n != 0 || err != nil || time.Since(begun) < time.Millisecond {
			t.Fatalf("the service slept %v, %d %v", time.Since(begun), n, err)
		}
	}
	for range 2 * emptyFree {
		if n, err := s.Turn(echo, time.Microsecond); n != 0 || err != nil {
			t.Fatal(n, err)
		}
	}
	system.cannot = false
	for range emptyFree {
		if _, err := s.Turn(echo, time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	begun := time.Now()
	if _, err := s.Turn(echo, time.Hour); err != nil || time.Since(begun) < emptyMost {
		t.Errorf("woken again and again for nothing, it rested for %v, %v", time.Since(begun), err)
	}
}

// TestTruncated_EachCall: wherever a page goes, the call says so, and the buffer of the caller stays.
func TestTruncated_EachCall(t *testing.T) {
	calls := map[string]func(c *Client, h *Held) (Outcome, []byte, error){
		"poll":    func(c *Client, h *Held) (Outcome, []byte, error) { return c.Poll(h, []byte("<")) },
		"give up": func(c *Client, h *Held) (Outcome, []byte, error) { return c.GiveUp(h, []byte("<")) },
		"mourn":   func(c *Client, h *Held) (Outcome, []byte, error) { return c.Mourn(h, []byte("<")) },
		"send": func(c *Client, h *Held) (Outcome, []byte, error) {
			return Unknown, []byte("<"), c.Send(h, []byte("x"))
		},
		"send too large": func(c *Client, h *Held) (Outcome, []byte, error) {
			return Unknown, []byte("<"), c.Send(h, make([]byte, 121))
		},
		"claim": func(c *Client, _ *Held) (Outcome, []byte, error) {
			_, ok, err := c.Claim()
			if ok {
				t.Error("a slot that is gone was claimed")
			}
			return Unknown, []byte("<"), err
		},
	}
	for name, call := range calls {
		_, c, path := pair(t, small)
		h := sent(t, c, "x")
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
		if o, dst, err := call(c, h); o != Unknown || string(dst) != "<" || !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v %q %v", name, o, dst, err)
		}
	}
	for _, state := range []State{Published, Taken} { // it goes while the system is asked
		_, c, path := pair(t, small)
		h := sent(t, c, "x")
		c.slots[0].state.Store(uint64(h.word.in(state)))
		c.system = &truncates{path: path}
		if o, dst, err := c.Mourn(h, []byte("<")); o != Unknown || string(dst) != "<" ||
			!errors.Is(err, ErrCorrupt) {
			t.Errorf("%v: %v %q %v", state, o, dst, err)
		}
	}
	for _, state := range []State{Claimed, Done, Failed} {
		s, _, path := pair(t, small)
		s.slots[1].state.Store(5<<8 | uint64(state))
		s.system = &truncates{path: path}
		if err := s.Tidy(); !errors.Is(err, ErrCorrupt) {
			t.Errorf("tidy of %v: %v", state, err)
		}
	}
}

// truncates is a System that truncates the file when it is asked who lives: nobody.
type truncates struct {
	played
	path string
}

func (x *truncates) Lives(Role) (bool, error) { return false, os.Truncate(x.path, 0) }

// TestHalves_Count: numbers that differ in their upper half alone are others.
func TestHalves_Count(t *testing.T) {
	m := memory(small)
	if err := aligned(m, uint64(len(m))+1<<32); !errors.Is(err, ErrFile) {
		t.Errorf("memory of 1024 bytes is one of 4 GiB more: %v", err)
	}
	s, c, _ := both(t, 1)
	for i := range 7 {
		c.fixed[i] += 1 << 40
		if err := c.checkHeader(""); !errors.Is(err, ErrFile) {
			t.Errorf("word %d of the header is another one: %v", i, err)
		}
		c.fixed[i] -= 1 << 40
	}
	if err := c.checkHeader(""); err != nil || c.fixed[7] != 0 {
		t.Errorf("the header: %v, its last word is %d", err, c.fixed[7])
	}
	var head [headerBytes]byte
	for at, n := range map[int]uint64{0: Magic, offsetVersion: Version, offsetSlots: 2,
		offsetRequest: 128, offsetResponse: 192} {
		binary.NativeEndian.PutUint64(head[at:], n)
	}
	if g, err := headerIn("", head[:], 1024); err != nil || g != small.geometry() {
		t.Errorf("%v %v", g, err)
	}
	if _, err := headerIn("", head[:], 1024+1<<32); !errors.Is(err, ErrFile) {
		t.Errorf("of a file of 4 GiB more: %v", err)
	}
	if x := s.slots[0]; len(x.request) != 16 || len(x.response) != 24 || len(s.copied) != 128 {
		t.Errorf("areas of %d and %d words, a copy of %d bytes", len(x.request), len(x.response),
			len(s.copied))
	}
}

// TestGuard_OfOtherFaults: what faults elsewhere is a defect of the program, and stays one; and a goroutine
// that has its own way with faults has it afterwards.
func TestGuard_OfOtherFaults(t *testing.T) {
	_, c, _ := pair(t, small)
	for _, want := range []bool{false, true} {
		before := debug.SetPanicOnFault(want)
		err := c.guard(func() {})
		if after := debug.SetPanicOnFault(before); err != nil || after != want {
			t.Errorf("faults were panics: %v, then %v, %v", want, after, err)
		}
	}
	gone, err := unix.Mmap(-1, 0, 4096, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(){"a fault elsewhere": func() { gone[0]++ },
		"a panic": func() { panic("mine") }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was taken for one of the file", name)
				}
			}()
			_ = c.guard(f)
		}()
	}
	if err := unix.Munmap(gone); err != nil {
		t.Error(err)
	}
}
