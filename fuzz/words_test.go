package fuzz

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// FuzzWords reads words of any bits: each accessor gives the bits that the layout table of its type
// says, String and Valid know the same words, and what is decoded encodes to the same word.
func FuzzWords(f *testing.F) {
	for _, data := range wordSeeds() {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := checkWords(data, layouts); err != nil {
			t.Fatal(err)
		}
	})
}

func wordSeeds() [][]byte {
	words := []uint64{0, ^uint64(0), 1 << 31, 1 << 30, 3 << 30, 1, 7<<32 | 1, 7<<32 | 1<<31,
		7<<32 | 3<<30, 7 << 32, 7<<32 | 1<<31 | 1<<25, uint64(hopscotch.KeyLost)<<32 | 0xFE | 1}
	for i := range 64 {
		words = append(words, 1<<i, ^(uint64(1) << i))
	}
	var seeds [][]byte
	for i, w := range words {
		data := binary.LittleEndian.AppendUint64(nil, w)
		seeds = append(seeds, append(data, random(uint32(i), 24)...))
	}
	return seeds
}

// field is a row of a layout table: what an accessor reads.
type field struct {
	name        string
	shift, bits int
	get         func(w uint64) uint64
}

// layout is a packed word as its comment says it.
type layout struct {
	name   string
	fields []field
	text   func(w uint64) string
	// valid is what the comment says; says is the word's own opinion. Both are nil where every word
	// is valid.
	valid, says func(w uint64) bool
	// again encodes what was decoded of a valid word.
	again func(w uint64) uint64
}

// layouts are those of words.go, words_descriptor.go and of the process table.
var layouts = append(cellLayouts(), append(descriptorLayouts(), processLayouts()...)...)

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func cellLayouts() []layout {
	type (
		w0 = hopscotch.Word0
		w1 = hopscotch.Word1
	)
	return []layout{
		{"Word0", []field{
			{"key", 32, 32, func(w uint64) uint64 { return uint64(w0(w).Key()) }},
			{"cbits", 0, 32, func(w uint64) uint64 { return uint64(w0(w).Cbits()) }},
			{"map", 1, 31, func(w uint64) uint64 { return uint64(w0(w).Map()) >> 1 }},
			{"ref", 1, 29, func(w uint64) uint64 { return uint64(w0(w).Ref()) }},
			{"distance", 25, 5, func(w uint64) uint64 { return uint64(w0(w).Distance()) }},
			{"generation", 1, 29, func(w uint64) uint64 { return uint64(w0(w).Version()) }},
			{"low generation", 1, 24, func(w uint64) uint64 { return uint64(w0(w).MemberVersion()) }},
		}, func(w uint64) string { return w0(w).String() },
			func(w uint64) bool { return form(w) != hopscotch.FormInvalid },
			func(w uint64) bool { return w0(w).Form() != hopscotch.FormInvalid }, againWord0},
		{"Word1", []field{
			{"value", 32, 32, func(w uint64) uint64 { return uint64(w1(w).Value()) }},
			{"z", 31, 1, func(w uint64) uint64 { return flag(w1(w).Frozen()) }},
			{"n", 0, 29, func(w uint64) uint64 { return uint64(w1(w).Version()) }},
		}, func(w uint64) string { return w1(w).String() },
			func(w uint64) bool { return w>>29&3 == 0 },
			func(w uint64) bool { return w1(w).Valid() },
			func(w uint64) uint64 {
				x := hopscotch.MakeWord1(w1(w).Value(), w1(w).Version())
				if w1(w).Frozen() {
					x = x.Freeze()
				}
				return uint64(x)
			}},
	}
}

// form is the table of forms, as the comment of Word0 has it.
func form(w uint64) hopscotch.Form {
	key, b31, b30, b0 := w>>32 != 0, w>>31&1, w>>30&1, w&1
	switch {
	case !key && b31 == 0 && b0 == 0 && b30 == 0:
		return hopscotch.FormEmpty
	case !key && b31 == 0 && b0 == 0:
		return hopscotch.FormClaimed
	case !key:
		return hopscotch.FormInvalid
	case b0 == 1:
		return hopscotch.FormBase
	case b31 == 0 && b30 == 0:
		return hopscotch.FormOperating
	case b31 == 1 && b30 == 1:
		return hopscotch.FormEngaged
	case b31 == 1 && w>>25&31 != 0:
		return hopscotch.FormMember
	}
	return hopscotch.FormInvalid
}

func againWord0(w uint64) uint64 {
	x := hopscotch.Word0(w)
	switch x.Form() {
	case hopscotch.FormEmpty:
		return uint64(hopscotch.EmptyWord(x.Version()))
	case hopscotch.FormClaimed:
		return uint64(hopscotch.ClaimedWord(x.Ref()))
	case hopscotch.FormBase:
		return uint64(hopscotch.BaseWord(x.Key(), x.Map()))
	case hopscotch.FormOperating:
		return uint64(hopscotch.OperatingWord(x.Key(), x.Ref()))
	case hopscotch.FormMember:
		return uint64(hopscotch.MemberWord(x.Key(), x.Distance(), x.MemberVersion()))
	}
	return uint64(hopscotch.EngagedWord(x.Key(), x.Ref()))
}

// checkWords looks at the first word of the input in every type, and packs what the others say.
func checkWords(data []byte, all []layout) error {
	in := input{data}
	w := in.word()
	for _, l := range all {
		if err := l.check(w); err != nil {
			return wrong("%s %#016x: %w", l.name, w, err)
		}
	}
	if f := hopscotch.Word0(w).Form(); f != form(w) {
		return wrong("form of %#016x is %v, want %v", w, f, form(w))
	}
	if err := checkMap(hopscotch.Map(w)); err != nil {
		return err
	}
	if err := checkRef(hopscotch.Ref(w), uint32(w>>32)); err != nil {
		return err
	}
	return checkPacking(in.word(), uint32(in.word()), uint32(in.word()))
}

