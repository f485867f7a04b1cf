package tasks

import (
	"github.com/samecycle/samecycle/model/hopscotch/bell"
	"github.com/samecycle/samecycle/model/hopscotch/owner"
	"github.com/samecycle/samecycle/model/search"
)

// The models of parts of the protocol belong to no operation state: one that goes wrong turns every state
// red.

func owners() search.Programs[*owner.Machine, owner.State, owner.Action] {
	x := search.Programs[*owner.Machine, owner.State, owner.Action]{Name: "owner words",
		Properties: owner.Properties(), Witnesses: owner.Witnesses()}
	for _, c := range owner.Programs() {
		x.Programs = append(x.Programs, search.Program[*owner.Machine, owner.State, owner.Action]{
			Name: c.Name, Complete: true,
			Make: func() (*owner.Machine, error) { return owner.New(c) },
			Live: func(m *owner.Machine) *search.Live[owner.State, owner.Action] {
				if c.Name != owner.Live {
					return nil
				}
				return owner.LiveOf(m)
			}})
	}
	return x
}

func bells() search.Programs[*bell.Machine, bell.State, bell.Action] {
	x := search.Programs[*bell.Machine, bell.State, bell.Action]{Name: "the bell",
		Properties: bell.Properties(), Witnesses: bell.Witnesses()}
	for _, c := range bell.Programs() {
		x.Programs = append(x.Programs, search.Program[*bell.Machine, bell.State, bell.Action]{
			Name: c.Name, Complete: true,
			Make: func() (*bell.Machine, error) { return bell.New(c) },
			Live: func(m *bell.Machine) *search.Live[bell.State, bell.Action] {
				live, _ := bell.LiveByName(m, bell.LiveOf(c.Name))
				return live
			}})
	}
	return x
}
