// Package states says, in one row for each operation state of the hopscotch table, what is run for it: the
// programs that are explored on the engine, how far each is searched, and what makes the race likely in the
// native stress.
//
// What the actors of a program do is in model/hopscotch, as the specification has it.
package states

import "github.com/samecycle/samecycle/linearizability/mapmodel"

// Row is what is run for a state.
type Row struct {
	State    string
	Programs []Program
	Volume   Recipe
}

// Program is a program of the model, with its budget in a check: everything where that takes seconds, else
// the largest bound of preemptions that does. What a bound leaves out, the record says. The programs of three
// actors have one preemption. A death at each step makes some fifty times as many executions of them, so the
// large ones go without.
type Program struct {
	Name        string
	Preemptions int // the bound, or All
	Kills       int // actors that may die
}

// All is no bound of preemptions.
const All = -1

// Recipe is what makes the race of a state likely. The tables are as small as they can be for a race: a few
// cells a half cut the hash down to a few bits, so that all keys meet in a few homes.
type Recipe struct {
	Cells, Window uint32
	Keys          int
	Homes         uint32 // that the keys have in each half: forced collisions
	Room          bool   // adds make room, and evict; else they are Full
	Need          Mix    // operations that the race needs
}

// Mix is the weight of each kind of operation.
type Mix [mapmodel.Discard + 1]uint32

// Adds is a mix with adds of that weight. The methods give the weights of the others.
func Adds(w uint32) (m Mix) { m[mapmodel.Add] = w; return m }

// Gets returns the mix with gets of that weight.
func (m Mix) Gets(w uint32) Mix { m[mapmodel.Get] = w; return m }

// Updates returns the mix with updates of that weight.
func (m Mix) Updates(w uint32) Mix { m[mapmodel.Update] = w; return m }

// Deletes returns the mix with deletes of that weight.
func (m Mix) Deletes(w uint32) Mix { m[mapmodel.Delete] = w; return m }

// Crops returns the mix with crops of that weight.
func (m Mix) Crops(w uint32) Mix { m[mapmodel.Crop] = w; return m }

// Stills returns the mix with lookups for a ticket, and questions whether it holds, of that weight each.
func (m Mix) Stills(w uint32) Mix { m[mapmodel.Lookup], m[mapmodel.Still] = w, w; return m }

// Swaps returns the mix with lookups for a ticket, and swaps by it, of that weight each.
func (m Mix) Swaps(w uint32) Mix { m[mapmodel.Lookup], m[mapmodel.Swap] = w, w; return m }

// Discards returns the mix with lookups for a ticket, and conditional deletes by it, of that weight each.
func (m Mix) Discards(w uint32) Mix { m[mapmodel.Lookup], m[mapmodel.Discard] = w, w; return m }

// Rows returns all of them, in the order of the states. The caller must not change what it is given.
func Rows() []Row { return rows }

// Of returns the row of a state.
func Of(state string) (Row, bool) {
	for _, r := range rows {
		if r.State == state {
			return r, true
		}
	}
	return Row{}, false
}
