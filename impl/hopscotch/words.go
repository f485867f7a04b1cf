package hopscotch

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// This file, words_ref.go and words_descriptor.go are the only places that know which bit means
// what. Every packed word of the table has a type, a layout table above the type, constructors,
// pure accessors and a String.
//
// Rules for all of them:
//   - A constructor masks what it packs: an argument which is too large loses its high bits and
//     never spills into a neighbouring field.
//   - An accessor is defined for every bit pattern. It is meaningful only for the forms which
//     its comment names: ask Form (or Valid) first when the word comes from shared memory.
//   - Nothing here touches shared memory, allocates (texts excepted) or panics.

// Geometry which the packing fixes. Smaller tables are fine, larger ones do not fit the words.
const (
	WindowMax       = 32      // cells that a base can reach, itself included (source: NEIGHBORHOOD)
	DescriptorsMax  = 1 << 12 // descriptors that a Ref can name
	CellWords       = 2       // 64-bit words of a cell: Word0, Word1
	DescriptorWords = 8       // 64-bit words of a descriptor: one cache line
)

// Words of a descriptor, by index. Word 7 is spare and stays zero.
const (
	DescriptorHead   = iota // Head: which operation this is
	DescriptorPair          // Pair: the new element, or the member that the operation is about
	DescriptorPlan          // Plan: the base in the home cell when the operation was planned
	DescriptorExpect        // Word1 of the home cell at that time
	DescriptorTarget        // Target: the decision and the hole; the only word helpers change
	DescriptorOwner         // Owner: the actor that took the descriptor, 0 for nobody
	DescriptorSource        // Source: where the member is that the operation is about
)

// Raw is a word as it stands in a region. As text, in JSON too, it is 0x and 16 hexadecimal digits: many a
// reader of JSON rounds a number of more than 53 bits.
type Raw uint64

// String is the text of the word.
func (r Raw) String() string { return fmt.Sprintf("0x%016x", uint64(r)) }

// MarshalText is String.
func (r Raw) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText has written. Errors: those of strconv.ParseUint.
func (r *Raw) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 0, 64)
	if err == nil {
		*r = Raw(n)
	}
	return err
}

// Key is the half of a hash which a cell stores. KeyNone and KeyLost are not keys of elements:
// a hash which equals one of them is remapped by the caller.
type Key uint32

const (
	KeyNone Key = 0          // no key: the cell is empty or claimed
	KeyLost Key = 0xFFFFFFFF // the element was deleted and waits for its removal
)

// Reserved reports whether no element may carry k.
func (k Key) Reserved() bool { return k+1 <= 1 }

// String prints eight hex digits, or the name of a reserved key.
func (k Key) String() string {
	switch k {
	case KeyNone:
		return "NONE"
	case KeyLost:
		return "LOST"
	}
	return fmt.Sprintf("%08x", uint32(k))
}

// Value is the 32-bit payload of a cell, opaque to the table.
type Value uint32

// String prints eight hex digits.
func (v Value) String() string { return fmt.Sprintf("%08x", uint32(v)) }

// Version counts the changes of one cell, modulo 2^29. It is the n of Word1 and the generation g
// of an empty cell (g is the n that the cell had when it was emptied).
type Version uint32

const (
	versionBits       = 29
	versionMask       = 1<<versionBits - 1
	memberVersionBits = 24
	memberVersionMask = 1<<memberVersionBits - 1
	offsetBits        = 5
	offsetMask        = 1<<offsetBits - 1
)

// Next is the version after v; 2^29-1 is followed by 0.
func (v Version) Next() Version { return (v + 1) & versionMask }

// Low is the part of v that a member cell keeps: the low 24 bits.
func (v Version) Low() Version { return v & memberVersionMask }

// Map is the membership of a base: bit i is set when the cell i places after the base (on the
// ring) is its member. Bit 0, the base itself, is never set in a Map.
type Map uint32

// Has reports whether the cell at offset (1..31) is a member.
func (m Map) Has(offset uint32) bool { return m>>(offset&offsetMask)&1 != 0 }

