package basket

import (
	"bytes"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/region"
	model "github.com/samecycle/samecycle/model/basket"
)

// Where the specification's records are. A basket has 16 units, a record 6: two of them, and a word behind
// the last one that ends the walk. The halves of a value are the last two words.
//
//	unit    key 1              key 2
//	0       size               size
//	1       head               head
//	2       key                key
//	3       first of value     key
//	4       low                low
//	5       high               high
const (
	unitsOfBasket = 16
	unitsOfRecord = 6
	sizeUnit      = 0
	headUnit      = 1
	lowUnit       = 4
	highUnit      = 5
)

// keys of the program: their length tells them apart, as the specification's number does, in one word.
var keys = [model.MaxKeys + 1][]byte{nil, []byte("key.one."), []byte("the.key.two.is.2")}

// valueOf is the value that the specification has as a number: all of its bytes.
func valueOf(key, v uint8) []byte {
	return bytes.Repeat([]byte{v}, 8*(unitsOfRecord-2)-len(keys[key]))
}

// numberOf is the number of a value; false for one that is torn.
func numberOf(key uint8, value []byte) (int8, bool) {
	if len(value) == 0 || !bytes.Equal(value, valueOf(key, value[0])) {
		return -1, false
	}
	return int8(value[0]), true
}

// keyNumber is the number of a key, 0 if it is none.
func keyNumber(key []byte) uint8 {
	for k := 1; k <= model.MaxKeys; k++ {
		if bytes.Equal(keys[k], key) {
			return uint8(k)
		}
	}
	return 0
}

// layout is the geometry of a program's store.
func (p program) layout() (basket.Layout, error) {
	l := basket.Layout{Baskets: uint32(len(p.Heads)), BasketBytes: unitsOfBasket * basket.UnitBytes,
		Writers: uint32(p.writers())}
	if !p.tiered() {
		return l, nil
	}
	return l.WithPolicy(p.policy(nil, false), uint32(p.Tiers), 0)
}

// memory is the region, word by word, and where in it the sections are.
type memory struct {
	words                  []uint64
	common, heads, records int
	index                  []uint64                // by hash, from 1
	owners                 [model.MaxBaskets]owner // by basket
}

// owner is whom a head names: by the entry of a writer, which another actor may have later.
type owner struct{ entry, actor uint8 }

func (m *memory) locate(r *region.Region) {
	at := func(section string) int {
		return int(r.Layout().Offset(basket.Engine, section) / region.WordBytes)
	}
	m.words = r.Words().Plain()
	m.common, m.heads = at(basket.SectionShared), at(basket.SectionHeads)
	m.records = at(basket.SectionRecords)
}

// firstHand is where in the index the hands begin.
const firstHand = model.MaxKeys + 1

// pairAt is where behind them the parameters are.
func (p program) pairAt() int { return firstHand + len(p.Calls) }

// unitOf is the first unit of a record.
func unitOf(ref uint8) int {
	return int(ref-1)/model.Slots*unitsOfBasket + int(ref-1)%model.Slots*unitsOfRecord
}

// refOf is what the index has for a record of the specification.
func refOf(ref uint8) uint64 {
	if ref == 0 {
		return 0
	}
	return uint64(unitOf(ref)) + 1
}

// modelRef is the record that a ref leads to, 255 if it is none.
func modelRef(ref uint64) uint8 {
	if ref == 0 {
		return 0
	}
	b, unit := (ref-1)/unitsOfBasket, (ref-1)%unitsOfBasket
	if unit%unitsOfRecord != 0 || unit/unitsOfRecord >= model.Slots {
		return 255
	}
	return uint8(b*model.Slots + unit/unitsOfRecord + 1)
}

