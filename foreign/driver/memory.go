package driver

import (
	"bytes"
	"context"
	"errors"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync"
	"time"
)

// errMemory ends the search of a test that needs more memory than the process may use.
var errMemory = errors.New("the search ended early, because it used half of the memory that was available")

// A memory looks after the memory of the process, so that a test whose executions keep much does not take
// what other processes need.
type memory struct {
	most uint64 // bytes

	mu   sync.Mutex
	stop context.CancelCauseFunc // of the running search, or nil
}

// memoryTicks is how often the memory is looked at.
const memoryTicks = 100 * time.Millisecond

// watchMemory begins to look after the memory. The process may use half of what is available now.
func watchMemory() *memory {
	text, _ := os.ReadFile("/proc/meminfo")
	m := &memory{most: availableIn(text) / 2}
	debug.SetMemoryLimit(int64(m.most / 2)) // from here on the collector works more, instead of using more
	go m.watch()
	return m
}

// watch ends searches that use too much, as long as the process runs.
func (m *memory) watch() {
	for range time.Tick(memoryTicks) {
		if used() > m.most {
			m.end()
		}
	}
}

// usualMemory is taken for the available memory where nothing says how much that is.
const usualMemory = 8 << 30

// availableIn reads the number of bytes that are available from the text of /proc/meminfo.
func availableIn(text []byte) uint64 {
	_, behind, _ := bytes.Cut(text, []byte("MemAvailable:"))
	number, _, _ := bytes.Cut(bytes.TrimLeft(behind, " "), []byte(" kB"))
	if kilobytes, err := strconv.ParseUint(string(number), 10, 50); err == nil && kilobytes > 0 {
		return kilobytes << 10
	}
	return usualMemory
}

// used returns how many bytes the process has from the system.
func used() uint64 {
	s := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}

// within returns a context that ends when the process uses too much memory. enough ends it, and gives memory
// back that is used no more.
func (m *memory) within(ctx context.Context) (part context.Context, enough func()) {
	if m == nil {
		return ctx, func() {}
	}
	part, stop := context.WithCancelCause(ctx)
	m.set(stop)
	return part, func() {
		m.set(nil)
		stop(nil)
		if used() > m.most/2 {
			debug.FreeOSMemory()
		}
	}
}

func (m *memory) set(stop context.CancelCauseFunc) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stop = stop
}

func (m *memory) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stop != nil {
		m.stop(errMemory)
	}
}
