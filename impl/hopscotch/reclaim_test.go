package hopscotch

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// deadNine lets the owner 9 of the planted operations be dead.
func deadNine(t *Table) { t.alive = func(w Owner) bool { return w.Number() != 9 } }

func newHandle(t *testing.T, table *Table, owner uint64) *Handle {
	t.Helper()
	h, err := table.NewHandle(owner)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestOwner_RoundTrip(t *testing.T) {
	p := region.MakeProcess(63, 1<<26-1)
	w := MakeOwner(0xFFFFFFFF, p)
	if w.Number() != 0xFFFFFFFF || w.Process() != p || !w.Valid() || w != ^Owner(0) {
		t.Errorf("%v", w)
	}
	if w := MakeOwner(5, 0); w != 5 || w.String() != "owner 5" {
		t.Errorf("on the heap: %v", w)
	}
	if w := MakeOwner(5, p); w.String() != "owner 5 in process "+p.String() {
		t.Errorf("in a process: %v", w)
	}
	if w := MakeOwner(0, p); w.Valid() || !strings.HasPrefix(w.String(), "? ") {
		t.Errorf("a process without an actor: %v", w)
	}
	if w := Owner(0); !w.Valid() || w.String() != "nobody" {
		t.Errorf("nobody: %v", w)
	}
}

func TestNewHandle_OwnersHave32Bits(t *testing.T) {
	table, _ := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 3})
	if _, err := table.NewHandle(1 << 32); !errors.Is(err, ErrOwner) {
		t.Errorf("owner 2^32: %v", err)
	}
	if h, err := table.NewHandle(1<<32 - 1); err != nil || h.owner.Number() != 1<<32-1 {
		t.Errorf("owner 2^32-1: %v", err)
	}
}

// TestReclaim_FinishesForTheDead: whatever is installed of a dead owner is finished, its
// descriptor is free, and nothing refers to it.
func TestReclaim_FinishesForTheDead(t *testing.T) {
	for name, plant := range map[string]func(p planted){
		"add":          func(p planted) { p.operate(2) },
		"add, decided": func(p planted) { p.operate(2); p.decided() },
		"hole lost":    func(p planted) { p.operate(2); p.decided(); p.occupy() },
		"move":         func(p planted) { p.move() },
		"move, copied": func(p planted) { p.move(); p.copied() },
		"move, thawed": func(p planted) { p.move(); p.copied(); p.thawed() },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlanted(t)
			plant(p)
			h := newHandle(t, p.Table, 5)
			if got, err := h.Reclaim(); got != nil || err != nil {
				t.Errorf("while its owner lives: %v, %v", got, err)
			}
			deadNine(p.Table)
			if n, err := p.Orphans(); len(n) != 1 || n[0] != 1 || err != nil {
				t.Errorf("orphans %v, %v", n, err)
			}
			got, err := h.Reclaim()
			if err != nil || len(got) != 1 || !got[0].Finished || got[0].Descriptor != 1 ||
				got[0].Owner.Number() != 9 || got[0].Leaves {
				t.Errorf("%v, %v", got, err)
			}
			if got, err := h.Reclaim(); got != nil || err != nil {
				t.Errorf("a second time: %v, %v", got, err)
			}
			if w := Head(p.descriptors[1].head.Load()); w != MakeHead(2, KindNone, 0, 0) {
				t.Errorf("the head is %v, want no operation of the next generation", w)
			}
			if w := p.descriptors[1].owner.Load(); w != 0 {
				t.Errorf("the descriptor belongs to %v", Owner(w))
			}
			clean(t, p.Table)
		})
	}
}

// The number of an owner is for a person: a dead owner of another process is taken back by one of the very
// number, and so is one of an earlier attachment to the same entry.
func TestReclaim_NumbersAreNotOwners(t *testing.T) {
	gone := region.MakeProcess(3, 7)
	alive := func(w Owner) bool { return w.Process() != gone }
	for _, own := range []region.Process{0, region.MakeProcess(3, 8), region.MakeProcess(4, 7)} {
		table, h := newTableWith(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 2},
			Options{Alive: alive})
		h.owner = MakeOwner(5, own)
		dead := &table.descriptors[1].owner
		for range 2 {
			dead.Store(uint64(MakeOwner(5, gone)))
			got, err := h.Reclaim()
			if err != nil || len(got) != 1 || got[0].Owner != MakeOwner(5, gone) || dead.Load() != 0 {
				t.Errorf("reclaimed by %v: %v, %v; it belongs to %v", h.owner, got, err, Owner(dead.Load()))
			}
		}
		dead.Store(uint64(MakeOwner(5, gone)))
		next, err := table.NewHandle(5)
		if err != nil {
			t.Errorf("nobody inherits: %v", err)
			continue
		}
		if x, ok := next.Inherited(); !ok || x.Owner != MakeOwner(5, gone) {
			t.Errorf("inherited: %v, %t", x, ok)
		}
	}
}

