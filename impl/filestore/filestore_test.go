package filestore

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func open(t *testing.T, folder string, o Options) *Store {
	t.Helper()
	s, err := Open(folder, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func put(t *testing.T, s *Store, key, value string, ttl time.Duration) {
	t.Helper()
	if err := s.Put([]byte(key), []byte(value), ttl); err != nil {
		t.Fatal(err)
	}
}

// want checks the value of a key; "-" means that the key is not there.
func want(t *testing.T, s *Store, key, value string) {
	t.Helper()
	got, ok, err := s.Get([]byte(key), []byte("before "))
	text := strings.TrimPrefix(string(got), "before ")
	if !ok {
		text = "-"
	}
	if err != nil || text != value || !strings.HasPrefix(string(got), "before ") {
		t.Errorf("%q has %q %v %v, want %q", key, got, ok, err, value)
	}
}

// An entry has the value that was put last, also for another process and after a restart. It is removed by
// Delete, and when its time to live is over. Keys may have any bytes.
func TestStore_IsAMap(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "store")
	s, other := open(t, folder, Options{}), (*Store)(nil)
	keys := []string{"", "k", "../../etc", "a/b", "\x00\xff", strings.Repeat("long", 10_000)}
	for i, key := range keys {
		want(t, s, key, "-")
		put(t, s, key, "old", 0)
		put(t, s, key, fmt.Sprint("value ", i), 0)
	}
	put(t, s, "short", "v", time.Millisecond)
	put(t, s, "longer", "v", time.Hour)
	put(t, s, "empty", "", 0)
	put(t, s, "over", "v", -time.Nanosecond)
	put(t, s, "long over", "v", math.MinInt64)
	time.Sleep(5 * time.Millisecond)
	for range 2 {
		for i, key := range keys {
			want(t, s, key, fmt.Sprint("value ", i))
		}
		for _, over := range []string{"short", "over", "long over"} {
			want(t, s, over, "-")
		}
		want(t, s, "longer", "v")
		want(t, s, "empty", "")
		other, s = s, open(t, folder, Options{})
	}
	if err := s.Delete([]byte("k")); err != nil {
		t.Error(err)
	}
	if err := s.Delete([]byte("k")); err != nil {
		t.Error(err)
	}
	want(t, s, "k", "-")
	want(t, other, "k", "-")
}

// J2: A file that is cut at any byte, or has any wrong bit, gives an error, and never another value.
func TestReportJ2_DamagedFile(t *testing.T) {
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	s := open(t, folder, Options{})
	put(t, s, "key", "value", 0)
	_, name := nameOf([]byte("key"))
	path := filepath.Join(folder, name)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	found, says := 0, path+": "+ErrCorrupt.Error()+": delete the key"
	try := func(what string, content []byte) {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		value, ok, err := s.Get([]byte("key"), nil)
		if errors.Is(err, ErrCorrupt) && !ok && err.Error() == says {
			found++
			return
		}
		t.Errorf("%s: %q %v %v", what, value, ok, err)
	}
	for n := range good {
		try(fmt.Sprintf("%d bytes", n), good[:n])
		for bit := range 8 {
			bad := bytes.Clone(good)
			bad[n] ^= 1 << bit
			try(fmt.Sprintf("bit %d of byte %d", bit, n), bad)
		}
	}
	try("a byte more", append(bytes.Clone(good), 0))
	if found != 9*len(good)+1 {
		t.Errorf("%d of %d damages were found", found, 9*len(good)+1)
	}
	put(t, s, "key", "new", 0) // a put repairs it
	want(t, s, "key", "new")
}

// The oldest entries leave when there are too many bytes, and an entry that never fits is refused. A file
// that a killed process was writing is removed when it is old, and not before.
func TestStore_KeepsItsBytes(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "store")
	const most = 20 * blockBytes
	s := open(t, folder, Options{Bytes: most})
	value := strings.Repeat("x", 500) // usually one block
	for i := range 60 {
		put(t, s, fmt.Sprintf("%02d", i), value, 0)
		if n := s.Bytes(); n > most {
			t.Fatalf("%d bytes after %d", n, i)
		}
		past := time.Now().Add(time.Duration(i-100) * time.Second) // the clock of files may be coarse
		_, name := nameOf(fmt.Appendf(nil, "%02d", i))
		if err := os.Chtimes(filepath.Join(folder, name), past, past); err != nil {
			t.Fatal(err)
		}
	}
	want(t, s, "59", value)
	want(t, s, "00", "-")
	if err := s.Put([]byte("k"), make([]byte, most), 0); !errors.Is(err, ErrLarge) {
		t.Errorf("an entry that is too large: %v", err)
	}
	left := []string{filepath.Join(folder, "00", tempPrefix+"1-1"),
		filepath.Join(folder, "00", tempPrefix+"1-2")}
	_ = os.Mkdir(filepath.Join(folder, "00"), 0o700)
	for i, name := range left {
		if err := os.WriteFile(name, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-2 * tempOld * time.Duration(i))
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	again := open(t, folder, Options{Bytes: most})
	if want := s.Bytes() + rounded(uint64(len("half"))); again.Bytes() != want {
		t.Errorf("%d bytes, want %d: what another process has counted, and what is being written",
			again.Bytes(), want)
	}
	if _, err := os.Stat(left[0]); err != nil {
		t.Errorf("what is being written was removed: %v", err)
	}
	if _, err := os.Stat(left[1]); err == nil {
		t.Error("what a process has left two hours ago is there")
	}
}

// Other files in the folder stay, however old and large they are, and do not count. Some of their names are
// similar to those of a store.
func TestStore_LeavesOtherFiles(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "home")
	name, temp := strings.Repeat("0", 62), tempPrefix+"1-1"
	others := []string{"thesis", name, temp, "docs/new-budget", "docs/" + temp, "ab/" + temp + "x", "ab/old",
		"ab/new-budget", "ab/x" + temp, "ab/cd/" + name, "ab/cd/" + temp, "AB/" + name, "ab/" + name[1:],
		"ab/0" + name, "abc/" + name, "locked/x"}
	past := time.Now().Add(-10 * tempOld)
	for _, name := range others {
		path := filepath.Join(folder, name)
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
			os.WriteFile(path, make([]byte, 8*blockBytes), 0o600), os.Chtimes(path, past, past))
		if err != nil {
			t.Fatal(err)
		}
	}
	locked := filepath.Join(folder, "locked")
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	s := open(t, folder, Options{Bytes: 4 * blockBytes})
	if n := s.Bytes(); n != 0 {
		t.Errorf("%d bytes of a store without entries", n)
	}
	for i := range 20 {
		put(t, s, fmt.Sprint(i), "value", 0)
	}
	want(t, s, "19", "value")
	if n := s.Bytes(); n > 4*blockBytes {
		t.Errorf("%d bytes", n)
	}
	if err := os.Chmod(locked, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range others {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Size() != 8*blockBytes {
			t.Errorf("a file of somebody else: %v", err)
		}
	}
}