func (l layout) check(w uint64) error {
	for _, f := range l.fields {
		if got, want := f.get(w), w>>f.shift&(1<<f.bits-1); got != want {
			return fmt.Errorf("%s is %#x, want %#x", f.name, got, want)
		}
	}
	text, valid := l.text(w), l.valid == nil || l.valid(w)
	if l.says != nil && l.says(w) != valid {
		return fmt.Errorf("valid is %v, want %v", !valid, valid)
	}
	if text == "" || l.says != nil && strings.Contains(text, "?") == valid {
		return fmt.Errorf("prints as %q, valid is %v", text, valid)
	}
	if !valid || l.again == nil {
		return nil
	}
	if again := l.again(w); again != w {
		return fmt.Errorf("encodes to %#016x", again)
	}
	return nil
}

// checkRef splits a reference as a region of some number of descriptors does: the index has the bits
// that the largest index needs, two at least, and the generation the rest of 29.
func checkRef(r hopscotch.Ref, descriptors uint32) error {
	descriptors = descriptors%hopscotch.DescriptorsMax + 1
	l := hopscotch.RefLayoutOf(descriptors)
	low := 29 - max(2, bits.Len32(descriptors-1))
	index, generation := uint32(r)&(1<<29-1)>>low, hopscotch.Generation(uint32(r)&(1<<low-1))
	if l.Index(r) != index || l.Generation(r) != generation ||
		l.Make(index, generation) != r&(1<<29-1) || l.Make(descriptors-1, ^generation)>>29 != 0 {
		return wrong("reference %#x of %d descriptors: %d, %d, want %d, %d", uint32(r), descriptors,
			l.Index(r), l.Generation(r), index, generation)
	}
	if next := l.Next(generation); l.Until(generation, next) != 1 || next != (generation+1)&(1<<low-1) {
		return wrong("generation %d of %d descriptors is followed by %d", generation, descriptors, next)
	}
	if l.Text(hopscotch.EngagedWord(7, r)) == "" || r.String() == "" {
		return wrong("reference %#x prints as nothing", uint32(r))
	}
	return nil
}

// checkMap walks a membership map.
func checkMap(m hopscotch.Map) error {
	m &^= 1
	n, last := 0, uint32(0)
	for r := m; r != 0; r = r.Rest() {
		o := r.First()
		if o <= last || o > 31 || !m.Has(o) || m.Without(o).With(o) != m || m.Without(o).Has(o) {
			return wrong("map %v: offset %d after %d", m, o, last)
		}
		last = o
		n++
	}
	if n != m.Count() || n != bits.OnesCount32(uint32(m)) || hopscotch.Map(0).First() != 32 {
		return wrong("map %v counts %d, walked over %d", m, m.Count(), n)
	}
	return nil
}

// checkPacking gives constructors arguments of any size: what is too large loses its high bits, and
// no field spills into another one.
func checkPacking(x uint64, y, z uint32) error {
	k := hopscotch.Key(x>>32) | 1
	v, g := hopscotch.Version(y), hopscotch.Generation(z)
	split := hopscotch.RefLayoutOf(uint32(x>>40)%hopscotch.DescriptorsMax + 1)
	offset, r := z|1, hopscotch.Ref(x)
	target := hopscotch.MakeTarget(g).Decide(hopscotch.Status(y)).Propose(offset, v)
	for name, ok := range map[string]bool{
		"EmptyWord":     hopscotch.EmptyWord(v).Form() == hopscotch.FormEmpty,
		"ClaimedWord":   hopscotch.ClaimedWord(hopscotch.Ref(x)).Form() == hopscotch.FormClaimed,
		"BaseWord":      hopscotch.BaseWord(k, hopscotch.Map(y)).Form() == hopscotch.FormBase,
		"OperatingWord": hopscotch.OperatingWord(k, hopscotch.Ref(x)).Form() == hopscotch.FormOperating,
		"MemberWord":    hopscotch.MemberWord(k, offset, v).Form() == hopscotch.FormMember,
		"EngagedWord":   hopscotch.EngagedWord(k, hopscotch.Ref(x)).Form() == hopscotch.FormEngaged,
		"WithKey":       hopscotch.MemberWord(3, offset, v).WithKey(k) == hopscotch.MemberWord(k, offset, v),
		"next use":      split.Next(split.Generation(r)) == split.Generation(r+1),
		"MakeWord1":     hopscotch.MakeWord1(hopscotch.Value(x), v).Valid(),
		"Next":          hopscotch.Word1(x).Next(hopscotch.Value(y)).Valid(),
		"MakeHead":      hopscotch.MakeHead(g, hopscotch.Kind(y), y, z).Valid(),
		"MakeSource":    hopscotch.MakeSource(offset, v, hopscotch.Version(z)).Valid(),
		"Target":        target.Valid() && target.Has() && uint32(target.Offset()) == offset&31,
		"Withdraw":      target.Withdraw() == hopscotch.MakeTarget(g).Decide(hopscotch.Status(y)),
		"MakeProcess":   region.MakeProcess(y, z).Index() == y&63,
		"next version":  v.Next() == (v+1)&(1<<29-1),
	} {
		if !ok {
			return wrong("%s of %#x, %#x, %#x", name, x, y, z)
		}
	}
	return nil
}
