package ratio

import _ "embed"

// floors is the part of the page that says what the policies do not reach, and why. It is written by hand.
//
//go:embed floors.md
var floors string
