package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/filestore"
	"github.com/samecycle/samecycle/impl/remote"
)

// overflowing is an entry of these tests, many of which do not fit into a cache of 1 MiB.
func overflowing(n int) (key, value []byte) {
	return fmt.Appendf(nil, "key %d", n), bytes.Repeat([]byte{byte('a' + n%26)}, 4000)
}

// keptOf holds the entries against what the cache and the folder have: each is in one of them, and some have
// left. It returns how many.
func keptOf(t *testing.T, path, folder string, entries int) (left int) {
	t.Helper()
	s, err := filestore.Open(folder, filestore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = withCache(path, func(c *cache.Cache) error {
		for n := range entries {
			key, want := overflowing(n)
			inCache, ok, err := c.Get(key, nil)
			if err != nil {
				return err
			}
			inStore, stored, err := s.Get(key, nil)
			switch {
			case err != nil:
				return err
			case ok == stored:
				t.Errorf("%s: in the cache %v, in the folder %v", key, ok, stored)
			case stored:
				left++
			}
			if found := append(inCache, inStore...); !bytes.Equal(found, want) {
				t.Errorf("%s has %.20q and so on", key, found)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if left == 0 {
		t.Error("no entry has left: the test met nothing")
	}
	return left
}

// TestCacheServe_Overflow: what leaves since clients set more than there is room for is in the folder, and
// the service says how much.
func TestCacheServe_Overflow(t *testing.T) {
	const entries = 500
	dir := t.TempDir()
	path, slotFile := filepath.Join(dir, "a.cache"), filepath.Join(dir, "alice.slots")
	folder := filepath.Join(dir, "old")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan string)
	go func() {
		code, out, errOut := callWith(ctx, "cache", "serve", path, "--size", "1MiB", "--slots", dir,
			"--client", "alice", "--overflow", folder, "--overflow-bytes", "64MiB")
		ended <- fmt.Sprintf("status %d\n%s%s", code, out, errOut)
	}()
	appears(t, slotFile)
	c, err := remote.Dial(slotFile, remote.DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for n := range entries {
		key, value := overflowing(n)
		if err := c.Set(t.Context(), key, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	cancel()
	said := <-ended
	left := keptOf(t, path, folder, entries)
	want := fmt.Sprintf("overflow: %d given to %s, 0 lost\n", left, folder)
	if !strings.Contains(said, want) {
		t.Errorf("the service said\n%swant in it\n%s", said, want)
	}
}

// TestCacheSet_Overflow: what leaves since set makes room is in the folder. What that refuses is told, and
// the set is done all the same. A folder that cannot be used is refused ahead of it.
func TestCacheSet_Overflow(t *testing.T) {
	const entries = 400
	dir := t.TempDir()
	path, folder := filepath.Join(dir, "a.cache"), filepath.Join(dir, "old")
	for n := range entries {
		key, value := overflowing(n)
		args := []string{"cache", "set", path, string(key), string(value), "--size", "1MiB",
			"--overflow", folder}
		if code, out, errOut := call(args...); code != exitOK || errOut != "" {
			t.Fatalf("%s: status %d\n%s%s", key, code, out, errOut)
		}
	}
	keptOf(t, path, folder, entries)
	for n := entries; ; n++ {
		key, value := overflowing(n)
		args := []string{"cache", "set", path, string(key), string(value) + string(value), "--overflow",
			folder, "--overflow-bytes", "4KiB"}
		code, _, errOut := call(args...)
		if code != exitOK || n > 2*entries {
			t.Fatalf("%s: status %d, said %s", key, code, errOut)
		}
		if errOut != "" {
			if !strings.HasPrefix(errOut, "overflow: ") ||
				!strings.Contains(errOut, filestore.ErrLarge.Error()+" for the folder: its key has ") ||
				!strings.Contains(errOut, ": use a larger --overflow-bytes\n") {
				t.Errorf("said %q, want why the store refuses", errOut)
			}
			break
		}
	}
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"--overflow " + folder:                        "want mode 0700",
		"--overflow " + path:                          "not a directory; name a folder that can be written\n",
		"--overflow-bytes 1GiB":                       "--overflow-bytes needs --overflow",
		"--overflow " + dir + " --overflow-bytes 10%": "--overflow-bytes 10%: use a number of bytes",
		"--overflow " + dir + " --overflow-bytes 10":  "--overflow-bytes 10: use 4KiB or more\nhelp: ",
	} {
		line := append([]string{"cache", "set", path, "refused", "value"}, strings.Fields(args)...)
		code, out, errOut := call(line...)
		if code == exitOK || out != "" || !strings.Contains(errOut, want) {
			t.Errorf("%s: status %d, printed %q, said %q, want %q", args, code, out, errOut, want)
		}
	}
	if code, _, errOut := call("cache", "get", path, "refused"); code != exitRed {
		t.Errorf("a set that was refused was done: status %d %s", code, errOut)
	}
}
