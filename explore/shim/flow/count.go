package flow

import (
	"runtime"
	"unsafe"

	"github.com/samecycle/samecycle/explore/shim/hidden"
	"github.com/samecycle/samecycle/internal/hook"
)

// counted are the goroutines of the running execution.
var counted struct {
	n     uint64 // started and not ended
	epoch uint64 // the execution to which they belong
	steps uint64 // on the count
}

// Counts says that the explored code asks for the number of goroutines. Then the end of each goroutine is a
// step of its own, because others can see the goroutine after it has done everything else. Code that sets
// Counts sets it to the same value in all executions of a program.
var Counts bool

// ahead is the number of goroutines that a test has besides those that it starts: its own, and that of the
// process.
const ahead = 2

// NumGoroutine replaces runtime.NumGoroutine, which would count all actors of the explorer. Inside an
// exploration it is a step.
func NumGoroutine() int {
	s := hook.Active
	if s == nil {
		return runtime.NumGoroutine()
	}
	Counts = true
	s.Before(hook.Runtime, unsafe.Pointer(&counted))
	n := count(0)
	s.After(hook.Runtime, unsafe.Pointer(&counted), counted.steps, counted.steps, true)
	return int(n) + ahead
}

// count adds to the number of goroutines of the execution, and returns the number.
func count(added int) uint64 {
	if counted.epoch != hook.Epoch {
		counted.epoch, counted.n, counted.steps = hook.Epoch, 0, 0
	}
	counted.n += uint64(added)
	return counted.n
}

// begins counts a goroutine that is being started. Others may see it from here on, which is a step only in a
// reduced search.
func begins() {
	if hidden.Reduced {
		counting(1)
	} else {
		count(1)
	}
}

// ending is the last step of a goroutine, after which it does not count.
func ending() { counting(-1) }

// counting adds to the number of goroutines, in a step if others can see it.
func counting(added int) {
	s := hook.Active
	if s == nil || !Counts {
		count(added)
		return
	}
	s.Before(hook.Runtime, unsafe.Pointer(&counted))
	count(added)
	counted.steps++
	s.After(hook.Runtime, unsafe.Pointer(&counted), counted.steps-1, counted.steps, true)
}

// Allocations says that the running execution has asked how much it allocates. That says nothing about the
// original, which allocates less. Code that sets it to false does so before each execution.
var Allocations bool

// ReadMemStats replaces runtime.ReadMemStats, and notes that it was called.
func ReadMemStats(m *runtime.MemStats) {
	Allocations = true
	runtime.ReadMemStats(m)
}
