package scenarios

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/hook"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// StepLine is one judged step of a replayed interleaving.
type StepLine struct {
	Index  int           `json:"index"`
	Actor  int           `json:"actor"` // from 1, as in the model
	Action string        `json:"action"`
	Kind   string        `json:"kind"`
	Object string        `json:"object"` // which word
	Old    hopscotch.Raw `json:"old"`
	New    hopscotch.Raw `json:"new"`
	OK     bool          `json:"ok"`
	Site   string        `json:"site"` // file:line of the access
}

// Replayed is one interleaving, run again.
type Replayed struct {
	Report
	Steps []StepLine
	Table string // one column per actor, one row per step
}

// Replay runs the one interleaving that the token stands for, with the same judges. Errors:
// explore.ErrToken, also when no scenario has the token's program.
func Replay(token string) (Replayed, error) {
	name, err := explore.TokenProgram(token)
	if err != nil {
		return Replayed{}, err
	}
	p, err := programNamed(name)
	if err != nil {
		return Replayed{}, err
	}
	r, rep, err := replayed(p, token, Options{})
	if err != nil {
		return Replayed{}, err
	}
	out := Replayed{Report: r.report(rep)}
	for _, a := range r.v.trail[:r.v.at] {
		out.Steps = append(out.Steps, r.w.line(a))
	}
	out.Table = columns(p.Ops, out.Steps)
	return out, nil
}

// replayed runs the interleaving of a token of the program, with the judges of the options.
func replayed(p model.Program, token string, o Options) (*run, explore.Report, error) {
	o.Preemptions, o.Kills, o.Apart = explore.Unbounded, len(p.Ops), ofApart(token)
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
func (w *world) line(a accepted) StepLine {
	s := a.step
	l := StepLine{Index: s.Index, Actor: s.Actor + 1, Action: a.action, Kind: s.Kind.String(),
		Old: hopscotch.Raw(s.Old), New: hopscotch.Raw(s.New), OK: s.OK}
	if s.Kind.Access() {
		l.Object = w.objectName(s.Object)
		l.Site = fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line)
	}
	return l
}

// objectName names the word at an offset of the region: cell 0.3 word 1, descriptor 2 target.
func (w *world) objectName(offset uint64) string {
	for half := uint8(0); half < model.Halves; half++ {
		for c := range uint8(w.region.Layout().CellsPerHalf) {
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

// columns prints the steps with one column per actor, under the actor's operations.
func columns(actors [][]model.Op, steps []StepLine) string {
	const width = 44
	var b strings.Builder
	head := "step  "
	for i, ops := range actors {
		head += fmt.Sprintf(" %-*s", width-1, fmt.Sprintf("%d: %v", i+1, ops))
	}
	b.WriteString(strings.TrimRight(head, " ") + "\n")
	last := 0
	for _, s := range steps {
		mark := " "
		if last != 0 && last != s.Actor {
			mark = ">" // a switch
		}
		last = s.Actor
		text := s.Action
		if s.Object != "" {
			text += "  " + s.Object
		}
		if s.Kind == hook.CompareAndSwap.String() && !s.OK {
			text += "  refused"
		}
		if s.Site != "" {
			text += "  " + s.Site
		}
		fmt.Fprintf(&b, "%4d %s  %s%s\n", s.Index, mark, strings.Repeat(" ", width*(s.Actor-1)), text)
	}
	return b.String()
}
