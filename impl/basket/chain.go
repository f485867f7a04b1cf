package basket

import (
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/seam"
)

// Link is a record of a chain, copied into a buffer. Its key is from From to Key, and its value is from Key
// to End.
type Link struct {
	From, Key, End int
	Meta           Meta
}

// Chain copies all records that the index has under the hash, as they were at one instant of the call. It
// appends their keys and values to dst, and their places to links. Expired records are included, and no
// record counts as used. After an error dst and links come back without a further element, though perhaps
// with more room, which the next call can use. Errors and progress: those of Get.
func (r *Reader) Chain(hash uint32, dst []byte, links []Link) (all []byte, chain []Link, err error) {
	if r.store == nil {
		return dst, links, ErrZero
	}
	for range patience {
		ticket, there, err := r.indexLookup(hash)
		if err != nil || !there {
			return dst, links, err
		}
		all, chain, what := r.chain(ticket, hash, dst, links)
		if what != stale && r.indexStill(ticket) {
			if what == found {
				return all, chain, nil
			}
			return all[:len(dst)], chain[:len(links)], r.lost(what, hash)
		}
		dst, links = all[:len(dst)], chain[:len(links)] // the next round has the room that this one has made
	}
	return dst, links, fmt.Errorf("chain of hash %#x: %w", hash, ErrBusy)
}

// chain copies the chain of a ticket that may not hold: at most ChainMax records, each of which is in one
// basket. It makes no room for a length that was not checked against the index.
func (r *Reader) chain(ticket hopscotch.Ticket, hash uint32, dst []byte, links []Link) (
	all []byte, chain []Link, what outcome,
) {
	ref := Ref(ticket.Value())
	for range ChainMax {
		x, sound := r.store.look(ref, hash)
		if !sound {
			return dst, links, torn
		}
		key, n, from := int(x.word.Key()), int(x.word.Key())+x.valueBytes(), len(dst)
		if cap(dst)-from < n && !r.indexStill(ticket) {
			return dst, links, stale
		}
		dst = slices.Grow(dst, n)[:from+n]
		seam.CopyOut(dst[from:], r.store.bytes, x.keyAt())
		links = append(links, Link{from, from + key, from + n, x.meta()})
		if ref = x.word.Next(); ref == 0 {
			return dst, links, found
		}
	}
	return dst, links, torn
}
