package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unsafe"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// memory is a kind of memory of a region.
type memory struct {
	name string
	make func(hopscotch.Layout) (*region.Region, error)
	// least is the share of huge pages without which the memory is not what its name says.
	least float64
}

// hugeLeast is the share of huge pages from which on a region counts as lying on them: its last bytes
// fill none.
const hugeLeast = 0.8

// hugeMemory is the heap, where huge pages are asked for.
func hugeMemory() memory { return memory{name: "huge", make: hopscotch.Heap, least: hugeLeast} }

// fileMemory is a shared mapping of the file. On a tmpfs it lies on huge pages, too, if the system has them
// to give (Linux 6.1 and later).
func fileMemory(path string) memory {
	return memory{name: "file", make: func(l hopscotch.Layout) (*region.Region, error) {
		return hopscotch.Create(path, l)
	}}
}

// grant says why a region, all of which has been written, does not lie on the memory that was meant.
func (m memory) grant(r *region.Region) error {
	if share := hugeShare(address(r)); share < m.least {
		return fmt.Errorf("%w: %.0f %% of the region lies on them (see "+
			"/sys/kernel/mm/transparent_hugepage/enabled)", errNoHuge, 100*max(share, 0))
	}
	return nil
}

// grantWritten is grant for a region that nobody has written to yet.
func (m memory) grantWritten(r *region.Region) error {
	from := r.Layout().Offset(hopscotch.Engine, hopscotch.SectionCells) / region.WordBytes
	clear(r.Words().Plain()[from:])
	return m.grant(r)
}

// where tells about the memory under a region.
func (m memory) where(r *region.Region) string {
	if share := hugeShare(address(r)); share >= 0 {
		return fmt.Sprintf("%.0f %% on huge pages", 100*share)
	}
	return "huge pages " + r.Huge().String()
}

// heapPages tells about the memory of the peers: Go's heap, which the keys are in, too. It gets no huge
// pages where the system grants them to those who ask, so in the rows `huge` only ours has them.
func heapPages(keys []uint32) string {
	if share := hugeShare(uintptr(unsafe.Pointer(unsafe.SliceData(keys)))); share >= 0 {
		return fmt.Sprintf("peers %.0f %% on huge pages", 100*share)
	}
	return "peers on pages of unknown size"
}

// scratch is a folder in memory when the system has one, so that no disk is measured.
func scratch() (string, error) {
	if dir, err := os.MkdirTemp("/dev/shm", "samecycle-bench-"); err == nil {
		return dir, nil
	}
	return os.MkdirTemp("", "samecycle-bench-")
}

// dispose ends a region and its file.
func dispose(r *region.Region) {
	file := r.File()
	_ = r.Close()
	if file != "" {
		_ = os.Remove(filepath.Clean(file))
	}
}

// address of the first word, to find the region in the list of mappings.
func address(r *region.Region) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(r.Words()))) }

// hugeShare is how much of the mapping around an address lies on huge pages, 0..1, as the system
// tells; -1 when it does not.
func hugeShare(at uintptr) float64 {
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return -1
	}
	inside := false
	size, huge := 0.0, 0.0
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if from, to, ok := strings.Cut(fields[0], "-"); ok && !strings.HasSuffix(fields[0], ":") {
			if inside {
				break
			}
			a, errA := strconv.ParseUint(from, 16, 64)
			b, errB := strconv.ParseUint(to, 16, 64)
			inside = errA == nil && errB == nil && uint64(at) >= a && uint64(at) < b
			continue
		}
		if !inside || len(fields) < 2 {
			continue
		}
		kib, _ := strconv.ParseFloat(fields[1], 64)
		switch fields[0] {
		case "Size:":
			size = kib
		case "AnonHugePages:", "ShmemPmdMapped:":
			huge += kib
		}
	}
	if size == 0 {
		return -1
	}
	return huge / size
}

// heapOf is how many bytes of Go's heap the result of make keeps.
func heapOf(make func() error) (float64, error) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	if err := make(); err != nil {
		return 0, err
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	return float64(after.HeapAlloc) - float64(before.HeapAlloc), nil
}
