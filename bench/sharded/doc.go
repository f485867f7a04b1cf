// Package sharded measures the sharded map and its lock against those that a Go program would take in
// their place.
//
// The lock is measured beside sync.RWMutex and beside locks of the same word that wait in other ways. The
// map is measured beside sync.Map, xsync and orcaman/concurrent-map, with and without a goroutine that
// cleans it up. The second phase of a cleanup is measured with each way to spare a fresh value. All figures
// of a table were measured in turn within one run, and a ratio is the median of the rounds' ratios: see
// package bench.
package sharded
