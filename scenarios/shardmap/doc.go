// Package shardmap registers the sharded map with the harness: the programs of its states on the code that
// ships, the model that each step is compared with, and the judge of histories.
//
// The model, model/shardmap, has the programs: a few actors with a few operations each, on up to four keys
// and shards. A world builds the map of a program, makes the operations, and compares lock words, flag,
// cursor and contents with the model after each step.
//
// Actors are goroutines of one process. A death would end all of them, so no program has deaths.
package shardmap