// put writes the beginning of a program.
func (m *memory) put(p program) {
	m.words[m.common] = firstNumber - 1
	for h, ref := range p.Words {
		m.index[h+1] = wordOf(refOf(ref), 0)
	}
	if p.tuned() {
		m.index[p.pairAt()] = wordOfPair(p.Pair)
	}
	led := map[uint8]bool{}
	for _, ref := range p.Words {
		for ; ref != 0; ref = p.Records[ref-1].Next {
			led[ref] = true
		}
	}
	for i, h := range p.Heads {
		m.owners[i] = owner{h.Owner, h.Owner}
		m.words[m.heads+2*i] = uint64(basket.MakeHead(states[h.Life], uint32(h.Owner), uint32(h.Generation),
			uint64(h.Number)).In(uint32(h.Tier)))
		used, live := uint32(0), uint32(0)
		for slot := range model.Slots {
			ref := uint8(i*model.Slots + slot + 1)
			if p.Records[ref-1].Size == 0 {
				continue
			}
			if used += unitsOfRecord; led[ref] || !p.compacts() {
				live += unitsOfRecord
			}
		}
		m.words[m.heads+2*i+1] = uint64(basket.MakeHint(uint32(h.Generation), used, live))
	}
	for i, r := range p.Records {
		if r.Key != 0 {
			m.putRecord(uint8(i+1), r)
		}
	}
}

// firstNumber is the model's first number of a basket that is opened.
const firstNumber = 5

var states = map[model.Life]basket.State{model.Free: basket.StateFree, model.Open: basket.StateOpen,
	model.Sealed: basket.StateSealed, model.Retiring: basket.StateRetiring}

func (m *memory) putRecord(ref uint8, r model.Record) {
	at := m.words[m.records+unitOf(ref):][:unitsOfRecord]
	at[sizeUnit] = uint64(basket.MakeSizeWord(uint32(r.Size), unitsOfRecord))
	flags := basket.Flag(0)
	if r.Suspect != 0 {
		flags = basket.FlagSuspect
	}
	at[headUnit] = uint64(basket.MakeKeyWord(basket.Ref(refOf(r.Next)), uint32(len(keys[r.Key])), flags, 0))
	text := append(append([]byte{}, keys[r.Key]...), valueOf(r.Key, r.Low)...)
	for i := range unitsOfRecord - 2 {
		at[2+i] = wordAt(text[8*i:])
	}
}

// wordAt are eight bytes as a word of this machine.
func wordAt(b []byte) (w uint64) {
	var words [1]uint64
	copy(bytesOf(words[:]), b[:8])
	return words[0]
}

// record is one as the specification has it. A value that is none of a byte, and a ref that leads to no
// record, are 255.
func (m *memory) record(ref uint8) (r model.Record) {
	at := m.words[m.records+unitOf(ref):][:unitsOfRecord]
	size, head := basket.SizeWord(at[sizeUnit]), basket.KeyWord(at[headUnit])
	if r.Size = uint8(size.Hash()); size != 0 && size.Units() != unitsOfRecord {
		r.Size = 255
	}
	switch int(head.Key()) {
	case len(keys[1]):
		r.Key = 1
	case len(keys[2]):
		r.Key = 2
	}
	r.Next = modelRef(uint64(head.Next()))
	if head.Flags()&basket.FlagSuspect != 0 {
		r.Suspect = 1
	}
	r.Low, r.High = half(at[lowUnit]), half(at[highUnit])
	return r
}

// half is a word of a value, all of whose bytes are one.
func half(w uint64) uint8 {
	if b := uint8(w); w == uint64(b)*0x0101010101010101 {
		return b
	}
	return 255
}

// head is one as the specification has it.
func (m *memory) head(i int) model.Head {
	h := basket.Head(m.words[m.heads+2*i])
	x := model.Head{Owner: uint8(h.Owner()), Generation: uint8(h.Generation()), Number: uint8(h.Sequence()),
		Tier: uint8(h.Tier())}
	switch {
	case x.Owner == m.owners[i].entry:
		x.Owner = m.owners[i].actor
	case x.Owner != 0:
		x.Owner = 255
	}
	for life, s := range states {
		if s == h.State() {
			x.Life = life
		}
	}
	return x
}
