package filestore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// folderVariable has the folder for the test binary that runs itself, which puts entries there until it is
// killed.
const folderVariable = "FILESTORE_TEST_FOLDER"

func TestMain(m *testing.M) {
	if folder := os.Getenv(folderVariable); folder != "" {
		fmt.Fprintln(os.Stderr, putAll(folder))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

const (
	deathKeys  = 8
	deathBytes = 1 << 16 // bytes of a value, so that many kills come in the middle of one
)

// deathValue is the n-th value of a key: a repeated line.
func deathValue(key string, n int) []byte {
	line := fmt.Sprintf("%s has its value %d\n", key, n)
	return []byte(strings.Repeat(line, deathBytes/len(line)))
}

func putAll(folder string) error {
	s, err := Open(folder, Options{})
	for n := 0; err == nil; n++ {
		key := fmt.Sprint("key ", n%deathKeys)
		err = s.Put([]byte(key), deathValue(key, n), 0)
	}
	return err
}

// temps returns the files that are being written, or that a killed process was writing.
func temps(t *testing.T, folder string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), tempPrefix) {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A process that is killed at any instruction of a Put leaves the old value or the new one. Anything else
// that it leaves is removed when the folder is opened an hour later.
func TestStore_Killed(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "store")
	s := open(t, folder, Options{})
	found, left := 0, 0
	for round := 0; round < 20 || left == 0 && round < 500; round++ {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), folderVariable+"="+folder)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(5+rand.IntN(20)) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
		for k := range deathKeys {
			key, n := fmt.Sprint("key ", k), 0
			value, ok, err := s.Get([]byte(key), nil)
			if err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			if !ok {
				continue
			}
			found++
			if _, err := fmt.Sscanf(string(value), key+" has its value %d\n", &n); err != nil ||
				!bytes.Equal(value, deathValue(key, n)) {
				t.Fatalf("round %d: %s has %d bytes, %.40q", round, key, len(value), value)
			}
		}
		left = len(temps(t, folder))
	}
	if found == 0 || left == 0 {
		t.Errorf("%d values were found, and %d files left by the killed: the test met nothing", found, left)
	}
	old := time.Now().Add(-2 * tempOld)
	for _, path := range temps(t, folder) {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	open(t, folder, Options{})
	if all := temps(t, folder); len(all) > 0 {
		t.Errorf("after an open there is %q", all)
	}
}

// If the file system is full, a Put returns an error, the key keeps its value, and no file of the new value
// is left. When there is room again, the next Put uses it.
func TestStore_FullDisk(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mount("none", folder, "tmpfs", 0, "size=256k,mode=0700"); err != nil {
		t.Skipf("NOT RUN: only root can make a small file system: run the test as root (%v)", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	s := open(t, folder, Options{})
	put(t, s, "key", "old", 0)
	put(t, s, "large", strings.Repeat("x", 200<<10), 0)
	if err := s.Put([]byte("key"), make([]byte, 100<<10), 0); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("a put into a full file system: %v", err)
	}
	want(t, s, "key", "old")
	if all := temps(t, folder); len(all) > 0 {
		t.Errorf("a put that failed has left %q", all)
	}
	if err := s.Delete([]byte("large")); err != nil {
		t.Fatal(err)
	}
	put(t, s, "key", strings.Repeat("y", 100<<10), 0)
	want(t, s, "key", strings.Repeat("y", 100<<10))
}

// Two stores of one folder put one key at the same time, as processes in two containers with the same
// process number may do. Each Put succeeds, and the value is one of both.
func TestStore_OneKeyByTwo(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "store")
	all := []*Store{open(t, folder, Options{}), open(t, folder, Options{})}
	for n := range 300 {
		var both sync.WaitGroup
		for i, s := range all {
			both.Go(func() {
				if err := s.Put([]byte("key"), deathValue("key", 2*n+i), 0); err != nil {
					t.Errorf("put %d of store %d: %v", n, i, err)
				}
			})
		}
		both.Wait()
		value, ok, err := all[n%2].Get([]byte("key"), nil)
		if !ok || err != nil || !bytes.Equal(value, deathValue("key", 2*n)) &&
			!bytes.Equal(value, deathValue("key", 2*n+1)) {
			t.Fatalf("put %d: %.40q %v %v", n, value, ok, err)
		}
	}
}
