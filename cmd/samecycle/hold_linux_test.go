package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/tlc"
)

// held is what a child of the test is to hold.
const held = "SAMECYCLE_TEST_HELD"

// TestHold_Child is the process that holds a file until it is killed.
func TestHold_Child(t *testing.T) {
	path := os.Getenv(held)
	if path == "" {
		return // it is no child
	}
	if _, err := hold("--out", path); err != nil {
		t.Fatal(err)
	}
	fmt.Println("held")
	select {}
}

// holding starts a process that holds the path, and returns when it does.
func holding(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestHold_Child$")
	cmd.Env = append(os.Environ(), held+"="+path)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	return cmd
}

// TestHold: a second process is refused, and told who has the file; what a killed one has left behind is in
// nobody's way; and at the end nothing is left.
func TestHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "mutants.json")
	lock := filepath.Join(filepath.Dir(path), ".lock-mutants.json")
	child := holding(t, path)
	says := fmt.Sprintf("--out: %s is being written by process %d: ", path, child.Process.Pid)
	if _, err := hold("--out", path); err == nil || !strings.HasPrefix(err.Error(), says) ||
		!strings.HasSuffix(err.Error(), "; wait for its end, or name another file") {
		t.Errorf("while another process has it: %v", err)
	}
	_ = child.Process.Kill()
	_ = child.Wait()
	if _, err := os.Stat(lock); err != nil {
		t.Errorf("the killed process has tidied up: %v", err)
	}
	for range 2 { // with the lock of the killed one, and with none
		release, err := hold("--out", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := hold("--out", path); err == nil ||
			!strings.Contains(err.Error(), fmt.Sprintf("by process %d: ", os.Getpid())) {
			t.Errorf("while this process has it: %v", err)
		}
		release()
		if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
			t.Errorf("left are %v, %v", left, err)
		}
	}
}

// TestHold_Removed: a lock is none on a file that whoever had it has removed meanwhile, be there another one
// in its place or not.
func TestHold_Removed(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if !named(f, name) {
		t.Error("the file that is there is not the one that has the name")
	}
	if err := os.Rename(name, name+"-other"); err != nil || named(f, name) {
		t.Errorf("a file that is gone has the name: %v", err)
	}
	if err := os.WriteFile(name, nil, 0o600); err != nil || named(f, name) {
		t.Errorf("another file is taken for it: %v", err)
	}
}

// TestHold_Refuses: two runs of each command that goes on from what is in a file do not write it at once.
func TestHold_Refuses(t *testing.T) {
	root, out := repositoryWith(t), filepath.Join(t.TempDir(), "out.json")
	for path, lines := range map[string][]string{
		out: {"mutants --filter undo --out " + out, "stress --duration 10m --out " + out},
		filepath.Join(root, "bin", "mutants.json"): {"mutants --filter undo"},
		filepath.Join(root, "bin", "_mutants"):     {"mutants --filter undo --keep --out " + out},
	} {
		child := holding(t, path)
		for _, line := range lines {
			code, text, errOut := call(append(strings.Fields(line), "--root", root)...)
			says := fmt.Sprintf("%s is being written by process %d: ", path, child.Process.Pid)
			if code != exitRed || text != "" || !strings.Contains(errOut, says) {
				t.Errorf("%s: status %d, want %q:\n%s%s", line, code, says, text, errOut)
			}
		}
		_ = child.Process.Kill()
		_ = child.Wait()
	}
}

// TestHold_Spec: runs whose counts cannot be written, or are being written by others, are not begun; and who
// is refused holds nothing.
func TestHold_Spec(t *testing.T) {
	root := repositoryWith(t)
	both := specFlags{large: true, update: true}
	files := []string{filepath.Join(root, largeDir, "large.json")}
	for _, dir := range allSpecFolders(root) {
		files = append(files, filepath.Join(dir, tlc.ManifestName))
	}
	refused := func(says string) {
		t.Helper()
		if _, err := both.hold(root); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
		for _, file := range files {
			lock := filepath.Join(filepath.Dir(file), ".lock-"+filepath.Base(file))
			if f, err := os.Open(lock); err == nil {
				if !locked(f) && !strings.Contains(says, file) {
					t.Errorf("%s is still held", file)
				}
				f.Close()
			}
		}
	}
	for i, file := range files {
		child := holding(t, file)
		refused([...]string{"--large", "--update"}[min(i, 1)] + ": " + file + " is being written by process ")
		_ = child.Process.Kill()
		_ = child.Wait()
	}
	last := files[len(files)-1]
	if err := os.Mkdir(last, 0o700); err != nil {
		t.Fatal(err)
	}
	refused("--update: " + last + " cannot be written: it is a folder")
	schedules := filepath.Join(root, specDir, tlc.SchedulesName)
	child := holding(t, schedules)
	if _, err := (specFlags{schedules: true}).hold(root); err == nil ||
		!strings.Contains(err.Error(), "--schedules: "+schedules+" is being written by process ") {
		t.Errorf("%v, want that %s is being written", err, schedules)
	}
	_ = child.Process.Kill()
	_ = child.Wait()
	for _, f := range []specFlags{{}, {large: true}} { // which write no manifest
		if release, err := f.hold(root); err != nil {
			t.Errorf("%+v: %v", f, err)
		} else {
			release()
		}
	}
}
