package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/cache"
)

// namesIn are the files and folders in a folder, at any depth.
func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		names = append(names, strings.TrimPrefix(path, dir))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestCacheServe_LeavesNothing: a command that fails before it has begun leaves no file and no folder that
// was not there before, and removes none that was.
func TestCacheServe_LeavesNothing(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old.cache")
	if code, _, said := call("cache", "set", old, "k", "v", "--size", "1MiB"); code != exitOK {
		t.Fatal(said)
	}
	err := errors.Join(os.WriteFile(filepath.Join(dir, "text.slots"), []byte("some text"), 0o600),
		os.Mkdir(filepath.Join(dir, "there"), 0o700))
	if err != nil {
		t.Fatal(err)
	}
	before := namesIn(t, dir)
	for _, args := range []string{
		"serve DIR/new.cache --size 1MiB --slots DIR/none --client a",
		"serve DIR/new.cache --size 1MiB --slots DIR --client text",
		"serve DIR/new.cache --size 1MiB --slots DIR --client text --overflow DIR/over",
		"serve DIR/new.cache --size 1MiB --slots DIR --client text --overflow DIR/there",
		"serve DIR/old.cache --size 2MiB --slots DIR --client a --overflow DIR/over/of/it",
		"serve DIR/old.cache --size 2MiB --slots DIR --client a --overflow DIR/there/of/it",
		"serve DIR/old.cache --size 1MiB --slots DIR --client text --overflow DIR/over",
		"serve DIR/old.cache --slots DIR --client text --overflow DIR/over",
		"serve DIR/none.cache --slots DIR --client a --overflow DIR/over/",
		"set DIR/old.cache k v --size 2MiB --overflow DIR/over",
	} {
		line := strings.Fields(strings.ReplaceAll("cache "+args, "DIR", dir))
		if code, out, said := call(line...); code != exitRed {
			t.Errorf("%s: status %d, %q, %q", args, code, out, said)
		}
		if after := namesIn(t, dir); !slices.Equal(after, before) {
			t.Fatalf("%s: there is %q, and there was %q", args, after, before)
		}
	}
}

// TestUnmake_NotOfOthers: a new cache that somebody else has found meanwhile stays.
func TestUnmake_NotOfOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new.cache")
	c, err := cache.Open(path, cache.Options{Bytes: 1 << 20, NoJanitor: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	there := func(what string, want bool) {
		t.Helper()
		if err := unmake(path, c); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v", what, err)
		}
	}
	other, err := cache.Attach(path, cache.Options{NoJanitor: true})
	if err != nil {
		t.Fatal(err)
	}
	there("it has another user", true)
	if err := errors.Join(other.Set([]byte("k"), nil), other.Close()); err != nil {
		t.Fatal(err)
	}
	there("it has an entry", true)
	if _, err := c.Delete([]byte("k")); err != nil {
		t.Fatal(err)
	}
	there("it is as it was made", false)
}
