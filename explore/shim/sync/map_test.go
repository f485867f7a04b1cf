package sync

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/internal/hook/hooktest"
)

// TestMap_OrderFromOutside: what was stored ahead of an execution comes in the order of its keys.
func TestMap_OrderFromOutside(t *testing.T) {
	var m Map
	for i := range 50 {
		m.Store(49-i, i)
	}
	hook.Active = hooktest.Ahead(func(hook.Kind, unsafe.Pointer) {}).Scheduler()
	t.Cleanup(func() { hook.Active = nil })
	hook.Epoch++
	var keys []int
	m.Range(func(k, _ any) bool { keys = append(keys, k.(int)); return true })
	if len(keys) != 50 || !slices.IsSorted(keys) {
		t.Error(keys)
	}
}
