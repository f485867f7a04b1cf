package basket

import (
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/seam"
)

// This file reads records. Nothing that is read counts before the ticket is found to hold afterwards. Each
// size, length and ref is bounded before it is used.

// record is a record that was looked at: its two or three words.
type record struct {
	unit    uint32 // where it begins
	size    SizeWord
	word    KeyWord
	expires uint64 // 0 for never
}

// keyAt is the byte of SectionRecords at which the key begins.
func (r record) keyAt() int { return int(r.unit+r.word.words()) * UnitBytes }

// valueAt is the byte at which the value begins.
func (r record) valueAt() int { return r.keyAt() + int(r.word.Key()) }

// valueBytes is the length of the value.
func (r record) valueBytes() int {
	return int(r.size.Units()-r.word.words())*UnitBytes - int(r.word.Key()) - int(r.word.Padding())
}

// meta returns what is known of the record.
func (r record) meta() Meta {
	return Meta{Expires: r.expires, Bytes: r.valueBytes(), Suspect: r.word.Flags()&FlagSuspect != 0}
}

// copySize loads the size word.
func (s *Store) copySize(unit uint32) SizeWord { return SizeWord(s.records[unit].bits.Load()) }

// copyHead loads the word with the length of the key and the next ref.
func (s *Store) copyHead(unit uint32) KeyWord { return KeyWord(s.records[unit].bits.Load()) }

// copyExpiry loads the instant at which a record expires.
func (s *Store) copyExpiry(unit uint32) uint64 { return s.records[unit].bits.Load() }

// request requests the second cache line of a record, while the first one is on its way. Most records have a
// second line.
func (s *Store) request(ref Ref) {
	if at := ref.unit() + secondLine; !seam.Explored && uint64(at) < uint64(len(s.bytes)) {
		seam.Request(&s.bytes[at])
	}
}

// look reads the words of a record. It reports whether they can be those of a record of the hash that is
// completely in one basket.
func (s *Store) look(ref Ref, hash uint32) (r record, sound bool) {
	unit := ref.unit()
	if uint64(unit) >= uint64(len(s.records)) { // ref 0 ends here, too
		return r, false
	}
	size := s.copySize(unit)
	if size.Hash() != hash || !s.fits(unit, size.Units()) {
		return r, false
	}
	r = record{unit: unit, size: size, word: s.copyHead(unit + 1)}
	if r.word.Flags()&FlagExpires != 0 {
		if size.Units() < headWords+1 {
			return r, false
		}
		r.expires = s.copyExpiry(unit + headWords)
	}
	return r, r.valueBytes() >= 0
}

// fits reports whether a record of so many units can be at that unit.
func (s *Store) fits(unit, units uint32) bool {
	return units >= headWords && units <= s.units-unit&(s.units-1) // a power of two: division is slower
}

// has reports whether the record has the key.
func (s *Store) has(r record, key []byte) bool {
	return int(r.word.Key()) == len(key) && seam.Matches(s.bytes, r.keyAt(), key)
}

// copyValue copies the value.
func (s *Store) copyValue(r record, dst []byte) { seam.CopyOut(dst, s.bytes, r.valueAt()) }

// copyBytes copies what begins at that byte.
func (s *Store) copyBytes(at int, dst []byte) { seam.CopyOut(dst, s.bytes, at) }

// link is a record of a chain that was followed.
type link struct {
	record
	ref Ref
}

// path is a chain that was followed from the ref of a ticket on.
type path struct {
	ticket hopscotch.Ticket
	hash   uint32
	links  [ChainMax]link
	n      int // number of links
	at     int // index of the link that was looked for, or -1
}

// outcome is the result of following a chain.
type outcome uint8

const (
	found  outcome = iota
	absent         // the end was reached without the record
	torn           // these words cannot be a record: the ticket does not hold, or the memory is damaged
	stale          // the ticket does not hold, so the chain was not followed any further
)

// follow follows the chain of the ticket to the record that ref names. If ref is 0, it follows the chain to
// the record with the key.
func (p *path) follow(s *Store, key []byte, ref Ref) outcome {
	p.n, p.at = 0, -1
	for next := Ref(p.ticket.Value()); next != 0; {
		r, sound := s.look(next, p.hash)
		if !sound || p.n == ChainMax {
			return torn
		}
		p.links[p.n] = link{r, next}
		if next == ref || ref == 0 && s.has(r, key) {
			p.at = p.n
			p.n++
			return found
		}
		p.n++
		next = r.word.Next()
	}
	return absent
}

// tail is the rest of the chain behind the record that was looked for. If it was not found, tail is the
// whole chain.
func (p *path) tail() Ref {
	if p.at < 0 {
		return Ref(p.ticket.Value())
	}
	return p.links[p.at].word.Next()
}
