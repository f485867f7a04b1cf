// Package shardmap registers the sharded map with the harness: the programs of its states on the code that
// ships, the model that each step is held against, and the judge of histories.
//
// The model, model/shardmap, has the programs: a few actors with a few operations each, on up to four keys
// and shards. A world builds the map of a program, makes the operations, and compares lock words, flag,
// cursor and contents with the model after each step.
//
// Actors are goroutines of one process: a death would end them all, so no program has any.
package shardmap