// With is m and the cell at offset (1..31).
func (m Map) With(offset uint32) Map { return m | 1<<(offset&offsetMask)&^1 }

// Without is m less the cell at offset (1..31).
func (m Map) Without(offset uint32) Map { return m &^ (1 << (offset & offsetMask)) }

// Count is the number of members, 0..31.
func (m Map) Count() int { return bits.OnesCount32(uint32(m)) }

// First is the offset of the nearest member, 32 if there is none. With Rest it walks a map:
//
//	for m := w.Map(); m != 0; m = m.Rest() { visit(m.First()) }
func (m Map) First() uint32 { return uint32(bits.TrailingZeros32(uint32(m))) }

// Last is the offset of the farthest member; m is not empty.
func (m Map) Last() uint32 { return uint32(bits.Len32(uint32(m))) - 1 }

// Rest is m without its nearest member.
func (m Map) Rest() Map { return m & (m - 1) }

// String prints the offsets as a set: {1,3}.
func (m Map) String() string {
	var s strings.Builder
	s.WriteByte('{')
	for r := m; r != 0; r = r.Rest() {
		if r != m {
			s.WriteByte(',')
		}
		s.WriteString(strconv.Itoa(int(r.First())))
	}
	s.WriteByte('}')
	return s.String()
}

// Form is what a Word0 says about its cell.
type Form uint8

const (
	FormInvalid   Form = iota // no step of the protocol writes this: the region is damaged
	FormEmpty                 // E: nobody's
	FormClaimed               // C: reserved by a descriptor
	FormBase                  // B: idle base
	FormOperating             // O: base under an operation, its map is in the descriptor
	FormMember                // M: idle member
	FormEngaged               // U: member under an operation
	formCount
)

// String is the letter of the layout table, "?" for an invalid word.
func (f Form) String() string {
	if f >= formCount {
		f = FormInvalid
	}
	return "?ECBOMU"[f : f+1]
}

// Word0 is the first word of a cell: its key and the control bits (source: cbits).
//
//	bits 63..32  key
//	bits 31..0   cbits, by form:
//
//	form         key       31  30     29..25    24..1                  0
//	E empty      NONE      0   0      generation g (29 bits)           0
//	C claimed    NONE      0   1      Ref (29 bits)                    0
//	B base       not NONE  membership map, bit i = member at offset i  1
//	O operating  not NONE  0   0      Ref (29 bits)                    0
//	M member     not NONE  1   0      distance  low 24 bits of g       0
//	U engaged    not NONE  1   1      Ref (29 bits)                    0
//
// The distance of a member is the way back to its base in cells, 1..31. Whatever fits no row is
// FormInvalid: key NONE with bit 31 or bit 0, a member at distance 0, bit 30 alone with a key.
type Word0 uint64

const (
	keyShift      = 32
	mapMask       = 1<<keyShift - 1 - cbitIdle
	cbitIdle      = 1 << 0  // a map, not a payload, fills the cbits
	cbitMark      = 1 << 30 // C, U
	cbitMember    = 1 << 31 // M, U
	payloadShift  = 1
	distanceShift = payloadShift + memberVersionBits

	// formTable maps bits 31, 30, 0 of the cbits and "has a key" to a Form, four bits an entry;
	// entry = bit0 | bit30<<1 | bit31<<2 | hasKey<<3.
	formTable = uint64(FormEmpty)<<(4*0) | uint64(FormClaimed)<<(4*2) |
		uint64(FormOperating)<<(4*8) |
		uint64(FormMember)<<(4*12) | uint64(FormEngaged)<<(4*14) |
		uint64(FormBase)<<(4*9) | uint64(FormBase)<<(4*11) |
		uint64(FormBase)<<(4*13) | uint64(FormBase)<<(4*15)

	emptyOrBaseEntries = uint32(1<<0 | 1<<9 | 1<<11 | 1<<13 | 1<<15)

	// The control bits of bare words, rotated by one. Those of an E, which has no key, are below bareEmpty.
	// Of those with a key the bits of an M at distance 1 are the least, and those of a B without members
	// the greatest.
	bareEmpty, bareLeast, bareMost = 1 << versionBits, 1<<30 + 1<<memberVersionBits, 1 << 31
)

