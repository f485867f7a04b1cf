//go:build !explore

package main

// Without the tag the engine runs on plain atomics: nothing can be explored.
func init() { links = append(links, absentLink{"engine"}, absentLink{"histories"}) }
