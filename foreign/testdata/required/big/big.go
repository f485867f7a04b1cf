// Package big does not build: nobody needs it.
package big

import "example.com/nowhere"

// N is none.
var N = nowhere.N
