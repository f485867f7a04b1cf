package region

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/samecycle/samecycle/internal/seam"
)

// System has what a region needs from the operating system: one lock for each entry of the process table,
// which ends with the process that holds it, and sleeps of processes that wait for one another. Region files
// use the locks of open file descriptions. For memory that a caller has mapped, the caller provides a System.
// The exploration of several processes does so, and kills a process at any point of these calls.
type System interface {
	// Lock takes the lock of an entry, or reports that another handle has it.
	Lock(index uint32) (bool, error)
	// Unlock gives it up.
	Unlock(index uint32) error
	// Locked reports whether another handle has it.
	Locked(index uint32) (bool, error)
	// Pid and Now are information for people: the number of the process, and nanoseconds since 1970.
	Pid() uint64
	Now() uint64
	// Sleep sleeps while *half, the low half of a word, is seen, for at most so long; it may return earlier
	// for no reason. It reports whether it can sleep at all; if not, the caller looks at the word again and
	// again. Futex has both methods.
	Sleep(half *uint32, seen uint32, most seam.Duration) bool
	// Wake ends the sleeps on that word, of all handles. It is called after the word has changed.
	Wake(half *uint32)
}

// Futex implements the sleeps of a System by the futexes of the operating system, which identify a word by
// its place in memory that several processes have mapped. On a system without futexes it cannot sleep, and
// wakes nobody.
type Futex struct{}

// Sleep implements System.
func (Futex) Sleep(half *uint32, seen uint32, most seam.Duration) bool {
	return futexSleep(half, seen, most)
}

// Wake implements System.
func (Futex) Wake(half *uint32) { futexWake(half, math.MaxInt32) }

// Make makes a region in memory that is all zero and that processes share in any way, and attaches to it.
// Until it is finished, other processes get ErrUnfinished. The memory stays the caller's; locks come from s.
// The caller must ensure that only one process makes a region in the memory at a time. Errors: ErrGeometry,
// ErrSize, ErrDirty (there is something in the memory, such as a region), ErrProcesses, those of s.
func Make(memory []byte, l Layout, s System) (*Region, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	if size := l.Size(); uint64(len(memory)) != size {
		return nil, &Error{Reason: ErrSize, Field: "memory", Found: fmt.Sprint(len(memory)),
			Want: fmt.Sprint(size), Do: "map as many bytes as the layout needs"}
	}
	r, err := over(memory, l.align(), s)
	if err != nil {
		return nil, err
	}
	r.settle(l)
	if err := r.clean(); err != nil {
		return nil, err
	}
	if err := r.attach(); err != nil {
		return nil, err
	}
	r.publish()
	r.Wake(&r.words[wordMagic])
	return r, nil
}

// clean refuses memory that is not all zero. Nobody else uses it yet, so it is read word by word without the
// seam.
func (r *Region) clean() error {
	for i, w := range r.words.Plain() {
		switch {
		case w == 0:
		case i == wordMagic && w == Magic:
			return &Error{Reason: ErrDirty, Field: "memory", Found: "a region", Want: "zeros",
				Do: "attach to the region, or clear the memory when nobody uses it any more"}
		default:
			return &Error{Reason: ErrDirty, Field: "memory",
				Found: fmt.Sprintf("%#x at offset %d", w, i*WordBytes), Want: "zeros",
				Do: "clear it, if nothing in it is of use"}
		}
	}
	return nil
}

// Attach attaches to a region in memory that the caller has mapped and continues to own; locks come from s.
// want is as in Open. Errors: ErrUnfinished, ErrMagic, ErrVersion, ErrLayout, ErrHeader, ErrSize,
// ErrProcesses, those of s.
func Attach(memory []byte, want Layout, s System) (*Region, error) {
	return AttachWithin(memory, want, s, 0)
}

// AttachWithin is Attach for a region that another process is about to finish. It waits for that, but no
// longer than bound, and then returns ErrUnfinished, as if the creator had died. Progress: that of Await.
func AttachWithin(memory []byte, want Layout, s System, bound seam.Duration) (*Region, error) {
	if err := checkSize("", int64(len(memory))); err != nil {
		return nil, err
	}
	r, err := over(memory, LineBytes, s)
	if err != nil {
		return nil, err
	}
	if err := r.examineWithin(uint64(len(memory)), wanted{layout: want}, bound); err != nil {
		return nil, err
	}
	if _, err := over(memory, r.layout.align(), s); err != nil {
		return nil, err
	}
	if err := r.attach(); err != nil {
		return nil, err
	}
	return r, nil
}

// over is a handle of the caller's memory, which begins at a multiple of align.
func over(memory []byte, align uint64, s System) (*Region, error) {
	if s == nil {
		return nil, &Error{Reason: ErrNil, Field: "system", Found: "nil", Want: "one that keeps locks",
			Do: "give one, or make a region on the heap or in a file"}
	}
	at := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	if uint64(at)%align != 0 {
		return nil, &Error{Reason: ErrSize, Field: "memory", Found: fmt.Sprintf("%#x", at),
			Want: fmt.Sprintf("a multiple of %d", align), Do: "map whole pages"}
	}
	r := &Region{fd: noFile, system: s}
	r.adopt(memory)
	return r, nil
}

// files is the System of region files: locks of their open file descriptions.
type files struct {
	Futex
	r *Region
}

func (f files) Lock(index uint32) (bool, error)   { return f.r.lockFile(index) }
func (f files) Unlock(index uint32) error         { return f.r.unlockFile(index) }
func (f files) Locked(index uint32) (bool, error) { return f.r.fileLocked(index) }
func (f files) Pid() uint64                       { return pid() }
func (f files) Now() uint64                       { return now() }

// locks is who keeps the locks of the region; nil on the heap, which has none.
func (r *Region) locks() System {
	switch {
	case r.system != nil:
		return r.system
	case r.fd != noFile:
		return files{r: r}
	}
	return nil
}

// fileName is the word of FileName.
var fileName seam.Uint64

// FileName returns a word that stands, in the seam, for accesses to the names of region files: the check
// whether a file of a name exists (Open, Create), and the step that gives a name to a file without one
// (Create). Nothing is stored in the word.
func FileName() *seam.Uint64 { return &fileName }

// lockName is the word whose address identifies, in the seam, the lock of an entry. Nothing is stored in the
// word.
func (r *Region) lockName(index uint32) *seam.Uint64 { return &r.entry(index)[processLock] }

// lock takes the lock of an entry, or reports that another handle has it.
func (r *Region) lock(index uint32) (bool, error) {
	return seam.TryLock(r.lockName(index), func() (bool, error) { return r.locks().Lock(index) })
}

// unlock gives it up.
func (r *Region) unlock(index uint32) error {
	return seam.Unlock(r.lockName(index), func() error { return r.locks().Unlock(index) })
}

// locked reports whether another handle has the lock of the entry.
func (r *Region) locked(index uint32) (bool, error) {
	return seam.Locked(r.lockName(index), func() (bool, error) { return r.locks().Locked(index) })
}
