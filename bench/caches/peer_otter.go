//go:build !no_otter

package caches

import (
	"bytes"

	"github.com/maypok86/otter/v2"
)

var _ = register(kind{name: "otter", modules: []string{"maypok86/otter"},
	make: func(r room) (store, error) {
		return ofSize(r, newOtter[[8]byte], newOtter[[16]byte], newOtter[[32]byte])
	}})

func newOtter[K arrays](r room) (store, error) {
	c, err := otter.New(&otter.Options[K, []byte]{MaximumSize: r.entries, InitialCapacity: r.entries})
	return otterStore[K]{c}, err
}

type otterStore[K arrays] struct{ c *otter.Cache[K, []byte] }

func (s otterStore[K]) get(key, _ []byte) ([]byte, bool) { return s.c.GetIfPresent(K(key)) }
func (s otterStore[K]) set(key, value []byte) bool       { s.c.Set(K(key), bytes.Clone(value)); return true }
func (s otterStore[K]) remove(key []byte)                { s.c.Invalidate(K(key)) }
func (s otterStore[K]) settle()                          { s.c.CleanUp() }
func (s otterStore[K]) close() error                     { s.c.StopAllGoroutines(); return nil }
