// Package odd is seen by the module alone.
package odd

// Next is the next number.
func Next(n int32) int32 { return n + 1 }
