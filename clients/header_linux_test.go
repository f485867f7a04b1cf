package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/remote"
	"github.com/samecycle/samecycle/impl/slots"
)

// compiler is that of C.
func compiler(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("NOT RUN: there is no C compiler: install one under the name cc")
	}
	readSources(t)
	return path
}

// readSources reads the files that tests give to other programs. The go command keeps the result of a test,
// and sees only what the test itself has read: without this a pass would stand when these files have changed.
func readSources(t *testing.T) {
	t.Helper()
	for _, pattern := range []string{"c/*.h", "python/*.py", "testdata/*.c", "testdata/*.py"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			if _, err := os.ReadFile(file); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// compiled is a program in C of testdata, made with more flags of the compiler.
func compiled(t *testing.T, source string, more ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "client")
	flags := append([]string{"-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-I", "c", "-o", program,
		filepath.Join("testdata", source)}, more...)
	out, err := exec.Command(compiler(t), flags...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// systems are the flags for each width of addresses, and of the seconds of struct timespec.
var systems = map[string][]string{
	"64 bits":                 nil,
	"32 bits":                 {"-m32"},
	"32 bits with wide times": wideTimes,
}

var wideTimes = []string{"-m32", "-D_FILE_OFFSET_BITS=64", "-D_TIME_BITS=64"}

// needs skips the test if the compiler has no library for the flags.
func needs(t *testing.T, flags []string) {
	t.Helper()
	cmd := exec.Command(compiler(t), append([]string{"-o", "/dev/null", "-x", "c", "-"}, flags...)...)
	cmd.Stdin = strings.NewReader("#include <stdlib.h>\nint main(void) { return 0; }\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("NOT RUN: the C compiler makes no program with %v: install gcc-multilib (%v)\n%s", flags, err,
			out)
	}
}

// TestHeader_Sleep: the system is given the time that was meant, whatever the C library takes for a time, and
// also by a kernel that does not have the newer call.
func TestHeader_Sleep(t *testing.T) {
	for name, flags := range systems {
		t.Run(name, func(t *testing.T) {
			needs(t, flags)
			out, err := exec.Command(compiled(t, "sleep.c", flags...)).CombinedOutput()
			if got := string(out); got != "begin\nend\n" || err != nil {
				t.Errorf("%v\n%s", err, got)
			}
		})
	}
}

// TestHeader_Warnings: the header alone compiles without a warning, also of those that few programs ask for.
func TestHeader_Warnings(t *testing.T) {
	compiler := compiler(t)
	for name, flags := range systems {
		t.Run(name, func(t *testing.T) {
			needs(t, flags)
			for _, standard := range []string{"c11", "gnu11", "c17"} {
				cmd := exec.Command(compiler, append([]string{"-std=" + standard, "-fsyntax-only", "-Wall",
					"-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror", "-I", "c", "-x", "c",
					"-"}, flags...)...)
				cmd.Stdin = strings.NewReader("#define _GNU_SOURCE\n#include \"samecycle_slots.h\"\n")
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%s: %v\n%s", standard, err, out)
				}
			}
		})
	}
}

// TestHeader_LateDefinition: who defines _GNU_SOURCE too late, or not at all, is told to, and by nothing that
// the header would need it for.
func TestHeader_LateDefinition(t *testing.T) {
	for _, begin := range []string{"", "#include <stdio.h>\n#define _GNU_SOURCE\n"} {
		for _, standard := range []string{"c11", "gnu11"} {
			cmd := exec.Command(compiler(t), "-std="+standard, "-fsyntax-only", "-I", "c", "-x", "c", "-")
			cmd.Stdin = strings.NewReader(begin + "#include \"samecycle_slots.h\"\n")
			out, err := cmd.CombinedOutput()
			const want = "define _GNU_SOURCE ahead of all includes"
			if err == nil || !strings.Contains(string(out), want) {
				t.Errorf("%s, %q: %v, want %q in\n%s", standard, begin, err, want, out)
			}
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
