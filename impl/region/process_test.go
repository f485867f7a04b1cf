package region

import (
	"math/rand/v2"
	"testing"
)

func TestProcess_RoundTrip(t *testing.T) {
	for _, index := range []uint32{0, 1, 63} {
		for _, epoch := range []uint32{1, 2, epochMask} {
			p := MakeProcess(index, epoch)
			if p.Index() != index || p.Epoch() != epoch {
				t.Errorf("%d@%d comes back as %v", index, epoch, p)
			}
		}
	}
	if p := MakeProcess(64, 1<<epochBits); p != 0 {
		t.Errorf("what is too large spills: %v", p)
	}
}

func TestProcessState_Words(t *testing.T) {
	for _, c := range []struct {
		state    ProcessState
		valid    bool
		attached bool
		epoch    uint32
		text     string
	}{
		{0, true, false, 0, "idle epoch=0"},
		{1, false, true, 0, "? attached epoch=0"},
		{2, true, false, 1, "idle epoch=1"},
		{3, true, true, 1, "attached epoch=1"},
		{1<<27 - 1, true, true, 1<<26 - 1, "attached epoch=67108863"},
		{1 << 27, false, false, 0, "? idle epoch=0"},
	} {
		s := c.state
		if s.Valid() != c.valid || s.Attached() != c.attached || s.Epoch() != c.epoch ||
			s.String() != c.text {
			t.Errorf("%#x: valid %v, attached %v, epoch %d, %q", uint64(s), s.Valid(), s.Attached(),
				s.Epoch(), s)
		}
	}
}

// TestProcessState_NextIsAnAttachment: whatever the word is, the next state is valid, attached and
// of the next epoch, so that none returns before all others have been.
func TestProcessState_NextIsAnAttachment(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	states := []ProcessState{0, 1, 1<<27 - 2, 1<<27 - 1, ^ProcessState(0), 1<<63 | 5<<1}
	for range 1000 {
		states = append(states, ProcessState(random.Uint64()>>random.Uint32N(64)))
	}
	for _, s := range states {
		want := s.Epoch() + 1
		if want > epochMask {
			want = 1
		}
		if n := s.next(); !n.Valid() || !n.Attached() || n.Epoch() != want {
			t.Errorf("after %v comes %v, want the epoch %d", s, n, want)
		}
	}
}

func TestProcess_OnTheHeapAllAreAlive(t *testing.T) {
	r, err := Heap(small)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []Process{0, MakeProcess(1, 1)} {
		if ok, err := r.Alive(p); !ok || err != nil {
			t.Errorf("%v: %v, %v", p, ok, err)
		}
	}
	if list, err := r.Attachments(); len(list) != 0 || err != nil {
		t.Errorf("attachments %v, %v", list, err)
	}
}
