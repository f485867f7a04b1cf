//go:build explore

package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/evidence"
)

// TestExport_FromFaultToTest seeds a fault into the engine and goes the whole way: explore finds it,
// replay makes it smaller and writes a test, which fails on that engine and passes on the one that
// ships. The fault: the value of a new base is left out, so whoever helps publishes an element
// without it.
func TestExport_FromFaultToTest(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := repositoryWith(t)
	const file = "impl/hopscotch/help_steps.go"
	const call = "\tc.word1.CompareAndSwap(uint64(empty), uint64(empty"
	const part, instead = call + ".Next(v)))", call + "))"
	source, err := os.ReadFile(filepath.Join(root, file))
	if err != nil || strings.Count(string(source), part) != 1 {
		t.Fatalf("%s has no one place %q; write the fault anew: %v", file, part, err)
	}
	copyRepository(t, root, dir)
	put(t, dir, file, strings.Replace(string(source), part, instead, 1))
	fault := map[string]string{filepath.Join(root, file): filepath.Join(dir, file)}
	bin, written := filepath.Join(dir, "samecycle.exe"), filepath.Join(dir, "written_test.go")
	// Without the path of the copy in what is built, Go finds what it built in copies of earlier tests.
	if out, err := goTool(t, dir, nil, "build", "-buildvcs=false", "-trimpath", "-o", bin,
		"./cmd/samecycle"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}

	checkFindsFault(t, bin, dir)

	out, err := exec.Command(bin, "explore", "S04", "--bound", "0", "--json", "--root", dir).Output()
	var found []exploration
	if errJSON := json.Unmarshal(out, &found); err == nil || errJSON != nil || found[0].Failure == nil {
		t.Fatalf("the fault is not found: %v, %v\n%s", err, errJSON, out)
	}
	page, err := os.ReadFile(found[0].Failure.Page)
	if err != nil || !strings.Contains(string(page), "helpWriteValue") {
		t.Errorf("page %s: %v", found[0].Failure.Page, err)
	}
	out, _ = exec.Command(bin, "replay", found[0].Failure.Token, "--minimise", "--export", written, "--json",
		"--root", dir).Output()
	var smaller replayed
	if err := json.Unmarshal(out, &smaller); err != nil || smaller.Failure == nil ||
		!strings.HasPrefix(smaller.Program, found[0].Program+"-") || smaller.Exported != written {
		t.Fatalf("not made smaller: %v\n%s", err, out)
	}

	refused := filepath.Join(root, "linearizability", "mapmodel", "testdata", "illegal-two-added.ndjson")
	out, _ = exec.Command(bin, "explore", "--history", refused, "--json", "--root", dir).Output()
	var over handedOver
	if err := json.Unmarshal(out, &over); err != nil || !over.Reproduced || len(over.Searches) != 1 {
		t.Errorf("no schedule behind a history: %v\n%s", err, out)
	}

	message, _, _ := strings.Cut(smaller.Failure.Message, "\n")
	place := filepath.Join(root, "explore", "failure", "written_test.go")
	for _, broken := range []bool{true, false} {
		overlay := map[string]string{place: written}
		if broken {
			for from, to := range fault {
				overlay[from] = to
			}
		}
		out, err := goTool(t, root, overlay, "test", "-v", "-run", "TestFailure_", "./explore/failure")
		if (err != nil) != broken || !strings.Contains(out, "TestFailure_S04AddCollisionEmpty") ||
			strings.Contains(out, message) != broken {
			t.Errorf("with the fault %v: %v\n%s", broken, err, out)
		}
	}
}

// copyRepository copies what the command is built of.
func copyRepository(t *testing.T, root, dir string) {
	t.Helper()
	for _, folder := range []string{"cmd", "explore", "foreign", "harness", "impl", "internal",
		"linearizability", "model", "scenarios", "service", "spec", "stress"} {
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join(root, folder))); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		put(t, dir, file, string(text))
	}
}

// checkFindsFault holds that the check of a broken engine is red by what is wrong, shown on a page. Its
// token fails on it, and on the engine that ships says that it is of another one.
func checkFindsFault(t *testing.T, bin, dir string) {
	t.Helper()
	for _, c := range []struct{ link, verdict, says string }{
		{"engine", "FAIL", "S04AddCollisionEmpty: invariant: step rejected by the model"},
		{"histories", "UNKNOWN",
			"S04AddCollisionEmpty: not judged, because the link engine refused this program"},
	} {
		text, err := exec.Command(bin, "check", "--state", "S04", "--link", c.link, "--root", dir).Output()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitRed {
			t.Fatalf("check of %s: %v\n%s", c.link, err, text)
		}
		said := strings.Join(strings.Fields(string(text)), " ")
		reason := c.verdict + " " + c.link + " S04 " + c.says
		if !strings.Contains(said, reason) || strings.Contains(said, "never happened") ||
			strings.Contains(said, "accepted prefix") {
			t.Errorf("%s: want %q, neither its consequences nor the steps before\n%s", c.link,
				reason, text)
		}
		r, err := evidence.Load(dir, "hopscotch", c.link, "S04AddCollisionEmpty")
		if err != nil || r.Replay == "" ||
			!strings.Contains(string(text), "samecycle replay '"+r.Replay+"'") ||
			!strings.Contains(string(text), "page for a browser: "+r.Page) {
			t.Fatalf("%s: token %q, page %q, %v\n%s", c.link, r.Replay, r.Page, err, text)
		}
		page, err := os.ReadFile(filepath.Join(dir, r.Page))
		for _, want := range []string{r.Replay, "HelpWriteValue", "step rejected by the model"} {
			if err != nil || !strings.Contains(string(page), want) {
				t.Errorf("page %s of %s lacks %q: %v", r.Page, c.link, want, err)
			}
		}
		if text, err := exec.Command(bin, "replay", r.Replay, "--root", dir).Output(); err == nil {
			t.Errorf("the token passes on the broken engine\n%s", text)
		}
		const another = "diverged: at decision 16 (step 17): the token ends"
		if code, out, _ := call("replay", r.Replay, "--root", dir); code != exitRed ||
			!strings.Contains(out, another) {
			t.Errorf("on the engine that ships: status %d, want %q\n%s", code, another, out)
		}
	}
}

// goTool runs a go command with the explorer on sources in which some files are replaced.
func goTool(t *testing.T, root string, replace map[string]string, command string,
	args ...string) (string, error) {
	t.Helper()
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", append([]string{command, "-tags", "explore", "-overlay",
		overlay}, args...)...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestReplay_Minimise: what passes cannot be made smaller, and says so.
func TestReplay_Minimise(t *testing.T) {
	root := repositoryWith(t)
	_, out, _ := call("explore", "S01", "--json", "--root", root)
	var found []exploration
	if err := json.Unmarshal([]byte(out), &found); err != nil || len(found[0].Tokens) == 0 {
		t.Fatal(err, out)
	}
	for _, token := range found[0].Tokens {
		if code, _, errOut := call("replay", token, "--minimise", "--root", root); code != exitRed ||
			!strings.Contains(errOut, "does not fail") {
			t.Errorf("--minimise: status %d: %s", code, errOut)
		}
		path := filepath.Join(root, "x_test.go")
		if code, _, errOut := call("replay", token, "--export", path, "--root", root); code != exitRed ||
			!strings.Contains(errOut, "not exported") {
			t.Errorf("--export: status %d: %s", code, errOut)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("a test of nothing was written")
		}
	}
}
