package hostile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// section is a part of the file, in words.
type section struct {
	name        string
	first, size int
	records     bool
}

// image is a good file.
type image struct {
	bytes    []byte
	sections []section
	basket   int // bytes
}

const (
	keys       = 220
	basketSize = 4 << 10
)

func keyOf(k int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(k)) }

// appendValue appends the value of that number for the key: both numbers, and a filling that follows from
// them.
func appendValue(b []byte, key int, number uint64) []byte {
	from := len(b)
	b = binary.LittleEndian.AppendUint64(b, number)
	b = binary.LittleEndian.AppendUint64(b, uint64(key))
	size := 16 + int(number*37%600)
	for i := uint64(0); len(b)-from < size; i++ {
		b = binary.LittleEndian.AppendUint64(b, (number+i)*0x9E3779B97F4A7C15)
	}
	return b[:from+size]
}

// whole reports whether the bytes are a value of the key.
func whole(value []byte, key int) bool {
	if len(value) < 16 {
		return false
	}
	return string(appendValue(nil, key, binary.LittleEndian.Uint64(value))) == string(value)
}

// newImage makes a cache whose hashes have so many bits, and copies its file. It does so after the cache was
// closed or, as if its process had died, while it is open.
func newImage(folder string, bits int, closed bool) (x image, err error) {
	path := filepath.Join(folder, "image")
	defer os.Remove(path)
	if err := makeRegion(path, bits); err != nil {
		return x, err
	}
	c, err := cache.Attach(path, cache.Options{NoJanitor: true, Writers: 2})
	if err != nil {
		return x, err
	}
	r := rand.New(rand.NewPCG(uint64(bits), 1))
	for n := range uint64(1200) {
		k := r.IntN(keys)
		ttl := time.Duration(0)
		if n%8 == 0 {
			ttl = time.Hour
		}
		if err := c.SetTTL(keyOf(k), appendValue(nil, k, n), ttl); err != nil {
			return x, errors.Join(err, c.Close())
		}
		if _, _, err := c.Get(keyOf(r.IntN(keys)), nil); err != nil {
			return x, errors.Join(err, c.Close())
		}
		if n%9 == 0 {
			if _, err := c.Delete(keyOf(r.IntN(keys))); err != nil {
				return x, errors.Join(err, c.Close())
			}
		}
	}
	if closed {
		err = c.Close()
	}
	if err == nil {
		x.bytes, err = os.ReadFile(path)
	}
	if !closed {
		err = errors.Join(err, c.Close())
	}
	if err != nil {
		return x, err
	}
	x.basket = basketSize
	x.sections, err = sectionsOf(path)
	return x, err
}

// sectionsOf returns the parts of a region. The part before the processes is the header.
func sectionsOf(path string) (all []section, err error) {
	r, err := region.Open(path, nil)
	if err != nil {
		return nil, err
	}
	l := r.Layout()
	at := int(l.Offset(region.Own, region.OwnProcesses)) / 8
	all = []section{{name: "header", size: at}}
	first := int(l.Size()) / 8
	for _, part := range l {
		for _, s := range part.Sections {
			from := int(l.Offset(part.Engine, s.Name)) / 8
			first = min(first, from)
			all = append(all, section{part.Engine + " " + s.Name, from, int(s.Bytes) / 8,
				s.Name == basket.SectionRecords})
		}
	}
	all = append(all, section{name: "processes", first: at, size: first - at})
	return all, r.Close()
}

// makeRegion makes the region of a small cache whose hashes have so many bits.
func makeRegion(path string, bits int) error {
	c, err := cache.Open(path, cache.Options{Bytes: 160 << 10, BasketBytes: basketSize, Entries: 512})
	if err != nil {
		return err
	}
	if err := c.Close(); err != nil {
		return err
	}
	r, err := region.Open(path, nil)
	if err != nil {
		return err
	}
	layout := r.Layout()
	if err := errors.Join(r.Close(), os.Remove(path)); err != nil {
		return err
	}
	for i, part := range layout {
		for j, p := range part.Params {
			if part.Engine == cache.Engine && p.Name == "hash bits" {
				layout[i].Params[j].Value = uint64(bits)
			}
		}
	}
	if r, err = region.Create(path, layout); err != nil {
		return err
	}
	// The first process that opens the cache would draw the secret of the hashes. It is set here, so that a
	// round can be repeated.
	shared, err := r.Section(basket.Engine, basket.SectionShared)
	if err == nil {
		shared[2].Store(uint64(bits) + 1)
		shared[3].Store(uint64(bits) + 2)
	}
	return errors.Join(err, r.Close())
}

// weight says how often the part is overwritten.
func (s section) weight() int {
	switch s.name {
	case hopscotch.Engine + " " + hopscotch.SectionCells:
		return 5
	case hopscotch.Engine + " " + hopscotch.SectionDescriptors, basket.Engine + " " + basket.SectionHeads:
		return 4
	case basket.Engine + " " + basket.SectionRecords:
		return 6
	}
	return 1
}

// pick draws a part.
func (x *image) pick(r *rand.Rand) section {
	total := 0
	for _, s := range x.sections {
		total += s.weight()
	}
	n := r.IntN(total)
	for _, s := range x.sections {
		if n -= s.weight(); n < 0 {
			return s
		}
	}
	panic(fmt.Sprintf("no part of %v", x.sections))
}
