// Package basket registers the baskets with the harness: their specification, their model, and the programs
// of their states on the code that ships.
package basket

import (
	"fmt"
	"strings"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/catalog"
	register "github.com/samecycle/samecycle/internal/catalog/basket"
	"github.com/samecycle/samecycle/internal/catalog/basket/mutants"
	model "github.com/samecycle/samecycle/model/basket"
	"github.com/samecycle/samecycle/model/basket/tasks"
	"github.com/samecycle/samecycle/scenarios/basket/volume"
)

// scope stands at the end of each bound.
const scope = "the index is the double that the specification assumes, in which an add is one swap; " +
	"which basket is looked at, opened or retired, and when, is the code's choice, where the " +
	"specification has one order (model/basket/view.go); with tiers a policy of the scenarios does what " +
	"the call says; two keys of different lengths, records of one size; revisited states are cut, and in " +
	"_Moving one order of each class of equivalent ones is run; not covered: marks of recency, the " +
	"policies that ship but for what Ageing does by shares, expiry, stores of two baskets (_Scarce), more " +
	"actors, keys, baskets and records than the programs have"

// Engine registers the baskets.
func Engine() *harness.Engine {
	e := &harness.Engine{
		Engine:   register.Engine(),
		Specs:    catalog.Specs{{Dir: "spec/tla/basket"}},
		Model:    tasks.Model(),
		Scope:    scope,
		Volume:   volume.Subject(),
		Mutation: mutants.Mutation(),
		Refusals: []harness.Refusal{{Err: ErrUnsound, Judge: "check of the store"}},
		Scopes:   harness.Scopes("basket"),
	}
	for _, r := range rows {
		if p, ok := programByName(r.name); ok {
			e.Programs = append(e.Programs, registered(p))
		}
	}
	return e
}

// registered is a program as the harness explores it.
func registered(p program) harness.Program {
	return harness.NewProgram(harness.Program{Name: p.Name, State: p.State, Budget: p.budget(),
		Text: func() string { return strings.TrimSpace(fmt.Sprintf("%+v %s", p.Program, p.text)) },
		Open: func(o harness.Options) (*harness.Prepared, error) { return open(p, o, nil) }}, p.calls())
}

// open makes a program ready for one search. Spoil, if not nil, changes the world, and may give another
// model: for canaries.
func open(p program, o harness.Options, spoil func(*world, *model.Machine) *model.Machine) (*harness.Prepared,
	error) {
	p = p.dying(o.Kills)
	w, err := newWorld(p)
	if err != nil {
		return nil, err
	}
	m, err := model.Of(p.Program)
	if err != nil {
		return nil, err
	}
	if spoil != nil {
		m = spoil(w, m)
	}
	setup := harness.Setup[call, answer]{Name: p.Name, Token: p.Name, State: p.State, World: w,
		Judge: p.judge(), Identity: fmt.Sprintf("%+v", p.Program), Ops: p.calls()}
	if m != nil {
		setup.Model = harness.NewTrace[state, answer](newFollower(m, w), names(), p.Name, w.ObjectName)
	}
	return harness.Prepare(setup, o), nil
}
