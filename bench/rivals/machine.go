package rivals

import (
	"fmt"
	"strings"
)

// A memory is where a machine's cells are. Each method but peek is one shared access.
type memory interface {
	load(cell uint64) uint64
	store(cell, v uint64)
	cas(cell, old, new uint64) uint64 // returns what it found
	add(cell, v uint64) uint64        // returns what it found
	yield()
}

// A machine runs one thread.
type machine struct {
	code []Instruction
	at   int
	reg  [Registers]uint64
	out  []uint64
}

// restart takes the thread back to its first instruction.
func (m *machine) restart() {
	m.at, m.reg, m.out = 0, [Registers]uint64{}, m.out[:0]
}

func (m *machine) value(o Operand) uint64 {
	if o.Register < 0 {
		return o.Constant
	}
	return m.reg[o.Register] + o.Constant
}

// local runs up to the next access and reports whether there is one. A yield counts as one.
func (m *machine) local() bool {
	for m.at < len(m.code) {
		in := &m.code[m.at]
		taken := true
		switch in.op {
		case let:
			m.reg[in.D] = m.value(in.A)
			taken = false
		case sub:
			m.reg[in.D] = m.value(in.A) - m.value(in.B)
			taken = false
		case out:
			m.out = append(m.out, m.value(in.A))
			taken = false
		case jmp:
		case jeq:
			taken = m.value(in.A) == m.value(in.B)
		case jne:
			taken = m.value(in.A) != m.value(in.B)
		case jlt:
			taken = m.value(in.A) < m.value(in.B)
		default:
			return true
		}
		if m.at++; taken {
			m.at = in.Goto
		}
	}
	return false
}

// access makes the access that local stopped at.
func (m *machine) access(mem memory) {
	in := &m.code[m.at]
	m.at++
	switch in.op {
	case load:
		m.reg[in.D] = mem.load(m.value(in.A))
	case store:
		mem.store(m.value(in.A), m.value(in.B))
	case cas:
		m.reg[in.D] = mem.cas(m.value(in.A), m.value(in.B), m.value(in.C))
	case add:
		m.reg[in.D] = mem.add(m.value(in.A), m.value(in.B))
	case yield:
		mem.yield()
	default:
		panic(fmt.Sprintf("rivals: operation %q is not assembled", in.Op))
	}
}

// outcome renders what threads put out and the cells: "1,2|3|c0,1". The rivals write it the same.
func outcome(threads []machine, cells []uint64) string {
	var b strings.Builder
	list := func(v []uint64) {
		for i, x := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprint(&b, x)
		}
	}
	for i := range threads {
		list(threads[i].out)
		b.WriteByte('|')
	}
	b.WriteByte('c')
	list(cells)
	return b.String()
}
