// Package bench measures the engine against its peers, the explorer, and the model against TLC.
//
// It is a module of its own, so that the peers stay out of the dependencies of those who embed the engine.
// Absolute times on a shared machine change by a factor of two within minutes. Therefore every figure is a
// ratio of two subjects that were measured in turn within one process and one run, and is the median of
// many such pairs.
package bench
