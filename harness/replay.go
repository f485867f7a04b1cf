package harness

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/failure"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/linearizability"
)

// Raw is a word as it is in memory.
type Raw uint64

// String is the text of the word.
func (r Raw) String() string { return fmt.Sprintf("0x%016x", uint64(r)) }

// MarshalText is String.
func (r Raw) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText has written. Errors: those of strconv.ParseUint.
func (r *Raw) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 0, 64)
	if err == nil {
		*r = Raw(n)
	}
	return err
}

// Replayed is one interleaving, run again.
type Replayed struct {
	Report
	Steps []StepLine
	Table string // one column per actor, one row per step
}

// ApartMark ends the name of a program in the tokens of a search with Apart, which has other decisions.
const ApartMark = "@apart"

// TokenName is a program's name in tokens.
func TokenName(program string, apart bool) string {
	if apart {
		return program + ApartMark
	}
	return program
}

// OfToken returns the name of the program that a token is of, and whether its actors are processes. Errors:
// explore.ErrToken.
func OfToken(token string) (program string, apart bool, err error) {
	name, err := explore.TokenProgram(token)
	if err != nil {
		return "", false, err
	}
	program, apart = strings.CutSuffix(name, ApartMark)
	return program, apart, nil
}

// Run runs the one interleaving of a token of the program, with the judges of the options.
func (p Program) Run(token string, o Options) (*Prepared, explore.Report, error) {
	_, apart, err := OfToken(token)
	if err != nil {
		return nil, explore.Report{}, err
	}
	o.Preemptions, o.Apart = explore.Unbounded, apart
	o.Kills = p.deaths()
	r, err := p.Open(o)
	if err != nil {
		return nil, explore.Report{}, err
	}
	rep, err := explore.Replay(r.Program, token, r.Options)
	return r, rep, err
}

// deaths is how many actors may die.
func (p Program) deaths() int {
	if p.NoDeaths {
		return 0
	}
	return len(p.Actors)
}

// replayed is the report of Run.
func (p Program) replayed(token string, o Options) (Report, error) {
	r, rep, err := p.Run(token, o)
	if err != nil {
		return Report{}, err
	}
	return r.Report(rep), nil
}

// Replay runs the one interleaving that the token of the program stands for, with the same judges. Errors:
// explore.ErrToken.
func (p Program) Replay(token string) (Replayed, error) {
	r, rep, err := p.Run(token, Options{})
	if err != nil {
		return Replayed{}, err
	}
	out := Replayed{Report: r.Report(rep), Steps: r.Steps()}
	out.Table = columns(p.Actors, out.Steps)
	return out, nil
}

// columns prints the steps with one column per actor, under the actor's operations.
func columns(actors []string, steps []StepLine) string {
	const width = 44
	var b strings.Builder
	head := "step  "
	for i, ops := range actors {
		head += fmt.Sprintf(" %-*s", width-1, fmt.Sprintf("%d: %s", i+1, ops))
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

// Page is the page of the report's failure, with notes of what else a reader should know. The report must
// have a failure. A history that is not linearizable is shown as a table and, if porcupine can draw it
// within its bounds, as a picture.
func (r Report) Page(notes []string) failure.Page {
	f := r.Failure
	p := failure.Page{Program: r.Program, Failure: f, Broken: Broken(f), Notes: notes}
	if f.Token != "" {
		p.Replay = "samecycle replay '" + f.Token + "'"
	}
	var refused *linearizability.Failure
	if errors.As(f.Err, &refused) {
		p.History = refused.Detail()
		var picture bytes.Buffer
		if refused.Outcome == linearizability.Illegal {
			if err := refused.Draw(&picture); err != nil {
				p.Notes = append(p.Notes, err.Error())
			} else {
				p.Picture = picture.Bytes()
			}
		}
	}
	return p
}

// Find returns the program of a token among those of the engines. Errors: explore.ErrToken, also when no
// engine has the token's program.
func Find(engines []*Engine, token string) (*Engine, Program, error) {
	name, _, err := OfToken(token)
	if err != nil {
		return nil, Program{}, err
	}
	for _, e := range engines {
		if p, ok := e.ProgramByName(name); ok {
			return e, p, nil
		}
	}
	err = notThere(name)
	for _, e := range engines {
		p, refused := e.named(name)
		if refused == nil {
			return e, p, nil
		}
		if e.Named != nil {
			err = refused
		}
	}
	return nil, Program{}, err
}

func notThere(name string) error {
	return fmt.Errorf("%w: no engine has a program %q; it is of another version", explore.ErrToken, name)
}

// named is the program of that name, listed or not. Errors: explore.ErrToken.
func (e *Engine) named(name string) (Program, error) {
	if p, ok := e.ProgramByName(name); ok {
		return p, nil
	}
	if e.Named == nil {
		return Program{}, notThere(name)
	}
	return e.Named(name)
}
