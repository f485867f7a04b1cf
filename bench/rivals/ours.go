package rivals

import (
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/hook"
)

// words are cells that report each access to the explorer. They are a shim of their own because
// the programs use a compare-and-swap that returns what it found, as the rivals' atomics do. Of all
// actors one runs at a time, so the cells are plain memory, as they are in the rivals.
type words struct{ v []uint64 }

func (w *words) load(i uint64) uint64 {
	p, s := &w.v[i], hook.Active
	s.Before(hook.Load, unsafe.Pointer(p))
	v := *p
	s.After(hook.Load, unsafe.Pointer(p), v, v, true)
	return v
}

func (w *words) store(i, v uint64) {
	p, s := &w.v[i], hook.Active
	s.Before(hook.Store, unsafe.Pointer(p))
	old := *p
	*p = v
	s.After(hook.Store, unsafe.Pointer(p), old, v, true)
}

func (w *words) cas(i, old, new uint64) uint64 {
	p, s := &w.v[i], hook.Active
	s.Before(hook.CompareAndSwap, unsafe.Pointer(p))
	found := *p
	if found == old {
		*p = new
	}
	s.After(hook.CompareAndSwap, unsafe.Pointer(p), found, new, found == old)
	return found
}

func (w *words) add(i, v uint64) uint64 {
	p, s := &w.v[i], hook.Active
	s.Before(hook.Add, unsafe.Pointer(p))
	found := *p
	*p = found + v
	s.After(hook.Add, unsafe.Pointer(p), found, found+v, true)
	return found
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
		Name:  p.Name,
		Words: true, // the threads share cells and nothing else
		Start: func(x *explore.Execution) []explore.Actor {
			x.Region(unsafe.Pointer(&w.v[0]), len(w.v)*int(unsafe.Sizeof(w.v[0])))
			copy(w.v, p.Cells)
			for i := range threads {
				threads[i].restart()
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
