//go:build explore

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"

	"github.com/samecycle/samecycle/linearizability"
	"github.com/samecycle/samecycle/model"
	"github.com/samecycle/samecycle/scenarios"
	"github.com/samecycle/samecycle/scenarios/explore"
)

func init() {
	links = append(links, scenarios.Links()...)
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
	Failure    *failure          `json:"failure,omitempty"`
}

// failure is one failing interleaving.
type failure struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Token   string `json:"token"`
	Table   string `json:"table"`
	Picture string `json:"picture,omitempty"` // an HTML page, if a history was refused
}

func exploreState(ctx context.Context, r exploreRequest) (report, error) {
	programs := model.ProgramsOf(r.State.ID)
	if len(programs) == 0 {
		return report{}, fmt.Errorf("state %s is NOT BUILT: no program explores it yet; "+
			"those that are: %v", r.State.ID, model.States())
	}
	var all []exploration
	red := false
	for i, p := range programs {
		rep, err := scenarios.Explore(p, scenarios.Options{
			Preemptions: r.Preemptions, Kills: r.Kills, Executions: uint64(max(0, r.Executions)),
			Context: ctx,
			Progress: func(s explore.Stats) {
				r.Progress(fmt.Sprintf("%s: %d executions, %d states", p.Name, s.Executions, s.States),
					float64(i)/float64(len(programs)))
			},
		})
		if err != nil {
			return report{}, err
		}
		e := summarise(r.Root, rep)
		red = red || e.Failure != nil
		all = append(all, e)
		if ctx.Err() != nil {
			break
		}
	}
	return report{Red: red, Data: all, Text: func(w io.Writer) error {
		for _, e := range all {
			if err := e.write(w); err != nil {
				return err
			}
		}
		return nil
	}}, nil
}

// replayed is the result of replay --json.
type replayed struct {
	exploration
	StepList []scenarios.StepLine `json:"step_list"`
}

func replayToken(_ context.Context, r replayRequest) (report, error) {
	rep, err := scenarios.Replay(r.Token)
	if err != nil {
		return report{}, err
	}
	e := summarise(r.Root, rep.Report)
	return report{Red: e.Failure != nil, Data: replayed{e, rep.Steps}, Text: func(w io.Writer) error {
		if e.Failure == nil && r.Steps {
			if _, err := io.WriteString(w, rep.Table); err != nil {
				return err
			}
		}
		return e.write(w)
	}}, nil
}

func summarise(root string, r scenarios.Report) exploration {
	e := exploration{
		Program: r.Program, State: r.State, Exhaustive: r.Exhaustive, Bound: r.Bound,
		Executions: r.Executions, Complete: r.Complete, Pruned: r.Pruned, Killed: r.Killed,
		States: r.States, Steps: r.Steps, Validated: r.Validated, MaxSteps: r.MaxSteps,
		Histories: r.Histories.Distinct, Marks: r.Marks, Outcomes: r.Outcomes,
	}
	if f := r.Failure; f != nil {
		e.Failure = &failure{Kind: string(f.Kind), Message: f.Message, Token: f.Token, Table: f.Table()}
		e.Failure.Picture = picture(root, r.Program, f)
	}
	return e
}

// picture writes the page of a refused history and returns where it is, "" if there is none.
func picture(root, program string, f *explore.Failure) string {
	var refused *linearizability.Failure
	if !errors.As(f.Err, &refused) {
		return ""
	}
	dir := filepath.Join(root, "results", "failures")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return ""
	}
	path := filepath.Join(dir, program+".html")
	if refused.Verdict.Picture(path) != nil {
		return ""
	}
	return path
}

func (e exploration) write(w io.Writer) error {
	fmt.Fprintf(w, "%s\n", e.Program)
	fmt.Fprintf(w, "  %s\n", e.Bound)
	fmt.Fprintf(w, "  executions %d: %d to the end, %d joined a state seen before; %d with a kill\n",
		e.Executions, e.Complete, e.Pruned, e.Killed)
	fmt.Fprintf(w, "  states %d, steps %d of which %d judged, at most %d in one execution\n",
		e.States, e.Steps, e.Validated, e.MaxSteps)
	fmt.Fprintf(w, "  different histories %d, races marked: %s\n", e.Histories, counts(e.Marks))
	for _, o := range sortedKeys(e.Outcomes) {
		fmt.Fprintf(w, "    %7d x  %s\n", e.Outcomes[o], o)
	}
	if e.Failure == nil {
		_, err := fmt.Fprintf(w, "  no failure\n\n")
		return err
	}
	fmt.Fprintf(w, "\nFAILURE\n%s\nreplay it: samecycle replay '%s'\n", e.Failure.Table, e.Failure.Token)
	if e.Failure.Picture != "" {
		fmt.Fprintf(w, "picture of the history: %s\n", e.Failure.Picture)
	}
	_, err := fmt.Fprintln(w)
	return err
}

func counts(m map[string]uint64) string {
	text := ""
	for _, k := range sortedKeys(m) {
		text += fmt.Sprintf("%s %d  ", k, m[k])
	}
	if text == "" {
		return "none"
	}
	return text
}

func sortedKeys(m map[string]uint64) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
