// Package bench measures the engine against its peers, the explorer, and the model against TLC.
//
// It is a module of its own, so that the peers stay out of the dependencies of those who embed
// the engine. Absolute times of a shared machine move by a factor of two between minutes;
// therefore every figure is a ratio of two subjects that were measured in turn within one
// process and one run, and the median of many such pairs.
package bench
