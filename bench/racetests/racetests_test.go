package racetests

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/foreign/driver"
)

// tests are a folder with a test of each kind.
func tests(t *testing.T) string {
	folder := t.TempDir()
	for name, text := range map[string]string{"a_test.go": `package race_test

import (
	"runtime"
	"testing"
)

func TestRaceInt(t *testing.T) {
	x := new(int)
	c := make(chan bool)
	go func() { *x = 1; c <- true }()
	*x = 2
	<-c
}

func TestNoRaceInt(t *testing.T) {
	x := new(int)
	c := make(chan bool)
	go func() { *x = 1; c <- true }()
	<-c
	*x = 2
}

// TestRaceNone has another name than it should.
func TestRaceNone(t *testing.T) { runtime.Gosched() }

func TestNoRaceDisable(t *testing.T) {
	runtime.RaceDisable() // of -race only
}
`, "internal_test.go": "package race_test\n\nimport _ \"internal/synctest\"\n",
		"main_test.go": "package race_test\n\nimport _ \"os/exec\"\n",
		"c_test.go":    "package race_test\n\nimport \"C\"\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestRun: a race is found, what has none is clean, and what came out otherwise than its name says is on the
// page, as is what was left out.
func TestRun(t *testing.T) {
	o := Options{Root: "../..", Folder: tests(t), Time: 30 * time.Second, Seed: 1, Commit: "c", Say: t.Logf}
	f, err := Run(t.Context(), o)
	if err != nil || len(f.All) != 3 {
		t.Fatalf("%+v, %v", f, err)
	}
	slices.SortFunc(f.All, func(a, b Test) int { return strings.Compare(a.Name, b.Name) })
	right, race, wrong := f.All[0], f.All[1], f.All[2]
	if right.Name != "TestNoRaceInt" || right.Status != driver.Clean || !right.Right() || right.Wrong() {
		t.Errorf("%+v", right)
	}
	if race.Name != "TestRaceInt" || race.Status != driver.Found || !race.Right() || race.Wrong() ||
		!strings.Contains(race.Message, "nothing orders the two") {
		t.Errorf("%+v", race)
	}
	if wrong.Name != "TestRaceNone" || wrong.Right() || !wrong.Wrong() {
		t.Errorf("%+v", wrong)
	}
	folder := t.TempDir()
	if err := Write(folder, o, f); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "racetests.md"))
	for _, want := range []string{"| TestRace…, with a race | 2 | 1 | 0 | 1 | 0 | 0 | 0 |",
		"| TestNoRace…, without a race | 1 | 0 | 0 | 1 | 0 | 0 | 0 |", "| TestRaceNone | clean |",
		"\n- TestNoRaceDisable: runtime.RaceDisable is",
		"\n- internal_test.go: it imports internal/synctest\n",
		"\n- main_test.go: it runs", "\n- c_test.go: it uses C\n"} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%v: %q is missing in\n%s", err, want, text)
		}
	}
}

// TestRun_NoTests: a folder without tests is an error that says where they are.
func TestRun_NoTests(t *testing.T) {
	if _, err := Run(t.Context(), Options{Folder: t.TempDir()}); !errors.Is(err, ErrTests) {
		t.Error(err)
	}
}
