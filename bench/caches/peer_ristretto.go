//go:build !no_ristretto

package caches

import (
	"bytes"

	"github.com/dgraph-io/ristretto/v2"
)

var _ = register(kind{name: "ristretto", modules: []string{"dgraph-io/ristretto"}, make: newRistretto})

// newRistretto counts entries, and ten times as many keys, as its documentation advises.
func newRistretto(r room) (store, error) {
	c, err := ristretto.NewCache(&ristretto.Config[[]byte, []byte]{NumCounters: int64(10 * r.entries),
		MaxCost: int64(r.entries), BufferItems: 64, IgnoreInternalCost: true})
	return ristrettoStore{c}, err
}

// ristrettoStore keeps hashes of keys and no keys.
type ristrettoStore struct {
	c *ristretto.Cache[[]byte, []byte]
}

func (s ristrettoStore) get(key, _ []byte) ([]byte, bool) { return s.c.Get(key) }
func (s ristrettoStore) set(key, value []byte) bool       { return s.c.Set(key, bytes.Clone(value), 1) }
func (s ristrettoStore) remove(key []byte)                { s.c.Del(key) }
func (s ristrettoStore) settle()                          { s.c.Wait() }
func (s ristrettoStore) close() error                     { s.c.Close(); return nil }
