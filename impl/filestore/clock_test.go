package filestore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// written sets the time of a key's file.
func written(t *testing.T, folder, key string, at time.Time) {
	t.Helper()
	_, name := nameOf([]byte(key))
	if err := os.Chtimes(filepath.Join(folder, name), at, at); err != nil {
		t.Fatal(err)
	}
}

// H4: An entry with an expiry time was put while the calendar clock was years ahead. When the clock is right
// again, the entry is not found, although its expiry time is years away. An entry without an expiry time is
// found, and a small difference of the clock has no effect.
func TestReportH4_ClockWasAhead(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "store")
	s := open(t, folder, Options{})
	const ahead = 4 * 365 * 24 * time.Hour
	for _, key := range []string{"ends", "never", "a little"} {
		put(t, s, key, "v", 0)
	}
	put(t, s, "ends", "v", ahead+10*time.Second) // as a put for 10 s at that time
	put(t, s, "a little", "v", time.Hour)
	written(t, folder, "ends", time.Now().Add(ahead))
	written(t, folder, "never", time.Now().Add(ahead))
	written(t, folder, "a little", time.Now().Add(aheadMost/2))
	want(t, s, "ends", "-")
	want(t, s, "never", "v")
	want(t, s, "a little", "v")
	put(t, s, "ends", "again", time.Hour)
	want(t, s, "ends", "again")
}

// D6: An entry that was put while the calendar clock was ahead leaves first when there is too much.
// Otherwise it would be the youngest for years, and each new entry would leave at once.
func TestReportD6_ClockWasAhead(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "store")
	const most = 20 * blockBytes
	s := open(t, folder, Options{Bytes: most})
	value := strings.Repeat("x", 500)
	for i := range 19 {
		key := fmt.Sprint("ahead ", i)
		put(t, s, key, value, 0)
		written(t, folder, key, time.Now().Add(24*time.Hour))
	}
	for i := range 10 {
		key := fmt.Sprint("new ", i)
		put(t, s, key, value, 0)
		want(t, s, key, value)
	}
	want(t, s, "new 0", value)
}

// E8: Files that killed processes were writing do not push out entries. When there is too much, they are
// removed first, unless a process may still be writing them. A clock that was ahead does not keep them
// longer.
func TestReportE8_FilesOfTheDead(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "store")
	const most = 20 * blockBytes
	s := open(t, folder, Options{Bytes: most})
	value := strings.Repeat("x", 500)
	for i := range 10 {
		put(t, s, fmt.Sprint(i), value, 0)
	}
	if err := os.MkdirAll(filepath.Join(folder, "00"), folderMode); err != nil {
		t.Fatal(err)
	}
	left := func(name string, at time.Duration) string {
		path := filepath.Join(folder, "00", tempPrefix+name)
		if err := os.WriteFile(path, make([]byte, 6*blockBytes), fileMode); err != nil {
			t.Fatal(err)
		}
		when := time.Now().Add(at)
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
		return path
	}
	written := left("1-1", -time.Second)
	gone := []string{left("1-2", -2*tempFull), left("1-3", 24*time.Hour)}
	s = open(t, folder, Options{Bytes: most})
	for i := range 10 {
		want(t, s, fmt.Sprint(i), value)
	}
	if _, err := os.Stat(written); err != nil {
		t.Errorf("what somebody may be writing: %v", err)
	}
	for _, path := range gone {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is still there", path)
		}
	}
	if n := s.Bytes(); n > most {
		t.Errorf("%d bytes", n)
	}
	ahead := left("1-4", 24*time.Hour)
	open(t, folder, Options{}) // it has room for all
	if _, err := os.Stat(ahead); err == nil {
		t.Error("a file of a clock that was ahead is still there")
	}
	if _, err := os.Stat(written); err != nil {
		t.Errorf("where there is room: %v", err)
	}
}
