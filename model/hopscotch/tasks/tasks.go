// Package tasks lists the searches of the table's model: each program of each state, and those of the parts
// of the protocol that have a machine of their own.
package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/plural"
	model "github.com/samecycle/samecycle/model/hopscotch"
	"github.com/samecycle/samecycle/model/search"
)

// Model returns the searches. Those of owner words and of the bell belong to no state.
func Model() search.Model {
	m := search.Model{Tasks: []search.Task{owners().Task(), bells().Task()}, Note: note}
	for _, s := range register.States() {
		for _, p := range slices.Concat(model.ProgramsOf(s.ID), model.ThreeActorsOf(s.ID)) {
			if !p.Large {
				m.Tasks = append(m.Tasks, searched(p))
			}
		}
	}
	return m
}

// searched is the search of a program in the model.
func searched(p model.Program) search.Task {
	return search.Task{Name: p.Name, State: p.State, Actors: len(p.Ops),
		Run: func(ctx context.Context) search.Found {
			machine, err := model.New(p.Config(model.ProgramCrashes))
			if err != nil {
				return search.Found{Violation: err.Error()}
			}
			rep := model.Explore(ctx, machine, model.Options{})
			out := search.Found{Exhaustive: rep.Exhaustive, Bound: rep.Bound, Marks: rep.Marks,
				Solo:      rep.Solo,
				Counts:    []search.Count{{Name: p.Name, Distinct: int64(rep.Distinct), Depth: rep.Depth}},
				Violation: rep.SoloFails + rep.Endless}
			if rep.Violation != nil {
				out.Violation = rep.Violation.String()
			}
			return out
		}}
}

// note says of which tables the programs of a state are, and what the searches leave out.
func note(state string) string {
	var said []string
	left := ""
	for _, p := range slices.Concat(model.ProgramsOf(state), model.ThreeActorsOf(state)) {
		if p.Large {
			left += fmt.Sprintf("; left to the tests: %s, with %s", p.Name, plural.Of(len(p.Ops), "actor"))
			continue
		}
		cells, window := p.Geometry()
		if s := fmt.Sprintf("%d cells a half, window %d", cells, window); !slices.Contains(said, s) {
			said = append(said, s)
		}
	}
	return fmt.Sprintf("%s; at most %s dead at any step; not covered: more actors, generations that wrap%s",
		strings.Join(said, " or "), plural.Of(model.ProgramCrashes, "actor"), left)
}
