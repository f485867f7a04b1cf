package model

// Wrap says how many generations and versions there are before they come back; 0: they have no
// end. Each is a constant of the specification, of the same name with Wrap before it.
type Wrap struct {
	Ref     uint8 // generations of a descriptor
	Version uint8 // versions of a cell; an empty cell has its version for generation
	Member  uint8 // of the low part of a version that a member keeps; it divides Version
}

// round is x on a circle of that many numbers.
func round(x, circle uint8) uint8 {
	if circle == 0 {
		return x
	}
	return x % circle
}

// grow is x+1. Without a circle the specification's numbers have no end, a byte has: a program
// which gets there is too long for this representation, and nothing that follows would be right.
func grow(x, circle uint8) uint8 {
	if x == 255 {
		panic("model: a generation or version passes 255; use a shorter program")
	}
	return round(x+1, circle)
}

func (m *Machine) nextRef(g uint8) uint8     { return grow(g, m.cfg.Wrap.Ref) }
func (m *Machine) nextVersion(n uint8) uint8 { return grow(n, m.cfg.Wrap.Version) }

// bumped is word 1 with another value and the next version, not frozen.
func (m *Machine) bumped(x Word1, value uint8) Word1 {
	return Word1{V: value, N: m.nextVersion(x.N)}
}

// member is M(k,p,g) with the part of the version that a member keeps.
func (m *Machine) member(k, p, g uint8) Word0 {
	return member(k, p, round(g, m.cfg.Wrap.Member))
}
