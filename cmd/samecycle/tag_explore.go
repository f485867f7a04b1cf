//go:build explore

package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/plural"
)

func init() {
	exploreBackend = exploreState
	replayBackend = replayToken
}

// exploration is the result of explore --json: one object per program of the state.
type exploration struct {
	Program    string            `json:"program"`
	State      string            `json:"state"`
	Exhaustive bool              `json:"exhaustive"`
	Bound      string            `json:"bound"`
	Executions uint64            `json:"executions"`
	Complete   uint64            `json:"complete"`
	Pruned     uint64            `json:"pruned"`
	Killed     uint64            `json:"killed"`
	States     uint64            `json:"states"`
	Steps      uint64            `json:"steps"`
	Validated  uint64            `json:"validated"`
	MaxSteps   int               `json:"max_steps"`
	Histories  uint64            `json:"histories"`
	Marks      map[string]uint64 `json:"marks"`
	Outcomes   map[string]uint64 `json:"outcomes"`
	Tokens     map[string]string `json:"tokens"` // by outcome: replays one such execution
	Failure    *failureText      `json:"failure,omitempty"`
	Seed       uint64            `json:"seed,omitempty"`  // of drawn executions
	Parts      []partResult      `json:"parts,omitempty"` // of a portfolio

	Covered    string    `json:"covered"`            // of all schedules
	Estimate   *estimate `json:"estimate,omitempty"` // made before a stateless search
	SoloSteps  int       `json:"solo_steps"`         // accesses of an operation alone, with --solo
	LongestGap int       `json:"longest_gap"`        // accesses without the end of an operation
	Coverage   *coverage `json:"coverage,omitempty"`

	actors, operations int

	replayed bool // one execution, not a search
	drawn    bool // within a budget, so that there is no end to reach
	cut      bool // an interrupt has ended it
}

// failureText is one failing interleaving.
type failureText struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Token   string `json:"token"`
	Table   string `json:"table"`
	Page    string `json:"page,omitempty"` // a file for a browser, or why there is none
}

func exploreState(ctx context.Context, r exploreRequest) (report, error) {
	if r.History != "" {
		return exploreHistory(ctx, r)
	}
	if r.Cast != "" {
		return exploreCasts(ctx, r)
	}
	programs := slices.DeleteFunc(r.Engine.ProgramsOf(r.State.ID), func(p harness.Program) bool {
		return p.ByName
	})
	if len(programs) == 0 {
		return report{}, fmt.Errorf("state %s is NOT BUILT: no program explores it yet; "+
			"states with programs: %v", r.State.ID, r.Engine.Explored())
	}
	if r.Program != "" {
		p, _ := r.Engine.ProgramByName(r.Program)
		programs = []harness.Program{p}
	}
	r.Say("seed %d", r.Seed)
	if r.Processes > 1 {
		return exploreProcesses(ctx, r, len(programs))
	}
	var all []exploration
	for i, p := range programs {
		e, err := r.search(ctx, p, float64(i)/float64(len(programs)))
		if err != nil {
			return report{}, err
		}
		all = append(all, e)
		r.Say("%s: %s, %s", p.Name, plural.Of(e.Executions, "execution"), e.state())
		if ctx.Err() != nil {
			break
		}
	}
	return explored(r, all, len(programs)), nil
}

// explored is the report of the searches of so many programs. It is red if one failed or ended early, or if
// an interrupt came between two of them.
func explored(r exploreRequest, all []exploration, programs int) report {
	red := len(all) < programs
	for _, e := range all {
		red = red || e.Failure != nil || e.unfinished()
	}
	return report{Red: red, Data: all, Text: func(w io.Writer) error {
		for _, e := range all {
			if err := e.write(w, r.Tokens); err != nil {
				return err
			}
		}
		_, err := fmt.Fprintln(w, trust(all, r.Kills, r.Apart))
		return err
	}}
}

