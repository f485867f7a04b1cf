package region

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// entryStates are what an entry can hold: epochs at their ends and in between, idle and attached, and words
// that no process writes.
var entryStates = []ProcessState{0, 2, 3, MakeProcessState(77, false), MakeProcessState(77, true),
	MakeProcessState(78, true), MakeProcessState(epochMask-1, true), MakeProcessState(epochMask, false),
	MakeProcessState(epochMask, true), 1, 1 << 27, 1<<63 | 77<<1 | 1, 1<<40 | 77<<1, ^ProcessState(0)}

// follows is the epoch after one, by its definition: from 1 to 2^26-1, and then 1 again.
func follows(epoch uint32) uint32 {
	if epoch == 1<<26-1 {
		return 1
	}
	return epoch + 1
}

// entriesOf are a region in memory, who holds its locks, and a handle in its last entry.
func entriesOf(t *testing.T) (m []byte, d *desk, r *Region) {
	t.Helper()
	m, d = memory(small), &desk{}
	for i := range Processes - 1 {
		d.holder[i] = 9
	}
	r, err := Make(m, small, clerk{desk: d, self: 1})
	if err != nil || r.Process() != MakeProcess(Processes-1, 1) {
		t.Fatalf("%v, %v, want the last entry, which alone is free", r, err)
	}
	d.holder = [Processes]int{Processes - 1: 1}
	return m, d, r
}

// TestEntries_AreTakenOver: the first whose lock is free, whatever its state is, with the next epoch, and
// given up with the same one. Nothing else of the region changes.
func TestEntries_AreTakenOver(t *testing.T) {
	m, d, r := entriesOf(t)
	for i := range uint32(Processes - 1) {
		for _, s := range entryStates {
			r.entry(i)[processState].Store(uint64(s))
			r.entry(i)[processPid].Store(^uint64(0))
			want := slices.Clone(r.words.Plain())
			next, err := Attach(m, small, clerk{desk: d, self: 2})
			epoch := follows(s.Epoch())
			if err != nil || next.Process() != MakeProcess(i, epoch) || d.holder[i] != 2 {
				t.Fatalf("entry %d, %v: %v, %v, the lock is of %d", i, s, next.Process(), err, d.holder[i])
			}
			at := (256 + 64*i) / 8
			want[at], want[at+1], want[at+2] = uint64(MakeProcessState(epoch, true)), 2, 0
			if !slices.Equal(r.words.Plain(), want) {
				t.Errorf("entry %d, %v: it is %v, and else the region has changed", i, s, stateOf(r, i))
			}
			if err := next.Close(); err != nil || d.holder[i] != 0 {
				t.Fatalf("closed: %v, the lock is of %d", err, d.holder[i])
			}
			want[at] = uint64(MakeProcessState(epoch, false))
			if !slices.Equal(r.words.Plain(), want) {
				t.Errorf("entry %d, %v: then it is %v, and else the region has changed", i, s, stateOf(r, i))
			}
		}
		d.holder[i] = 9 // a living process has it: the next one is tried
	}
}

// TestEntries_OfOthersStay: a process that leaves withdraws the entry that says that it is its own, and no
// other one.
func TestEntries_OfOthersStay(t *testing.T) {
	m, d, r := entriesOf(t)
	for _, s := range entryStates {
		r.entry(0)[processState].Store(uint64(MakeProcessState(76, true)))
		leaver, err := Attach(m, small, clerk{desk: d, self: 2})
		if err != nil || leaver.Process() != MakeProcess(0, 77) {
			t.Fatalf("%v, %v", leaver.Process(), err)
		}
		r.entry(0)[processState].Store(uint64(s))
		if err := leaver.Close(); err != nil || leaver.Process() != 0 {
			t.Errorf("%v, it is still %v", err, leaver.Process())
		}
		want := s
		if s == MakeProcessState(77, true) {
			want = MakeProcessState(77, false)
		}
		if got := stateOf(r, 0); got != want {
			t.Errorf("the entry was overwritten with %v: then it is %v, want %v", s, got, want)
		}
	}
}

// TestEntries_AliveOrCleared: whoever has died is cleared and no longer alive, in each state of its entry: a
// process is alive if somebody else has the lock, and the entry does not say that it is another one's. It is
// cleared if nobody has the lock, and the entry is not idle and of that epoch. Nothing else changes.
func TestEntries_AliveOrCleared(t *testing.T) {
	_, d, r := entriesOf(t)
	for _, i := range []uint32{0, 1, 31, 32, Processes - 2} {
		for _, s := range entryStates {
			for _, held := range []bool{false, true} {
				for _, epoch := range []uint32{0, 1, 77, 78, epochMask} {
					p := MakeProcess(i, epoch)
					sound := s>>27 == 0 && s != 1
					d.holder[i] = 0
					if held {
						d.holder[i] = 9
					}
					r.entry(i)[processState].Store(uint64(s))
					want := slices.Clone(r.words.Plain())
					lives, err := r.Alive(p)
					says := held && epoch != 0 && (!sound || s == MakeProcessState(epoch, true))
					if lives != says || err != nil || !slices.Equal(r.words.Plain(), want) {
						t.Errorf("%v, its entry is %v, lock held %v: alive %v, %v", p, s, held, lives, err)
					}
					clears := !held && s.Epoch() == epoch && (!sound || s.Attached())
					if clears {
						want[(256+64*i)/8] = uint64(MakeProcessState(epoch, false))
					}
					holder := d.holder
					done, err := r.Clear(p)
					if done != clears || err != nil || !slices.Equal(r.words.Plain(), want) ||
						d.holder != holder {
						t.Errorf("%v, its entry is %v, lock held %v: cleared %v, %v; then it is %v", p, s,
							held, done, err, stateOf(r, i))
					}
				}
			}
		}
	}
}

