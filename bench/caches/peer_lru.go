//go:build !no_golang_lru

package caches

import (
	"bytes"

	lru "github.com/hashicorp/golang-lru/v2"
)

var _ = register(kind{name: "golang-lru", modules: []string{"hashicorp/golang-lru"},
	make: func(r room) (store, error) {
		return ofSize(r, newLRU[[8]byte], newLRU[[16]byte], newLRU[[32]byte])
	}})

func newLRU[K arrays](r room) (store, error) {
	c, err := lru.New[K, []byte](r.entries)
	return lruStore[K]{c}, err
}

type lruStore[K arrays] struct{ c *lru.Cache[K, []byte] }

func (s lruStore[K]) get(key, _ []byte) ([]byte, bool) { return s.c.Get(K(key)) }
func (s lruStore[K]) set(key, value []byte) bool       { s.c.Add(K(key), bytes.Clone(value)); return true }
func (s lruStore[K]) remove(key []byte)                { s.c.Remove(K(key)) }
func (s lruStore[K]) settle()                          {}
func (s lruStore[K]) close() error                     { s.c.Purge(); return nil }
