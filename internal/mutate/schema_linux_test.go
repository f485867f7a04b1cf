package mutate

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// refusingMain reaches a mutant on a thread on which the system opens no file, and says first whether that is
// so. The other threads are started by one that has no filter: the runtime sees to that for who keeps one.
const refusingMain = `package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

const (
	keepRights  = 38 // PR_SET_NO_NEW_PRIVS
	setFilter   = 22 // PR_SET_SECCOMP
	filterMode  = 2  // SECCOMP_MODE_FILTER
	answerError = 0x00050000
	answerAllow = 0x7fff0000
)

func main() {
	runtime.LockOSThread()
	list := []syscall.SockFilter{{Code: syscall.BPF_LD | syscall.BPF_W | syscall.BPF_ABS},
		{Code: syscall.BPF_JMP | syscall.BPF_JEQ | syscall.BPF_K, Jf: 1, K: syscall.SYS_OPENAT},
		{Code: syscall.BPF_RET | syscall.BPF_K, K: answerError | uint32(syscall.EDOM)},
		{Code: syscall.BPF_RET | syscall.BPF_K, K: answerAllow}}
	program := syscall.SockFprog{Len: uint16(len(list)), Filter: &list[0]}
	syscall.RawSyscall(syscall.SYS_PRCTL, keepRights, 1, 0)
	syscall.RawSyscall(syscall.SYS_PRCTL, setFilter, filterMode, uintptr(unsafe.Pointer(&program)))
	_, err := os.ReadFile(os.Args[0])
	fmt.Println(errors.Is(err, syscall.EDOM))
	reachMutant()
}
`

// TestSchema_MarkIsMadeElsewhere: a mutant that is reached on a thread that may open no file has its mark all
// the same. So a test that refuses, or counts, the system calls of its thread has none of the judge's.
func TestSchema_MarkIsMadeElsewhere(t *testing.T) {
	folder := t.TempDir()
	mark, program := filepath.Join(folder, "mark"), filepath.Join(folder, "program")
	files := map[string]string{"main.go": refusingMain, "go.mod": "module reached\n\ngo 1.26\n",
		switchFile: fmt.Sprintf(switchText, "main", EnvMutant, 1, EnvReached)}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir, build.Env = folder, append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.Command(program)
	run.Env = append(os.Environ(), EnvReached+"="+mark)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if strings.TrimSpace(string(out)) != "true" {
		t.Skip("NOT RUN: filters of system calls are missing; run the tests on a system that has them")
	}
	if _, err := os.Stat(mark); err != nil {
		t.Errorf("the mark was not made: %v", err)
	}
}
