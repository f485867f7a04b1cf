//go:build !no_freecache

package caches

import "github.com/coocood/freecache"

var _ = register(kind{name: "freecache", modules: []string{"coocood/freecache"},
	make: func(r room) (store, error) { return freeStore{freecache.NewCache(r.bytes())}, nil }})

type freeStore struct{ c *freecache.Cache }

func (s freeStore) get(key, dst []byte) ([]byte, bool) {
	v, err := s.c.GetWithBuf(key, dst)
	return v, err == nil
}

func (s freeStore) set(key, value []byte) bool { return s.c.Set(key, value, 0) == nil }
func (s freeStore) remove(key []byte)          { s.c.Del(key) }
func (s freeStore) settle()                    {}
func (s freeStore) close() error               { return nil }