// TestEntries_OwnIsAlive: whatever its entry says, a process is alive for itself, and does not clear itself.
// For others it is what its entry says.
func TestEntries_OwnIsAlive(t *testing.T) {
	m, d, r := entriesOf(t)
	other, err := Attach(m, small, clerk{desk: d, self: 2})
	if err != nil {
		t.Fatal(err)
	}
	own, at := r.Process(), r.entry(Processes-1)
	for _, s := range entryStates {
		at[processState].Store(uint64(s))
		lives, err := r.Alive(own)
		done, failed := r.Clear(own)
		if !lives || done || err != nil || failed != nil || stateOf(r, Processes-1) != s {
			t.Errorf("its entry is %v: alive %v, %v; cleared %v, %v", s, lives, err, done, failed)
		}
		says := s == MakeProcessState(1, true) || s>>27 != 0 || s == 1
		lives, err = other.Alive(own)
		if done, failed = other.Clear(own); lives != says || done || err != nil || failed != nil {
			t.Errorf("for another one, which sees %v: alive %v, %v; cleared %v, %v", s, lives, err, done,
				failed)
		}
	}
}

// TestEntries_OfAPredecessor: a process that has the entry of one that has died does not clear that one,
// whatever the entry says, since its own lock would be given up with it; and lists itself as alive.
func TestEntries_OfAPredecessor(t *testing.T) {
	m, d, r := entriesOf(t)
	d.holder[0] = 0
	r.entry(0)[processState].Store(uint64(MakeProcessState(76, true)))
	next, err := Attach(m, small, clerk{desk: d, self: 2})
	if err != nil || next.Process() != MakeProcess(0, 77) {
		t.Fatalf("%v, %v", next.Process(), err)
	}
	for _, s := range append([]ProcessState{MakeProcessState(77, true)}, entryStates...) {
		r.entry(0)[processState].Store(uint64(s))
		for _, epoch := range []uint32{0, 1, 76, 77, 78, epochMask} {
			p := MakeProcess(0, epoch)
			if done, err := next.Clear(p); done || err != nil || d.holder[0] != 2 || stateOf(r, 0) != s {
				t.Fatalf("%v is cleared by %v: %t, %v; the lock is of %d, the entry is %v", p, next.Process(),
					done, err, d.holder[0], stateOf(r, 0))
			}
		}
		list, err := next.Attachments()
		if damaged := s>>27 != 0 || s == 1; damaged && (err != nil || list[0].Process.Index() != 0 ||
			!list[0].Alive) {
			t.Errorf("its own entry is %v: %+v, %v", s, list, err)
		}
	}
}

// TestEntries_AreListed: all that are not idle, in their order, as they are, whoever holds which lock.
func TestEntries_AreListed(t *testing.T) {
	_, d, r := entriesOf(t)
	random := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		var want []Attachment
		for i := range uint32(Processes) {
			e := r.entry(i)
			if i < Processes-1 {
				s := entryStates[random.IntN(len(entryStates))]
				e[processState].Store(uint64(s))
				e[processPid].Store(random.Uint64())
				e[processSince].Store(random.Uint64())
				d.holder[i] = 9 * random.IntN(2)
			}
			s := stateOf(r, i)
			damaged := s>>27 != 0 || s == 1
			a := Attachment{MakeProcess(i, s.Epoch()), e[processPid].Load(), e[processSince].Load(),
				d.holder[i] != 0 && (damaged || s.Epoch() != 0), damaged}
			if s.Attached() || a.Damaged {
				want = append(want, a)
			}
		}
		list, err := r.Attachments()
		if !slices.Equal(list, want) || err != nil {
			t.Fatalf("%+v, %v, want %+v", list, err, want)
		}
	}
}

// meddled is the System of one handle, beside which another process writes.
type meddled struct {
	clerk
	ahead func() // called when the time of an entry is asked for, which is ahead of the look at its state
}

func (m *meddled) Now() uint64 {
	if m.ahead != nil {
		m.ahead()
	}
	return 0
}

// TestEntries_ChangedWhileTaken: a process that finds that somebody without the lock has changed the entry,
// between its look and its change, gives the lock up and takes the next entry. With the lock the entry would
// count as alive for as long as the process lives.
func TestEntries_ChangedWhileTaken(t *testing.T) {
	m, d, _ := entriesOf(t)
	s := &meddled{clerk: clerk{desk: d, self: 2}}
	r, err := Attach(m, small, s)
	if err != nil || r.Process().Index() != 0 {
		t.Fatalf("%v, %v", r, err)
	}
	r.detach()
	d.holder[0] = 0
	// The look goes on in the memory in which it has begun. So the change finds what another process has
	// stored since in the copy.
	changed := memory(small)
	s.ahead = func() {
		s.ahead = nil
		copy(changed, m)
		r.adopt(changed)
		r.entry(0)[processState].Store(uint64(MakeProcessState(77, true)))
	}
	if err := r.attach(); err != nil || r.Process() != MakeProcess(1, 1) {
		t.Errorf("%v, %v, want the next entry", r.Process(), err)
	}
	if d.holder[0] != 0 || d.holder[1] != 2 || stateOf(r, 0) != MakeProcessState(77, true) {
		t.Errorf("the locks are of %d and %d, want none of the first; its entry is %v", d.holder[0],
			d.holder[1], stateOf(r, 0))
	}
}
