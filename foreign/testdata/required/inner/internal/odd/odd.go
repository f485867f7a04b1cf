// Package odd is seen by the module alone.
package odd

import "os"

// Home is asked for once.
var Home = os.Getenv("HOME")

// Next is the next number.
func Next(n int32) int32 { return n + 1 }
