package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/region"
)

// TestCacheTop_PageMode: a page has keys of the cache, so it is for its owner alone, until somebody says
// otherwise of it.
func TestCacheTop_PageMode(t *testing.T) {
	path, page := aCache(t), filepath.Join(t.TempDir(), "page.html")
	for _, mode := range []fs.FileMode{0o600, 0o644} {
		code, _, errOut := call("cache", "top", path, "--html", page, "--interval", "10ms")
		info, err := os.Stat(page)
		if code != exitOK || err != nil || info.Mode().Perm() != mode {
			t.Fatalf("status %d, %q; %v, %v, want the mode %v", code, errOut, info, err, mode)
		}
		if err := os.Chmod(page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := os.ReadDir(filepath.Dir(page)); err != nil || len(all) != 1 {
		t.Errorf("beside the page: %v, %v", all, err)
	}
}

// TestCacheTop_PageRefused: what cannot become a page is said ahead of the interval, which never begins here.
func TestCacheTop_PageRefused(t *testing.T) {
	path, dir := aCache(t), t.TempDir()
	pipe, own := filepath.Join(dir, "pipe"), filepath.Join(dir, "own.html")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, []byte(strings.Repeat("own", 10_000)+topPageMark), 0o600); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	none := filepath.Join(dir, "none")
	for file, want := range map[string]string{pipe: "no regular file", dir: "a folder", own: "would be lost",
		path:                             "would be lost",
		filepath.Join(none, "page.html"): "the folder " + none + " is missing: make it",
	} {
		code, out, errOut := callWith(ended, "cache", "top", path, "--html", file, "--interval", "1h")
		if code == exitOK || out != "" || !strings.Contains(errOut, want) {
			t.Errorf("%s: status %d, %q, %q, want %q", file, code, out, errOut, want)
		}
	}
	if _, err := os.Stat(none); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is refused is there afterwards: %v", err)
	}
}

// TestTopProcesses_Lease: a process that has died makes no room, although it has the lease until another one
// takes it over.
func TestTopProcesses_Lease(t *testing.T) {
	now := &topSample{}
	for _, alive := range []bool{false, true} {
		for _, lease := range []bool{false, true} {
			now.processes = append(now.processes, cache.Process{Attachment: region.Attachment{Alive: alive},
				Lease: lease})
		}
	}
	table := topProcesses(now, nil)
	column := slices.Index(table.Columns, "makes room")
	for i, row := range table.Rows {
		if want := i == 3; row[column] != want {
			t.Errorf("%+v: %v, want %v", now.processes[i], row[column], want)
		}
	}
}

// TestPageError: the error of a page that is not written names the page, and no file that is gone.
func TestPageError(t *testing.T) {
	for _, err := range []error{
		&fs.PathError{Op: "write", Path: "d/.top-1", Err: syscall.ENOSPC},
		errors.Join(nil, &fs.PathError{Op: "write", Path: "d/.top-1", Err: syscall.ENOSPC}),
		&os.LinkError{Op: "rename", Old: "d/.top-1", New: "d/p", Err: syscall.ENOSPC},
	} {
		const want = "--html d/p: the page is not written: no space left on device"
		if got := pageError("d/p", err); got.Error() != want || !errors.Is(got, syscall.ENOSPC) {
			t.Errorf("%v: %v, want %s", err, got, want)
		}
	}
}