// Of several dead owners the first one's descriptor is inherited, and the next time that of the next.
func TestNewHandle_InheritsTheFirst(t *testing.T) {
	table, _ := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 4})
	for range 3 {
		newHandle(t, table, 9)
	}
	deadNine(table)
	for want := uint32(1); want <= 3; want++ {
		h := newHandle(t, table, 5)
		if x, ok := h.Inherited(); !ok || h.Descriptor() != want || x.Descriptor != want {
			t.Errorf("descriptor %d is inherited, %v, want %d", h.Descriptor(), x, want)
		}
	}
}

// TestReclaim_HandsOverOnce: a value that left by the last operation of the dead goes to one
// reclaimer, in doubt if the owner came to the end of the operation, and certain if not.
func TestReclaim_HandsOverOnce(t *testing.T) {
	for _, certain := range []bool{false, true} {
		table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 3})
		dead := newHandle(t, table, 9)
		if _, err := h.Add(7, 70); err != nil {
			t.Fatal(err)
		}
		if ok, err := h.Delete(7); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if certain {
			installClear(t, dead, 7)
		} else if err := dead.Crop(7); err != nil || len(dead.Left()) != 1 {
			t.Fatal(err, dead.Left())
		}
		deadNine(table)
		got, err := h.Reclaim()
		if err != nil || len(got) != 1 || !got[0].Leaves || got[0].Certain != certain ||
			got[0].Finished != certain || got[0].Left != (Leaving{0, 70, ReasonDeleted}) ||
			got[0].Kind != KindClear {
			t.Errorf("certain %v: %v, %v", certain, got, err)
		}
		clean(t, table)

		// The next owner of the descriptor dies, too, before it has done anything.
		next := newHandle(t, table, 9)
		if next.index != dead.index {
			t.Fatal("another descriptor")
		}
		got, err = h.Reclaim()
		if err != nil || len(got) != 1 || got[0].Leaves || got[0].Finished || got[0].Certain {
			t.Errorf("after the next owner: %v, %v", got, err)
		}
	}
}

// installClear installs, and no more, the operation that empties the home cell of a deleted key.
func installClear(t *testing.T, h *Handle, key uint32) {
	t.Helper()
	x := tending{last: 1, crop: true}
	x.homes[0], x.homes[1] = h.table.homes(Key(key))
	for half := range uint32(2) {
		if h.table.inspect(&x, half) == stepInstall {
			if !h.install(&x.work, 0) {
				t.Fatal("not installed")
			}
			return
		}
	}
	t.Fatal("nothing to install")
}

// TestReclaim_NotWhatACloserWasHanded: an owner that closed its handle has had what left; who takes
// the descriptor after it and dies leaves nothing of that.
func TestReclaim_NotWhatACloserWasHanded(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 2})
	other := newHandle(t, table, 4)
	if _, err := other.Add(7, 70); err != nil {
		t.Fatal(err)
	}
	if ok, err := other.Delete(7); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := other.Crop(7); err != nil || len(other.Left()) != 1 {
		t.Fatal(err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	newHandle(t, table, 9)
	deadNine(table)
	if got, err := h.Reclaim(); err != nil || len(got) != 1 || got[0].Leaves {
		t.Errorf("%v, %v", got, err)
	}
}

// TestNewHandle_InheritsFromTheDead: only when no descriptor is free, and with what was in it.
func TestNewHandle_InheritsFromTheDead(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 2})
	dead := newHandle(t, table, 9)
	if _, err := h.Add(7, 70); err != nil {
		t.Fatal(err)
	}
	if ok, err := h.Delete(7); !ok || err != nil {
		t.Fatal(ok, err)
	}
	installClear(t, dead, 7)
	if _, err := table.NewHandle(3); !errors.Is(err, ErrHandles) {
		t.Errorf("while all live: %v", err)
	}
	deadNine(table)
	next := newHandle(t, table, 3)
	x, ok := next.Inherited()
	if !ok || !x.Leaves || !x.Certain || x.Left.Value != 70 || next.index != dead.index {
		t.Errorf("inherited %v, %v", x, ok)
	}
	if _, ok := h.Inherited(); ok {
		t.Error("the first handle has inherited")
	}
	if r, err := next.Add(8, 80); r != Added || err != nil {
		t.Errorf("add by the heir: %v, %v", r, err)
	}
	clean(t, table)
	if w := Owner(next.d.owner.Load()); w != MakeOwner(3, 0) {
		t.Errorf("the descriptor is %v's", w)
	}
	if err := next.Close(); err != nil {
		t.Errorf("close by the heir: %v", err)
	}
}