// EmptyWord is E(g): the cell belongs to nobody.
func EmptyWord(g Version) Word0 { return Word0(g&versionMask) << payloadShift }

// ClaimedWord is C(r): the cell is reserved by descriptor r.
func ClaimedWord(r Ref) Word0 { return Word0(r&refMask)<<payloadShift | cbitMark }

// BaseWord is B(k,m): an idle base. k is a key or KeyLost.
func BaseWord(k Key, m Map) Word0 { return Word0(k)<<keyShift | Word0(m) | cbitIdle }

// OperatingWord is O(k,r): a base held by descriptor r. k is a key or KeyLost.
func OperatingWord(k Key, r Ref) Word0 {
	return Word0(k)<<keyShift | Word0(r&refMask)<<payloadShift
}

// MemberWord is M(k,d,g): an idle member, d (1..31) cells after its base. k is a key or KeyLost.
func MemberWord(k Key, distance uint32, g Version) Word0 {
	return Word0(k)<<keyShift | cbitMember |
		Word0(distance&offsetMask)<<distanceShift | Word0(g&memberVersionMask)<<payloadShift
}

// EngagedWord is U(k,r): a member held by descriptor r. k is a key or KeyLost.
func EngagedWord(k Key, r Ref) Word0 {
	return Word0(k)<<keyShift | cbitMember | cbitMark | Word0(r&refMask)<<payloadShift
}

// entry is the index of the form in formTable.
func (w Word0) entry() Word0 {
	at := w&cbitIdle | w>>29&6
	if w>>keyShift != 0 {
		at |= 8
	}
	return at
}

// Form classifies any 64 bits.
func (w Word0) Form() Form {
	f := Form(formTable >> (w.entry() * 4) & 15)
	if f == FormMember && w.Distance() == 0 {
		return FormInvalid
	}
	return f
}

// silent reports whether the word of a home cell that does not match a get's key says by itself that the
// key is not in this half. It does if it is bare, or a C (S05: the base is not there yet).
func (w Word0) silent() bool { return w.bare() || w.Form() == FormClaimed }

// excludes reports whether, to an add of key k, a home cell says by itself that k is not in this half.
// Unlike a get it asks behind a C: the base that is being born may have the key.
func (w view) excludes(k Key) bool { return w.word0 != BaseWord(k, 0) && w.word0.bare() }

// bare reports whether the form is E, M, U, or B without members: then no other cell, and no descriptor, has
// to be asked what else is in the bucket of this home.
//
// There is no branch in it: of the homes of a random key the forms are random, too, and the processor would
// have to guess. And few of its instructions wait for the word: each that does keeps a place that the gets
// after this one could use to look ahead.
func (w Word0) bare() bool {
	x := uint64(bits.RotateLeft32(uint32(w), 31)) + (bareMost - bareLeast + 1 - bareEmpty)
	_, has := bits.Sub64(1<<keyShift-1, uint64(w), 0)
	x -= -has & (bareMost + 1 - bareEmpty)
	return x <= bareMost-bareLeast
}

// empty reports whether the form is E.
func (w Word0) empty() bool { return w&^(versionMask<<payloadShift) == 0 }

// emptyOrBase reports whether the form is E or B, without a guess which.
func (w Word0) emptyOrBase() bool { return emptyOrBaseEntries>>w.entry()&1 != 0 }

// base reports whether the form is B.
func (w Word0) base() bool { return w&cbitIdle != 0 && w>>keyShift != 0 }

// Key of the cell: KeyNone for E and C.
func (w Word0) Key() Key { return Key(w >> keyShift) }

// Cbits is the control half of the word, undecoded.
func (w Word0) Cbits() uint32 { return uint32(w) }

// Map of a base; defined for B.
func (w Word0) Map() Map { return Map(w) &^ cbitIdle }

// members is the map of a base, and no member of any other form.
func (w Word0) members() Map { return Map(w & mapMask & -(w & cbitIdle)) }

