package written

// local is an actor's own memory. What is not needed any more is put back to zero, so that equal
// states are equal.
type local struct {
	pc   PC
	i    uint8 // the operation of the program, from 1
	h    uint8 // its half, which the caller of an add knows from then on
	w    Word0
	x    Word1
	s    uint8 // the record of control bits
	e    uint8 // the record of taken bits
	b    uint8
	j    uint8
	m    Set
	k, v uint8
	r    uint8
	kind Kind
	g    Set // offsets to be erased
	mode Mode
}

var noLocal = local{i: 1}

// history is one thing that may have happened to a key so far: its value now, and the result of
// each client's operation in progress, 0 while it has had no effect. K is 0 in an unused entry.
type history struct {
	k, v uint8
	r    [MaxClients]uint8
}

// State is one state of the specification: every variable of it. It is comparable with ==, and two
// states are the same exactly if they are equal: unused entries of an array are zero.
type State struct {
	c    [MaxCells]Word0
	tv   [MaxCells]Word1
	st   [MaxRecords + 1]Record // from 1
	free Set
	q    [MaxQueue]Item
	qn   uint8
	cq   [MaxQueue]uint8
	cqn  uint8
	tier [MaxKeys + 1]bool // by key
	l    [MaxActors]local
	lin  [MaxHistories]history // sorted by key, value, results
	linN uint8
}

// Word0 returns word 0 of a cell.
func (s *State) Word0(cell int) Word0 { return s.c[cell] }

// Word1 returns word 1 of a cell.
func (s *State) Word1(cell int) Word1 { return s.tv[cell] }

// Record returns a stash record; they are numbered from 1.
func (s *State) Record(number int) Record { return s.st[number] }

// Free reports whether nobody has the stash record.
func (s *State) Free(number int) bool { return s.free.Has(uint8(number)) }
