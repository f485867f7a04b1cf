package volume

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/scenarios/hopscotch/states"
	"github.com/samecycle/samecycle/stress"
)

// subject is the hopscotch table as package stress drives it.
type subject struct {
	wrap   func(owner uint32, t table) table    // between a client and the table: faults of tests; may be nil
	meddle func(r *region.Region, round uint64) // with the table at rest: the same

	// reclaim stands for the parent's Reclaim; nil is that itself.
	reclaim func(h *hopscotch.Handle) ([]hopscotch.Reclaimed, error)
}

// Subject is the hopscotch table for a stress campaign, in goroutines and in processes.
func Subject() stress.Subject { return &subject{} }

func (*subject) Name() string { return "hopscotch" }

func (*subject) States() []string { return register.Engine().StateIDs() }

func (*subject) Deaths() bool { return true }

func (*subject) Counts() string { return "installation" }

func (*subject) Metamorphic(seed uint64, folder string) (int, error) {
	return metamorphic(seed, folder, nil)
}

// Open makes the table of one run, in a region of its own.
func (s *subject) Open(o stress.Setup) (stress.World, error) {
	state, ok := register.StateByID(o.State)
	if !ok {
		return nil, fmt.Errorf("state %s is not in the catalog", o.State)
	}
	w, err := newWorkload(state, o.Seed)
	if err != nil {
		return nil, err
	}
	// Of those who die in a round, each descriptor is given back at its end.
	layout := w.layout(uint32(1 + o.Clients + o.Deaths + spareDescriptors))
	r, err := stress.Memory(o, "table", layout, hopscotch.Heap, hopscotch.Create)
	if err != nil {
		return nil, err
	}
	return newWorld(s, w, r)
}

// spareDescriptors is how many descriptors there are besides those of the parent, the clients, and those
// who die in a round.
const spareDescriptors = 1

// handout is what a worker process is told of the world.
type handout struct {
	Region string   `json:"region"`
	Work   workload `json:"workload"`
}

// Join attaches a worker process to the table in the region's file.
func (s *subject) Join(text []byte, owner uint32) (stress.Client, error) {
	var h handout
	if err := stress.ReadAssignment(text, &h); err != nil {
		return nil, err
	}
	if _, ok := states.Of(h.Work.State); !ok || len(h.Work.Keys) == 0 {
		return nil, fmt.Errorf("%w: state %q, %d keys", stress.ErrAssignment, h.Work.State, len(h.Work.Keys))
	}
	r, err := region.Open(h.Region, nil)
	if err != nil {
		return nil, err
	}
	return s.client(r, h.Work, owner)
}

// client attaches a client to the table in r. The handle is given back by nobody: the run's end
// is the region's.
func (s *subject) client(r *region.Region, w workload, owner uint32) (*client, error) {
	t, err := hopscotch.NewWith(r, w.options())
	if err != nil {
		return nil, err
	}
	h, err := t.NewHandle(uint64(owner))
	if err != nil {
		return nil, err
	}
	e, err := newEye(r, h.Descriptor())
	if err != nil {
		return nil, err
	}
	c := &client{workload: w, table: h, eye: e, owner: owner, known: map[uint32]hopscotch.Ticket{}}
	if s.wrap != nil {
		c.table = s.wrap(owner, c.table)
	}
	return c, nil
}
