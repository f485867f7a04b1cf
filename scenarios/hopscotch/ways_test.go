//go:build explore

package scenarios

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// A get, an update or the lookup of a ticket has a straight run for each place where its key can be, in
// either half, and from each of them a way on when somebody else has been faster. The programs of these
// tests go all of these ways: each place of a key, beside all that can happen to it there
// (ways_shapes_test.go). Steps, histories, the old values of updates and structure are judged as those of
// every program.

// wayOps are the operations whose ways are tested.
var wayOps = []model.Op{{Op: model.OpGet, K: wayKey}, {Op: model.OpUpdate, K: wayKey, V: 29},
	{Op: model.OpLookup, K: wayKey}}

// ways are those that the first actor of a program has gone, and how often.
type ways struct {
	gone  map[string]int
	cells map[uint64]wayCell // of the key's windows, by the offset of a word
	kind  model.OpKind
	at    wayCell // where the search is
	last  string  // the step before, "" at the beginning
}

// wayCell is a cell that the search for the key can come to: at that offset of its window in the half.
type wayCell struct{ half, offset int }

func (c wayCell) String() string {
	if c.offset == 0 {
		return fmt.Sprintf("the base of half %d", c.half)
	}
	return fmt.Sprintf("member %d of half %d", c.offset, c.half)
}

func newWays(w *world, gone map[string]int) *ways {
	y := &ways{gone: gone, kind: w.program.Ops[0][0].Op, cells: map[uint64]wayCell{}}
	for half := range model.Halves {
		for offset := range wayOffsets {
			cell := w.program.CellAt(half, w.program.HomeIn(half, wayKey), offset)
			for word := range hopscotch.CellWords {
				at := w.cell(half, cell) + word
				y.cells[uint64(at*region.WordBytes)] = wayCell{half, offset}
			}
		}
	}
	return y
}

// mark counts a way.
func (y *ways) mark(format string, args ...any) {
	y.gone[fmt.Sprintf("%v: ", y.kind)+fmt.Sprintf(format, args...)]++
}

// step tells the way from a step and from what was before.
func (y *ways) step(w *world, s explore.Step) {
	name := stepName(s)
	if s.Actor != 0 || s.Kind == hook.Kill || name == "searchTouch" || name == "searchRequest" {
		return
	}
	at := y.cells[s.Object]
	switch name {
	case "searchVersion":
		switch {
		case y.last == "":
			y.mark("begin in half %d", at.half)
		case strings.HasPrefix(y.last, "help"):
			y.mark("again in half %d after help in half %d", at.half, y.at.half)
		case at.half == y.at.half:
			y.mark("again in half %d after %s", at.half, y.last)
		default:
			y.mark("on from half %d", y.at.half)
		}
		y.at = at
	case "searchHead":
		y.mark("in operation is %v", y.at)
	case "searchMember":
		y.at = at
		word := hopscotch.Word0(s.Old)
		if word.Form() == hopscotch.FormEngaged && word.Key() == hopscotch.Key(w.keys[wayKey]) {
			y.mark("engaged is a member of half %d", at.half)
		}
	case "searchVersionAgain", "searchMemberAgain":
		y.mark("there is %v", at)
	case "updateSwap":
		if !s.OK {
			y.mark("late at %v", at)
		}
	}
	y.last = name
}

// stepName is the name of the function that has made the step.
func stepName(s explore.Step) string { return s.Func[strings.LastIndexByte(s.Func, '.')+1:] }

// wayList are the ways that must be gone: whoever searches in halves and begins again goes them.
func wayList() (all []string) {
	for _, op := range wayOps {
		for half := range model.Halves {
			list := []string{fmt.Sprintf("begin in half %d", half), fmt.Sprintf("on from half %d", half),
				fmt.Sprintf("in operation is %v", wayCell{half, 0}),
				fmt.Sprintf("engaged is a member of half %d", half)}
			for _, last := range []string{"searchVersionAgain", "searchMemberAgain", "searchVersionLast",
				"searchHead", "searchHeadAgain", "searchBaseAgain", "searchPair", "searchTarget"} {
				list = append(list, fmt.Sprintf("again in half %d after %s", half, last))
			}
			for offset := range wayOffsets {
				list = append(list, fmt.Sprintf("there is %v", wayCell{half, offset}))
				if op.Op == model.OpUpdate {
					list = append(list, fmt.Sprintf("late at %v", wayCell{half, offset}))
				}
			}
			if op.Op == model.OpUpdate {
				list = append(list, fmt.Sprintf("again in half %d after updateSwap", half))
			}
			if op.Op != model.OpGet {
				list = append(list, fmt.Sprintf("again in half 0 after help in half %d", half))
			}
			for _, x := range list {
				all = append(all, fmt.Sprintf("%v: %s", op.Op, x))
			}
		}
	}
	return all
}

// explore explores a program of ways.
func (y *ways) explore(w *world, r *harness.Prepared) (Report, error) {
	start, step := r.Program.Start, r.Program.Step
	r.Program.Start = func(x *explore.Execution) []explore.Actor {
		y.last = ""
		return start(x)
	}
	r.Program.Step = func(x *explore.Execution, s explore.Step) error {
		y.step(w, s)
		return step(x, s)
	}
	rep, err := explore.Explore(r.Program, r.Options)
	switch {
	case err != nil:
		return Report{}, err
	case rep.Failure != nil:
		return Report{}, fmt.Errorf("%w\n%s", rep.Failure, rep.Failure.Table())
	case !rep.Exhaustive:
		return Report{}, fmt.Errorf("%w: %s", errWay, rep.Bound)
	}
	return r.Report(rep), nil
}

var errWay = errors.New("the program does not go its way")

