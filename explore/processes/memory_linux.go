package processes

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/region"
)

// Memory is one memory file, mapped several times: view i is what process i has.
type Memory struct{ views [][]byte }

// NewMemory makes the memory of a region of the layout, all zero, with so many views. It lives as long
// as this process.
func NewMemory(l region.Layout, views int) (*Memory, error) {
	r, err := region.Memory("explored", l)
	if err != nil {
		return nil, err
	}
	f, err := r.Share()
	if err := errors.Join(err, r.Close()); err != nil {
		return nil, err
	}
	defer f.Close()
	m := &Memory{}
	for range views {
		if err := m.add(f, int(l.Size())); err != nil {
			return nil, err
		}
	}
	clear(m.Words())
	return m, nil
}

func (m *Memory) add(f *os.File, size int) error {
	view, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_SHARED)
	if err != nil {
		return fmt.Errorf("map %d bytes once more: %w; check memory limits", size, err)
	}
	m.views = append(m.views, view)
	return nil
}

// View is the memory as process i has it.
func (m *Memory) View(i int) []byte { return m.views[i] }

// Words is view 0, word by word.
func (m *Memory) Words() []uint64 {
	v := m.views[0]
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(v))), len(v)/region.WordBytes)
}

// At is where view i begins.
func (m *Memory) At(i int) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(m.views[i])) }

// Mapping is view i for the explorer, as one of view 0.
func (m *Memory) Mapping(i int) []explore.Mapping {
	return []explore.Mapping{{At: m.At(i), Of: m.At(0), Size: len(m.views[i])}}
}
