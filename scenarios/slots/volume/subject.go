// Package volume lets the slots that ship (impl/slots) run natively, in goroutines and in processes that are
// stopped and killed, as package stress drives them.
//
// # A run
//
// The clients stand in a ring. Each one has a slot file that it serves, and is the client of the next one's.
// Its service runs in a goroutine beside it, also between two operations. What is served is some registers
// that all services share: a request reads one or puts a value of its own there, and the answer is what was
// there. The files lie in one region, so the code of files is not in it; sleeps are those of the system, and
// a role belongs to the process that has it until that has ended, as the region knows (region.Alive).
//
// A newcomer takes the roles of a dead one, and ends what that one has left, as the code that ships does.
// Services linger as they perform a request, and in state B05 as they ask whether the client lives, until the
// slot has another life.
//
// # The judges
//
// Each value is put once. A service notes what it performs, as any program can that is served: that it
// begins, and what the register had. When all clients rest, the parent waits until no service has anything
// left. Then:
//
//   - each slot is free: none is lost, whoever has died in which state
//   - a request that was answered was performed once, and had that answer; one that was said not to be done
//     was not performed; one that nobody knows of was performed once at most; none of an earlier round was
//   - the history of each register is that of a word which is swapped and read. A request whose outcome is
//     not known, and which was performed, may have been so at any time from its begin to the end of the round
//   - no request waits long for a service that lives: but for state B05, in which services ask now and then
//     whether their clients live, all sleep until they are woken, so a wake-up that was lost would be found
//
// # What a mark means
//
//	B01  a client gave up while the service had the request, and the service has performed it
//	B02  a client was told that its service has died with the request, and the next one goes on
//	B03  a client died with a slot in its hands, or in those of the service; at rest the slot is free
//	B04  a service was awake ahead of a publication, and behind it it slept, or was about to; it has
//	     performed the request
//	B05  a service was about to free what a dead client has left, and another client had the slot since; it
//	     has freed nothing
package volume

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/region"
	register "github.com/samecycle/samecycle/internal/catalog/slots"
	"github.com/samecycle/samecycle/stress"
)

// subject is the slots as package stress drives them.
type subject struct {
	stress.Plain
	fault fault // of tests
}

// fault is what is wrong with a client, or with its service: of tests.
type fault struct {
	lie   func(req stress.Words, res *stress.Words) // nil: none
	deaf  bool                                      // nobody wakes a service
	dead  bool                                      // a service is told that its client is dead
	stale bool                                      // a service frees what another client has
	more  bool                                      // a service performs some requests twice
}

// Subject is the slots for a stress campaign, in goroutines and in processes.
func Subject() stress.Subject { return &subject{} }

func (*subject) Name() string { return register.Engine().Name }

func (*subject) States() []string { return register.Engine().StateIDs() }

func (*subject) Deaths() bool { return true }

// Open makes the region of one run.
func (s *subject) Open(o stress.Setup) (stress.World, error) {
	state, ok := register.StateByID(o.State)
	recipe, has := recipes[state.Number]
	if !ok || !has {
		return nil, fmt.Errorf("state %s has no recipe: add one to scenarios/slots/volume", o.State)
	}
	layout := region.Layout{part(o.Clients, recipe.slots)}
	r, err := stress.Memory(o, "slots", layout, region.Heap, region.Create)
	if err != nil {
		return nil, err
	}
	return newWorld(s, state.Number, r)
}

// handout is what a worker process is told of the world.
type handout struct {
	Region string `json:"region"`
	State  int    `json:"state"`
}

// Join attaches a worker process to the region's file.
func (s *subject) Join(text []byte, owner uint32) (stress.Client, error) {
	var h handout
	if err := stress.ReadAssignment(text, &h); err != nil {
		return nil, err
	}
	if _, ok := recipes[h.State]; !ok {
		return nil, fmt.Errorf("%w: state %d", stress.ErrAssignment, h.State)
	}
	r, err := region.Open(h.Region, nil)
	if err != nil {
		return nil, err
	}
	m, err := newMemory(r)
	if err != nil {
		return nil, err
	}
	return newClient(s, h.State, m, owner)
}
