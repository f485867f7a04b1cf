package basket

import "github.com/samecycle/samecycle/internal/seam"

// Record is a record in a basket, whether the index leads to it or not.
type Record struct {
	Hash       uint32
	Ref        Ref
	Next       Ref // of its chain
	Basket     uint32
	Key, Value []byte // valid during the call
	Meta       Meta
}

// Records yields the records of all baskets, until yield returns false. This includes records that are no
// longer in the index. In a store in use, the records are from different moments, and a record that is being
// written may be torn: look each record up in the index, and trust it only if it is there. A record that
// makes no sense ends the walk of its basket. Progress: wait-free. It does not write.
func (s *Store) Records(yield func(Record) bool) {
	var bytes []byte
	for b := range s.layout.Baskets {
		for at := uint32(0); at < s.units; {
			size := s.walkSize(b*s.units + at)
			r, sound := s.look(refOf(b*s.units+at), size.Hash())
			if !sound {
				break
			}
			key := int(r.word.Key())
			bytes = grown(bytes, key+r.valueBytes())
			seam.CopyOut(bytes, s.bytes, r.keyAt())
			if !yield(Record{Hash: size.Hash(), Ref: refOf(r.unit), Next: r.word.Next(), Basket: b,
				Key: bytes[:key:key], Value: bytes[key:], Meta: r.meta()}) {
				return
			}
			at += r.size.Units()
		}
	}
}
