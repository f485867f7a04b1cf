package clients

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/remote"
	"github.com/samecycle/samecycle/impl/slots"
)

// compiled is a program in C of testdata.
func compiled(t *testing.T, source string) string {
	t.Helper()
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("NOT RUN: there is no C compiler: install one under the name cc")
	}
	program := filepath.Join(t.TempDir(), "client")
	out, err := exec.Command(compiler, "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-I", "c", "-o",
		program, filepath.Join("testdata", source)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// TestHeader_Warnings: the header alone compiles without a warning, also of those that few programs ask for.
func TestHeader_Warnings(t *testing.T) {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("NOT RUN: there is no C compiler: install one under the name cc")
	}
	for _, standard := range []string{"c11", "gnu11", "c17"} {
		cmd := exec.Command(compiler, "-std="+standard, "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic",
			"-Wconversion", "-Wshadow", "-Werror", "-I", "c", "-x", "c", "-")
		cmd.Stdin = strings.NewReader("#define _GNU_SOURCE\n#include \"samecycle_slots.h\"\n")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", standard, err, out)
		}
	}
}

// TestHeader_Limits: no length is cut, whatever it is; SCS_SYSTEM keeps errno; and a client maps memory when
// it is opened, and never again. The areas are those that a slot file has by default, and larger ones.
func TestHeader_Limits(t *testing.T) {
	program := compiled(t, "limits.c")
	for _, bytes := range []int{0, 1 << 15} {
		path := filepath.Join(t.TempDir(), "a.slots")
		own, err := cache.Open("", cache.Options{Bytes: 16 << 20, NoJanitor: true}) // takes each value
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = own.Close() })
		s := serving(t, own, remote.Options{File: slots.Options{Slots: 2, RequestBytes: bytes,
			ResponseBytes: bytes}}, path)
		out, err := exec.Command(program, path).CombinedOutput()
		if got := string(out); got != "begin\nend\n" || err != nil {
			t.Errorf("areas of %d bytes: %v\n%s", bytes, err, got)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if n := s.Counts(); n.Damaged+n.Malformed+n.Oversized != 0 {
			t.Errorf("counts: %+v", n)
		}
	}
}
