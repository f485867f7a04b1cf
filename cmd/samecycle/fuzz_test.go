package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// fuzzLayout is a region whose windows wrap.
var fuzzLayout = hopscotch.Layout{CellsPerHalf: 6, Window: 4, Descriptors: 3}

// commandMax bounds one command on a small file. A damaged table that never holds still is given up
// after 2^20 attempts of each call, which takes seconds.
const commandMax = time.Minute

// FuzzCommands runs the commands that read a region file on a damaged one: a text that says what is
// wrong, and exit status 1, but never a panic or a command without end. The input is a list of
// changes, four bytes each: what, where (two), and how.
func FuzzCommands(f *testing.F) {
	for _, data := range commandSeeds {
		f.Add(data)
	}
	dir := f.TempDir()
	sound := fuzzImage(f, dir)
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := checkCommands(dir, sound, data, call); err != nil {
			t.Fatal(err)
		}
	})
}

var commandSeeds = [][]byte{
	{}, {0, 0, 0, 0}, {0, 0, 0, 99}, {0, 1, 0, 0}, {0, 20, 0, 0}, {1, 0, 0, 9}, // cut, or made longer
	{2, 0, 0, 1}, {2, 0, 8, 3}, {2, 0, 16, 1}, {2, 0, 32, 255}, {2, 0, 56, 1}, {2, 0, 64, 1}, // header
	{2, 1, 0, 1}, {2, 1, 0, 255}, {2, 1, 3, 255}, // process table
	{2, 17, 0, 2, 2, 17, 3, 128}, {2, 17, 16, 4}, {2, 17, 32, 255}, {2, 18, 7, 255}, {3, 17, 0, 85}, // cells
	{2, 18, 192, 7}, {2, 18, 232, 1}, {2, 18, 236, 65}, {3, 18, 192, 255}, // descriptors
}

// fuzzImage is the bytes of a region file with elements, some of them deleted.
func fuzzImage(tb testing.TB, dir string) []byte {
	path := filepath.Join(dir, "sound")
	r, err := hopscotch.Create(path, fuzzLayout)
	if err != nil {
		tb.Fatal(err)
	}
	t, err := hopscotch.New(r)
	if err != nil {
		tb.Fatal(err)
	}
	h, err := t.NewHandle(9)
	if err != nil {
		tb.Fatal(err)
	}
	for key := uint32(1); key <= 8; key++ {
		if _, err := h.Add(key, 10*key); err != nil {
			tb.Fatal(err)
		}
	}
	if _, err := h.Delete(3); err != nil {
		tb.Fatal(err)
	}
	text, err := os.ReadFile(path) // before the close: the descriptor has an owner, which is dead then
	if err != nil {
		tb.Fatal(err)
	}
	if err := r.Close(); err != nil {
		tb.Fatal(err)
	}
	return text
}

// spoilImage changes a copy of the file as the input says.
func spoilImage(sound, changes []byte) []byte {
	text := bytes.Clone(sound)
	for ; len(changes) >= 4; changes = changes[4:] {
		at, how := int(changes[1])<<8|int(changes[2]), changes[3]
		switch what := changes[0] % 4; {
		case what == 0:
			text = text[:min(len(text), at+int(how))]
		case what == 1:
			text = append(text, make([]byte, at%4096+int(how))...)
		case len(text) == 0:
		case what == 2:
			text[at%len(text)] ^= how
		default:
			for i := range min(64, len(text)-at%len(text)) {
				text[at%len(text)+i] = how
			}
		}
	}
	return text
}

// caller is call; a canary puts a fault in it.
type caller func(args ...string) (code int, out, errOut string)

func checkCommands(dir string, sound, data []byte, run caller) error {
	text := spoilImage(sound, data)
	header := fuzzLayout.Region().Offset(region.Own, region.OwnProcesses)
	refused := len(text) != len(sound) || !bytes.Equal(text[:header], sound[:header])
	path := filepath.Join(dir, "damaged")
	for _, command := range []string{
		"verify", "verify --json", "dump", "dump --json", "watch --count 1", "repair --dry-run",
		"repair", "repair --json", "verify",
	} {
		if command == "verify" || refused { // repair alone may have changed it
			if err := os.WriteFile(path, text, 0o600); err != nil {
				return err
			}
		}
		start := time.Now()
		code, out, errOut := run(append(strings.Fields(command), path)...)
		what := fmt.Sprintf("%s: exit status %d\n%s%s", command, code, out, errOut)
		switch took := time.Since(start); {
		case took > commandMax:
			return fmt.Errorf("it took %v: %s", took, what)
		case code != exitOK && code != exitRed:
			return fmt.Errorf("want 0 or 1: %s", what)
		case refused && (code != exitRed || !strings.HasPrefix(errOut, "samecycle: region ")):
			return fmt.Errorf("header or length is damaged, want an error that names the file: %s", what)
		case code == exitRed && out+errOut == "":
			return fmt.Errorf("it does not say what is red: %s", what)
		case !refused && strings.HasPrefix(command, "dump") && code != exitOK:
			return fmt.Errorf("dump judges nothing: %s", what)
		}
	}
	return nil
}

// A command that takes what is damaged for sound, one that does not say what is wrong, one that ends as
// for a wrong command line, and a dump that judges, are found.
func TestCommands_Canaries(t *testing.T) {
	dir := t.TempDir()
	sound := fuzzImage(t, dir)
	for name, fault := range map[string]caller{
		"all is well": func(args ...string) (int, string, string) {
			_, out, errOut := call(args...)
			return exitOK, out, errOut
		},
		"silent": func(args ...string) (int, string, string) {
			code, _, _ := call(args...)
			return code, "", ""
		},
		"wrong command line": func(args ...string) (int, string, string) {
			return call(append(args, "x")...)
		},
		"strict": func(args ...string) (int, string, string) {
			_, out, errOut := call(args...)
			return exitRed, out, errOut
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, data := range commandSeeds {
				if err := checkCommands(dir, sound, data, fault); err != nil {
					return
				}
			}
			t.Error("no input shows the fault")
		})
	}
}
