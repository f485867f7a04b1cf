package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCache_Commands goes through the life of a cache at a terminal: each call is a process of its own.
func TestCache_Commands(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.cache")
	for _, x := range []struct {
		args      string
		code      int
		out, said string // "": nothing
	}{
		{"get FILE alice", exitRed, "", "cache set FILE KEY VALUE"},
		{"set FILE alice one --size 1MiB", exitOK, "", ""},
		{"get FILE alice", exitOK, "one", ""},
		{"set FILE alice two --if-absent", exitRed, `key "alice" is there already, and was not changed`, ""},
		{"get FILE alice", exitOK, "one", ""},
		{"set FILE alice two", exitOK, "", ""},
		{"get FILE alice", exitOK, "two", ""},
		{"set FILE bob three --ttl 1h", exitOK, "", ""},
		{"keys FILE --prefix b", exitOK, `         5  "bob"  expires in `, ""},
		{"set FILE alice four --size 2MiB", exitRed, "", "bytes of cache is 1048576, want 2097152"},
		{"del FILE alice carol", exitRed, "\"alice\": deleted\n\"carol\": was not there\n", ""},
		{"get FILE alice", exitRed, "", `no key "alice"`},
		{"get FILE " + strings.Repeat("k", 41), exitRed, "",
			`no key "` + strings.Repeat("k", 40) + `"... (41 bytes)`},
		{"set FILE n -5", exitUsage, "", "in -5; if it is a key or a value, put the word -- ahead of it"},
		{"get FILE --n", exitUsage, "", "put the word -- ahead of it"},
		{"set FILE -- --n -5", exitOK, "", ""},
		{"get FILE -- --n", exitOK, "-5", ""},
		{"keys FILE --n", exitUsage, "", "unknown flag: --n\n"},
		{"set FILE", exitUsage, "", "KEY is missing"},
		{"set FILE a b c", exitUsage, "", "quote a key or a value"},
		{"set FILE a b --policy tinylfu", exitRed, "", "policy of cache is ageing, want tinylfu"},
		{"set FILE a b --policy lru", exitUsage, "", "--policy lru: use ageing or tinylfu"},
		{"set FILE.2 a b --policy tinylfu --size 1MiB", exitOK, "", ""},
		{"stats FILE.2", exitOK, "policy tinylfu", ""},
		{"stats FILE", exitOK, "tier 3", ""},
		{"set FILE a b --ttl -1s", exitUsage, "", "--ttl -1s"},
		{"set FILE a b --size 10%", exitUsage, "", "--size 10%"},
		{"set FILE.3 a b --size 1KiB", exitUsage, "", "--size 1KiB: use 128KiB to 48GiB\n"},
		{"set FILE.3 a b --size 49GiB", exitUsage, "", "--size 49GiB: use 128KiB to 48GiB\n"},
		{"keys FILE --limit -1", exitUsage, "", "--limit -1"},
		{"get", exitUsage, "", " is missing"},
		{"frobnicate", exitUsage, "", `unknown command "frobnicate" for "samecycle cache"` + "\n"},
		{"dump FILE", exitUsage, "",
			`unknown command "dump" for "samecycle cache": use samecycle dump` + "\n"},
		{"", exitUsage, "", "a command is missing"},
	} {
		code, out, errOut := call(append([]string{"cache"}, strings.Fields(strings.ReplaceAll(x.args, "FILE",
			path))...)...)
		x.said = strings.ReplaceAll(x.said, "FILE", path)
		if code != x.code || !strings.Contains(out, x.out) || !strings.Contains(errOut, x.said) ||
			x.out == "" && out != "" || x.said == "" && errOut != "" {
			t.Errorf("cache %s: status %d, printed %q, said %q; want %d, %q, %q", x.args, code, out, errOut,
				x.code, x.out, x.said)
		}
	}
}

// TestCache_CommandToCopy: what a message says to type can be typed, whatever the name of the file is.
func TestCache_CommandToCopy(t *testing.T) {
	folder := t.TempDir()
	for name, word := range map[string]string{"a b": "'FOLDER/a b'", "a\nb": `$'FOLDER/a\nb'`,
		"ab": "FOLDER/ab"} {
		code, _, errOut := call("cache", "get", filepath.Join(folder, name), "k")
		want := "to make a cache there: samecycle cache set " + strings.ReplaceAll(word, "FOLDER", folder) +
			" KEY VALUE\n"
		if code != exitRed || !strings.HasSuffix(errOut, want) {
			t.Errorf("%q: status %d, %q, want %q", name, code, errOut, want)
		}
	}
	path, _, _ := regionFile(t, 8)
	killOne(t, path)
	odd := filepath.Join(folder, "it is mine")
	if err := os.Rename(path, odd); err != nil {
		t.Fatal(err)
	}
	if _, out, _ := call("verify", odd); !strings.Contains(out, "samecycle repair '"+odd+"'\n") {
		t.Errorf("verify:\n%s", out)
	}
}

