//go:build !linux

package processes

import (
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/region"
)

// Memory needs linux: other systems have no region that several processes map.
type Memory struct{}

// NewMemory needs linux.
func NewMemory(region.Layout, int) (*Memory, error) { return nil, region.ErrPlatform }

// View needs linux.
func (m *Memory) View(int) []byte { return nil }

// Words needs linux.
func (m *Memory) Words() []uint64 { return nil }

// At needs linux.
func (m *Memory) At(int) unsafe.Pointer { return nil }

// Mapping needs linux.
func (m *Memory) Mapping(int) []explore.Mapping { return nil }
