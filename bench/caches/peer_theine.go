//go:build !no_theine

package caches

import (
	"bytes"

	"github.com/Yiling-J/theine-go"
)

var _ = register(kind{name: "theine", modules: []string{"Yiling-J/theine-go"},
	make: func(r room) (store, error) {
		return ofSize(r, newTheine[[8]byte], newTheine[[16]byte], newTheine[[32]byte])
	}})

func newTheine[K arrays](r room) (store, error) {
	c, err := theine.NewBuilder[K, []byte](int64(r.entries)).Build()
	return theineStore[K]{c}, err
}

type theineStore[K arrays] struct{ c *theine.Cache[K, []byte] }

func (s theineStore[K]) get(key, _ []byte) ([]byte, bool) { return s.c.Get(K(key)) }
func (s theineStore[K]) set(key, value []byte) bool       { return s.c.Set(K(key), bytes.Clone(value), 1) }
func (s theineStore[K]) remove(key []byte)                { s.c.Delete(K(key)) }
func (s theineStore[K]) settle()                          { s.c.Wait() }
func (s theineStore[K]) close() error                     { s.c.Close(); return nil }
