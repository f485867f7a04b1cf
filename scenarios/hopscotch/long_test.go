//go:build explore

package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/linearizability"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// The windows of a long ring are made of lines that are far apart (impl/hopscotch/displacement.go). Here
// they are whole, so they have more cells than the model, and no step of these programs is held against
// it: judges are what clients saw, what was handed out, and the structural check. Programs on the first six
// cells of a window, or five, are held against the model step by step, the look beyond a window among them
// (lines_test.go).

// longRows is the length of the shortest long ring, longWindow a window of sixteen lines. On that ring
// offset 4 is 6 rows from the home and offset 6 is 14 rows: up in half 0, down in half 1.
const (
	longRows   = longRing
	longWindow = 32
)

// longStanding is an element before the program: in that row, at that offset from its base. Both are
// given, so that the structural check holds one against the other.
type longStanding struct {
	half, row int
	key       uint8
	offset    uint32
}

// longHomes are the rows in both halves that are the homes of each key, both 0 if none are said.
type longHomes [model.MaxKeys + 1][model.Halves]uint32

// longProgram is a program on a long ring. Values of standing elements are ten times their keys.
type longProgram struct {
	name   string
	homes  longHomes
	memory []longStanding
	ops    [][]model.Op
	// seen are the places that keys must have been in at the ends of executions without a death, as
	// "key half:row".
	seen []string
}

// sharedLine is two adders beside a get. Row 2 of half 0 is offset 4 of bucket 1020, over the end of the
// ring, and offset 2 of bucket 0, and empty: both want it for a base, and the loser's next hole is on
// another line, far away. The get is of one of the bases. In half 1 both buckets are fuller.
func sharedLine() longProgram {
	return longProgram{
		name: "sharedLine",
		homes: longHomes{1: {1020, 1021}, 2: {1020, 1021}, 3: {1020, 1021}, 4: {1020, 1021},
			5: {0, 1}, 6: {0, 1}, 7: {0, 1}, 8: {0, 1},
			9: {1021, 1021}, 10: {1022, 1022}, 11: {1023, 1023}, 12: {1, 1}, 13: {3, 3}},
		memory: []longStanding{{0, 1020, 1, 0}, {0, 0, 5, 0}, {1, 1021, 3, 0}, {1, 1020, 4, 1}, {1, 1, 7, 0},
			{1, 0, 8, 1}, {0, 1021, 9, 0}, {0, 1022, 10, 0}, {0, 1023, 11, 0}, {0, 1, 12, 0}, {0, 3, 13, 0}},
		ops: [][]model.Op{{{Op: model.OpAdd, K: 2, V: 22}}, {{Op: model.OpAdd, K: 6, V: 66}},
			{{Op: model.OpGet, K: 1}}},
		seen: []string{"1 0:2", "1 0:10", "5 0:2", "5 0:6"},
	}
}

// overTheEnd is an adder beside others. The window of bucket 1 in half 1 goes down over the end of the ring:
// member 2 stands at its offset 4, in row 1019, which is the home of the adder's key. The add usurps it;
// the other cell of that line is taken, so it moves on by a line.
func overTheEnd(name string, seen []string, others ...[]model.Op) longProgram {
	return longProgram{
		name: name,
		homes: longHomes{1: {0, 1}, 2: {0, 1}, 3: {1018, 1019}, 4: {1018, 1019}, 5: {1018, 1019},
			6: {1018, 1018}},
		memory: []longStanding{{1, 1, 1, 0}, {1, 1019, 2, 4}, {1, 1018, 6, 0}, {0, 1018, 4, 0},
			{0, 1019, 5, 1}},
		ops:  append([][]model.Op{{{Op: model.OpAdd, K: 3, V: 33}}}, others...),
		seen: seen,
	}
}

// beyond is an adder beside a get of an element that it moves. Both homes are members at the ends of their
// windows. That in half 0 can go to row 101 once 4 has gone from there to row 196, as far up in the window
// of bucket 719 as it goes; and that it can once 6 has gone to row 204.
func beyond() longProgram {
	return longProgram{
		name: "beyond",
		homes: longHomes{1: {622, 622}, 2: {622, 622}, 3: {719, 719}, 4: {719, 719}, 5: {198, 198},
			6: {198, 198}, 7: {197, 197}, 8: {603, 603}, 9: {603, 603}, 10: {100, 100}},
		memory: []longStanding{{0, 622, 1, 0}, {0, 100, 2, 30}, {0, 719, 3, 0}, {0, 101, 4, 28},
			{0, 198, 5, 0}, {0, 196, 6, 2}, {0, 197, 7, 0}, {1, 603, 8, 0}, {1, 100, 9, 31}},
		ops:  [][]model.Op{{{Op: model.OpAdd, K: 10, V: 110}}, {{Op: model.OpGet, K: 4}}},
		seen: []string{"6 0:204", "4 0:196", "2 0:101", "10 0:100"},
	}
}

// longPrograms are those programs. In the third one the member is lifted to its base, or usurped before.
func longPrograms() []longProgram {
	return []longProgram{
		sharedLine(),
		overTheEnd("usurped", []string{"2 1:1011", "3 1:1019"},
			[]model.Op{{Op: model.OpUpdate, K: 2, V: 22}}, []model.Op{{Op: model.OpGet, K: 2}}),
		overTheEnd("lifted", []string{"2 1:1", "3 1:1019", "3 0:1018"},
			[]model.Op{{Op: model.OpDelete, K: 1}, {Op: model.OpCrop, K: 1}}),
		beyond(),
	}
}

