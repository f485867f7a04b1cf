//go:build !unix

package tlc

import "os/exec"

// ownGroup does nothing where there are no process groups: the process alone is killed.
func ownGroup(*exec.Cmd) {}
