//go:build !unix

package stress

import (
	"errors"
	"syscall"
)

var errSignals = errors.New("this system has no signals to stop a process with: use --processes 0")

func apart() *syscall.SysProcAttr { return nil }

func (p *process) stop() error   { return errSignals }
func (p *process) resume() error { return errSignals }
