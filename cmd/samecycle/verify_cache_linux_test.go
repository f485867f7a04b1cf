package main

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/region"
)

// changeWord gives a word of a section another value, and returns the old one.
func changeWord(t *testing.T, path, engine, section string, word int, value uint64) (old uint64) {
	t.Helper()
	r, err := region.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	words, err := r.Section(engine, section)
	if err != nil {
		t.Fatal(err)
	}
	old = words[word].Swap(value)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return old
}

// TestRegionCommands_DamageOfACache: what is damaged of a cache beside its index and its records is found,
// and the command that is named puts a live parameter right.
func TestRegionCommands_DamageOfACache(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.cache")
	if code, _, said := call("cache", "set", path, "alice", "one", "--size", "1MiB"); code != exitOK {
		t.Fatal(said)
	}
	verified(t, path, exitOK)
	all := func(status int, want string) {
		t.Helper()
		for _, command := range []string{"verify", "watch --count 1", "repair --dry-run", "repair"} {
			code, out, said := call(append(strings.Fields(command), path)...)
			if code != status || !strings.Contains(out, want) {
				t.Errorf("%s: status %d, want %d and %q\n%s%s", command, code, status, want, out, said)
			}
		}
	}
	changeWord(t, path, cache.Engine, cache.SectionParams, 0, ^uint64(0))
	advice := "samecycle cache tune " + path + " ttl.default=default"
	all(exitRed, "live parameter ttl.default is out of bounds, want 0..3153600000000 ms, and its default is "+
		"in force; to tune it anew: "+advice)
	if _, out, _ := call("repair", path); !strings.Contains(out, doTune) || strings.Contains(out, doSave) {
		t.Error(out)
	}
	if code, _, said := call(strings.Fields(advice)[1:]...); code != exitOK {
		t.Error(said)
	}
	all(exitOK, "")

	const secret = 2
	old := changeWord(t, path, basket.Engine, basket.SectionShared, secret, 5)
	for _, command := range []string{"verify", "repair"} { // the others do not judge records
		code, out, said := call(command, path)
		if code != exitRed || !strings.Contains(out, `has the key "alice", whose hash is`) {
			t.Errorf("%s: status %d\n%s%s", command, code, out, said)
		}
	}
	changeWord(t, path, basket.Engine, basket.SectionShared, secret, old)
	all(exitOK, "")
}

// TestDump_SavesValues: what repair says to save of a cache is in a dump as JSON, and no value that has left.
func TestDump_SavesValues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.cache")
	for _, x := range []struct{ key, value string }{{"old", "1"}, {"alice", "one"}, {"alice", "two"},
		{"empty", ""}, {"bytes", "\xff\n\""}} {
		if code, _, said := call("cache", "set", path, x.key, x.value, "--size", "1MiB"); code != exitOK {
			t.Fatal(said)
		}
	}
	if code, _, said := call("cache", "del", path, "old"); code != exitOK {
		t.Fatal(said)
	}
	_, out, said := call("dump", path, "--json")
	d := asJSON[struct {
		Records []struct {
			Live  bool
			Key   string // base64
			Value *[]byte
		}
	}](t, out)
	live := map[string]string{}
	for _, r := range d.Records {
		if r.Live != (r.Value != nil) {
			t.Errorf("live %v, value %v", r.Live, r.Value)
		}
		if r.Live && r.Value != nil {
			live[r.Key] = string(*r.Value)
		}
	}
	want := map[string]string{"YWxpY2U=": "two", "ZW1wdHk=": "", "Ynl0ZXM=": "\xff\n\""}
	if !maps.Equal(live, want) || said != "" || len(d.Records) != 5 {
		t.Errorf("%q, want %q; %d records, %s", live, want, len(d.Records), said)
	}
}
