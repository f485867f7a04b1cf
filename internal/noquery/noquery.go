// Package noquery keeps the library of the live view from asking the terminal for its colours.
//
// That library asks when it is initialised, so for each command, and waits 5 seconds for a terminal that
// does not answer. It has no switch for that, but does not ask a terminal of the kind screen, which may be
// several. So this package says that the terminal is one, and Done takes it back.
//
// It has to be initialised first. Of packages that are ready Go initialises the one whose path comes first in
// the alphabet, and this one is ready as soon as os is. The library needs packages that are ready later, such
// as text/template: so this package must import nothing but os.
package noquery

import "os"

const variable = "TERM"

var before, given = os.LookupEnv(variable)

func init() {
	if before != "dumb" { // which it does not ask either
		_ = os.Setenv(variable, "screen") // without it the library asks
	}
}

// Done gives the environment back that the program was started with.
func Done() {
	if given {
		_ = os.Setenv(variable, before)
	} else {
		_ = os.Unsetenv(variable)
	}
}
