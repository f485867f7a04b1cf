package clients

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/samecycle/samecycle/impl/remote"
	"github.com/samecycle/samecycle/impl/slots"
)

// TestPython_Endings: a client gives up its file, its lock and its memory however it ends, and hides no
// exception; arguments that make no sense are named, and nothing is sent; a closed client says that it is
// closed; and each slot comes back.
func TestPython_Endings(t *testing.T) {
	command, dir := languages["python"](t), t.TempDir()
	served, idle := filepath.Join(dir, "served.slots"), filepath.Join(dir, "idle.slots")
	own := newCache(t)
	serving(t, own, remote.Options{}, served)
	s, err := remote.Create(idle, remote.Options{File: slots.Options{Slots: 8}})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(command[0], "-B", filepath.Join("testdata", "endings.py"), served, idle)
	cmd.Env = append(os.Environ(), "PYTHONPATH=python")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended, said := make(chan error, 1), ""
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if lines.Text() != "serve" {
			said += lines.Text() + "\n"
			continue
		}
		go func() { ended <- s.Serve(context.Background(), own) }()
		defer func() {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}()
		if _, err := io.WriteString(in, "\n"); err != nil {
			t.Error(err)
		}
	}
	if err := cmd.Wait(); err != nil || said != "end\n" {
		t.Errorf("%v\n%s", err, said)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestPython_Unclosed: the end of a process with a client is silent, and lets the next one open the file.
func TestPython_Unclosed(t *testing.T) {
	command, path := languages["python"](t), filepath.Join(t.TempDir(), "a.slots")
	serving(t, newCache(t), remote.Options{}, path)
	for range 2 {
		cmd := exec.Command(command[0], "-B", "-c", "import sys, samecycle_slots as slots\n"+
			"c = slots.Client(sys.argv[1])\nc.set(b'a', b'b')", path)
		cmd.Env = append(os.Environ(), "PYTHONPATH=python")
		if out, err := cmd.CombinedOutput(); len(out) > 0 || err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

// TestPython_Interrupts: an exception at whatever instruction of a call, as that of a signal handler, keeps
// no other thread and no later call from its answer, and each slot comes back.
func TestPython_Interrupts(t *testing.T) {
	command, path := languages["python"](t), filepath.Join(t.TempDir(), "a.slots")
	serving(t, newCache(t), remote.Options{}, path)
	cmd := exec.Command(command[0], "-B", filepath.Join("testdata", "interrupts.py"), path)
	cmd.Env = append(os.Environ(), "PYTHONPATH=python")
	out, err := cmd.CombinedOutput()
	if string(out) == "no instructions\nend\n" {
		t.Skip("NOT RUN: this Python does not trace instructions: use one of another version")
	}
	if string(out) != "end\n" || err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPython_DamagedAnswer: an answer that ends ahead of a value is no shorter value.
func TestPython_DamagedAnswer(t *testing.T) {
	command, path := languages["python"](t), filepath.Join(t.TempDir(), "a.slots")
	serving(t, newCache(t), remote.Options{}, path)
	cmd := exec.Command(command[0], "-B", "-c", `
import struct, sys, samecycle_slots as slots

class Damaged(slots.Client):
    answer = b""

    def _exchange(self, request):
        return self.answer

def result(length, rest):
    return struct.pack("=II", 0, length) + rest

with Damaged(sys.argv[1]) as c:
    for answer, want in ((result(5, b"short"), b"short"), (result(5, b"shor"), None), (result(0, b""), b""),
                         (result(2**32 - 1, b"short123"), None), (result(1, b""), None), (b"1234567", None)):
        c.answer = answer
        try:
            got = c.get(b"k")
        except slots.Corrupt:
            got = None
        if got != want:
            print(answer, got, want)
`, path)
	cmd.Env = append(os.Environ(), "PYTHONPATH=python")
	if out, err := cmd.CombinedOutput(); len(out) > 0 || err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPython_Syntax: the module has no word that Python 3.8 does not know.
func TestPython_Syntax(t *testing.T) {
	command := languages["python"](t)
	out, err := exec.Command(command[0], "-B", "-c", `
import ast
ast.parse(open("python/samecycle_slots.py").read(), feature_version=(3, 8))
`).CombinedOutput()
	if len(out) > 0 || err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
