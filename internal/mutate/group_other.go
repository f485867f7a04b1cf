//go:build !unix

package mutate

import "os/exec"

// ownGroup does nothing, because there are no process groups here.
func ownGroup(*exec.Cmd) {}

// endGroup does nothing, because there is no group to end.
func endGroup(*exec.Cmd) {}
