package sync

import (
	"sync"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A Pool has the methods of the standard Pool and reports each of its steps. Inside an
// exploration it is a stack which is empty when an execution starts.
type Pool struct {
	// New makes an item if the pool has none. Without New, Get then returns nil.
	New func() any

	real  sync.Pool // used outside explorations
	items []any
	epoch uint64 // the execution that items belong to
}

// Get takes an item, or makes one.
func (p *Pool) Get() any {
	s := hook.Active
	if s == nil {
		if x := p.real.Get(); x != nil || p.New == nil {
			return x
		}
		return p.New()
	}
	s.Before(hook.Take, unsafe.Pointer(p))
	p.refresh()
	n := len(p.items)
	if n == 0 {
		s.After(hook.Take, unsafe.Pointer(p), 0, 0, false)
		if p.New == nil {
			return nil
		}
		return p.New()
	}
	x := p.items[n-1]
	p.items = p.items[:n-1]
	s.After(hook.Take, unsafe.Pointer(p), uint64(n), uint64(n-1), true)
	return x
}

// Put gives x to the pool. A nil x is ignored.
func (p *Pool) Put(x any) {
	s := hook.Active
	switch {
	case x == nil:
	case s == nil:
		p.real.Put(x)
	default:
		s.Before(hook.Give, unsafe.Pointer(p))
		p.refresh()
		p.items = append(p.items, x)
		n := uint64(len(p.items))
		s.After(hook.Give, unsafe.Pointer(p), n-1, n, true)
	}
}

// refresh forgets what an earlier execution left.
func (p *Pool) refresh() {
	if p.epoch != hook.Epoch {
		p.epoch, p.items = hook.Epoch, nil
	}
}