// TestReclaim_NamesTheDamage: a descriptor whose head makes no sense stays its dead owner's, and the
// others are reclaimed; one whose other words make no sense is written off.
func TestReclaim_NamesTheDamage(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 6})
	for range 5 {
		newHandle(t, table, 9)
	}
	table.descriptors[1].head.Store(^uint64(0))
	table.descriptors[2].head.Store(uint64(MakeHead(3, KindAdd, 0, 8)))
	table.descriptors[3].head.Store(uint64(MakeHead(3, KindDrop, 0, 2)))
	table.descriptors[3].target.Store(uint64(MakeTarget(3).Decide(StatusCommitted)))
	table.descriptors[5].head.Store(uint64(MakeHead(1<<26, KindNew, 0, 0))) // one of 26 bits is last
	deadNine(table)
	got, err := h.Reclaim()
	if !errors.Is(err, ErrCorrupt) || strings.Count(err.Error(), "descriptor") != 3 || len(got) != 2 ||
		got[0].Descriptor != 3 || !got[0].WrittenOff || got[1].Descriptor != 4 || got[1].WrittenOff {
		t.Errorf("%v, %v", got, err)
	}
	for _, i := range []int{1, 2, 5} {
		if w := Owner(table.descriptors[i].owner.Load()); w.Number() != 9 {
			t.Errorf("descriptor %d is %v's", i, w)
		}
	}
	for range 2 { // numbers 3 and 4 are free
		newHandle(t, table, 3)
	}
	if _, err := table.NewHandle(3); !errors.Is(err, ErrHandles) || !errors.Is(err, ErrCorrupt) ||
		strings.Count(err.Error(), " of owner 9: ") != 3 {
		t.Errorf("only damaged ones are left: %v", err)
	}
}

// TestReclaim_CannotFinish: an operation that makes no sense, or does not end, keeps its descriptor.
func TestReclaim_CannotFinish(t *testing.T) {
	for want, spoil := range map[error]func(p planted){
		ErrCorrupt: func(p planted) { p.descriptors[1].plan.Store(0) },
		ErrBusy:    func(p planted) { p.patience = 0 },
	} {
		p := newPlanted(t)
		p.operate(2)
		spoil(p)
		h := newHandle(t, p.Table, 5)
		deadNine(p.Table)
		got, err := h.Reclaim()
		if !errors.Is(err, want) || got != nil || !strings.Contains(err.Error(), "descriptor 1 of owner 9") {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
		if w := p.descriptors[1].owner.Load(); w != 9 {
			t.Errorf("the descriptor is %v's", Owner(w))
		}
	}
}

// TestReclaim_OnlyOfOthersThatAreThere: neither the own descriptor, nor one that nobody has.
func TestReclaim_OnlyOfOthersThatAreThere(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 4})
	free, dead := newHandle(t, table, 4), newHandle(t, table, 9)
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	table.alive = func(Owner) bool { return false }
	if all, err := table.Orphans(); err != nil || len(all) != 2 || all[0] != h.index || all[1] != dead.index {
		t.Errorf("orphans %v, %v", all, err)
	}
	got, err := h.Reclaim()
	if err != nil || len(got) != 1 || got[0].Descriptor != dead.index {
		t.Errorf("reclaimed %v, %v", got, err)
	}
	if w := Owner(h.d.owner.Load()); w != h.owner {
		t.Errorf("the own descriptor is %v's", w)
	}
}

// TestReclaim_ErrorsOfTheRegion and of the handle come through.
func TestReclaim_ErrorsOfTheRegion(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 3})
	newHandle(t, table, 7)
	last := newHandle(t, table, 8)
	if err := table.region.Close(); err != nil {
		t.Fatal(err)
	}
	if all, err := table.Orphans(); !errors.Is(err, region.ErrClosed) || all != nil {
		t.Errorf("orphans %v, %v", all, err)
	}
	if got, err := h.Reclaim(); !errors.Is(err, region.ErrClosed) || got != nil {
		t.Errorf("reclaim %v, %v", got, err)
	}
	_, err := table.NewHandle(6)
	if !errors.Is(err, ErrHandles) || !errors.Is(err, region.ErrClosed) ||
		!strings.Contains(err.Error(), "handle for owner 6: ") || !strings.Contains(err.Error(), "(3 of 3)") {
		t.Errorf("new handle: %v", err)
	}
	if err := last.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := last.Reclaim(); !errors.Is(err, ErrClosed) {
		t.Errorf("reclaim by a closed handle: %v", err)
	}
	if _, err := table.NewHandle(1 << 40); err == nil ||
		!strings.Contains(err.Error(), "owner 1099511627776: ") {
		t.Errorf("a large number: %v", err)
	}
}

