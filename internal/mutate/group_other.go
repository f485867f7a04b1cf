//go:build !unix

package mutate

import "os/exec"

// ownGroup leaves a program in the group that it is in: there are no others here.
func ownGroup(*exec.Cmd) {}

// endGroup has no group to end.
func endGroup(*exec.Cmd) {}
