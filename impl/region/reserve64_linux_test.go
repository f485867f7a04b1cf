//go:build !(386 || arm)

package region

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// What the system is asked for here are lengths, each of which is one argument of 64 bits.

// TestReserve_TheLengthFirst: and at once, then the space, all of it; where there is no reserving, zeros to
// the last byte, a mebibyte at a time, and elsewhere none.
func TestReserve_TheLengthFirst(t *testing.T) {
	const most = 1 << 20
	for _, size := range []uint64{4800, 3*most + 1} {
		for _, why := range []unix.Errno{0, unix.EOPNOTSUPP} {
			file, err := os.Create(filepath.Join(t.TempDir(), "file"))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			fd := uint64(file.Fd())
			answer := func(c systemCall) unix.Errno {
				if c.number != unix.SYS_FALLOCATE {
					return 0
				}
				if info, err := file.Stat(); err != nil || uint64(info.Size()) != size {
					t.Errorf("space is reserved when there are %d bytes, %v", info.Size(), err)
				}
				return why
			}
			calls := supervised(t, func() { err = reserve(int(fd), int64(size)) }, answer, noLength,
				noReserve, refusal{call: unix.SYS_PWRITE64})
			if err != nil || len(calls) < 2 || calls[0].number != callFtruncate ||
				!slices.Equal(calls[0].arguments[:2], []uint64{fd, size}) ||
				!slices.Equal(calls[1].arguments[:4], []uint64{fd, 0, 0, size}) {
				t.Fatalf("%v after %+v", err, calls)
			}
			filled := uint64(0)
			for _, c := range calls[2:] {
				if c.arguments[0] != fd || c.arguments[2] != min(most, size-filled) ||
					c.arguments[3] != filled {
					t.Errorf("%+v after %d bytes", c, filled)
				}
				filled += c.arguments[2]
			}
			if filled != 0 && why == 0 || filled != size && why != 0 {
				t.Errorf("%d bytes of %d are filled, while the reserving says %v", filled, size, why)
			}
		}
	}
}

// TestReserve_TakesNothingInVain: of a disk that has no room for all of it nothing is taken, for a new file
// and for the holes of one that is there.
func TestReserve_TakesNothingInVain(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var disk unix.Statfs_t
	if err := unix.Fstatfs(int(file.Fd()), &disk); err != nil {
		t.Fatal(err)
	}
	size := (int64(disk.Bavail) + 1<<18) * disk.Bsize // others may give some back meanwhile
	for name, reserve := range map[string]func(int, int64) error{"new": reserve, "holes": fallocate} {
		calls := supervised(t, func() { err = reserve(int(file.Fd()), size) }, nil, noReserve)
		if !errors.Is(err, unix.ENOSPC) || len(calls) != 0 {
			t.Errorf("%s: %v after %+v", name, err, calls)
		}
	}
}

// TestOpen_ReservesAll: the space of the whole file.
func TestOpen_ReservesAll(t *testing.T) {
	path, _ := mustCreate(t)
	var r *Region
	var err error
	calls := supervised(t, func() { r, err = Open(path, small) }, nil, noRoom)
	if err != nil || len(calls) != 1 || !slices.Equal(calls[0].arguments[1:4], []uint64{0, 0, small.Size()}) {
		t.Fatalf("%v after %+v", err, calls)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}
