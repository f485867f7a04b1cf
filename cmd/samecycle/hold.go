package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/samecycle/samecycle/internal/evidence"
)

// hold keeps other processes of this program from writing the file or folder at path, which is the value of
// the flag. It holds until release is called, which may be done more than once, or until this process ends
// in any way. The error names the process that has it. What is held is a lock of the system on a file
// beside it, .lock-NAME, which release removes; one that a killed process has left behind is locked by
// nobody, and in nobody's way. The folder in which path lies is made. Where there are no such locks nothing
// is held.
func hold(flag, path string) (release func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	name := filepath.Join(filepath.Dir(path), ".lock-"+filepath.Base(path))
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
		if errors.Is(err, fs.ErrPermission) {
			f, err = os.Open(name) // somebody else has made it
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s cannot be held against other processes: %w", flag, path, err)
		}
		if !locked(f) {
			text, _ := io.ReadAll(io.LimitReader(f, 1<<12))
			f.Close()
			err := fmt.Errorf("%s: %s is being written by %s; wait for its end", flag, path,
				holder(string(text)))
			if flag == "--out" {
				err = fmt.Errorf("%w, or name another file", err)
			}
			return nil, err
		}
		if named(f, name) {
			// A process that is refused prints this; the lock does not depend on it.
			_ = f.Truncate(0)
			_, _ = fmt.Fprintf(f, "process %d: %s\n", os.Getpid(), strings.Join(os.Args, " "))
			return sync.OnceFunc(func() { os.Remove(name); f.Close() }), nil
		}
		f.Close() // whoever had it has removed it meanwhile
	}
}

// holdWritable is hold of a file that can be written after the work: a run is long, and what could not be
// kept is not begun. A symbolic link is held as its target, which may have another name, too.
func holdWritable(flag, path string) (release func(), err error) {
	if err := evidence.Writable(path); err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	target, err := evidence.Target(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return hold(flag, target)
}

// named reports whether the open file is the one that has the name now.
func named(f *os.File, name string) bool {
	opened, err := f.Stat()
	now, e := os.Stat(name)
	return err == nil && e == nil && os.SameFile(opened, now)
}

// holder is the process that the text of a lock names, which may not be written yet.
func holder(text string) string {
	if text = strings.TrimSpace(text); text != "" {
		return text
	}
	return "another process"
}
