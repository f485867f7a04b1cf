package region

import (
	"fmt"

	"github.com/samecycle/samecycle/internal/seam"
)

// The process table has one entry for each process that is attached to a region which others can map.
//
// A process is alive while it holds the lock of its entry. Its pid does not count, because pids are used
// again, and mean nothing in another pid namespace. The process takes the lock before it publishes the entry,
// and releases it after it has withdrawn the entry. The system releases the lock when the process ends. So at
// every instant, and wherever a process is killed:
//
//	lock free, idle       nobody's entry
//	lock held, idle       a process is about to attach, or has just detached
//	lock held, attached   a process that is alive
//	lock free, attached   a process that has died, or has detached since the word was read
//
// Only the holder of the lock changes an entry. Each attachment has an epoch of its own, which distinguishes
// what a dead process owns from what the next process in the same entry owns.

// Words of an entry of the process table, by index. The rest is spare and stays zero.
const (
	processState = iota // ProcessState
	processPid          // pid in its own namespace; for a person
	processSince        // nanoseconds since 1970 at which it attached; for a person
	processLock         // zero; stands for the lock of the entry where accesses are named
	processWords = ProcessBytes / WordBytes
)

const (
	processIndexBits = 6
	processIndexMask = 1<<processIndexBits - 1
	epochBits        = 26
	epochMask        = 1<<epochBits - 1
)

var _ [Processes]byte = [1 << processIndexBits]byte{}

// Process names one attachment of one process to a region.
//
//	bits    field
//	31..6   epoch, 1..2^26-1
//	5..0    index of the entry, 0..63
//
// Zero is the only process of a heap region, which has no entry.
type Process uint32

// MakeProcess packs an entry's index and epoch.
func MakeProcess(index, epoch uint32) Process {
	return Process(epoch&epochMask)<<processIndexBits | Process(index&processIndexMask)
}

// Index of the entry, 0..63.
func (p Process) Index() uint32 { return uint32(p) & processIndexMask }

// Epoch of the attachment; 0 is none.
func (p Process) Epoch() uint32 { return uint32(p) >> processIndexBits }

// String prints index@epoch, or that there is no entry.
func (p Process) String() string {
	if p == 0 {
		return "the only process"
	}
	return fmt.Sprintf("%d@%d", p.Index(), p.Epoch())
}

// ProcessState is word 0 of an entry of the process table.
//
//	bits    field
//	63..27  spare, zero
//	26..1   epoch of the last attachment, modulo 2^26 without 0; 0 before the first one
//	0       attached
type ProcessState uint64

// MakeProcessState packs an epoch, attached or idle.
func MakeProcessState(epoch uint32, attached bool) ProcessState {
	s := ProcessState(epoch&epochMask) << 1
	if attached {
		s |= 1
	}
	return s
}

// Valid reports whether the spare bits are zero, and no attachment is without an epoch.
func (s ProcessState) Valid() bool { return s>>(epochBits+1) == 0 && s != 1 }

// Epoch of the last attachment.
func (s ProcessState) Epoch() uint32 { return uint32(s>>1) & epochMask }

// Attached reports whether the entry is taken.
func (s ProcessState) Attached() bool { return s&1 != 0 }

// next is the state of the next attachment. After 2^26-1 attachments an epoch returns: a descriptor of a
// process that died so long ago would count as the newcomer's until the newcomer ends. The same happens
// after an entry was overwritten with zeros, which then looks like one that nobody has used
// (docs/protocol.md).
func (s ProcessState) next() ProcessState {
	return MakeProcessState(s.Epoch()%epochMask+1, true)
}

// String prints the state and its epoch.
func (s ProcessState) String() string {
	text := "idle"
	if s.Attached() {
		text = "attached"
	}
	if !s.Valid() {
		text = "? " + text
	}
	return fmt.Sprintf("%s epoch=%d", text, s.Epoch())
}

// Attachment is an entry of the process table that is not idle.
type Attachment struct {
	Process Process
	Pid     uint64 // in the pid namespace of that process; nothing depends on it
	Since   uint64 // nanoseconds since 1970; nothing depends on it
	Alive   bool
	Damaged bool // its state is a word that no process writes
}

// entry is one line of the process table.
func (r *Region) entry(index uint32) []seam.Uint64 {
	from := r.spans[ownProcesses].offset/WordBytes + uint64(index)*processWords
	return r.words[from : from+processWords]
}

// entryOffset is the byte of the file whose lock belongs to the entry.
func (r *Region) entryOffset(index uint32) int64 {
	return int64(r.spans[ownProcesses].offset) + int64(index)*ProcessBytes
}

// Process is this handle's attachment: zero on the heap and for an observer.
func (r *Region) Process() Process { return r.process }

// ReadOnly reports whether the region was opened by Observe; a write to it is then a fault.
func (r *Region) ReadOnly() bool { return r.readOnly }

