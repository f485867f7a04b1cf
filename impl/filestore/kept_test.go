package filestore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An entry is there after its Put, also if it takes nearly all the space of the store, or if others have the
// same time by the coarse clock of files. The bound holds.
func TestStore_KeepsWhatWasPut(t *testing.T) {
	for _, x := range []struct{ most, entry uint64 }{{1, 1}, {20, 20}, {20, 19}, {200, 185}, {3, 1}, {5, 2}} {
		s := open(t, filepath.Join(t.TempDir(), "store"), Options{Bytes: x.most * blockBytes})
		value := strings.Repeat("x", int(x.entry)*blockBytes-headBytes-2)
		for i := range 30 {
			key := fmt.Sprintf("%02d", i)
			put(t, s, key, value, 0)
			want(t, s, key, value)
			if n := s.Bytes(); n > x.most*blockBytes {
				t.Errorf("%d bytes behind entry %d, want %d at most", n, i, x.most*blockBytes)
			}
		}
	}
}

// The same holds for the youngest entry of a folder that is opened with fewer bytes, if these are enough for
// it.
func TestOpen_KeepsTheYoungest(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "store")
	s := open(t, folder, Options{})
	value := strings.Repeat("x", 19*blockBytes-headBytes-len("last"))
	for i := range 5 {
		put(t, s, fmt.Sprintf("%04d", i), value, 0)
		written(t, folder, fmt.Sprintf("%04d", i), time.Now().Add(time.Duration(i-10)*time.Second))
	}
	put(t, s, "last", value, 0)
	want(t, open(t, folder, Options{Bytes: 20 * blockBytes}), "last", value)
	want(t, open(t, folder, Options{Bytes: 18 * blockBytes}), "last", "-")
}

// An entry lives for its time to live, and up to a millisecond longer. An entry that was put with a negative
// time to live has expired.
func TestPut_LivesAsLongAsItShould(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "store")
	s := open(t, folder, Options{})
	_, name := nameOf([]byte("k"))
	for i := range 20 {
		for _, ttl := range []time.Duration{1, time.Microsecond, 999 * time.Microsecond, time.Millisecond,
			1001 * time.Microsecond, time.Hour, -1, -time.Millisecond, -time.Hour, math.MinInt64} {
			before := time.Now()
			put(t, s, "k", "v", ttl)
			behind := time.Now()
			file, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			end := time.UnixMilli(int64(binary.LittleEndian.Uint64(file[16:])))
			switch {
			case ttl < 0:
				want(t, s, "k", "-")
			case end.Before(before.Add(ttl)), end.After(behind.Add(ttl + time.Millisecond)):
				t.Errorf("round %d: put for %v, the entry lives for %v", i, ttl, end.Sub(before))
			}
		}
	}
}

// An error of the file system names the folder of the store, and not only the path within it, because a
// program may have several stores.
func TestStore_ErrorsNameTheFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "store")
	s := open(t, folder, Options{})
	_, name := nameOf([]byte("k"))
	if err := os.MkdirAll(filepath.Join(folder, name, "in the way"), folderMode); err != nil {
		t.Fatal(err)
	}
	_, _, get := s.Get([]byte("k"), nil)
	for call, err := range map[string]error{"get": get, "put": s.Put([]byte("k"), nil, 0),
		"delete": s.Delete([]byte("k"))} {
		if err == nil || !strings.HasPrefix(err.Error(), "store "+folder+": ") {
			t.Errorf("%s: %v", call, err)
		}
	}
}

// A file that no Get would read is refused, and not written. The largest file that a Get reads is accepted.
func TestPut_RefusesWhatNobodyReads(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "store"), Options{Bytes: 1 << 40})
	if err := s.fits(fileMost); err != nil {
		t.Errorf("of the largest file that is read: %v", err)
	}
	err := s.fits(fileMost + 1)
	if want := fmt.Sprint("file of ", uint64(fileMost+1), " bytes, want ", uint64(fileMost),
		" at most: entry is too large: divide the value"); !errors.Is(err, ErrLarge) || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
	const most = 5 * blockBytes
	small := open(t, filepath.Join(t.TempDir(), "small"), Options{Bytes: most})
	for size, fits := range map[int]bool{most: true, most + 1: false} {
		err := small.Put([]byte("k"), make([]byte, size-headBytes-1), 0)
		if fits != (err == nil) || !fits && !errors.Is(err, ErrLarge) {
			t.Errorf("a file of %d bytes in a store of %d: %v", size, most, err)
		}
	}
}
