// Package scenarios runs the programs of the operation states on the engine that ships, under the
// explorer, and judges every step.
//
// A scenario puts a small table into a region on the heap: 4 cells in each half and window 3, or 6 cells
// and window 4. The two homes of a key are chosen independently, or near one another in the programs that
// say so, whose gets take the path of a default table. The explorer drives the actors of a model program
// through every interleaving of their accesses, with a kill at each step if asked. Four judges check each
// execution:
//
//   - step validation: each access is the model action of the same name as the engine function
//     that made it, on the same word, of the same kind, and afterwards memory is, bit for bit,
//     the model's; else the run is rejected with the longest accepted prefix
//   - the model's invariants on the state that memory is in, after each step
//   - at the end: the history is linearizable, evictions included, the structural check of the
//     table finds nothing, every key reads as the model's atomic map says, and the values that the
//     clients were handed are those that have left
//   - after a death: a newcomer restores what the dead one left, and crops what is lost
//
// The engine is driven only in a build with the tag explore; in any other build its accesses are
// sync/atomic itself and nothing can be interleaved.
package scenarios
