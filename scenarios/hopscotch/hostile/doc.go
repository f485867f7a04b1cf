// Package hostile has the programs in which the region of a table is damaged: one more actor, the writer,
// overwrites one word of it, once. The code that explores such programs is explore/hostile.
//
// The fuzz targets flip bits before a run and during it. Here the damage is done at each point of the
// interleaving, to each word that the program accesses, with each of a list of values. Some values fit any
// word. Others look like a word of its kind: references to each descriptor and to one that does not exist,
// of this generation and of its neighbours; members at a wrong distance; maps and holes beyond the window;
// words of another cell; owners that live, have died or never existed; states of an entry of the process
// table.
//
// # The judge
//
// Besides what the general judge asks for:
//
//   - an add says at once that it met a member at a distance that no window has
//   - a reclaim tells of each descriptor that it found damaged, and takes those back that are sound
//   - a bucket to which no call of the program comes can be read, updated and deleted from
//
// # What is complete
//
// [Checks] are what the link of the engine runs. A program of one actor is searched whole by a reduced
// search: the write is placed before and after each access to its word, and where it is in between makes no
// difference. Programs of two actors are searched with one preemption. So the write comes at each point of
// one call after the other, or of the first call with the second one within it. The tests with -large
// search them with two preemptions. The words that are overwritten are those that the actors access without
// a writer, with two preemptions at most.
package hostile
