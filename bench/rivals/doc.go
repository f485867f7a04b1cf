// Package rivals compares the explorer with other controlled schedulers on the same programs:
// loom and Shuttle (Rust) and Lincheck (Java).
//
// A program is data: [Programs] assembles it, programs.json holds it, and each tool runs it
// through an interpreter of some sixty lines whose only shared accesses are those of the program. So
// no tool gets an easier version. An outcome of an execution is what its threads put out and the
// cells that they leave; [Truth] enumerates all orders of the accesses by brute force, without any
// of the tools, and every tool's set of outcomes is compared with that.
package rivals
