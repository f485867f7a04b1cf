// Package slots registers the slots of a communication buffer with the harness: their specification, their
// model, and the programs of their states on the code that ships.
package slots

import (
	"fmt"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/catalog"
	register "github.com/samecycle/samecycle/internal/catalog/slots"
	"github.com/samecycle/samecycle/internal/catalog/slots/mutants"
	model "github.com/samecycle/samecycle/model/slots"
	"github.com/samecycle/samecycle/model/slots/tasks"
	"github.com/samecycle/samecycle/scenarios/slots/volume"
)

// scope stands at the end of each bound.
const scope = "the locks and the sleeps of the system are doubles: a wait of a client that may give up " +
	"ends at any time, any other one ends by a wake-up or because a process has died; requests of 8 " +
	"bytes; revisited states are cut; not covered: clients that write outside of the protocol, batches, " +
	"files, more actors and slots than the programs have"

// Engine registers the slots.
func Engine() *harness.Engine {
	e := &harness.Engine{
		Engine:   register.Engine(),
		Specs:    catalog.Specs{{Dir: "spec/tla/slots"}},
		Model:    tasks.Model(),
		Scope:    scope,
		Volume:   volume.Subject(),
		Mutation: mutants.Mutation(),
		Scopes:   harness.Scopes("slots"),
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
		Text: func() string { return fmt.Sprintf("%+v", p.Program) },
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
		Judge: judge(), Identity: fmt.Sprintf("%+v", p.Program), Ops: p.calls()}
	if m != nil {
		setup.Model = harness.NewTrace[state, answer](newFollower(m, w), names(), p.Name, w.ObjectName)
	}
	return harness.Prepare(setup, o), nil
}