// explored explores the program, and holds that the key was where the shape has it, if it has it.
func (s *shape) explored(p model.Program, o Options, gone map[string]int) (Report, error) {
	w, r, err := prepare(p, o)
	if err != nil {
		return Report{}, err
	}
	own := map[string]int{}
	rep, err := newWays(w, own).explore(w, r)
	if err != nil {
		return rep, fmt.Errorf("%s: %w", p.Name, err)
	}
	half, offset, there := s.place()
	if at := fmt.Sprintf("%v: there is %v", p.Ops[0][0].Op, wayCell{half, offset}); there && own[at] == 0 {
		return rep, fmt.Errorf("%w: %s: never %s", errWay, p.Name, at)
	}
	for way, n := range own {
		gone[way] += n
	}
	return rep, nil
}

// each explores the operation on every shape beside all that others do, and counts.
func each(t *testing.T, explored func(s *shape, x meanwhile, op model.Op) (Report, error)) {
	t.Helper()
	executions, fired := uint64(0), map[string]uint64{}
	for _, s := range shapes() {
		for _, x := range s.meanwhile() {
			for _, op := range wayOps {
				rep, err := explored(&s, x, op)
				if err != nil {
					t.Fatal(err)
				}
				executions += rep.Executions
				fired[x.name] += 0
				if op.Op == model.OpGet { // who only reads does none of it
					fired[x.name] += rep.Fired[x.fires]
				}
			}
		}
	}
	for what, n := range fired {
		if n == 0 && executions > 0 {
			t.Errorf("%q never happens", what)
		}
	}
	t.Logf("%d executions", executions)
}

// Every get, update and ticket, wherever its key is, beside all that somebody else may do to it, with one
// preemption: in a second nearly all that TestWays_BesideOthers finds in half a minute.
func TestWays_BesideOneSwitch(t *testing.T) {
	each(t, func(s *shape, x meanwhile, op model.Op) (Report, error) {
		p := s.program(x.name, []model.Op{op}, x.ops)
		return s.explored(p, Options{Preemptions: 1}, map[string]int{})
	})
}

// The same for good: all interleavings with updates and deletes, those with two preemptions of the longer
// ones.
func TestWays_BesideOthers(t *testing.T) {
	gone := map[string]int{}
	each(t, func(s *shape, x meanwhile, op model.Op) (Report, error) {
		o := Options{Preemptions: 2}
		if x.all {
			o.Preemptions = explore.Unbounded
		}
		return s.explored(s.program(x.name, []model.Op{op}, x.ops), o, gone)
	})
	for _, way := range wayList() {
		if gone[way] == 0 {
			t.Errorf("no program goes the way %q", way)
		}
	}
}

// The same beside somebody who dies at any of its steps, whose operation is left behind.
func TestWays_BesideTheDead(t *testing.T) {
	each(t, func(s *shape, x meanwhile, op model.Op) (Report, error) {
		return s.explored(s.program(x.name, []model.Op{op}, x.ops), Options{Kills: 1}, map[string]int{})
	})
}

// The same beside a third actor, who updates the key: old values are handed out once. One preemption.
func TestWays_BesideAnUpdateMore(t *testing.T) {
	each(t, func(s *shape, x meanwhile, op model.Op) (Report, error) {
		p := s.program(x.name+", update", []model.Op{op}, x.ops, []model.Op{opUpdate(28)})
		return s.explored(p, Options{Preemptions: 1}, map[string]int{})
	})
}

// The same by the calls in two stages, which have straight runs of their own. One preemption.
func TestWays_InTwoStages(t *testing.T) {
	each(t, func(s *shape, x meanwhile, op model.Op) (Report, error) {
		p := s.program(x.name, []model.Op{op}, x.ops)
		rep := through(t, p, preparing, Options{Preemptions: 1})
		if rep.Failure != nil {
			return rep, fmt.Errorf("%s: %w\n%s", p.Name, rep.Failure, rep.Failure.Table())
		}
		return rep, nil
	})
}

// glancing is perform with each lookup of a ticket by a glance. Of one that is unsure nothing is left to
// judge.
func glancing(sure map[string]int, shape string) func(w *world) performer {
	return func(w *world) performer {
		return func(t int, op model.Op) (mapmodel.Result, error) {
			if op.Op != model.OpLookup {
				return w.perform(t, op)
			}
			found, ok, is := w.handles[t-1].Table().Glance(w.keys[op.K])
			if !is {
				w.x.Cut()
			}
			sure[shape]++
			w.tickets[t-1] = found
			return oneOf(ok, mapmodel.Result{Outcome: mapmodel.Found, Value: found.Value()}), nil
		}
	}
}

// Glances, beside all that others do, with two preemptions and a death: each step of one that is sure is one
// of the specification, and its answer is right. They are sure of a base, of the nearest member, and of a key
// that is absent where no home has members.
func TestWays_ByAGlance(t *testing.T) {
	sure := map[string]int{}
	each(t, func(s *shape, x meanwhile, op model.Op) (Report, error) {
		o := Options{Preemptions: 2, Kills: 1}
		if op.Op != model.OpLookup {
			o = Options{} // for what the others do
		}
		p := s.program(x.name, []model.Op{op}, x.ops)
		rep := through(t, p, glancing(sure, s.name), o)
		if rep.Failure != nil {
			return rep, fmt.Errorf("%s: %w\n%s", p.Name, rep.Failure, rep.Failure.Table())
		}
		return rep, nil
	})
	for _, s := range shapes() {
		_, offset, there := s.place()
		members := s.buckets[0][1]|s.buckets[0][2]|s.buckets[1][1]|s.buckets[1][2] != 0
		if want := there && offset < 2 || !there && !members; want && sure[s.name] == 0 {
			t.Errorf("%s: no glance is sure", s.name)
		}
	}
}
