package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFlags_Empty: a flag with nothing in it, as of a variable of a shell that is not set, is never taken for
// one that was left out.
func TestFlags_Empty(t *testing.T) {
	root := repositoryWith(t, testLink{link: "model"})
	for _, line := range [][]string{
		{"check", "--state", ""}, {"check", "--link", ""}, {"states", "--into", ""},
		{"mutants", "--only", ""},
		{"mutants", "--filter", ""}, {"mutants", "--out", ""}, {"replay", "x", "--export", ""},
		{"explore", "S04", "--checkpoint", ""}, {"explore", "S04", "--shard", ""},
		{"explore", "./queue", "--type", ""}, {"explore", "./queue", "--test", ""},
		{"explore", "./queue", "--type", "Queue", "--call", ""},
		{"stress", "--state", ""}, {"stress", "--out", ""}, {"stress", "--duration", ""},
		{"mutants", "--limit", ""}, {"check", "--seed", ""}, {"explore", "--history", ""},
		{"cache", "keys", "x", "--limit", ""}, {"cache", "set", "x", "k", "v", "--ttl", ""},
	} {
		flag := line[len(line)-2]
		code, out, errOut := call(append(line, "--root", root)...)
		if want := "samecycle: " + flag + " is empty: "; code != exitUsage || out != "" ||
			!strings.HasPrefix(errOut, want) {
			t.Errorf("%q: status %d, want %q\n%s%s", line, code, want, out, errOut)
		}
	}
	if code, out, errOut := call(""); code != exitUsage || out != "" ||
		!strings.HasPrefix(errOut, `samecycle: unknown command "" for "samecycle"`+"\n") {
		t.Errorf("an empty command: status %d\n%s%s", code, out, errOut)
	}
	if code, _, errOut := call("states", "--root", ""); code != exitUsage ||
		!strings.Contains(errOut, "--root is empty") {
		t.Errorf("--root: status %d: %s", code, errOut)
	}
}

// TestFlags_OutOfRange: a number that is too large is one, so it is said how large it may be.
func TestFlags_OutOfRange(t *testing.T) {
	for line, says := range map[string]string{
		"check --seed 18446744073709551616":        "use a whole number from 0 up to 18446744073709551615\n",
		"explore S04 --bound 9223372036854775808":  "use a whole number up to 9223372036854775807\n",
		"watch x --interval 99999999h":             "less than 292 years\n",
		"explore S04 --kills 33":                   "--kills 33: use 0 to 32\n",
		"explore processes --kills 33":             "--kills 33: use 0 to 32\n",
		"stress --marks 0":                         "--marks 0: use 1 or more\n",
		"stress --processes 0 --threads 0":         "nobody is left to work; use 1 or more for one of them\n",
		"stress --marks 2 --duration 1s":           "leave it out",
		"stress --marks 2 --kills 1":               "leave it out",
		"stress --deaths 2 --processes 0":          "--deaths needs --processes",
		"stress --marks 2 --operations 1":          "leave it out",
		"mutants x":                                `samecycle mutants takes no arguments; leave "x" out`,
		"mutants --filter undo --out x.md":         "use one that ends in .json",
		"explore processes --processes 2":          "--processes is for operation states",
		"explore nothing --checkpoint /dev/null/x": "is no operation state",
	} {
		code, out, errOut := call(strings.Fields(line)...)
		if code != exitUsage || out != "" || !strings.Contains(errOut, says) {
			t.Errorf("%s: status %d, want %q\n%s%s", line, code, says, out, errOut)
		}
	}
}

// TestFlags_AtOnce: no command starts as many programs as a slip of a finger asks for.
func TestFlags_AtOnce(t *testing.T) {
	root := repositoryWith(t) // what is not refused finds nothing to run
	for _, line := range []string{"spec --parallel", "mutants --workers", "explore S04 --processes"} {
		flag := strings.Fields(line)[len(strings.Fields(line))-1]
		for _, n := range []string{"-1", "0", "1025", "4000000000"} {
			code, out, errOut := call(append(strings.Fields(line), n, "--root", root)...)
			want := "samecycle: " + flag + " " + n + ": use 1 to 1024\n"
			if code != exitUsage || out != "" || !strings.HasPrefix(errOut, want) {
				t.Errorf("%s %s: status %d, want %q\n%s%s", line, n, code, want, out, errOut)
			}
		}
	}
}

// TestFlags_NothingIsMadeForARefusal: the folder of a checkpoint is not, when another flag is wrong.
func TestFlags_NothingIsMadeForARefusal(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "saved")
	for _, line := range []string{"explore S04 --processes 2", "explore S04 --shard 9/3", "explore S77"} {
		code, _, _ := call(append(strings.Fields(line), "--checkpoint", folder)...)
		if _, err := os.Lstat(folder); code != exitUsage || err == nil {
			t.Errorf("%s: status %d, the folder: %v", line, code, err)
		}
	}
}

// TestFlags_OutIsOfTheWorkingFolder, as every other file of a command line, whichever repository is judged;
// what is there is not overwritten unless it is of the same kind.
func TestFlags_OutIsOfTheWorkingFolder(t *testing.T) {
	root, here := repositoryWith(t), t.TempDir()
	t.Chdir(here)
	for name, text := range map[string]string{"list": "milk", "other.json": `{"version": 1}`} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"stress --duration 10m", "mutants --filter undo"} {
			code, _, errOut := call(append(strings.Fields(line), "--root", root, "--out", name)...)
			if code != exitRed || !strings.Contains(errOut, filepath.Join(here, name)) {
				t.Errorf("%s: status %d: %s", line, code, errOut)
			}
		}
		if now, err := os.ReadFile(name); err != nil || string(now) != text {
			t.Errorf("%s is now %q, %v", name, now, err)
		}
	}
}

// TestHelp: of a command it is what --help says, and of none an error.
func TestHelp(t *testing.T) {
	for _, topic := range []string{"", "spec"} {
		code, out, _ := call(append([]string{"help"}, strings.Fields(topic)...)...)
		if _, want, _ := call(append(strings.Fields(topic), "--help")...); code != exitOK || out != want {
			t.Errorf("help %s: status %d\n%s\nwant\n%s", topic, code, out, want)
		}
	}
	for _, topic := range []string{"nothing", "spec S04"} {
		code, out, errOut := call(append([]string{"help"}, strings.Fields(topic)...)...)
		want := `no command "` + topic + `"; samecycle --help lists them`
		if code != exitUsage || out != "" || !strings.Contains(errOut, want) {
			t.Errorf("help %s: status %d, want %q\n%s%s", topic, code, want, out, errOut)
		}
	}
}

// TestHelp_Actors: the help of explore says which numbers --actors takes.
func TestHelp_Actors(t *testing.T) {
	_, out, _ := call("explore", "--help")
	if want := "most actors of a random program, 2 or 3 (default 2)"; !strings.Contains(out, want) {
		t.Errorf("%q is missing in\n%s", want, out)
	}
}

// TestReplay_Quotes: what was copied with a token, and is no part of it, is shown.
func TestReplay_Quotes(t *testing.T) {
	for token, want := range map[string]string{
		"sx1~S04~k0~a.~36cf49e6'":   `token with "" before it and "'" behind it, which are no part of it`,
		"\"sx1~S04~k0~a.~36cf49e6 ": `token with "\"" before it and " " behind it, which are no part of it`,
	} {
		code, _, errOut := call("replay", token)
		if code != exitUsage || !strings.Contains(errOut, want) {
			t.Errorf("%s: status %d, %q", token, code, errOut)
		}
	}
}
