package flow

import (
	"runtime"
	"unsafe"

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
	s.Before(hook.Load, unsafe.Pointer(&counted))
	n := count(0)
	s.After(hook.Load, unsafe.Pointer(&counted), counted.steps, counted.steps, true)
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

// ending is the last step of a goroutine, after which it does not count.
func ending() {
	s := hook.Active
	if s == nil || !Counts {
		count(-1)
		return
	}
	s.Before(hook.Add, unsafe.Pointer(&counted))
	count(-1)
	counted.steps++
	s.After(hook.Add, unsafe.Pointer(&counted), counted.steps-1, counted.steps, true)
}
