//go:build explore

package scenarios

import (
	"errors"
	"testing"

	"github.com/samecycle/samecycle/model"
	"github.com/samecycle/samecycle/scenarios/explore"
)

// linesOptions tell no states apart, as those of long.explore.
var linesOptions = Options{Preemptions: 1, Kills: 1, Stateless: true}

// Every step of the engine on windows of a long ring is one of the model on the same windows, which has
// but the rows that the program can reach; no other row of the ring changes.
func TestLines(t *testing.T) {
	for _, p := range model.OnLines() {
		t.Run(p.Name, func(t *testing.T) {
			r, program, err := prepare(p, linesOptions)
			if err != nil {
				t.Fatal(err)
			}
			finish := program.Finish
			program.Finish = func(x *explore.Execution) error {
				return errors.Join(finish(x), r.w.elsewhere())
			}
			rep, err := explore.Explore(program, r.options())
			if err != nil || rep.Failure != nil || !rep.Exhaustive {
				t.Fatalf("%v %v, %s", err, rep.Failure, rep.Bound)
			}
			done := r.report(rep)
			if done.Marks[p.State] == 0 {
				t.Errorf("the race never happens: %v", done.Marks)
			}
			t.Logf("%d executions, %d steps judged", done.Executions, done.Validated)
		})
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

// On a model whose far line is at another offset, or is the line's other row first, a step is refused; and so
// is a change of a row that is not the program's.
func TestLines_Canaries(t *testing.T) {
	for name, spoil := range map[string]func(p *model.Program){
		"another offset": func(p *model.Program) {
			for _, window := range p.Windows[0][:4] {
				window[3], window[4] = window[4], window[3]
			}
		},
		"one row further": func(p *model.Program) { p.Rows[0][4], p.Rows[0][5] = p.Rows[0][5], p.Rows[0][4] },
	} {
		p := model.OnLines()[1]
		spoil(&p)
		rep, err := Explore(p, linesOptions)
		if err != nil {
			t.Fatal(name, err)
		}
		if rep.Failure == nil || !errors.Is(rep.Failure.Err, ErrRejected) {
			t.Errorf("%s: failure %v, want %v", name, rep.Failure, ErrRejected)
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