func TestReclaimed_String(t *testing.T) {
	for _, c := range []struct {
		x    Reclaimed
		want string
	}{
		{Reclaimed{Descriptor: 3, Owner: 9}, "descriptor 3 of owner 9: none"},
		{Reclaimed{Descriptor: 3, Owner: 9, Kind: KindAdd, Finished: true},
			"descriptor 3 of owner 9: add finished"},
		{Reclaimed{Owner: 9, Kind: KindDrop, Finished: true, Leaves: true, Certain: true,
			Left: Leaving{Key: 7, Value: 70}},
			"descriptor 0 of owner 9: drop finished, key 7 value 70 has left"},
		{Reclaimed{Owner: 9, Kind: KindClear, Leaves: true, Left: Leaving{Value: 70}},
			"descriptor 0 of owner 9: clear, key - value 70 has left (its owner may have used it)"},
		{Reclaimed{Descriptor: 3, Owner: 9, Kind: KindDrop, WrittenOff: true},
			"descriptor 3 of owner 9: drop, written off: its words make no sense"},
	} {
		if got := c.x.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestReclaim_SurvivesGarbage: whatever the words are, a reclaim returns, and soon.
func TestReclaim_SurvivesGarbage(t *testing.T) {
	var clean, corrupt, busy int
	for seed := range uint64(2000) {
		table, h := newTable(t, Layout{CellsPerHalf: 6, Window: 4, Descriptors: 5})
		table.patience = 300
		random := rand.New(rand.NewPCG(seed, 11))
		garbage(table, random)
		for i := range table.descriptors {
			if uint32(i) != h.index {
				table.descriptors[i].owner.Store(random.Uint64() >> random.Uint32N(64))
			}
		}
		table.alive = func(w Owner) bool { return w%5 == 0 }
		_, err := h.Reclaim()
		switch {
		case err == nil:
			clean++
		case errors.Is(err, ErrCorrupt):
			corrupt++
		case errors.Is(err, ErrBusy):
			busy++
		default:
			t.Fatalf("seed %d: %v", seed, err)
		}
		Check(table, CheckOptions{})
	}
	t.Logf("%d clean, %d corrupt, %d busy", clean, corrupt, busy)
	if clean == 0 || corrupt == 0 {
		t.Error("want some of each")
	}
}

// TestReclaim_NotByAHandleThatIsStuck: it says why, and takes nothing.
func TestReclaim_NotByAHandleThatIsStuck(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 2})
	dead := newHandle(t, table, 9)
	table.alive = func(w Owner) bool { return w.Number() != 9 }
	h.stuck = ErrBusy
	if all, err := h.Reclaim(); len(all) != 0 || !errors.Is(err, ErrBusy) {
		t.Errorf("reclaimed %v, %v", all, err)
	}
	if w := Owner(dead.d.owner.Load()); w != dead.owner {
		t.Errorf("the descriptor is %v's", w)
	}
}

// TestNewHandle_InheritsNothing: also of a dead owner that never began an operation it is told that, and who
// had the descriptor; a descriptor that was free is inherited from nobody.
func TestNewHandle_InheritsNothing(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 2})
	dead := newHandle(t, table, 9)
	table.alive = func(w Owner) bool { return w.Number() != 9 }
	heir := newHandle(t, table, 5)
	want := Reclaimed{Descriptor: dead.index, Owner: dead.owner}
	if x, ok := heir.Inherited(); !ok || x != want {
		t.Errorf("inherited %+v, %t; want %+v", x, ok, want)
	}
	if x, ok := h.Inherited(); ok || x != (Reclaimed{}) {
		t.Errorf("of a free descriptor %+v, %t", x, ok)
	}
}

// TestReclaim_IsNotHandedOver: what the dead had coming may be uncertain. It is told by the reclaim, and
// is neither in the books of the handle nor given to whoever releases what is certain.
func TestReclaim_IsNotHandedOver(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 3})
	dead := newHandle(t, table, 9)
	if _, err := h.Add(7, 70); err != nil {
		t.Fatal(err)
	}
	if ok, err := h.Delete(7); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := dead.Crop(7); err != nil || len(dead.Left()) != 1 {
		t.Fatal(err, dead.Left())
	}
	deadNine(table)
	before := h.Tally()
	h.HandOver(func(l Leaving) { t.Errorf("%+v is handed over", l) })
	got, err := h.Reclaim()
	if err != nil || len(got) != 1 || !got[0].Leaves || len(h.Left()) != 0 || h.Tally() != before {
		t.Errorf("reclaimed %v, left %v, tally %+v: %v", got, h.Left(), h.Tally(), err)
	}
}
