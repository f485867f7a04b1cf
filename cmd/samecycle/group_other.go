//go:build !unix

package main

import "syscall"

// ownGroup leaves a process in the group that it is in: the terminal interrupts it together with this one.
func ownGroup() *syscall.SysProcAttr { return nil }
