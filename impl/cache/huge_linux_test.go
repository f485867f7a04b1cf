package cache

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/impl/region"
)

// TestOpen_HugePages: the file of a new cache on a tmpfs lies on huge pages.
func TestOpen_HugePages(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("NOT RUN: a program of 32 bits does not ask for huge pages: run it on 64 bits")
	}
	dir, err := os.MkdirTemp("/dev/shm", "samecycle-cache-")
	if err != nil {
		t.Skipf("NOT RUN: there is no tmpfs at /dev/shm (%v); mount one", err)
	}
	defer os.RemoveAll(dir)
	c := open(t, filepath.Join(dir, "c"), Options{Bytes: 8 << 20})
	if err := c.Set([]byte("a"), []byte("b")); err != nil {
		t.Fatal(err)
	}
	if c.region.Huge() == region.HugeRefused {
		t.Skip("NOT RUN: this system has no huge pages for a tmpfs; use Linux 6.1 or later, and let " +
			"/sys/kernel/mm/transparent_hugepage/shmem_enabled not say deny")
	}
	seen := uint64(0) // the system maps a page when somebody looks at it
	for _, word := range c.region.Words().Plain() {
		seen |= word
	}
	whole := int(c.region.Size()) / region.HugePage * region.HugePage >> 10
	at := uintptr(unsafe.Pointer(unsafe.SliceData(c.region.Words())))
	if kib := hugeKiB(t, at); kib != whole || seen == 0 {
		t.Errorf("%d KiB lie on huge pages, want %d", kib, whole)
	}
}

// hugeKiB is how much of the mapping that begins at an address lies on huge pages.
func hugeKiB(t *testing.T, at uintptr) (kib int) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	_, mapping, ok := strings.Cut(string(text), fmt.Sprintf("\n%x-", at))
	if !ok {
		t.Fatalf("no mapping begins at %#x", at)
	}
	_, rest, _ := strings.Cut(mapping, "ShmemPmdMapped:")
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		t.Fatal(err)
	}
	return kib
}
