//go:build !no_bigcache

package caches

import (
	"context"
	"io"
	"log"
	"time"

	"github.com/allegro/bigcache/v3"
)

var _ = register(kind{name: "bigcache", modules: []string{"allegro/bigcache"}, make: newBig})

// newBig has entries that never expire, and a limit of whole MiB.
func newBig(r room) (store, error) {
	o := bigcache.DefaultConfig(365 * 24 * time.Hour)
	o.CleanWindow, o.Verbose, o.Logger = 0, false, log.New(io.Discard, "", 0)
	o.MaxEntriesInWindow, o.MaxEntrySize = r.entries, r.key+r.value+overhead
	o.HardMaxCacheSize = max(r.bytes()>>20, 1)
	c, err := bigcache.New(context.Background(), o)
	return bigStore{c}, err
}

type bigStore struct{ c *bigcache.BigCache }

// get returns a copy that bigcache has made; it has no way to copy to dst.
func (s bigStore) get(key, _ []byte) ([]byte, bool) {
	v, err := s.c.Get(string(key))
	return v, err == nil
}

func (s bigStore) set(key, value []byte) bool { return s.c.Set(string(key), value) == nil }
func (s bigStore) remove(key []byte)          { _ = s.c.Delete(string(key)) }
func (s bigStore) settle()                    {}
func (s bigStore) close() error               { return s.c.Close() }
