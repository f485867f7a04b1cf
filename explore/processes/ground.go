package processes

import (
	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/region"
)

// ground is what the processes of an exploration share: one memory, of which each has a view, and the locks
// of its process table. Process i has view i+1 and the lock number i+1; view 0 and the number after the last
// one are those of the judge.
type ground struct {
	x         *explore.Execution // nil before the first execution
	layout    region.Layout
	memory    *Memory
	locks     Locks
	processes []*explore.Process
	system    func(System) region.System // takes the place of a System; nil: nothing does
}

// newGround makes the memory of a region of the layout, all zero, and a process for each name.
func newGround(l region.Layout, names []string) (*ground, error) {
	g := &ground{layout: l}
	var err error
	if g.memory, err = NewMemory(l, len(names)+1); err != nil {
		return nil, err
	}
	for i, name := range names {
		g.processes = append(g.processes, &explore.Process{Name: name, ReadsDie: true,
			Mappings: g.memory.Mapping(i + 1)})
	}
	return g, nil
}

// gone tells whether the holder of a lock number has died. The judge lives.
func (g *ground) gone(number int) bool {
	return g.x != nil && number <= len(g.processes) && g.x.Gone(g.processes[number-1])
}

// systemOf is what the holder of a lock number asks of the locks.
func (g *ground) systemOf(number int) region.System {
	y := System{Locks: &g.locks, Self: number, Gone: g.gone}
	if g.system != nil {
		return g.system(y)
	}
	return y
}

// judges is the lock number of the judge.
func (g *ground) judges() int { return len(g.processes) + 1 }

// later attaches the judge: one more process, that comes when all is over.
func (g *ground) later() (*region.Region, error) {
	return region.Attach(g.memory.View(0), g.layout, g.systemOf(g.judges()))
}
