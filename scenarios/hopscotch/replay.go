package scenarios

import (
	"fmt"
	"path/filepath"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// Replay runs the one interleaving that the token stands for, with the same judges. Errors:
// explore.ErrToken, also when no scenario has the token's program.
func Replay(token string) (harness.Replayed, error) {
	name, err := explore.TokenProgram(token)
	if err != nil {
		return harness.Replayed{}, err
	}
	p, err := programNamed(name)
	if err != nil {
		return harness.Replayed{}, err
	}
	return Registered(p).Replay(token)
}

// steps describes the accepted steps of the last execution.
func (r *run) steps() []harness.StepLine {
	var all []harness.StepLine
	for _, a := range r.v.trail[:r.v.at] {
		all = append(all, r.w.line(a))
	}
	return all
}

// replayed runs the interleaving of a token of the program, with the judges of the options.
func replayed(p model.Program, token string, o Options) (*run, explore.Report, error) {
	_, apart, err := harness.OfToken(token)
	if err != nil {
		return nil, explore.Report{}, err
	}
	o.Preemptions, o.Kills, o.Apart = explore.Unbounded, len(p.Ops), apart
	r, program, err := prepare(p, o)
	if err != nil {
		return nil, explore.Report{}, err
	}
	rep, err := explore.Replay(program, token, r.options())
	return r, rep, err
}

func replayProgram(p model.Program, token string, o Options) (Report, error) {
	r, rep, err := replayed(p, token, o)
	if err != nil {
		return Report{}, err
	}
	return r.report(rep), nil
}

// line describes an accepted step.
func (w *world) line(a accepted) harness.StepLine {
	s := a.step
	l := harness.StepLine{Index: s.Index, Actor: s.Actor + 1, Action: a.action, Kind: s.Kind.String(),
		Old: harness.Raw(s.Old), New: harness.Raw(s.New), OK: s.OK}
	if s.Kind.Access() {
		l.Object = w.objectName(s.Object)
		l.Site = fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line)
	}
	return l
}

// objectName names the word at an offset of the region: cell 0.3 word 1, descriptor 2 target.
func (w *world) objectName(offset uint64) string {
	for half := uint8(0); half < model.Halves; half++ {
		for c := range uint8(w.table.Layout().CellsPerHalf) {
			for i := uint8(0); i < 2; i++ {
				if w.offset(model.Word{Half: half, Cell: c, Index: i}) == offset {
					return fmt.Sprintf("cell %d.%d word %d", half, c, i)
				}
			}
		}
	}
	for t := 1; t <= len(w.program.Ops); t++ {
		for _, word := range descWords {
			if w.offset(model.Word{Desc: uint8(t), Index: uint8(word.index)}) == offset {
				return fmt.Sprintf("descriptor %d %s", t, word.name)
			}
		}
	}
	return fmt.Sprintf("offset %#x", offset)
}
