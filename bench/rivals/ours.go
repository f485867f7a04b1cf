package rivals

import (
	"sync/atomic"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/scenarios/explore"
)

// words are cells that report each access to the explorer. They are a shim of their own because
// the programs use a compare-and-swap that returns what it found, as the rivals' atomics do.
type words struct{ v []uint64 }

func (w *words) do(k hook.Kind, i uint64, f func(p *uint64) (old, new uint64, ok bool)) uint64 {
	p := &w.v[i]
	s := hook.Active
	s.Before(k, unsafe.Pointer(p))
	old, new, ok := f(p)
	s.After(k, unsafe.Pointer(p), old, new, ok)
	return old
}

func (w *words) load(i uint64) uint64 {
	return w.do(hook.Load, i, func(p *uint64) (uint64, uint64, bool) {
		v := atomic.LoadUint64(p)
		return v, v, true
	})
}

func (w *words) store(i, v uint64) {
	w.do(hook.Store, i, func(p *uint64) (uint64, uint64, bool) {
		return atomic.SwapUint64(p, v), v, true
	})
}

func (w *words) cas(i, old, new uint64) uint64 {
	return w.do(hook.CompareAndSwap, i, func(p *uint64) (uint64, uint64, bool) {
		found := atomic.LoadUint64(p)
		return found, new, atomic.CompareAndSwapUint64(p, old, new)
	})
}

func (w *words) add(i, v uint64) uint64 {
	return w.do(hook.Add, i, func(p *uint64) (uint64, uint64, bool) {
		n := atomic.AddUint64(p, v)
		return n - v, n, true
	})
}

func (w *words) yield() { hook.Active.Yield() }

// explorable makes a program of the explorer; each is told of every outcome.
func explorable(p Program, each func(string)) explore.Program {
	w := &words{v: make([]uint64, len(p.Cells))}
	threads := make([]machine, len(p.Threads))
	var actors []explore.Actor
	for i := range threads {
		m := &threads[i]
		m.code = p.Threads[i]
		actors = append(actors, explore.Actor{Name: string(rune('A' + i)), Body: func() {
			for m.local() {
				m.access(w)
			}
		}})
	}
	return explore.Program{
		Name: p.Name,
		Start: func(x *explore.Execution) []explore.Actor {
			x.Region(unsafe.Pointer(&w.v[0]), len(w.v)*int(unsafe.Sizeof(w.v[0])))
			copy(w.v, p.Cells)
			for i := range threads {
				threads[i] = machine{code: p.Threads[i], out: threads[i].out[:0]}
			}
			return actors
		},
		Finish: func(*explore.Execution) error {
			if each != nil {
				each(outcome(threads, w.v))
			}
			return nil
		},
	}
}
