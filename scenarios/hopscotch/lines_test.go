//go:build explore

package scenarios

import (
	"errors"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// linesOptions tell no states apart, as those of long.explore.
var linesOptions = Options{Preemptions: 1, Kills: 1, Stateless: true}

// longRingSteps are the actions that only adds on a long ring take.
var longRingSteps = []string{"FrontPeek", "RoomBeyond"}

// Every step of the engine on windows of a long ring is one of the model on the same windows, which has
// but the rows that the program can reach; no other row of the ring changes.
func TestLines(t *testing.T) {
	fired := map[string]uint64{}
	for _, p := range model.OnLines() {
		t.Run(p.Name, func(t *testing.T) {
			w, r, err := prepare(p, linesOptions)
			if err != nil {
				t.Fatal(err)
			}
			finish := r.Program.Finish
			r.Program.Finish = func(x *explore.Execution) error {
				return errors.Join(finish(x), w.elsewhere())
			}
			rep, err := explore.Explore(r.Program, r.Options)
			if err != nil || rep.Failure != nil || !rep.Exhaustive {
				t.Fatalf("%v %v, %s", err, rep.Failure, rep.Bound)
			}
			done := r.Report(rep)
			race := p.State
			if p.Name == "Lines_FarBase" {
				race = "S02AddCollision" // Nothing moves, and nothing is evicted: the add finds its hole.
			}
			if done.Marks[race] == 0 {
				t.Errorf("the race never happens: %v", done.Marks)
			}
			for action, n := range done.Fired {
				fired[action] += n
			}
			t.Logf("%d executions, %d steps judged", done.Executions, done.Validated)
		})
	}
	for _, action := range longRingSteps {
		if fired[action] == 0 {
			t.Errorf("no program makes the step %s", action)
		}
	}
}

var errElsewhere = errors.New("a row that is none of the program's cells has changed")

// elsewhere looks at the rows that are not the model's.
func (w *world) elsewhere() error {
	mine := map[int]bool{}
	for half, rows := range w.program.Rows {
		for c := range rows {
			mine[w.cell(half, c)], mine[w.cell(half, c)+1] = true, true
		}
	}
	for i := w.cells; i < w.cells+longRing*model.Halves*2; i++ {
		if !mine[i] && w.memory[i] != w.image[i] {
			return errElsewhere
		}
	}
	return nil
}

// On a model whose windows have another far line, another front or another reach than the engine's, a step is
// refused; and so is a change of a row that is not the program's.
func TestLines_Canaries(t *testing.T) {
	for name, c := range map[string]struct {
		program string
		spoil   func(p *model.Program)
	}{
		"another offset": {"Lines_Usurp", func(p *model.Program) {
			for _, window := range p.Windows[0][:4] {
				window[3], window[4] = window[4], window[3]
			}
		}},
		"one row further": {"Lines_Usurp", func(p *model.Program) {
			p.Rows[0][4], p.Rows[0][5] = p.Rows[0][5], p.Rows[0][4]
		}},
		"no front":          {"Lines_Collision", func(p *model.Program) { p.Front = 0 }},
		"a wider front":     {"Lines_Collision", func(p *model.Program) { p.Front = 5 }},
		"nothing is beyond": {"Lines_Beyond", func(p *model.Program) { p.Reach = 5 }},
		"less is beyond":    {"Lines_Beyond", func(p *model.Program) { p.Reach = 14 }},
	} {
		all := model.OnLines()
		i := slices.IndexFunc(all, func(p model.Program) bool { return p.Name == c.program })
		p := all[i]
		c.spoil(&p)
		rep, err := Explore(p, linesOptions)
		if err != nil {
			t.Fatal(name, err)
		}
		if rep.Failure == nil || !errors.Is(rep.Failure.Err, harness.ErrRejected) {
			t.Errorf("%s: failure %v, want %v", name, rep.Failure, harness.ErrRejected)
		}
	}
	w, err := newWorld(model.OnLines()[0])
	if err != nil {
		t.Fatal(err)
	}
	before := w.elsewhere()
	w.memory[w.cells]++ // the first word of row 0, which no program reaches
	if after := w.elsewhere(); before != nil || !errors.Is(after, errElsewhere) {
		t.Errorf("a word of row 0 changes: %v, then %v", before, after)
	}
}
