// Package volume runs the baskets that ship, on a table that ships, in one region, at full speed: in
// goroutines and in processes that are stopped and killed, as package stress drives them.
//
// # A run
//
// A world is a store of some baskets of a few records, with a few keys whose hashes have few values. Each
// client has a writer; it gets, sets, removes, marks, tends, changes parameters of ageing, and now and then
// closes its writer and makes another one. Nothing expires. The index of every second client (watch.go)
// passes on each call to the table, and lingers now and then ahead of a Still or a change, until somebody
// else has been there. The other clients have the table itself.
//
// # The judges
//
// Each value is set once. When all clients rest, the parent settles what the dead have left. Then:
//
//   - the check of the store finds nothing
//   - each value that was set is there, or was told once; else a death of the round must be able to have
//     hidden that, and a death hides no more than one call can have taken out
//   - the history of each key is that of a map with told removals: a set has taken out just the value that it
//     has told, and each record that was evicted or handed over went, with that value, within the call that
//     has told it; a mark went to the value that it has found, and stays with it, and a value that is set has
//     none
//   - the parameters of ageing are a word of two halves: each call that makes room went by both as they were
//     at an instant of it, and no change of a half is lost
//   - no value is torn, and no basket has another life while a ticket of a record in it holds
//   - in the end each key can be removed, and is told with its value
//
// A record that is told with ReasonDead went at some instant since the first operation of the round whose
// client died. What a death may have hidden is an operation that nobody saw return, from that instant on.
//
// # What a mark means
//
//	C01  between the lookup of a get and its Still the basket of the record was freed and opened again, as
//	     seen in its head (a watch)
//	C02  a set that succeeded, beside a call of another client that has told the eviction of the key
//	C03  a set failed at first, and found the same value, under a hash of its own, at another ref (a watch)
//	C04  a remove beside a call of another client that has told the eviction of the key
//	C05  the same as C03, where the record was in a lower tier at first, and at the top then (a watch)
//	C06  a call that ages a basket beside another client's operation: ahead of both, their clients saw the
//	     same basket as the oldest that can age, and the other operation has claimed that one
//	C07  two sets of different keys of one hash overlap and succeed, one of them not at its first try
//	C08  the same of a remove that has taken something out, and a set
//	C09  an eviction whose swap left other records in the chain (a watch), beside another client's operation
//	     on another key of the hash that has found or set it
//	C10  a client died in a set; its open basket, looked at behind its death, had bytes of the value, which
//	     was never found, told, or there at rest
//	C11  a client died with a basket that retires; at rest the basket has another life
//	C12  two operations overlap whose clients saw the same basket as the only free one ahead of their calls;
//	     one has opened it, the other one has opened another one
//	C13  a call has told a record with ReasonIndexFull, beside another client's operation on its key
//	C19  a mark has found a value, and was overtaken, beside another client's set of the key that succeeded
//	C20  a call that makes room has loaded the parameters of ageing, another client has changed them since,
//	     and then the call has retired a basket by them (a watch)
package volume

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/region"
	register "github.com/samecycle/samecycle/internal/catalog/basket"
	"github.com/samecycle/samecycle/stress"
)

// subject is the baskets as package stress drives them.
type subject struct {
	stress.Plain
	// lie changes what a client says of an operation: a fault of tests; nil: none.
	lie func(req stress.Words, res *stress.Words, notes *[]stress.Words)
}

// Subject is the baskets for a stress campaign, in goroutines and in processes.
func Subject() stress.Subject { return &subject{} }

func (*subject) Name() string { return register.Engine().Name }

func (*subject) States() (all []string) {
	for _, s := range register.States() {
		if _, ok := recipes[s.Number]; ok {
			all = append(all, s.ID)
		}
	}
	return all
}

func (*subject) Deaths() bool { return true }

// Open makes the region of one run.
func (s *subject) Open(o stress.Setup) (stress.World, error) {
	state, ok := register.StateByID(o.State)
	recipe, has := recipes[state.Number]
	if !ok || !has {
		return nil, fmt.Errorf("state %s has no recipe: add one to scenarios/basket/volume", o.State)
	}
	layout := recipe.layout(o.Clients, o.Deaths)
	r, err := stress.Memory(o, "baskets", layout, region.Heap, region.Create)
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
	return newClient(s, h.State, r, owner, true)
}
