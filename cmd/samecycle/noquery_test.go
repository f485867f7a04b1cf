package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestNoQuery_First: what keeps a library from asking the terminal is initialised ahead of it, and the
// environment is the one that the program was given. The trace of the runtime lists packages in their order.
func TestNoQuery_First(t *testing.T) {
	for _, term := range []string{"TERM=xterm", "TERM=dumb", ""} {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestNoQuery_Child$")
		for _, x := range os.Environ() {
			if !strings.HasPrefix(x, "TERM=") {
				cmd.Env = append(cmd.Env, x)
			}
		}
		cmd.Env = append(cmd.Env, "GODEBUG=inittrace=1", noQueryChild+"=x"+term)
		if term != "" {
			cmd.Env = append(cmd.Env, term)
		}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", term, err, out)
		}
		text := string(out)
		first := strings.Index(text, "init github.com/samecycle/samecycle/internal/noquery ")
		libraries := []string{"muesli/termenv", "charmbracelet/lipgloss", "charmbracelet/bubbletea"}
		for _, later := range libraries {
			if at := strings.Index(text, "init github.com/"+later+" "); first < 0 || at < first {
				t.Errorf("%s is initialised at %d, and noquery at %d of\n%s", later, at, first, text)
			}
		}
	}
}

const noQueryChild = "SAMECYCLE_TEST_TERM"

// TestNoQuery_Child is the other process of TestNoQuery_First.
func TestNoQuery_Child(t *testing.T) {
	want, child := os.LookupEnv(noQueryChild)
	if !child {
		return
	}
	term, given := os.LookupEnv("TERM")
	if given {
		term = "TERM=" + term
	}
	if want != "x"+term {
		t.Errorf("%q, want %q", term, want)
	}
}