// TestCache_DeleteSome: what was deleted ahead of a key that is refused is told all the same.
func TestCache_DeleteSome(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.cache")
	long := strings.Repeat("k", 1<<16)
	for _, asJSON := range []bool{false, true} {
		if code, _, errOut := call("cache", "set", path, "a", "1", "--size", "1MiB"); code != exitOK {
			t.Fatal(errOut)
		}
		line, want := []string{"cache", "del", path, "a", long, "b"}, "\"a\": deleted\n"
		if asJSON {
			line, want = append(line, "--json"), `"deleted": true`
		}
		code, out, errOut := call(line...)
		if code != exitRed || strings.Count(out, "deleted") != strings.Count(want, "deleted") ||
			!strings.Contains(out, want) || !strings.Contains(errOut, "key is too long") {
			t.Errorf("JSON %v: status %d\n%s%s", asJSON, code, out, errOut)
		}
	}
}

// TestCache_JSON: what a program reads has names for everything, and a key that is absent is no error object.
func TestCache_JSON(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.cache")
	for _, key := range []string{"a", "b", "c\x1b"} {
		if code, out, errOut := call("cache", "set", path, key, "v"+key, "--size", "1MiB"); code != exitOK {
			t.Fatal(out, errOut)
		}
	}
	_, out, _ := call("cache", "get", path, "a", "--json")
	if g := asJSON[gotten](t, out); !g.Found || string(g.Value) != "va" || g.Seconds != 0 {
		t.Errorf("get: %s", out)
	}
	code, out, errOut := call("cache", "get", path, "z", "--json")
	if g := asJSON[gotten](t, out); code != exitRed || g.Found || g.Value != nil || errOut != "" {
		t.Errorf("get of nothing: %d %s%s", code, out, errOut)
	}
	_, out, _ = call("cache", "keys", path, "--json")
	var keys []string
	for line := range strings.Lines(out) {
		var k listedKey
		if err := json.Unmarshal([]byte(line), &k); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, k.Key)
	}
	if slices.Sort(keys); !slices.Equal(keys, []string{"a", "b", "c\x1b"}) {
		t.Errorf("keys: %q", keys)
	}
	binary := filepath.Join(t.TempDir(), "binary.cache")
	var exact []string
	for _, key := range []string{"\xff", "\xfe", "\u00e4"} { // two that are one text in JSON, and a text
		for _, args := range [][]string{{"set", binary, key, "v", "--size", "1MiB"}, {"get", binary, key}} {
			_, out, _ := call(append(append([]string{"cache"}, args...), "--json")...)
			if g := asJSON[gotten](t, out); string(g.Exact) != key && (g.Exact != nil || g.Key != key) {
				t.Errorf("%s of %q: %s", args[0], key, out)
			}
		}
	}
	_, out, _ = call("cache", "keys", binary, "--json")
	for line := range strings.Lines(out) {
		var k listedKey
		if err := json.Unmarshal([]byte(line), &k); err != nil {
			t.Fatal(err)
		}
		exact = append(exact, string(k.Exact))
	}
	if slices.Sort(exact); !slices.Equal(exact, []string{"", "\xfe", "\xff"}) {
		t.Errorf("keys that are no text: %q", exact)
	}
	_, out, _ = call("cache", "del", binary, "\xff", "--json")
	if d := asJSON[[]deletedKey](t, out); len(d) != 1 || string(d[0].Exact) != "\xff" || !d[0].Deleted {
		t.Errorf("del: %s", out)
	}
	_, out, _ = call("cache", "stats", path, "--json")
	s := asJSON[cacheStats](t, out)
	if s.Calls["sets"] != 3 || s.Calls["hits"] != 1 || s.Calls["misses"] != 1 || s.Calls["evicted"] != 0 {
		t.Errorf("calls of all processes: %s", out)
	}
	if s.Entries != 3 || s.Bytes != 1<<20 || s.LiveBytes == 0 || s.Baskets == 0 || s.Free == 0 {
		t.Errorf("stats: %s", out)
	}
	if s.Policy != "ageing" || len(s.Tiers) != 4 || s.Tiers[0].Entries != 3 || s.Tiers[0].Hits != 1 ||
		s.Tiers[0].LiveBytes != s.LiveBytes || s.Tiers[1].Entries != 0 {
		t.Errorf("tiers: %s", out)
	}
}

// TestCache_OfAnotherFile: a file that is no cache is refused, and stays as it was.
func TestCache_OfAnotherFile(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no region at all, but a text"), 0o600); err != nil {
		t.Fatal(err)
	}
	table, r, _ := regionFile(t, 1)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{text: "the file is something else", table: "cache"} {
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"get", "set"} {
			code, out, errOut := call("cache", command, file, "key", "value")
			if command == "get" {
				code, out, errOut = call("cache", command, file, "key")
			}
			if code != exitRed || out != "" || !strings.Contains(errOut, want) {
				t.Errorf("%s of %s: %d %q %q, want %q", command, filepath.Base(file), code, out, errOut, want)
			}
		}
		if after, err := os.ReadFile(file); err != nil || string(after) != string(before) && file == text {
			t.Errorf("%s: has changed (%v)", filepath.Base(file), err)
		}
	}
}
