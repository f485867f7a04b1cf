package filestore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// written lets the file of a key look as if it had been written at that time.
func written(t *testing.T, folder, key string, at time.Time) {
	t.Helper()
	_, name := nameOf([]byte(key))
	if err := os.Chtimes(filepath.Join(folder, name), at, at); err != nil {
		t.Fatal(err)
	}
}

// H4: an entry with an end that was put while the calendar clock was years ahead is not found when the clock
// is right again: its end is years away. One without an end is found, and a clock that differs a little does
// no harm.
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

// D6: what was put while the calendar clock was ahead goes first when there is too much. Else it would be the
// youngest for years, and each entry that comes would go at once.
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

// E8: what killed processes were writing pushes out no entries: where there is too much it goes first, unless
// somebody may be writing it. A clock that was ahead keeps it no longer.
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
	open(t, folder, Options{}) // which has room for all
	if _, err := os.Stat(ahead); err == nil {
		t.Error("a file of a clock that was ahead is still there")
	}
	if _, err := os.Stat(written); err != nil {
		t.Errorf("where there is room: %v", err)
	}
}
