package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/scenarios/engines"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// reWord is a word of a command line, perhaps in quotes.
var reWord = regexp.MustCompile(`'[^']*'|\S+`)

// tried is why a command line of the program is none: its command, a flag, or the number of its arguments.
func tried(line string) error {
	root := newRoot(&app{out: &bytes.Buffer{}, err: &bytes.Buffer{}})
	var args []string
	for _, word := range reWord.FindAllString(line, -1)[1:] {
		args = append(args, strings.Trim(word, "'"))
	}
	cmd, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	for _, state := range valuesOf(cmd.Flags().Lookup("state")) {
		if _, _, err := engineState(state); err != nil {
			return err
		}
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

// examplesOf are the command lines that the help of a command and of those below it shows.
func examplesOf(cmd *cobra.Command) (all []string) {
	for line := range strings.Lines(cmd.Example) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "  ") // what it does
		for part := range strings.SplitSeq(line, " | ") {
			part, _, _ = strings.Cut(part, " > ")
			part, _, _ = strings.Cut(part, " < ")
			if strings.HasPrefix(part, "samecycle ") {
				all = append(all, part)
			}
		}
	}
	for _, below := range cmd.Commands() {
		all = append(all, examplesOf(below)...)
	}
	return all
}

// TestHelp_Examples: each command line that a help shows is one.
func TestHelp_Examples(t *testing.T) {
	all := examplesOf(newRoot(&app{out: &bytes.Buffer{}, err: &bytes.Buffer{}}))
	if len(all) < 40 {
		t.Errorf("there are %d examples", len(all))
	}
	for _, line := range all {
		if err := tried(line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, wrong := range []string{"samecycle chekc", "samecycle states --htlm x", "samecycle verify",
		"samecycle check --state S99"} {
		if tried(wrong) == nil {
			t.Errorf("%s is taken for a command line", wrong)
		}
	}
}

// reShown is a command line that a page shows in a block, with the path of the program.
var reShown = regexp.MustCompile(`(?m)^ {4}((?:(?:CLONE/)?bin/)?)(samecycle .*)$`)

// wrongLines are the command lines of a page that are none, or whose program no shell would find: it lies in
// bin of the clone, and the page must say so ahead of the first line that names it alone.
func wrongLines(page string) (wrong []string) {
	for _, at := range reShown.FindAllStringSubmatchIndex(page, -1) {
		line := page[at[4]:at[5]]
		shown, _, _ := strings.Cut(line, "  ") // what it does
		shown, _, _ = strings.Cut(shown, " > ")
		shown = strings.ReplaceAll(shown, "S28", "S27") // S28 is what docs/add-a-state.md adds
		if err := tried(shown); err != nil {
			wrong = append(wrong, line+": "+err.Error())
		}
		if at[2] == at[3] && !strings.Contains(page[:at[0]], "\n    export PATH=\"$PATH:CLONE/bin\"") {
			wrong = append(wrong, line+": no path of the program, and nothing that puts it on PATH")
		}
	}
	return wrong
}

// TestPages_Commands: each command line of the pages for readers can be typed as it stands.
func TestPages_Commands(t *testing.T) {
	root := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages = append(pages, filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md"))
	lines := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		lines += len(reShown.FindAll(text, -1))
		for _, wrong := range wrongLines(string(text)) {
			t.Errorf("%s: %s", page, wrong)
		}
	}
	if lines < 40 {
		t.Errorf("there are %d command lines", lines)
	}
	for page, want := range map[string]int{
		"    samecycle verify FILE\n":     1,
		"    bin/samecycle verify FILE\n": 0,
		"    bin/samecycle verify\n":      1,
		"\n    export PATH=\"$PATH:CLONE/bin\"\n    samecycle verify FILE   looks\n": 0,
		"    samecycle verify FILE\n    export PATH=\"$PATH:CLONE/bin\"\n":           1,
	} {
		if got := wrongLines(page); len(got) != want {
			t.Errorf("%q: %q, want %d", page, got, want)
		}
	}
}

// TestHelp_NamesEngines: the flags that choose an engine name all of them, and stress those that promise the
// link volume.
func TestHelp_NamesEngines(t *testing.T) {
	root := newRoot(&app{out: &bytes.Buffer{}, err: &bytes.Buffer{}})
	for _, command := range []string{"check", "states", "stress"} {
		cmd, _, err := root.Find([]string{command})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range engines.All() {
			want := command != "stress" || e.Promises("volume")
			if usage := cmd.Flags().Lookup("engine").Usage; strings.Contains(usage, e.Name) != want {
				t.Errorf("%s --engine names %s: %v, want %v: %q", command, e.Name, !want, want, usage)
			}
		}
	}
}

// valuesOf are the values of a flag that was given; of a list its elements.
func valuesOf(f *pflag.Flag) []string {
	switch {
	case f == nil:
		return nil
	case f.Value.Type() == "stringSlice":
		return f.Value.(pflag.SliceValue).GetSlice()
	case f.Value.String() == "":
		return nil
	}
	return []string{f.Value.String()}
}
