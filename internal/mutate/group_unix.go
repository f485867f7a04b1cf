//go:build unix

package mutate

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a program that is about to be started a process group of its own. The processes that it
// starts belong to the group, and the group ends with the context of the program.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// endGroup ends the rest of the group. Tests that a mutant cuts short leave processes behind, which would
// take the processor from later tests.
func endGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Cancel() // in most cases there is no process left
	}
}
