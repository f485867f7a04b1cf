//go:build !no_fastcache

package caches

import "github.com/VictoriaMetrics/fastcache"

var _ = register(kind{name: reference, modules: []string{"VictoriaMetrics/fastcache"},
	make: func(r room) (store, error) { return fastStore{fastcache.New(r.bytes())}, nil }})

type fastStore struct{ c *fastcache.Cache }

func (s fastStore) get(key, dst []byte) ([]byte, bool) { return s.c.HasGet(dst, key) }
func (s fastStore) set(key, value []byte) bool         { s.c.Set(key, value); return true }
func (s fastStore) remove(key []byte)                  { s.c.Del(key) }
func (s fastStore) settle()                            {}

// close gives its memory, which the collector does not see, to the next fastcache of this process.
func (s fastStore) close() error { s.c.Reset(); return nil }
