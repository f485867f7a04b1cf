package caches

import (
	"bytes"
	"sync"
)

var _ = register(kind{name: "sync.Map", unbounded: true, about: "no cache but a map that does not evict",
	make: func(r room) (store, error) {
		return ofSize(r, newSync[[8]byte], newSync[[16]byte], newSync[[32]byte])
	}})

func newSync[K arrays](room) (store, error) { return syncStore[K]{new(sync.Map)}, nil }

// syncStore is the map of the standard library, whose keys are of any type, which is an allocation a call.
type syncStore[K arrays] struct{ m *sync.Map }

func (s syncStore[K]) get(key, _ []byte) ([]byte, bool) {
	v, ok := s.m.Load(K(key))
	if !ok {
		return nil, false
	}
	return v.([]byte), true
}

func (s syncStore[K]) set(key, value []byte) bool { s.m.Store(K(key), bytes.Clone(value)); return true }
func (s syncStore[K]) remove(key []byte)          { s.m.Delete(K(key)) }
func (s syncStore[K]) settle()                    {}
func (s syncStore[K]) close() error               { s.m.Clear(); return nil }