func summarise(failures string, r harness.Report) exploration {
	e := exploration{
		Program: r.Program, State: r.State, Exhaustive: r.Exhaustive, Bound: r.Bound,
		Executions: r.Executions, Complete: r.Complete, Pruned: r.Pruned, Killed: r.Killed,
		States: r.States, Steps: r.Steps, Validated: r.Validated, MaxSteps: r.MaxSteps,
		Histories: r.Histories.Distinct, Marks: r.Marks, Outcomes: r.Outcomes,
		Tokens: r.Tokens, SoloSteps: r.SoloSteps, LongestGap: r.LongestGap,
	}
	if f := r.Failure; f != nil {
		e.Failure = textOf(f)
		e.Failure.Page = writePage(failures, r.Page(nil))
	}
	return e
}

// unfinished reports whether a search ended early for another reason than a failure.
func (e exploration) unfinished() bool {
	return !e.replayed && e.Failure == nil && (e.cut || !e.drawn && !e.Exhaustive)
}

// unfinishedText is the state of a search that ended early.
const unfinishedText = "NOT FINISHED: no failure in the part that was searched"

// state says in a few words how the search ended.
func (e exploration) state() string {
	switch {
	case e.Failure != nil:
		return "FAILURE"
	case e.unfinished():
		return unfinishedText
	case e.drawn:
		return "no failure in what the budget allowed"
	}
	return "no failure"
}

// write prints the exploration for a person, if asked with a token for each outcome.
func (e exploration) write(w io.Writer, tokens bool) error {
	fmt.Fprintf(w, "%s\n", e.Program)
	if e.writeParts(w); len(e.Parts) == 0 {
		fmt.Fprintf(w, "  %s\n", e.Bound)
	}
	fmt.Fprintf(w, "  executions %d: %d to the end, %d joined a state seen before; %d with a kill\n",
		e.Executions, e.Complete, e.Pruned, e.Killed)
	fmt.Fprintf(w, "  accesses %d, at most %d in one execution; states %d; judged %d steps, "+
		"those of a repeated start once\n", e.Steps, e.MaxSteps, e.States, e.Validated)
	if e.Coverage != nil {
		e.Coverage.write(w)
	}
	fmt.Fprintf(w, "  different histories %d, races marked: %s\n", e.Histories, counts(e.Marks))
	return e.verdict(w, tokens)
}

// verdict prints what the clients saw, and the failure if there is one.
func (e exploration) verdict(w io.Writer, tokens bool) error {
	for _, o := range sortedKeys(e.Outcomes) {
		fmt.Fprintf(w, "    %7d x  %s\n", e.Outcomes[o], o)
		if tokens {
			fmt.Fprintf(w, "               samecycle replay '%s'\n", e.Tokens[o])
		}
	}
	if e.Failure == nil {
		_, err := fmt.Fprintf(w, "  %s\n\n", e.state())
		return err
	}
	return e.Failure.write(w, !e.replayed)
}

func textOf(f *explore.Failure) *failureText {
	return &failureText{Kind: string(f.Kind), Message: f.Message, Token: f.Token, Table: f.Table()}
}

// write prints it for a person, with the command that makes it smaller.
func (f failureText) write(w io.Writer, smaller bool) error {
	fmt.Fprintf(w, "\nFAILURE\n%s\nreplay it: samecycle replay '%s'\n", f.Table, f.Token)
	if smaller {
		fmt.Fprintf(w, "make it smaller: samecycle replay '%s' --minimise\n", f.Token)
	}
	_, err := fmt.Fprintf(w, "page for a browser: %s\n\n", f.Page)
	return err
}

func counts(m map[string]uint64) string {
	if len(m) == 0 {
		return "none"
	}
	var all []string
	for _, k := range sortedKeys(m) {
		all = append(all, fmt.Sprintf("%s %d", k, m[k]))
	}
	return strings.Join(all, "  ")
}

func sortedKeys(m map[string]uint64) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
