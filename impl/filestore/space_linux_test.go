package filestore

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// spaceIn returns how many bytes of a disk the files in a folder take, according to the kernel.
func spaceIn(t *testing.T, folder string) (all uint64) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		var stat syscall.Stat_t
		if err := syscall.Lstat(path, &stat); err != nil {
			return err
		}
		all += uint64(stat.Blocks) * 512
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Bytes is the space that the files take on the disk, also after entries were replaced and deleted. Files
// that another process left half written count, too.
func TestStore_BytesAreSpace(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "store")
	s := open(t, folder, Options{})
	for n := range 100 {
		key := fmt.Sprint(n % 30)
		put(t, s, key, strings.Repeat("x", 311*n), 0)
		if n%7 == 0 {
			if err := s.Delete([]byte(key)); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := s.Bytes(), spaceIn(t, folder); got != want {
			t.Fatalf("step %d: the store says %d bytes, the kernel %d", n, got, want)
		}
	}
	sub, _ := nameOf([]byte("1"))
	half := filepath.Join(folder, s.temp(sub))
	if err := os.WriteFile(half, make([]byte, 50_000), 0o600); err != nil {
		t.Fatal(err)
	}
	again := open(t, folder, Options{})
	if got, want := again.Bytes(), spaceIn(t, folder); got != want || got < 50_000 {
		t.Errorf("opened again: the store says %d bytes, the kernel %d", got, want)
	}
}

// Small entries do not fill a disk that has twice the space of the store.
func TestStore_SmallEntriesOnASmallDisk(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mount("none", folder, "tmpfs", 0, "size=1m,mode=0700"); err != nil {
		t.Skipf("NOT RUN: only root can make a small file system: run the test as root (%v)", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	const most = 512 << 10
	s := open(t, folder, Options{Bytes: most})
	for n := range 600 {
		put(t, s, fmt.Sprint(n), strings.Repeat("x", 100), 0)
		var disk syscall.Statfs_t
		if err := syscall.Statfs(folder, &disk); err != nil {
			t.Fatal(err)
		}
		if used := (disk.Blocks - disk.Bfree) * uint64(disk.Bsize); used > most+1<<16 { // of folders
			t.Fatalf("after %d entries of 100 bytes %d bytes of the disk are used", n+1, used)
		}
	}
	if n := s.Bytes(); n < most/2 {
		t.Errorf("the files have %d bytes, so entries have left too early", n)
	}
}

// Several stores of one folder, as in several processes, keep their bound together. Each store except one
// may write a sixteenth of the bound, and one entry, before it notices what the others wrote.
func TestStore_BoundOfSeveral(t *testing.T) {
	const most, stores, entry = 1 << 20, 3, 8 << 10
	folder := filepath.Join(t.TempDir(), "store")
	var all []*Store
	for range stores {
		all = append(all, open(t, folder, Options{Bytes: most}))
	}
	value := strings.Repeat("x", entry-100)
	for n := range 200 * stores {
		put(t, all[n%stores], fmt.Sprint(n), value, 0)
		if n%10 != 0 {
			continue
		}
		if used := spaceIn(t, folder); used > most+(stores-1)*most/16+stores*entry {
			t.Fatalf("after %d entries the files have %d bytes, %d are the bound of all", n+1, used, most)
		}
	}
	if used := spaceIn(t, folder); used < most/2 {
		t.Errorf("the files have %d bytes, so entries have left too early", used)
	}
}