// Ref of the descriptor that holds the cell; defined for C, O and U.
func (w Word0) Ref() Ref { return Ref(w>>payloadShift) & refMask }

// Distance back to the base in cells; defined for M.
func (w Word0) Distance() uint32 { return uint32(w>>distanceShift) & offsetMask }

// Version is the generation of an empty cell; defined for E.
func (w Word0) Version() Version { return Version(w>>payloadShift) & versionMask }

// MemberVersion is the low part of the generation in a member cell; defined for M.
func (w Word0) MemberVersion() Version { return Version(w>>payloadShift) & memberVersionMask }

// WithKey is w with another key; the control bits stay. Defined for B, O, M and U, k not KeyNone.
func (w Word0) WithKey(k Key) Word0 { return Word0(k)<<keyShift | w&(1<<keyShift-1) }

// String prints the form's letter and its fields: B key=00000007 map={1,3}. RefLayout.Text takes a
// reference apart, too.
func (w Word0) String() string { return w.text(Ref.String) }

// text is String, with the reference as ref prints it.
func (w Word0) text(ref func(Ref) string) string {
	switch w.Form() {
	case FormEmpty:
		return fmt.Sprintf("E g=%d", w.Version())
	case FormClaimed:
		return fmt.Sprintf("C ref=%s", ref(w.Ref()))
	case FormBase:
		return fmt.Sprintf("B key=%v map=%v", w.Key(), w.Map())
	case FormOperating:
		return fmt.Sprintf("O key=%v ref=%s", w.Key(), ref(w.Ref()))
	case FormMember:
		return fmt.Sprintf("M key=%v distance=%d g=%d", w.Key(), w.Distance(), w.MemberVersion())
	case FormEngaged:
		return fmt.Sprintf("U key=%v ref=%s", w.Key(), ref(w.Ref()))
	}
	return fmt.Sprintf("? key=%v cbits=%08x", w.Key(), w.Cbits())
}

// Word1 is the second word of a cell: its value and the count of its changes (source: tbits).
//
//	bits    field
//	63..32  value
//	31      z, frozen: no update of the value may land
//	30..29  spare, zero
//	28..0   version n; it grows with every change of the word, modulo 2^29
//
// Invariant: the Word1 of a cell E(g) is exactly {value 0, z 0, n g}, that is EmptyWord1(g).
type Word1 uint64

const (
	valueShift = 32
	word1Z     = 1 << 31
	word1Spare = 3 << versionBits
)

// MakeWord1 is an unfrozen {v,n}.
func MakeWord1(v Value, n Version) Word1 { return Word1(v)<<valueShift | Word1(n&versionMask) }

// EmptyWord1 is the second word of an empty cell of generation g.
func EmptyWord1(g Version) Word1 { return MakeWord1(0, g) }

// Valid reports whether the spare bits are zero.
func (w Word1) Valid() bool { return w&word1Spare == 0 }

// Value of the cell.
func (w Word1) Value() Value { return Value(w >> valueShift) }

// Version of the cell.
func (w Word1) Version() Version { return Version(w) & versionMask }

// Frozen reports whether updates are barred.
func (w Word1) Frozen() bool { return w&word1Z != 0 }

// settled reports whether the word is valid, and updates are not barred.
func (w Word1) settled() bool { return uint32(w)&(word1Z|word1Spare) == 0 }

// Freeze is w with z set; value and version stay.
func (w Word1) Freeze() Word1 { return w | word1Z }

// Thaw is w without z; value and version stay.
func (w Word1) Thaw() Word1 { return w &^ word1Z }

// Next is the unfrozen word that holds v one version later.
func (w Word1) Next(v Value) Word1 { return MakeWord1(v, Version(w)+1) }

// String prints value and version, and z when the word is frozen.
func (w Word1) String() string {
	s := fmt.Sprintf("value=%v n=%d", w.Value(), w.Version())
	if w.Frozen() {
		s += " z"
	}
	if !w.Valid() {
		s += fmt.Sprintf(" ?spare=%d", w&word1Spare>>versionBits)
	}
	return s
}
