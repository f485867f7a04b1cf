package cache

import (
	"fmt"
	"iter"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/region"
)

// Functions for a program that only looks at the region of a cache (region.Observe).

// TunedWrong lists the live parameters whose words have values that no process writes, and which are
// therefore Damaged. Other processes may use the cache during the call. The result is nil for a region
// without a cache.
func TunedWrong(r *region.Region) (found []Parameter, err error) {
	if _, ok := r.Layout().Part(Engine); !ok {
		return nil, nil
	}
	store, err := basket.New(r)
	if err != nil {
		return nil, err
	}
	words, err := r.Section(Engine, SectionParams)
	if err != nil {
		return nil, err
	}
	var p params
	p.init(words, store.Layout())
	for _, x := range p.all() {
		if x.Damaged {
			found = append(found, x)
		}
	}
	return found, nil
}

// Unfindable lists records to which the index leads under another hash than that of their keys, so that no
// call finds them. Either a key is damaged, or the secret of the hash is. No process may change the cache
// during the call. The arguments are the store of the region, and all pairs of hash and ref in the index. The
// result is nil for a region without a cache.
func Unfindable(r *region.Region, s *basket.Store, index iter.Seq2[uint32, uint32]) (
	found []basket.Finding, err error) {
	part, ok := r.Layout().Part(Engine)
	if !ok {
		return nil, nil
	}
	kind, _ := part.Param(paramHash)
	bits, _ := part.Param(paramBits)
	if kind == 0 || kind > uint64(HashSip) || bits == 0 || bits > 32 {
		return nil, nil // it is no cache that can be opened, which says more
	}
	words, err := r.Section(basket.Engine, basket.SectionShared)
	if err != nil {
		return nil, err
	}
	h := newHasher(HashKind(kind), int(bits), [2]uint64{words[secretWord].Load(), words[secretWord+1].Load()})
	return unfindable(h, s, index), nil
}

// secretWord is the first of the two words of the secret in basket.SectionShared. This file does not use
// Store.Secret, because that would write a secret if there is none.
const secretWord = 2

// unfindable is Unfindable with a given hash.
func unfindable(h hasher, s *basket.Store, index iter.Seq2[uint32, uint32]) (found []basket.Finding) {
	wrong := map[basket.Ref]bool{}
	s.Records(func(x basket.Record) bool {
		if h.of(x.Key) != x.Hash {
			wrong[x.Ref] = true
		}
		return true
	})
	if len(wrong) == 0 {
		return nil
	}
	// What a dead process has not written to the end is wrong as well, and the index leads to none of it.
	live := LiveRefs(s, index)
	n := 0
	s.Records(func(x basket.Record) bool {
		if !wrong[x.Ref] || !live[x.Ref] {
			return true
		}
		if n++; n <= findingsShown {
			found = append(found, basket.Finding{Property: "B2Whole", Text: fmt.Sprintf("the record at ref "+
				"%d of hash %#x has the key %.40q, whose hash is %#x: no call finds it", x.Ref, x.Hash,
				x.Key, h.of(x.Key))})
		}
		return true
	})
	if n > findingsShown {
		found = append(found, basket.Finding{Property: "B2Whole", Text: fmt.Sprintf("no call finds %d more "+
			"records; if these are all, the secret of the hash is damaged: unlink the file, and create it "+
			"anew", n-findingsShown)})
	}
	return found
}

// LiveRefs are the refs of all records that the index leads to: the first record of each chain, and the
// records behind it.
func LiveRefs(s *basket.Store, index iter.Seq2[uint32, uint32]) map[basket.Ref]bool {
	live := map[basket.Ref]bool{}
	for _, ref := range index {
		live[basket.Ref(ref)] = true
	}
	grown := true
	for range basket.ChainMax { // of a damaged region chains have any length
		if !grown {
			break
		}
		grown = false
		s.Records(func(x basket.Record) bool {
			if live[x.Ref] && x.Next != 0 && !live[x.Next] {
				live[x.Next], grown = true, true
			}
			return true
		})
	}
	return live
}
