package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// nasty is a name that would colour a terminal, forge a line, go back in it, and turn it around.
const nasty = "E\x1b[31mV\nIL\r\u202e\u009b\x7f"

// raw reports whether a text would tell a terminal to do anything but to go to the next line or column.
func raw(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool {
		return c == unicode.ReplacementChar ||
			c != '\n' && c != '\t' && unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c)
	})
}

// TestScreen_Commands: no command prints a name as it is that was given to it, whatever it says of it.
func TestScreen_Commands(t *testing.T) {
	root := repositoryWith(t, testLink{link: "model"})
	folder := filepath.Join(t.TempDir(), nasty)
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, nasty+".json")
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range [][]string{
		{nasty}, {"--" + nasty}, {"help", nasty}, {"spec", nasty}, {"spec", "--parallel", nasty},
		{"dump", file}, {"dump", folder}, {"dump", nasty}, {"verify", file}, {"verify", nasty},
		{"watch", file}, {"watch", nasty}, {"watch", file, "--interval", nasty},
		{"repair", file}, {"repair", nasty},
		{"check", "--state", nasty}, {"check", "--link", nasty}, {"check", nasty}, {"check", "--seed", nasty},
		{"states", "--into", file}, {"states", "--into", nasty}, {"states", nasty}, {"diagram", nasty},
		{"explore", nasty}, {"explore", "./" + nasty}, {"explore", folder},
		{"explore", "a.b/" + nasty + "@v1.0.0"},
		{"explore", "--history", file}, {"explore", "--history", nasty},
		{"explore", "S04", "--strategy", nasty},
		{"explore", "S04", "--checkpoint", file}, {"explore", "./queue", "--type", nasty},
		{"explore", "S04", "--shard", nasty}, {"replay", nasty}, {"replay", "x", "--export", nasty},
		{"replay", "x", "--export", file + "/x_test.go"},
		{"mutants", "--filter", nasty}, {"mutants", "--patch", file}, {"mutants", "--patch=" + nasty},
		{"mutants", "--only", nasty}, {"mutants", "--out", nasty},
		{"mutants", "--filter", "x", "--out", file + "/x.json"},
		{"stress", "--state", nasty}, {"stress", "--out", file}, {"stress", "--duration", nasty},
		{"states", "--root", nasty}, {"states", "--root", folder},
	} {
		for _, more := range [][]string{nil, {"--json"}} {
			if !slices.Contains(line, "--root") {
				more = append(more, "--root", root)
			}
			code, out, errOut := call(append(line, more...)...)
			if code == exitOK || raw(out) || raw(errOut) || strings.Contains(out+errOut, "V\nIL") {
				t.Errorf("%q: status %d\n%q\n%q", line, code, out, errOut)
			}
			list, err := objects(out)
			if more != nil && more[0] == "--json" && (err != nil || len(list) == 0) {
				t.Errorf("%q: %v: %q", line, err, out)
			}
		}
	}
}

// TestScreen_Writes: what is printed is what was written but for control characters, wherever one write ends
// and the next one begins.
func TestScreen_Writes(t *testing.T) {
	const text, want = "ä✓\x1b[1m\tx\n\u0085\xff\x00🙂", "ä✓\\u001b[1m\tx\n\\u0085\\xff\\u0000🙂"
	for size := 1; size <= len(text); size++ {
		var b bytes.Buffer
		s := newScreen(&b, nil)
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if wrote, err := s.Write([]byte(rest[:n])); wrote != n || err != nil {
				t.Fatal(wrote, err)
			}
			rest = rest[n:]
		}
		if err := s.end(); err != nil || b.String() != want {
			t.Errorf("in writes of %d: %q, %v, want %q", size, b.String(), err, want)
		}
	}
	var b bytes.Buffer
	s := newScreen(&b, nil)
	_, _ = s.Write([]byte("a\xe2\x9c"))
	if err := s.end(); err != nil || b.String() != `a\xe2\x9c` {
		t.Errorf("an end that never came: %q, %v", b.String(), err)
	}
}

// TestScreen_Words: of a word of the command line a line break is shown, too, which a text may have.
func TestScreen_Words(t *testing.T) {
	var b bytes.Buffer
	s := newScreen(&b, []string{"dump", "--out=a\nb", "\n", "c\td"})
	_, _ = s.Write([]byte("no file a\nb\nor c\td\n"))
	if want := "no file a\\nb\nor c\\td\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// TestScreen_Colours: those of the tables pass where they are asked for, and nothing else does.
func TestScreen_Colours(t *testing.T) {
	var b bytes.Buffer
	s := newScreen(&b, nil)
	_, _ = s.Write([]byte("\x1b[31mred\x1b[0m "))
	_, _ = paintable(s).Write([]byte("\x1b[31mred\x1b[0m\x1b[2J\r"))
	if want := "\\u001b[31mred\\u001b[0m \x1b[31mred\x1b[0m\\u001b[2J\\r"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	if to := paintable(&b); to != &b || beneath(s) != &b || beneath(&b) != &b {
		t.Error("an output that is no screen is another one")
	}
}

// TestScreen_JSON: the escapes that it makes are those of JSON.
func TestScreen_JSON(t *testing.T) {
	var b bytes.Buffer
	a := &app{out: newScreen(&b, []string{nasty})}
	var back string
	if err := a.printJSON(nasty); err != nil || json.Unmarshal(b.Bytes(), &back) != nil || back != nasty {
		t.Errorf("%v: %q", err, b.String())
	}
}

type refusing struct{ error }

func (f refusing) Write([]byte) (int, error) { return 0, f.error }

// TestScreen_FirstError: it is kept, and told at the end.
func TestScreen_FirstError(t *testing.T) {
	broken := errors.New("broken")
	s := newScreen(refusing{broken}, nil)
	if _, err := s.Write([]byte("x")); !errors.Is(err, broken) || !errors.Is(s.end(), broken) {
		t.Error(err, s.end())
	}
}

// TestShellWord: a name in a command that is to be copied is one word of a shell, whatever is in it, and the
// screen shows it as it is.
func TestShellWord(t *testing.T) {
	shell, err := exec.LookPath("bash")
	const plain = "/run/ä-1_2/x@y,z=%+:"
	for text, want := range map[string]string{plain: plain, "": "''", "a b": "'a b'", "it's": `'it'\''s'`,
		"$HOME": "'$HOME'", "a;b": "'a;b'", `a\b`: `'a\b'`, "*": "'*'", "a\nb": `$'a\nb'`,
		"\x1bit's\\": `$'\u001bit\'s\\'`, "\xffz": `$'\xffz'`} {
		got := shellWord(text)
		if got != want || plainLine(got) != got {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
		if err != nil {
			continue
		}
		c := exec.Command(shell, "-c", "printf %s "+got)
		c.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
		if back, err := c.Output(); err != nil || string(back) != text {
			t.Errorf("%s is %q for a shell (%v), want %q", got, back, err, text)
		}
	}
	if err != nil {
		t.Skip("NOT RUN: what a shell makes of it: there is no bash")
	}
}

// TestColumnsOf: a terminal has columns whatever it says of its size, so what a file has is escaped there.
func TestColumnsOf(t *testing.T) {
	for _, x := range []struct {
		width int
		err   error
		want  int
	}{{0, nil, 80}, {-1, nil, 80}, {1, nil, 1}, {500, nil, 500}, {0, errors.New("none"), 80},
		{7, errors.New("none"), 80}} {
		if got := columnsOf(x.width, 24, x.err); got != x.want {
			t.Errorf("%d, %v: %d columns, want %d", x.width, x.err, got, x.want)
		}
	}
}
