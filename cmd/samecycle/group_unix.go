//go:build unix

package main

import "syscall"

// ownGroup puts a process into a group of its own, which an interrupt from the terminal does not reach.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
