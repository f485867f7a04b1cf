package shardmap

import (
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/failure"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/catalog"
	register "github.com/samecycle/samecycle/internal/catalog/shardmap"
	"github.com/samecycle/samecycle/internal/catalog/shardmap/mutants"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	model "github.com/samecycle/samecycle/model/shardmap"
	"github.com/samecycle/samecycle/model/shardmap/tasks"
	"github.com/samecycle/samecycle/scenarios/shardmap/states"
	"github.com/samecycle/samecycle/scenarios/shardmap/volume"
)

const specDir = "spec/tla/shardmap"

// Engine registers the sharded map.
func Engine() *harness.Engine {
	e := &harness.Engine{
		Engine: register.Engine(),
		Specs:  catalog.Specs{{Dir: specDir}},
		Model:  tasks.Model(),
		Scope: "no deaths: the actors are goroutines of one process; revisited states are cut; not " +
			"covered: more actors, keys and shards than the programs have",
		Volume:   volume.Subject(),
		Mutation: mutants.Mutation(),
		Refusals: []harness.Refusal{{Err: ErrLeftover, Judge: "leftovers"}, {Err: ErrCount, Judge: "counts"}},
		Scopes:   scopes(),
	}
	e.Named = named
	for _, row := range states.Rows() {
		for _, x := range row.Programs {
			if p, ok := programByName(x.Name); ok && x.Bound != states.Endless { // a test wants each name
				e.Programs = append(e.Programs, registered(p))
			}
		}
	}
	return e
}

// scopes are the usual ones. A row of package states has fields that are for the volume alone, or for all
// links but it.
func scopes() map[string]closure.Scope {
	all := harness.Scopes("shardmap", "scenarios/shardmap/states")
	for link, field := range map[string]string{"engine": "Volume", "histories": "Volume", "mutants": "Volume",
		"volume": "Programs"} {
		all[link] = all[link].With(closure.Scope{Unread: []string{field}})
	}
	return all
}

// named is the program of that name, which may lack operations. Errors: explore.ErrToken.
func named(name string) (harness.Program, error) {
	whole, dropped := failure.Split(name)
	p, ok := programByName(whole)
	if n, rowed := bound(whole, p.State); !ok || !rowed || n == states.Endless {
		return harness.Program{}, fmt.Errorf("%w: the sharded map has no program %q; it is of another "+
			"version", explore.ErrToken, name)
	}
	calls, ok := failure.Keep(p.Calls, dropped)
	if !ok {
		return harness.Program{}, fmt.Errorf("%w: program %q lacks operations that %s does not have",
			explore.ErrToken, name, whole)
	}
	p.Name, p.Calls = name, calls
	return registered(p), nil
}

// programByName is the program of the model that has the name, or rounds.
func programByName(name string) (model.Program, bool) {
	if p := rounds(); p.Name == name {
		return p, true
	}
	return model.ProgramByName(name)
}

// rounds is the program of M02 with actors that end: readers that come again while a writer waits.
func rounds() model.Program {
	p, _ := model.ProgramByName("M02WriterStarvation")
	p.Name += "_Rounds"
	p.Repeats = nil
	calls := p.Calls
	p.Calls = nil
	for i, ops := range calls {
		if i < len(calls)-1 {
			ops = append(append([]model.Op{}, ops...), ops...)
		}
		p.Calls = append(p.Calls, ops)
	}
	return p
}

// bound is the bound of a program in the row of its state.
func bound(name, state string) (int, bool) {
	row, _ := states.Of(state)
	for _, p := range row.Programs {
		if p.Name == name {
			return p.Bound, true
		}
	}
	return 0, false
}

// budget is how far a check searches a program. What is in no row, as a program that lacks operations, is
// searched by classes.
func budget(p model.Program) harness.Budget {
	n, ok := bound(p.Name, p.State)
	if !ok || n == states.Classes {
		return harness.Budget{Preemptions: explore.Unbounded, Reduce: true}
	}
	return harness.Budget{Preemptions: n} // states.All is explore.Unbounded: a test says so
}

// registered is a program as the harness explores it.
func registered(p model.Program) harness.Program {
	return harness.NewProgram(harness.Program{Name: p.Name, State: p.State, Budget: budget(p), NoDeaths: true,
		Text: func() string { return fmt.Sprintf("%+v", p) },
		Open: func(o harness.Options) (*harness.Prepared, error) { return open(p, o, false) }}, callsOfAll(p))
}

func callsOfAll(p model.Program) (all [][]call) {
	for _, ops := range p.Calls {
		all = append(all, callsOf(ops))
	}
	return all
}

func callsOf(ops []model.Op) (all []call) {
	for _, o := range ops {
		all = append(all, callOf(o))
	}
	return all
}

// open makes a program ready for one search. Written is the behaviour of the source, which the model does not
// have.
func open(p model.Program, o harness.Options, written bool) (*harness.Prepared, error) {
	w, err := newWorld(p, written)
	if err != nil {
		return nil, err
	}
	setup := harness.Setup[call, answer]{Name: p.Name, Token: p.Name, State: p.State, World: w,
		Judge: sequence{p}.judge(), Identity: fmt.Sprintf("%+v", p), Ops: callsOfAll(p)}
	if !written {
		m, err := model.Of(p)
		if err != nil {
			return nil, err
		}
		setup.Model = harness.NewTrace[state, answer](newFollower(m, w), register.Engine(), p.Name,
			w.ObjectName)
	}
	return harness.Prepare(setup, o), nil
}
