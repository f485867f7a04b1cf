// Package judge runs the programs of an engine's scenarios, into whose code a mutant has been compiled, under
// ascending bounds, until a judge refuses one. It prints one line of JSON before each search and one with the
// verdict. It knows no engine: its program hands it one.
package judge

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/mutate"
	"github.com/samecycle/samecycle/linearizability"
)

// maxStack ends a recursion without end before it fills the machine.
const maxStack = 64 << 20

// Options say what is judged.
type Options struct {
	Engine string // its name
	Token  string // replay the interleaving of this token, step by step, and judge nothing

	search  mutate.Search
	only    string
	first   int
	cover   bool
	full    bool
	without string
}

// Parse reads the arguments of the judge.
func Parse(args []string) (Options, error) {
	var o Options
	flags := flag.NewFlagSet("judge", flag.ContinueOnError)
	flags.StringVar(&o.Engine, "engine", "", "the engine whose programs judge")
	flags.StringVar(&o.only, "program", "", "these programs only, with commas between them")
	flags.IntVar(&o.search.Preemptions, "preemptions", 0, "most preemptions; -1: no bound")
	flags.IntVar(&o.search.Kills, "kills", 0, "most kills")
	flags.Uint64Var(&o.search.Executions, "executions", 0, "most executions of a program; 0: no limit")
	flags.IntVar(&o.search.Drawn, "drawn", 0, "so many drawn programs in place of those of the states")
	flags.Uint64Var(&o.search.Walks, "walks", 0, "draw so many executions of each drawn program, "+
		"without a bound")
	flags.IntVar(&o.first, "first", 0, "the program to begin with; those before it come last")
	flags.BoolVar(&o.cover, "cover", false, "print what each program reaches, and judge nothing")
	flags.BoolVar(&o.full, "full", false, "the bounds of samecycle check, without a limit")
	flags.StringVar(&o.without, "without", "", "take this repair out of the model that steps are judged by")
	flags.StringVar(&o.Token, "token", "", "replay the interleaving of this token, step by step")
	return o, flags.Parse(args)
}

// Run searches the programs of the engine. Hits are the places of its code that have been reached, one byte
// each, of which the search takes note.
func Run(e *harness.Engine, o Options, hits func() []byte, out io.Writer) error {
	debug.SetMaxStack(maxStack)
	if o.Token != "" {
		return replay(e, o.Token, out)
	}
	var fixes any
	if o.without != "" {
		ok := e.Without != nil
		if ok {
			fixes, ok = e.Without(o.without)
		}
		if !ok {
			return fmt.Errorf("no repair of the engine %s is called %q", e.Name, o.without)
		}
	}
	programs, err := programsOf(e, o.search.Drawn)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(out)
	for i := range programs {
		number := (i + o.first) % len(programs)
		p := programs[number]
		if o.only != "" && !slices.Contains(strings.Split(o.only, ","), p.Name) {
			continue
		}
		one := o.search
		one.Program, one.Kills = p.Name, mostKills(p, o.search.Kills)
		if o.full {
			one.Preemptions, one.Kills, one.Executions = p.Budget.Preemptions, p.Budget.Kills, 0
		}
		if err := enc.Encode(mutate.Line{At: &one}); err != nil {
			return err
		}
		if o.cover {
			clear(hits())
		}
		v := judge(e, p, number, one, fixes)
		if o.cover {
			if err := enc.Encode(mutate.Line{At: &one, Hits: hits()}); err != nil {
				return err
			}
		}
		if v.Verdict != "" {
			return enc.Encode(mutate.Line{Found: &v})
		}
	}
	return enc.Encode(mutate.Line{Found: &mutate.Found{}})
}

// programsOf are those that the engine registers, or so many drawn ones.
func programsOf(e *harness.Engine, drawn int) ([]harness.Program, error) {
	if drawn == 0 {
		byName := func(p harness.Program) bool { return p.ByName }
		return slices.DeleteFunc(slices.Clone(e.Programs), byName), nil
	}
	if e.Drawn == nil {
		return nil, fmt.Errorf("the engine %s has no drawn programs; leave -drawn out", e.Name)
	}
	var all []harness.Program
	for n := range drawn {
		all = append(all, e.Drawn.Program(n))
	}
	return all, nil
}

// mostKills is how many actors of the program may die.
func mostKills(p harness.Program, kills int) int {
	if p.NoDeaths {
		return 0
	}
	return min(kills, len(p.Actors))
}

// replay prints one interleaving.
func replay(e *harness.Engine, token string, out io.Writer) error {
	_, p, err := harness.Find([]*harness.Engine{e}, token)
	if err != nil {
		return err
	}
	rep, err := p.Replay(token)
	if err != nil {
		return err
	}
	fmt.Fprint(out, rep.Table)
	if rep.Failure != nil {
		fmt.Fprintf(out, "%s: %s\n", rep.Failure.Kind, rep.Failure.Message)
	}
	return nil
}

// judge searches one program, which has that number. No verdict: no judge refuses it.
func judge(e *harness.Engine, p harness.Program, number int, s mutate.Search, fixes any) mutate.Found {
	o := harness.Options{Preemptions: s.Preemptions, Kills: s.Kills, Executions: s.Executions}
	if s.Walks > 0 {
		o = e.Drawn.Walks(number, s.Walks)
	}
	o.Fixes = fixes
	rep, err := p.Explore(o)
	v := mutate.Found{Verdict: mutate.Killed, Search: &s}
	switch {
	case err != nil:
		v.Judge, v.Why = "setup", err.Error()
	case rep.Failure == nil && rep.StepBound > 0:
		v.Verdict, v.Judge = mutate.Unknown, "step bound"
		v.Why = fmt.Sprintf("%d executions were cut at the step bound", rep.StepBound)
	case rep.Failure == nil:
		return mutate.Found{}
	default:
		v.Judge, v.Why, v.Token = name(e, rep.Failure), rep.Failure.Message, rep.Failure.Token
		switch rep.Failure.Kind {
		case explore.Hung, explore.Nondeterminism, explore.Diverged:
			v.Verdict = mutate.Unknown
		}
	}
	v.Why = strings.Join(strings.Fields(v.Why), " ")
	return v
}

// name is the judge that refused an execution.
func name(e *harness.Engine, f *explore.Failure) string {
	var h *linearizability.Failure
	switch {
	case f.Kind != explore.Invariant && f.Kind != explore.Verdict:
		return string(f.Kind)
	case errors.As(f.Err, &h):
		return "histories"
	case errors.Is(f.Err, harness.ErrOperation):
		return "error of an operation"
	}
	for _, own := range e.Refusals {
		if errors.Is(f.Err, own.Err) {
			return own.Judge
		}
	}
	return "step validation"
}
