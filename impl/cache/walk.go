package cache

import (
	"iter"
	"slices"

	"github.com/samecycle/samecycle/impl/basket"
)

// All yields each entry of the cache, in no particular order. It is weakly consistent: for each key by itself
// it is one Peek, at an instant of the loop. So
//
//   - no key comes twice, not even one that is set, moved, or deleted and set again meanwhile;
//   - a key that is there during the whole loop comes, with a value that it had during the loop;
//   - a key that comes or goes during the loop may come or not.
//
// The body of the loop may call the cache. Key and value are good until the next one. The loop ends early
// where the region is damaged or the cache is closed; Walk tells so. Meanwhile it takes some 26 KiB of memory
// for each MiB of the cache, and some 12 bytes for an entry.
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

// Walk is All with a reason: it calls yield with each entry until yield returns false. Errors: ErrCorrupt,
// ErrClosed, ErrBusy.
func (c *Cache) Walk(yield func(key, value []byte) bool) error {
	err := c.walk(func(b *buffers, x basket.Link) bool {
		return yield(b.value[x.From:x.Key:x.Key], b.value[x.Key:x.End:x.End])
	})
	return failed("walk", err)
}

// walk is Walk with the places of an entry in the bytes of b.value, and what is known of it.
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

// Len counts the entries as All finds them: it reads all of them, some 100 ns each. Stats has an estimate for
// less time. It is 0 for a cache that is closed, and stops where the region is damaged.
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

// hashes are the keys of the index. No handle is held while a user looks at an entry, so they are collected
// first.
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

// chain are the entries of one hash that have not expired, in b.value, as they are at one instant.
func (c *Cache) chain(hash uint32, b *buffers, links []basket.Link) ([]basket.Link, error) {
	s, err := c.reading()
	if err != nil {
		return links, err
	}
	b.value, links, err = s.handle.Chain(hash, b.value[:0], links)
	s.give(0)
	return slices.DeleteFunc(links, func(x basket.Link) bool { return c.clock.over(x.Meta.Expires) }), err
}
