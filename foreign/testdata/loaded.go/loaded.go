// Package loaded starts goroutines when it is loaded.
package loaded

import (
	"sync/atomic"

	"example.com/loaded.go/inner"
)

var ticks atomic.Int64

func init() {
	go func() { ticks.Add(1) }()
}

// Door opens once.
type Door struct{ opened atomic.Bool }

// Open says whether it was closed.
func (d *Door) Open() bool {
	return d.opened.CompareAndSwap(false, true)
}

// Torn is a Door that opens in two steps.
type Torn struct{ opened atomic.Bool }

// Open says whether it was closed.
func (t *Torn) Open() bool {
	if t.opened.Load() {
		return false
	}
	t.opened.Store(true)
	return true
}

// Ask asks who answers.
func Ask() int { return <-inner.Answers }
