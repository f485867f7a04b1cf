// Command judge runs the programs of the scenarios on an engine into which a mutant has been
// compiled, under ascending bounds, until a judge refuses it. It prints one line of JSON before each
// search and one with the verdict. It is built and run by samecycle mutants.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/mutate"
	"github.com/samecycle/samecycle/linearizability"
	model "github.com/samecycle/samecycle/model/hopscotch"
	scenarios "github.com/samecycle/samecycle/scenarios/hopscotch"
)

// maxStack ends a recursion without end before it fills the machine.
const maxStack = 64 << 20

func main() {
	debug.SetMaxStack(maxStack)
	var s mutate.Search
	only := flag.String("program", "", "these programs only, with commas between them")
	flag.IntVar(&s.Preemptions, "preemptions", 0, "most preemptions; -1: no bound")
	flag.IntVar(&s.Kills, "kills", 0, "most kills")
	flag.Uint64Var(&s.Executions, "executions", 0, "most executions of a program; 0: no limit")
	flag.IntVar(&s.Drawn, "drawn", 0, "so many drawn programs in place of those of the states")
	flag.Uint64Var(&s.Walks, "walks", 0, "draw so many executions of each drawn program, without a bound")
	first := flag.Int("first", 0, "the program to begin with; those before it come last")
	cover := flag.Bool("cover", false, "print what each program reaches, and judge nothing")
	full := flag.Bool("full", false, "the bounds of samecycle check, without a limit")
	without := flag.String("without", "", "take this repair out of the protocol that steps are judged by")
	token := flag.String("token", "", "replay the interleaving of this token, step by step")
	flag.Parse()
	if *token != "" {
		replay(*token)
		return
	}
	fixes := model.AllFixes
	if off, ok := model.FixByName(*without); ok {
		fixes &^= off
	} else if *without != "" {
		fmt.Fprintf(os.Stderr, "judge: no repair is called %q\n", *without)
		os.Exit(1)
	}
	enc := json.NewEncoder(os.Stdout)
	programs := model.Programs()
	if s.Drawn > 0 {
		programs = nil
		for n := range s.Drawn {
			programs = append(programs, scenarios.Drawn(n))
		}
	}
	for i := range programs {
		p := programs[(i+*first)%len(programs)]
		if *only != "" && !slices.Contains(strings.Split(*only, ","), p.Name) {
			continue
		}
		one := s
		one.Program, one.Kills = p.Name, min(s.Kills, len(p.Ops))
		if *full {
			b := scenarios.Checked(p)
			one.Preemptions, one.Kills, one.Executions = b.Preemptions, b.Kills, 0
		}
		if err := enc.Encode(mutate.Line{At: &one}); err != nil {
			os.Exit(1)
		}
		if *cover {
			clear(hits())
		}
		v := judge(p, (i+*first)%len(programs), one, fixes)
		if *cover {
			if err := enc.Encode(mutate.Line{At: &one, Hits: hits()}); err != nil {
				os.Exit(1)
			}
		}
		if v.Verdict != "" {
			if err := enc.Encode(mutate.Line{Found: &v}); err != nil {
				os.Exit(1)
			}
			return
		}
	}
	if err := enc.Encode(mutate.Line{Found: &mutate.Found{}}); err != nil {
		os.Exit(1)
	}
}

// replay prints one interleaving.
func replay(token string) {
	rep, err := scenarios.Replay(token)
	if err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
	fmt.Print(rep.Table)
	if rep.Failure != nil {
		fmt.Printf("%s: %s\n", rep.Failure.Kind, rep.Failure.Message)
	}
}

// judge searches one program, which has that number. No verdict: no judge refuses it.
func judge(p model.Program, number int, s mutate.Search, fixes model.Fix) mutate.Found {
	o := scenarios.Options{Preemptions: s.Preemptions, Kills: s.Kills, Executions: s.Executions}
	if s.Walks > 0 {
		o = scenarios.DrawnWalks(number, s.Walks)
	}
	o.Fixes = fixes
	rep, err := scenarios.Explore(p, o)
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
		v.Judge, v.Why, v.Token = name(rep.Failure), rep.Failure.Message, rep.Failure.Token
		switch rep.Failure.Kind {
		case explore.Hung, explore.Nondeterminism, explore.Diverged:
			v.Verdict = mutate.Unknown
		}
	}
	v.Why = strings.Join(strings.Fields(v.Why), " ")
	return v
}

// name is the judge that refused an execution.
func name(f *explore.Failure) string {
	var h *linearizability.Failure
	switch {
	case f.Kind != explore.Invariant && f.Kind != explore.Verdict:
		return string(f.Kind)
	case errors.As(f.Err, &h):
		return "histories"
	case errors.Is(f.Err, scenarios.ErrStructure) && !errors.Is(f.Err, scenarios.ErrLeftover):
		return "structural check"
	case errors.Is(f.Err, scenarios.ErrContents):
		return "contents"
	case errors.Is(f.Err, harness.ErrOperation):
		return "error of an operation"
	case errors.Is(f.Err, scenarios.ErrLeftover):
		return "newcomer"
	case errors.Is(f.Err, scenarios.ErrHanded):
		return "values handed out"
	}
	return "step validation"
}
