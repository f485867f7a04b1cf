package region

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// twoHuge fills two huge pages, and part of another one.
var twoHuge = toy(1<<17+1<<13, 8, 2, near)

// onTmpfs creates a region of that layout on a tmpfs, which has its name there as long as the test runs.
func onTmpfs(t *testing.T, l Layout) (string, *Region) {
	t.Helper()
	if strconv.IntSize == 32 {
		t.Skip("NOT RUN: regions are not aligned to huge pages where addresses have 32 bits; " +
			"use GOARCH=amd64")
	}
	dir, err := os.MkdirTemp("/dev/shm", "samecycle-huge-")
	if err != nil {
		t.Skipf("NOT RUN: there is no tmpfs at /dev/shm (%v); mount one", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "table")
	r, err := Create(path, l)
	if err != nil {
		t.Fatal(err)
	}
	return path, r
}

// beginOf is the address of the region's first word.
func beginOf(r *Region) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(r.Words()))) }

// hugeKiB is how much of the mapping at an address lies on huge pages.
func hugeKiB(t *testing.T, at uintptr) (kib int) {
	t.Helper()
	for line := range strings.Lines(mappingOf(t, at)) {
		if rest, ok := strings.CutPrefix(line, "ShmemPmdMapped:"); ok {
			if _, err := fmt.Sscan(rest, &kib); err != nil {
				t.Fatal(err)
			}
		}
	}
	return kib
}

// TestMapFile_LargeIsAligned: a file of a huge page or more is mapped where such a page can be, by whoever
// maps it, with the access that it needs; and Close takes all of it back.
func TestMapFile_LargeIsAligned(t *testing.T) {
	path, made := onTmpfs(t, twoHuge)
	attached, err := Open(path, twoHuge)
	if err != nil {
		t.Fatal(err)
	}
	seen, err := Observe(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*Region{"create": made, "open": attached, "observe": seen} {
		at, access := beginOf(r), " rw-s "
		if name == "observe" {
			access = " r--s "
		}
		if at%HugePage != 0 || !strings.Contains(mappingOf(t, at), access) {
			t.Errorf("%s: mapped at %#x, %q", name, at, mappingOf(t, at))
		}
		if err := r.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if now := mappingOf(t, at); strings.Contains(now, path) {
			t.Errorf("%s: after Close the file is mapped at %q", name, now)
		}
	}
}

// TestMapFile_LargeIsRefused: what the system refuses is told, and nothing stays mapped.
func TestMapFile_LargeIsRefused(t *testing.T) {
	path, r := onTmpfs(t, twoHuge)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	const times = 20 // since Go reserves addresses of its own meanwhile, a few
	before := reserved(t)
	for _, c := range []struct {
		list refusal
		want string
	}{
		{refusal{call: callMmap, why: unix.ENOMEM}.with(1, uint32(twoHuge.Size()+HugePage)),
			"map: system call failed: cannot allocate memory; check memory limits and the file system"},
		{refusal{call: callMmap, why: unix.ENOMEM}.with(3, unix.MAP_SHARED|unix.MAP_FIXED),
			"map: system call failed: cannot allocate memory; check memory limits and the file system"},
	} {
		var err error
		for range times {
			refused(t, func() { r, err = Open(path, twoHuge) }, c.list)
		}
		if got := lines(err, path); len(got) != 1 || got[0] != c.want || r != nil {
			t.Errorf("%q, %v, want %q", got, r, c.want)
		}
	}
	if after := reserved(t); after >= before+times*twoHuge.Size() {
		t.Errorf("%d bytes of addresses are reserved, %d before", after, before)
	}
}

// reserved is how many bytes of addresses are reserved, without access.
func reserved(t *testing.T) (bytes uint64) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var from, to uint64
		var access string
		if k, _ := fmt.Sscanf(line, "%x-%x %s", &from, &to, &access); k == 3 && access == "---p" {
			bytes += to - from
		}
	}
	return bytes
}

// TestCreate_TakesHugePages: a new file on a tmpfs lies on them, for all who map it, and is all zero.
func TestCreate_TakesHugePages(t *testing.T) {
	path, r := onTmpfs(t, twoHuge)
	other, err := Open(path, twoHuge)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := Memory("huge", twoHuge)
	if err != nil {
		t.Fatal(err)
	}
	if r.Huge() == HugeRefused {
		t.Skip("NOT RUN: this system has no huge pages for a tmpfs; use Linux 6.1 or later, and let " +
			"/sys/kernel/mm/transparent_hugepage/shmem_enabled not say deny")
	}
	const whole = 2 * HugePage >> 10
	for name, x := range map[string]*Region{"create": r, "open": other, "memory": memory} {
		for i, word := range x.Words().Plain()[headerWords*64:] { // behind the table of processes
			if word != 0 {
				t.Fatalf("%s: word %d is %d", name, i, word)
			}
		}
		if kib := hugeKiB(t, beginOf(x)); kib != whole {
			t.Errorf("%s: %d KiB lie on huge pages, want %d", name, kib, whole)
		}
		if want := map[string]Huge{"open": HugeNotAsked}[name]; name == "open" && x.Huge() != want ||
			name != "open" && x.Huge() != HugeGranted {
			t.Errorf("%s: huge pages %v", name, x.Huge())
		}
	}
	r.Words().Plain()[headerWords*64] = 7
	if x := other.Words().Plain()[headerWords*64]; x != 7 {
		t.Errorf("what one has written, another one reads as %d", x)
	}
	for _, x := range []*Region{r, other, memory} {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestCreate_HugePagesAreAWish: whatever the system refuses of them, the region is made, with all its space.
func TestCreate_HugePagesAreAWish(t *testing.T) {
	path, r := onTmpfs(t, twoHuge)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	size := uint32(twoHuge.Size() / HugePage * HugePage)
	for name, c := range map[string]struct {
		list refusal
		huge Huge
	}{
		"collapse": {refusal{call: unix.SYS_MADVISE, why: unix.EINVAL}.with(2, unix.MADV_COLLAPSE),
			HugeRefused},
		"file system": {refusal{call: unix.SYS_FSTATFS, why: unix.ENOSYS}, HugeNotAsked},
		"write":       {refusal{call: unix.SYS_PWRITE64, why: unix.ENOSPC}, HugeRefused},
		"map":         {refusal{call: callMmap, why: unix.ENOMEM}.with(1, size), HugeRefused},
	} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		var r *Region
		var err error
		refused(t, func() { r, err = Create(path, twoHuge) }, c.list)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var stat unix.Stat_t
		if err := unix.Stat(path, &stat); err != nil || uint64(stat.Blocks)*512 < twoHuge.Size() ||
			uint64(stat.Size) != twoHuge.Size() || r.Huge() != c.huge {
			t.Errorf("%s: %v, %d bytes, %d blocks, huge pages %v, want %v", name, err, stat.Size, stat.Blocks,
				r.Huge(), c.huge)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	disk := filepath.Join(t.TempDir(), "table") // which may be a tmpfs, too
	d, err := Create(disk, twoHuge)
	var system unix.Statfs_t
	if err := errors.Join(err, unix.Statfs(disk, &system)); err != nil {
		t.Fatal(err)
	}
	if system.Type != unix.TMPFS_MAGIC && d.Huge() != HugeNotAsked {
		t.Errorf("on a disk: huge pages %v", d.Huge())
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}
