package lint

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// reRecipe is the command of the Makefile, of which the last word is what it looks at.
var reRecipe = regexp.MustCompile(`(?m)^STATICCHECK = (printf .* \| )` +
	`STATICCHECK_CACHE='\$\(CURDIR\)/bin/.*\n\tgo tool -modfile=tools/go\.mod staticcheck (.*)$`)

// TestStaticcheck_NamesDeadCode runs what make lint, quick and test run on a module with dead code, and with
// code that only one of the two builds uses.
func TestStaticcheck_NamesDeadCode(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root(t), "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	m := reRecipe.FindSubmatch(makefile)
	if m == nil {
		t.Fatalf("the Makefile has no line of the form %s", reRecipe)
	}
	for _, target := range []string{"quick:", "test:", "lint:"} {
		_, rest, _ := strings.Cut(string(makefile), "\n"+target)
		recipe, _, _ := strings.Cut(rest, "\n\n")
		if !strings.Contains(recipe, "\n\t$(STATICCHECK)\n") {
			t.Errorf("make %s does not run it", strings.TrimSuffix(target, ":"))
		}
	}
	tool := strings.TrimSpace(run(t, root(t), "tool", "-n", "-modfile=tools/go.mod", "staticcheck"))
	for name, c := range map[string]struct{ own, explored, says string }{
		"nothing":   {"func Used() {}", "", ""},
		"dead code": {"func dead() {}", "", "func dead is unused"},
		"a value that is not used": {"func Used(f func() int) int { x := f(); x = f(); return x }",
			"", "SA4006"},
		"what one of two uses":      {"func shared() {}", "func Other() { shared() }", ""},
		"what none of the two uses": {"func shared() {}", "func other() {}", "func other is unused"},
	} {
		dir := t.TempDir()
		for file, text := range map[string]string{
			"go.mod": "module example.org/dead\n\ngo 1.26.0\n",
			"own.go": "package dead\n\n" + c.own + "\n",
			"tag.go": "//go:build explore\n\npackage dead\n\n" + c.explored + "\n"} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		command := string(m[1]) + "'" + tool + "' " + string(m[2])
		cmd := exec.CommandContext(t.Context(), "bash", "-o", "pipefail", "-c", command)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "STATICCHECK_CACHE="+filepath.Join(dir, "cache"))
		out, err := cmd.CombinedOutput()
		if (err != nil) != (c.says != "") || !strings.Contains(string(out), c.says) {
			t.Errorf("%s: %v, %q, want %q", name, err, out, c.says)
		}
	}
}

// TestStaticcheck_IsNoRequirement: whoever embeds the library gets nothing of the tool.
func TestStaticcheck_IsNoRequirement(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, no := range []string{"honnef.co", "golang.org/x/tools", "\ntool "} {
		if strings.Contains(string(text), no) {
			t.Errorf("go.mod has %q: keep the tools in tools/go.mod", no)
		}
	}
}
