package hopscotch

import (
	"errors"
	"math/rand/v2"
	"testing"
)

// refSplits: the number of descriptors and the bits that are left for the generation, counted by
// hand: 29 less those that number the descriptors, and never more than the head has room for.
var refSplits = []struct {
	descriptors uint32
	bits        int
}{
	{1, 27}, {2, 27}, {3, 27}, {4, 27}, {5, 26}, {8, 26}, {9, 25}, {40, 23}, {64, 23}, {65, 22},
	{2048, 18}, {2049, 17}, {4096, 17},
	{0, 27}, {4097, 17}, {1<<32 - 1, 17}, // out of bounds: the nearest
}

func TestRefLayout_LeavesTheRestToTheGeneration(t *testing.T) {
	for _, c := range refSplits {
		if got := RefLayoutOf(c.descriptors).generationBits; int(got) != c.bits {
			t.Errorf("%d descriptors leave %d bits, want %d", c.descriptors, got, c.bits)
		}
	}
	if got := wide.Make(3, 17); got != 3<<17|17 {
		t.Errorf("3#17 of 4096 descriptors is %v", got)
	}
	if got := narrow.Make(3, 17); got != 3<<27|17 {
		t.Errorf("3#17 of 3 descriptors is %v", got)
	}
}

// Every index with generations at both ends and in between: both fields come back, nothing is
// outside the 29 bits, and what is too large loses its high bits.
func TestRefLayout_SmallFieldsExhaustive(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	for _, c := range refSplits {
		l, last := RefLayoutOf(c.descriptors), Generation(1)<<c.bits-1
		some := Generation(random.Uint32())
		for index := range uint32(1) << (29 - c.bits) {
			for _, g := range []Generation{0, 1, last / 2, last/2 + 1, last, last & some} {
				r := l.Make(index, g)
				if l.Index(r) != index || l.Generation(r) != g || r>>29 != 0 {
					t.Fatalf("%d descriptors: %d#%d reads %d#%d", c.descriptors, index, g,
						l.Index(r), l.Generation(r))
				}
				if l.Make(index|1<<(29-c.bits), g|1<<c.bits) != r {
					t.Fatalf("%d descriptors: %d#%d spills", c.descriptors, index, g)
				}
				if next := l.Make(index, l.Next(g)); next == r || l.Index(next) != index {
					t.Fatalf("%d descriptors: after %d#%d comes %v", c.descriptors, index, g, next)
				}
			}
		}
		if l.Until(last-1, 3) != 5 || l.Until(3, last-1) != uint32(last)-4 || l.Until(7, 7) != 0 {
			t.Errorf("%d descriptors: %d generations after %d comes 3", c.descriptors,
				l.Until(last-1, 3), last-1)
		}
		if l.Next(last) != 0 || l.Next(0) != 1 || l.Next(last-1) != last {
			t.Errorf("%d descriptors: after %d comes %d", c.descriptors, last, l.Next(last))
		}
	}
}

func TestRefLayout_Text(t *testing.T) {
	for _, c := range []struct {
		got, want string
	}{
		{wide.Text(OperatingWord(7, wide.Make(4095, 131071))), "O key=00000007 ref=4095#131071"},
		{narrow.Text(ClaimedWord(narrow.Make(2, 1<<27-1))), "C ref=2#134217727"},
		{narrow.Text(EngagedWord(KeyLost, narrow.Make(3, 0))), "U key=LOST ref=3#0"},
		{narrow.Text(BaseWord(7, 0)), "B key=00000007 map={}"},
	} {
		if c.got != c.want {
			t.Errorf("prints %q, want %q", c.got, c.want)
		}
	}
}

// The bits of the index can name more descriptors than there are: 64 where the region has 40.
func TestRefLayout_IndexBeyondTheRegion(t *testing.T) {
	for index, want := range map[uint32]error{39: nil, 40: ErrCorrupt, 63: ErrCorrupt} {
		table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 40})
		p := planted{table, t}
		d := &table.descriptors[39]
		d.head.Store(uint64(MakeHead(1, KindAdd, 0, 5)))
		d.pair.Store(uint64(MakePair(p.key(0, 5, 1), 9)))
		d.plan.Store(uint64(MakePlan(p.key(0, 5, 0), 0)))
		d.expect.Store(uint64(MakeWord1(8, 1)))
		d.target.Store(uint64(MakeTarget(1)))
		p.put(0, 5, OperatingWord(p.key(0, 5, 0), p.refs.Make(index, 1)), MakeWord1(8, 1))
		if found := Check(table, CheckOptions{Live: true}); (found == nil) != (want == nil) {
			t.Errorf("reference to descriptor %d of 40: %v", index, found.Err())
		}
		k := uint32(p.key(0, 5, 2))
		if _, _, err := table.Lookup(k); !errors.Is(err, want) {
			t.Errorf("lookup behind descriptor %d of 40: %v", index, err)
		}
		if _, err := h.Add(k, 1); !errors.Is(err, want) {
			t.Errorf("add behind descriptor %d of 40: %v", index, err)
		}
		if e := h.op.help(table, p.refs.Make(index, 1)); (e == broken) != (want != nil) {
			t.Errorf("help of descriptor %d of 40: ending %d", index, e)
		}
	}
}

// A descriptor comes round after as many operations as its region allows, and goes on as if
// nothing had been; its reference never names another descriptor.
func TestHandle_GenerationComesRound(t *testing.T) {
	for _, c := range refSplits[:13] {
		table, _ := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: c.descriptors})
		table.keepAll = true
		h := &Handle{table: table, index: c.descriptors - 1, owner: 1,
			d: &table.descriptors[c.descriptors-1]}
		h.d.head.Store(uint64(MakeHead(1<<c.bits-2, KindNone, 0, 0)))
		h.Rewind()
		for n := range uint32(4) {
			if r, err := h.Add(n+1, 7); r != Added || err != nil {
				t.Fatalf("%d descriptors, add %d: %v, %v", c.descriptors, n, r, err)
			}
			want := (Generation(1)<<c.bits - 1 + Generation(n)) % (1 << c.bits)
			head, target := Head(h.d.head.Load()), Target(h.d.target.Load())
			if head.Generation() != want || target.Generation() != want || !head.Valid() {
				t.Errorf("%d descriptors, add %d: %v, %v, want generation %d", c.descriptors, n,
					head, target, want)
			}
		}
		clean(t, table)
	}
}
