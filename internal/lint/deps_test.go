package lint

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// embedded are the packages that a program takes in when it embeds the engine.
var embedded = []string{"./impl/...", "./service"}

// ofHash are the modules that a hash library needs itself.
var ofHash = map[string]string{"github.com/zeebo/xxh3": "github.com/klauspost/cpuid/v2"}

// foreign are the modules of a list, one a line, that those who embed the engine should not get: all
// but ours, golang.org/x/sys and one hash library with what that needs.
func foreign(list string) []string {
	var found []string
	hash := ""
	needed := func(module string) bool {
		for library, needs := range ofHash {
			if needs == module {
				return strings.Contains(list, library)
			}
		}
		return false
	}
	for module := range strings.FieldsSeq(list) {
		switch {
		case module == Module || module == "golang.org/x/sys" || slices.Contains(found, module):
		case needed(module):
		case slices.Contains(hashLibraries, module) && (hash == "" || hash == module):
			hash = module
		default:
			found = append(found, module)
		}
	}
	return found
}

// run runs a go command in a folder, without a network.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	var errors strings.Builder
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, errors.String())
	}
	return string(out)
}

func TestDependencies_OfTheEngineAreFew(t *testing.T) {
	args := append([]string{"list", "-mod=readonly", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}"},
		embedded...)
	list := run(t, root(t), args...)
	if !strings.Contains(list, Module) {
		t.Fatalf("the list does not even have the engine: %q", list)
	}
	if found := foreign(list); found != nil {
		t.Errorf("who embeds the engine gets %v, too", found)
	}
}

func TestDependencies_MoreAreFoundOut(t *testing.T) {
	list := strings.Join([]string{Module, "golang.org/x/sys", hashLibraries[0], hashLibraries[0],
		"github.com/spf13/cobra", hashLibraries[1], "github.com/spf13/cobra", ofHash[hashLibraries[0]]}, "\n")
	want := []string{"github.com/spf13/cobra", hashLibraries[1]}
	if found := foreign(list); !slices.Equal(found, want) {
		t.Errorf("%v, want %v", found, want)
	}
	// What one hash library needs is no reason to have it with another one.
	list = strings.Join([]string{hashLibraries[1], ofHash[hashLibraries[0]]}, "\n")
	if found := foreign(list); !slices.Equal(found, []string{ofHash[hashLibraries[0]]}) {
		t.Errorf("%v, want %v", found, ofHash[hashLibraries[0]])
	}
}

var reProgramBlock = regexp.MustCompile("(?s)```go\n(package main\n.*?)```")

// Each program in the README is built in an empty module and run, twice in the same folder: it starts a
// second process of itself, and finds again what the first run has left.
func TestReadme_ProgramsRun(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root(t), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	programs := reProgramBlock.FindAllSubmatch(readme, -1)
	want := []struct{ name, first, again string }{
		{"cache", "at the start: false \"\"\nafter the second process: true \"set by another process\"\n",
			"at the start: true \"set by another process\"\n" +
				"after the second process: true \"set by another process\"\n"},
		{"map", "made the region: false found: 70\nmade the region: true found: 71\n",
			"made the region: false found: 71\n"},
	}
	if len(programs) != len(want) {
		t.Fatalf("README.md has %d programs, want %d", len(programs), len(want))
	}
	for i, w := range want {
		t.Run(w.name, func(t *testing.T) { readmeProgram(t, string(programs[i][1]), w.first, w.again) })
	}
}

func readmeProgram(t *testing.T, program, first, again string) {
	top := root(t)
	_, body, _ := strings.Cut(program, "\n)\n")
	if n := strings.Count(strings.ReplaceAll(body, "\n\n", "\n"), "\n"); n > 22 {
		t.Errorf("the program has %d lines besides its imports, some twenty are to be enough", n)
	}
	dir := t.TempDir()
	sums, err := os.ReadFile(filepath.Join(top, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"main.go": program, "go.sum": string(sums),
		"go.mod": "module example\n\ngo 1.26.0\n\nrequire " + Module + " v0.0.0\n\nreplace " + Module +
			" => " + top + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{first, again} {
		if got := run(t, dir, "run", "."); got != want {
			t.Errorf("it prints %q, want %q", got, want)
		}
	}
}
