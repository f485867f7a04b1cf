package cache

import (
	"iter"
	"slices"

	"github.com/samecycle/samecycle/impl/basket"
)

// All yields each entry of the cache, in no particular order. It is weakly consistent: the answer for each
// key is that of one Peek at an instant of the loop. So
//
//   - no key comes twice, not even one that is set, moved, or deleted and set again during the loop;
//   - a key that is there during the whole loop comes, with a value that it had during the loop;
//   - a key that is added or removed during the loop may come or not.
//
// The body of the loop may call the cache. Key and value are valid until the next iteration. The loop ends
// early if the region is damaged or the cache is closed; Walk reports this as an error. During the loop it
// takes memory: about 3.3 bytes for each entry that the index is made for (Options.Entries; by default these
// are 26 KiB for each MiB of the cache), and about 12 bytes for each entry that is there.
func (c *Cache) All() iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) { _ = c.Walk(yield) }
}

// Keys is All without the values.
func (c *Cache) Keys() iter.Seq[[]byte] {
	return func(yield func(key []byte) bool) {
		_ = c.Walk(func(key, _ []byte) bool { return yield(key) })
	}
}

// Values is All without the keys.
func (c *Cache) Values() iter.Seq[[]byte] {
	return func(yield func(value []byte) bool) {
		_ = c.Walk(func(_, value []byte) bool { return yield(value) })
	}
}

// Walk is All with an error: it calls yield with each entry until yield returns false. Errors: ErrCorrupt,
// ErrClosed, ErrBusy.
func (c *Cache) Walk(yield func(key, value []byte) bool) error {
	err := c.walk(func(b *buffers, x basket.Link) bool {
		return yield(b.value[x.From:x.Key:x.Key], b.value[x.Key:x.End:x.End])
	})
	return failed("walk", err)
}

// walk is Walk, but passes the places of an entry in the bytes of b.value, and its metadata.
func (c *Cache) walk(yield func(b *buffers, x basket.Link) bool) error {
	hashes, err := c.hashes()
	if err != nil {
		return err
	}
	b := c.lend()
	defer b.give()
	var links []basket.Link
	for _, hash := range hashes {
		if links, err = c.chain(hash, b, links[:0]); err != nil {
			return err
		}
		for _, x := range links {
			if !yield(b, x) {
				return nil
			}
		}
	}
	return nil
}

// Len counts the entries as All finds them. It reads the whole index and all entries, which takes some
// hundred nanoseconds for each entry. Stats gives an estimate in less time. Len is 0 for a closed cache, and
// stops where the region is damaged.
func (c *Cache) Len() int {
	hashes, err := c.hashes()
	if err != nil {
		return 0
	}
	b := c.lend()
	defer b.give()
	var links []basket.Link
	n := 0
	for _, hash := range hashes {
		if links, err = c.chain(hash, b, links[:0]); err != nil {
			break
		}
		n += len(links)
	}
	return n
}

// hashes returns the keys of the index. They are collected first, because no handle is held while the user
// looks at an entry.
func (c *Cache) hashes() ([]uint32, error) {
	s, err := c.reading()
	if err != nil {
		return nil, err
	}
	var hashes []uint32
	err = c.table.Walk(func(hash, _ uint32) bool { hashes = append(hashes, hash); return true })
	s.give(0)
	return hashes, err
}

// chain returns the entries of one hash that have not expired, as they are at one instant. Their bytes are in
// b.value.
func (c *Cache) chain(hash uint32, b *buffers, links []basket.Link) ([]basket.Link, error) {
	s, err := c.reading()
	if err != nil {
		return links, err
	}
	b.value, links, err = s.handle.Chain(hash, b.value[:0], links)
	s.give(0)
	return slices.DeleteFunc(links, func(x basket.Link) bool { return c.clock.over(x.Meta.Expires) }), err
}
