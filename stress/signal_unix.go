//go:build unix

package stress

import "syscall"

// apart keeps a worker out of the terminal's process group: an interrupt ends the run, which then
// ends its workers.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// stop halts the process at whatever instruction it is; resume lets it go on.
func (p *process) stop() error   { return p.cmd.Process.Signal(syscall.SIGSTOP) }
func (p *process) resume() error { return p.cmd.Process.Signal(syscall.SIGCONT) }