// Alive reports whether the process p can still write to the region. A process counts as alive until its end
// is certain. It also counts as alive for the moment between the instant at which a successor takes its lock
// and the instant at which that successor publishes the entry. So false is certain, and true may be outdated.
// If the word of the entry is damaged, the process counts as alive while the lock is held. On the heap every
// process is alive. Progress: wait-free, with at most one system call. Errors: ErrClosed, ErrSystem.
func (r *Region) Alive(p Process) (bool, error) {
	switch {
	case r.words == nil:
		return false, r.closed()
	case r.locks() == nil:
		return true, nil
	case p.Epoch() == 0:
		return false, nil
	case p == r.process:
		return true, nil
	}
	s := ProcessState(r.entry(p.Index())[processState].Load())
	if s.Valid() && s != MakeProcessState(p.Epoch(), true) {
		return false, nil // it has detached, or another one has its entry
	}
	// The state comes first: if the lock is free after the entry was published, its holder is gone.
	return r.held(p.Index())
}

// held reports whether a process holds the lock of the entry: another process, or this one. The system does
// not report this process's own lock.
func (r *Region) held(index uint32) (bool, error) {
	if r.owns(index) {
		return true, nil
	}
	return r.locked(index)
}

// owns reports whether the entry is this handle's.
func (r *Region) owns(index uint32) bool { return r.process != 0 && r.process.Index() == index }

// Attachments lists the entries that are not idle, including those of dead processes. If the region is in
// use, they are read at different moments. Errors: those of Alive.
func (r *Region) Attachments() ([]Attachment, error) {
	if r.words == nil {
		return nil, r.closed()
	}
	var all []Attachment
	for i := range uint32(Processes) {
		e := r.entry(i)
		s := ProcessState(e[processState].Load())
		if s.Valid() && !s.Attached() {
			continue
		}
		a := Attachment{Process: MakeProcess(i, s.Epoch()), Pid: e[processPid].Load(),
			Since: e[processSince].Load(), Damaged: !s.Valid()}
		alive := func() (bool, error) { return r.Alive(a.Process) }
		if a.Damaged && r.locks() != nil { // its epoch means nothing
			alive = func() (bool, error) { return r.held(i) }
		}
		var err error
		if a.Alive, err = alive(); err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// attach claims an entry for this handle: the first whose lock is free, which may be one of a dead
// process. Whoever is killed on the way leaves a lock that is free.
func (r *Region) attach() error {
	for i := range uint32(Processes) {
		switch ok, err := r.lock(i); {
		case err != nil:
			return err
		case !ok:
			continue
		}
		s := r.describe(i)
		if r.enter(i, s) {
			return nil
		}
		if err := r.unlock(i); err != nil { // something writes without the lock: leave the entry alone
			return err
		}
	}
	return &Error{Reason: ErrProcesses, File: r.file, Field: "process table",
		Found: fmt.Sprintf("%d entries held by living processes", Processes),
		Want:  "one that is free", Do: "end a process that has the region open"}
}

// describe writes the information for people into an entry whose lock is held, and returns the state of the
// entry.
func (r *Region) describe(index uint32) ProcessState {
	e := r.entry(index)
	e[processPid].Store(r.locks().Pid())
	e[processSince].Store(r.locks().Now())
	return ProcessState(e[processState].Load())
}

// enter publishes the entry. Expected: the state that was found under the lock.
func (r *Region) enter(index uint32, found ProcessState) bool {
	s := found.next()
	if !r.entry(index)[processState].CompareAndSwap(uint64(found), uint64(s)) {
		return false
	}
	r.process = MakeProcess(index, s.Epoch())
	return true
}

// detach withdraws the entry; the lock goes with the file. Expected: this attachment. A damaged
// entry is left as it is: without its lock it counts as dead.
func (r *Region) detach() {
	if p := r.process; p != 0 {
		r.entry(p.Index())[processState].CompareAndSwap(
			uint64(MakeProcessState(p.Epoch(), true)), uint64(MakeProcessState(p.Epoch(), false)))
		r.process = 0
	}
}

// Clear makes the entry of a dead process idle, and reports whether it did. It does nothing if that process
// is alive, or if another process was faster. It also does nothing if this handle has taken the entry since:
// the dead process's epoch is then over anyway, and taking the lock of the entry once more would end with
// releasing the handle's own lock. Descriptors of the dead process can still be found afterwards, because its
// epoch is over. Progress: wait-free. Errors: ErrClosed, ErrSystem, ErrReadOnly.
func (r *Region) Clear(p Process) (bool, error) {
	switch {
	case r.words == nil:
		return false, r.closed()
	case r.readOnly:
		return false, &Error{Reason: ErrReadOnly, File: r.file, Field: "handle", Found: "an observer's",
			Want: "one that is attached", Do: "open the region instead of observing it"}
	case r.locks() == nil || r.owns(p.Index()):
		return false, nil
	}
	if ok, err := r.lock(p.Index()); !ok || err != nil {
		return false, err
	}
	w := &r.entry(p.Index())[processState]
	s := ProcessState(w.Load())
	done := s.Epoch() == p.Epoch() && (s.Attached() || !s.Valid()) &&
		w.CompareAndSwap(uint64(s), uint64(MakeProcessState(s.Epoch(), false)))
	return done, r.unlock(p.Index())
}

// Personal reports whether the word at a byte offset is only information for people: the pid or the time of
// an entry. Nothing depends on such a word, and it differs from run to run.
func (l Layout) Personal(offset uint64) bool {
	from := l.Offset(Own, OwnProcesses)
	if offset < from || offset >= from+Processes*ProcessBytes {
		return false
	}
	word := (offset - from) % ProcessBytes / WordBytes
	return word == processPid || word == processSince
}
