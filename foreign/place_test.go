package foreign

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

// TestReplayPlace: the command that replays a failure of a folder goes to where that is found. In another
// folder the error says where to run it.
func TestReplayPlace(t *testing.T) {
	root, err := findRoot("")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "it's here")
	deep := filepath.Join(folder, "deep")
	const module = "module example.com/deep\n\ngo 1.26\n"
	if err := errors.Join(os.CopyFS(deep, os.DirFS(filepath.Join(tested, "deep"))),
		os.WriteFile(filepath.Join(deep, "go.mod"), []byte(module), 0o600)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	r, err := Explore(t.Context(), "./deep", Options{Root: root, Test: "TestWrong", Preemptions: 8})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Results[0]
	if s.Status != driver.Found {
		t.Fatalf("%s: %s", s.Status, s.Message)
	}
	want := "replay it: cd '" + strings.ReplaceAll(folder, "'", `'\''`) + "' && samecycle replay '" +
		s.Token + "'\n"
	if !strings.Contains(r.Text(), want) {
		t.Errorf("%q is missing in\n%s", want, r.Text())
	}
	if again, err := Replay(t.Context(), s.Token, Options{Root: root}); err != nil ||
		again.Status() != driver.Found {
		t.Errorf("there: %s, %v", again.Status(), err)
	}
	t.Chdir(t.TempDir())
	_, err = Replay(t.Context(), s.Token, Options{Root: root})
	if !errors.Is(err, ErrTarget) || !strings.HasSuffix(err.Error(), "; the token is of ./deep as seen from "+
		"the folder in which explore ran: replay it there") {
		t.Error(err)
	}
}
