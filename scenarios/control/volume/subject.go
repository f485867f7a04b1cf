// Package volume lets the words by which processes steer one another (impl/control, impl/handover, and the
// sketch of impl/quota) run natively, in goroutines and in processes that are stopped and killed, as package
// stress drives them.
//
// # A run
//
// The words of one state lie in one region: a lease or two, live parameters, a sketch, or a
// wish. What the code asks
// the system, it is told by the region: whether a process lives (region.Alive). A goroutine is a process of
// its own for the leases, and lives. The clock of the leases counts the begins and the ends of operations, so
// an owner that is stopped stands still while others work, and each moment has one number. What a caller has
// read from the clock of the sketch stays the same for a round; in state P06 some have read it too early.
// Janitors linger now and then as they read the clock, which is the step ahead of the change of a lease, and
// who has seen a wish does ahead of the step that takes it.
//
// # The judges
//
// Leases, live parameters, wishes: the history of a round is that of these sequential objects.
//
//   - A process has one lease or none. It is told that it has one only while fewer others than there are
//     words live, have one, and have not stood still. Where there is one word, it is refused a lease only if
//     another one has it that was not known to be dead, or if it had one that was taken over. A client
//     dies between its last operation and the moment at which a newcomer has its entry of the region, behind
//     which Alive is sure.
//
//   - A word of live parameters has what was set last, in each field; a turn finds what the word has. Who has
//     seen the second word of a change finds the first one changed.
//
//   - There is one wish or none. It was said at some time of a call, and holds for a while from then on. Who
//     hears of it takes it, at a moment at which it may hold; who hears of none finds none, or one that may
//     be over. Who says nothing since another one came between is not judged.
//
// Each janitor looks at the words behind its turn: it has one lease at most, none beyond the number that it
// has found allowed, and none if it was told so. At rest a lease is of a process that was told of it, and a
// wish is one that somebody has said.
//
// The sketch: at rest each cell has what it had at the begin and all charges that have returned, to the
// nanosecond; of those of dead clients it has some. The answers are held against all
// charges that had returned when the call began, and all that had begun when it returned:
//
//   - a level lies between the two sums
//   - each offence counts one, whoever has seen it; a penalty lasts at least as long as each caller was told,
//     and no longer than the offences and the level say
//   - a unit is admitted only if there is room behind the first sum, and refused only if there is none behind
//     the second one
//
// # What a mark means
//
//	P01  a janitor has found the lease vacant, and another one was quicker: it has none, and has asked
//	     for the life of no owner
//	P02  a janitor was told that the owner is dead, and has taken the lease over
//	P03  an owner that was about to renew its lease was told that it has none
//	P04  an owner has renewed a lease at a moment at which there might not be so many any more
//	P05  a change of live parameters in whose interval another client has changed the word
//	P06  a charge in whose interval another client has charged the cell
//	P07  two marks of one offence: callers were told of penalties with different ends, which is what two who
//	     have marked it come to
//	P08  a unit more was admitted than the bucket has room for, since two have found room for one
//	P09  a client that was about to take a wish was told of none, though the time of the wish is not over
package volume

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/region"
	register "github.com/samecycle/samecycle/internal/catalog/control"
	"github.com/samecycle/samecycle/stress"
)

// subject is the words as package stress drives them.
type subject struct {
	stress.Plain
	// fault does to an operation that a client has made what faulty code would do: of tests. nil: none.
	fault func(c *client, req stress.Words, res *stress.Words)
}

// Subject is the words for a stress campaign, in goroutines and in processes.
func Subject() stress.Subject { return &subject{} }

func (*subject) Name() string { return register.Engine().Name }

func (*subject) States() []string { return register.Engine().StateIDs() }

func (*subject) Deaths() bool { return true }

// Open makes the region of one run.
func (s *subject) Open(o stress.Setup) (stress.World, error) {
	state, ok := register.StateByID(o.State)
	if _, has := recipes[state.Number]; !ok || !has {
		return nil, fmt.Errorf("state %s has no recipe: add one to scenarios/control/volume", o.State)
	}
	layout := region.Layout{part(state.Number)}
	r, err := stress.Memory(o, "words", layout, region.Heap, region.Create)
	if err != nil {
		return nil, err
	}
	return newWorld(s, r)
}

// handout is what a worker process is told of the world.
type handout struct {
	Region string `json:"region"`
}

// Join attaches a worker process to the region's file.
func (s *subject) Join(text []byte, owner uint32) (stress.Client, error) {
	var h handout
	if err := stress.ReadAssignment(text, &h); err != nil {
		return nil, err
	}
	r, err := region.Open(h.Region, nil)
	if err != nil {
		return nil, err
	}
	m, err := newMemory(r)
	if err != nil {
		return nil, err
	}
	return newClient(s, m, owner), nil
}