// long is an exploration of such a program.
type long struct {
	*world
	r      *harness.Prepared
	p      longProgram
	places map[string]int // where keys were at the ends of executions without a death
	there  []uint32       // values at the end
	failed error          // of the gets at the end
}

func newLong(p longProgram) (*long, error) {
	w := &world{program: model.Program{Name: p.name, Ops: p.ops, Near: true}}
	layout := hopscotch.Layout{CellsPerHalf: longRows, Window: longWindow, Descriptors: uint32(len(p.ops)) +
		1,
		Homes: hopscotch.HomesNear}
	if err := w.together(layout); err != nil {
		return nil, err
	}
	last := len(w.handles) - 1
	w.newcomer, w.handles = w.handles[last], w.handles[:last]
	w.locate()
	for k := 1; k < len(w.keys); k++ {
		w.keys[k] = keyOf(layout, p.homes[k], w.keys[k-1]+1)
	}
	for _, x := range p.memory {
		w.program.Memory = append(w.program.Memory, model.Standing{K: x.key, V: 10 * x.key})
		w.stand(p, x)
	}
	w.image = slices.Clone(w.memory)
	w.by = w.perform
	l := &long{p: p, places: map[string]int{}, world: w}
	l.r = harness.Prepare(setupOf(w.program, l), Options{})
	return l, structure(w.table, false)
}

// keyOf is the first key from next on that has these homes.
func keyOf(l hopscotch.Layout, homes [model.Halves]uint32, next uint32) uint32 {
	for ; ; next++ {
		if h0, h1 := hopscotch.Homes(next, l); h0 == homes[0] && h1 == homes[1] {
			return next
		}
	}
}

// stand puts an element into memory.
func (w *world) stand(p longProgram, x longStanding) {
	at := w.cell(x.half, x.row)
	w.memory[at+1] = uint64(hopscotch.MakeWord1(hopscotch.Value(10*x.key), 1))
	if x.offset != 0 {
		w.memory[at] = uint64(hopscotch.MemberWord(w.key(x.key), x.offset, 1))
		return
	}
	var members hopscotch.Map
	for _, y := range p.memory {
		if y.offset != 0 && y.half == x.half && p.homes[y.key][y.half] == uint32(x.row) {
			members = members.With(y.offset)
		}
	}
	w.memory[at] = uint64(hopscotch.BaseWord(w.key(x.key), members))
}

// Actor has no claim: that of an actor is of a short window.
func (l *long) Actor(t int) explore.Actor {
	a := l.world.Actor(t)
	a.Alone = 0
	return a
}

// Step judges nothing.
func (*long) Step(explore.Step) error { return nil }

// History has a look for every key when all is over, too.
func (l *long) History(h mapmodel.History) mapmodel.History {
	var keys []uint32
	for k := range l.p.homes[1:] {
		keys = append(keys, uint32(k)+1)
	}
	h, l.there, l.failed = l.withEnd(h, keys)
	return h
}

// Finish holds what was handed out against what is there, and judges the structure.
func (l *long) Finish(_ *explore.Execution, deaths int) error {
	if l.failed != nil {
		return l.failed
	}
	if err := eachOnce(slices.Concat(l.handed.values, l.there)); err != nil {
		return err
	}
	if deaths > 0 {
		return l.recover()
	}
	l.note()
	return structure(l.table, false)
}

// note counts where the elements are.
func (l *long) note() {
	for row := range longRows {
		for half := range model.Halves {
			k := hopscotch.Word0(l.memory[l.cell(half, row)]).Key()
			if !k.Reserved() {
				l.places[fmt.Sprintf("%d %d:%d", l.modelKey(uint32(k)), half, row)]++
			}
		}
	}
}

// explore runs the interleavings with at most one preemption and a death at each step. States are not
// told apart: to read a ring of that length at each step takes longer than what they save.
func (l *long) explore(t *testing.T) explore.Report {
	t.Helper()
	rep, err := explore.Explore(l.r.Program, explore.Options{Preemptions: 1, Kills: 1, SpinLimit: 400})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// Elements move between lines that are far apart, and over the end of the ring.
func TestLongRing(t *testing.T) {
	for _, p := range longPrograms() {
		t.Run(p.name, func(t *testing.T) {
			l, err := newLong(p)
			if err != nil {
				t.Fatal(err)
			}
			rep := l.explore(t)
			if rep.Failure != nil {
				t.Fatalf("%v\n%s", rep.Failure, rep.Failure.Table())
			}
			if !rep.Exhaustive {
				t.Errorf("not exhaustive within its bound: %s", rep.Bound)
			}
			for _, place := range p.seen {
				if l.places[place] == 0 {
					t.Errorf("no execution ends with an element in %s: %v", place, l.places)
				}
			}
			t.Logf("%d executions, %d histories", rep.Executions, l.r.Report(rep).Histories.Distinct)
		})
	}
}

// A member where it would be on a short ring is refused, and a get that does not look.
func TestLongRing_Canaries(t *testing.T) {
	p := longPrograms()[1]
	p.memory = slices.Clone(p.memory)
	p.memory[1].row = 5
	if _, err := newLong(p); !errors.Is(err, ErrStructure) {
		t.Errorf("offset 4 of row 1 is row 5: %v, want %v", err, ErrStructure)
	}
	l, err := newLong(longPrograms()[1])
	if err != nil {
		t.Fatal(err)
	}
	l.by = blind(l.world)
	if f := l.explore(t).Failure; f == nil || !errors.Is(f.Err, linearizability.ErrIllegal) {
		t.Errorf("failure %v, want one of histories", f)
	}
}