// TestStore_Closed: each call returns ErrClosed, and names the folder.
func TestStore_Closed(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "store")
	s := open(t, folder, Options{})
	put(t, s, "k", "v", 0)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if n := s.Bytes(); n != blockBytes {
		t.Errorf("a closed store has %d bytes, want %d", n, blockBytes)
	}
	_, _, get := s.Get([]byte("k"), nil)
	want := folder + ": store is closed: open it again"
	for name, err := range map[string]error{"get": get, "put": s.Put([]byte("k"), nil, 0),
		"put another": s.Put([]byte("other"), nil, 0), "delete": s.Delete([]byte("k")),
		"sweep": s.sweep(""), "close": s.Close()} {
		if !errors.Is(err, ErrClosed) || err.Error() != want {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// A folder that others may write to, a symbolic link and a file are refused. A link within the folder is not
// followed.
func TestOpen_Refuses(t *testing.T) {
	dir := t.TempDir()
	wide, file, link := filepath.Join(dir, "wide"), filepath.Join(dir, "file"), filepath.Join(dir, "link")
	for _, err := range []error{os.Mkdir(wide, 0o700), os.Chmod(wide, 0o770), os.WriteFile(file, nil, 0o600),
		os.Symlink(dir, link)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{wide, link} {
		if _, err := Open(path, Options{}); !errors.Is(err, ErrFolder) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := Open(file, Options{}); err == nil {
		t.Error("a file was opened as a folder")
	}
	advice := `"" is empty, want a path: name the folder for the files of the store`
	if _, err := Open("", Options{}); !errors.Is(err, ErrFolder) || !strings.HasSuffix(err.Error(), advice) {
		t.Errorf("no path: %v", err)
	}
	folder := filepath.Join(dir, "store")
	s := open(t, folder, Options{})
	private := filepath.Join(dir, "private")
	if err := os.Symlink(folder, private); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{private, private + "/", private + "//."} {
		if _, err := Open(path, Options{}); !errors.Is(err, ErrFolder) ||
			!strings.Contains(err.Error(), "a symbolic link, want a folder") {
			t.Errorf("%s: %v", path, err)
		}
	}
	sub, name := nameOf([]byte("key"))
	if err := os.Mkdir(filepath.Join(folder, sub), 0o700); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, packed([]byte("key"), []byte("secret"), 0), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(folder, name)); err != nil {
		t.Fatal(err)
	}
	if value, ok, err := s.Get([]byte("key"), nil); ok || err == nil {
		t.Errorf("a link out of the folder was followed: %q %v", value, err)
	}
	put(t, s, "key", "own", 0)
	want(t, s, "key", "own")
	if b, err := os.ReadFile(secret); err != nil || !bytes.Contains(b, []byte("secret")) {
		t.Errorf("a put has written through a link: %q %v", b, err)
	}
}

// Goroutines that put, get and delete one key find only values that were put, and whole.
func TestStore_Concurrent(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "store"), Options{Bytes: 1 << 20})
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			for n := range 200 {
				value := bytes.Repeat([]byte{byte('a' + i)}, 100+n)
				if err := s.Put([]byte("key"), value, 0); err != nil {
					t.Error(err)
				}
				got, ok, err := s.Get([]byte("key"), nil)
				if err != nil || ok && (len(got) < 100 || len(bytes.Trim(got, string(got[:1]))) != 0) {
					t.Errorf("%d bytes %v %v", len(got), ok, err)
				}
				if n%20 == 0 {
					if err := s.Delete([]byte("key")); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wait.Wait()
}
