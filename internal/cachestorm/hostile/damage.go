package hostile

import (
	"encoding/binary"
	"math"

	"github.com/samecycle/samecycle/impl/cache"
)

// damage overwrites some words. In some rounds it cuts the file instead, and returns false. An Attach must
// refuse such a file, because otherwise it would fault.
func (x *round) damage() bool {
	r := x.random
	if !x.opened() && r.IntN(16) == 0 {
		x.cut()
		return false
	}
	most := []int{8, 400, 4000}[r.IntN(3)]
	s := x.image.pick(r)
	for range 1 + r.IntN(most) {
		if r.IntN(4) == 0 {
			s = x.image.pick(r)
		}
		at := s.first + r.IntN(s.size)
		word := x.file[8*at:]
		binary.LittleEndian.PutUint64(word, x.wrong(binary.LittleEndian.Uint64(word), s))
		x.records = x.records || s.records
		x.Words++
		x.Parts[s.name]++
	}
	return true
}

// opened reports whether the cache has been opened in this round.
func (x *round) opened() bool { return x.call != "" }

// wrong returns another word to replace an old one.
func (x *round) wrong(old uint64, s section) uint64 {
	r := x.random
	switch r.IntN(9) {
	case 0, 1:
		return old ^ 1<<r.IntN(64)
	case 2:
		return old + 1
	case 3:
		return 0
	case 4:
		return math.MaxUint64
	case 5:
		return r.Uint64()
	case 6: // a size, a length or a ref that is slightly wrong, or far too large
		return old&^0xFFFFFFFF | uint64([]uint32{0, 1, 2, 3, 511, 512, 513, 1 << 16, 1 << 29, math.MaxUint32,
			uint32(old) + 1, uint32(old) - 1}[r.IntN(12)])
	case 7:
		return old&0xFFFFFFFF | uint64(r.Uint32())<<32
	}
	other := s.first + r.IntN(s.size) // of the same part
	return binary.LittleEndian.Uint64(x.file[8*other:])
}

// cut cuts the file to some length, and checks that an Attach refuses it.
func (x *round) cut() {
	x.Cuts++
	x.Words++
	x.Parts["end of the file"]++
	length := x.random.IntN(len(x.image.bytes))
	if x.random.IntN(2) == 0 {
		length = length &^ 4095
	}
	if err := x.truncate(length); err != nil {
		x.fault("cannot cut the file: %v", err)
		return
	}
	x.begin("attach to a file that was cut")
	c, err := cache.Attach(x.path, cache.Options{NoJanitor: true})
	x.end()
	if err == nil {
		x.fault("a file of %d bytes instead of %d is opened", length, len(x.image.bytes))
		_ = c.Close()
		return
	}
	x.Refused++
}
