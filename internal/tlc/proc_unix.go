//go:build unix

package tlc

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the process into a group of its own: an interrupt typed at the terminal then
// reaches this program alone, which ends the whole group in its own time.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
