package basket

import (
	"fmt"
	"slices"

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
// record counts as used. After an error dst and links are unchanged. Errors and progress: those of Get.
func (r *Reader) Chain(hash uint32, dst []byte, links []Link) (all []byte, chain []Link, err error) {
	if r.store == nil {
		return dst, links, ErrZero
	}
	for range patience {
		ticket, there, err := r.indexLookup(hash)
		if err != nil || !there {
			return dst, links, err
		}
		all, chain, what := r.chain(Ref(ticket.Value()), hash, dst, links)
		if r.indexStill(ticket) {
			if what == torn {
				return dst, links, r.lost(what, hash)
			}
			return all, chain, nil
		}
	}
	return dst, links, fmt.Errorf("chain of hash %#x: %w", hash, ErrBusy)
}

// chain copies a chain that may be torn. It never copies more bytes than a chain in one basket can have.
func (r *Reader) chain(ref Ref, hash uint32, dst []byte, links []Link) ([]byte, []Link, outcome) {
	for range ChainMax {
		x, sound := r.store.look(ref, hash)
		if !sound {
			return dst, links, torn
		}
		key, value := int(x.word.Key()), x.valueBytes()
		from := len(dst)
		dst = slices.Grow(dst, key+value)[:from+key+value]
		seam.CopyOut(dst[from:], r.store.bytes, x.keyAt())
		links = append(links, Link{from, from + key, len(dst), x.meta()})
		if ref = x.word.Next(); ref == 0 {
			return dst, links, found
		}
	}
	return dst, links, torn
}
