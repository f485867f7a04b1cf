package stress

import "sync/atomic"

// shared is memory that all clients of a run have: on the heap, or a file that each process maps. What a
// process has written to it survives the process, whenever that is killed.
type shared []atomic.Uint64

// wipe makes the words zero. Nobody else uses them.
func (m shared) wipe() {
	for i := range m {
		m[i].Store(0)
	}
}
