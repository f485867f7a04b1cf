//go:build unix

package mutate

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a program that is about to be started a group, which what it starts is in as well, and which
// ends with its context.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// endGroup ends what is left of it: tests that a mutant cuts short leave processes behind, which would take
// the processor from those after them.
func endGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Cancel() // mostly there is nobody
	}
}
