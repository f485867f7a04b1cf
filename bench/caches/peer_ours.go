package caches

import (
	"errors"
	"sync"

	"github.com/samecycle/samecycle/impl/cache"
)

var _ = register(kind{name: ours, make: func(r room) (store, error) {
	s, err := newOurs("", r)
	if err != nil {
		return nil, err
	}
	return s, nil
}})

// oursStore is the cache that is measured.
type oursStore struct {
	c  *cache.Cache
	mu sync.Mutex
	e  error
}

// newOurs makes a cache, or opens the one of the file. The room in bytes is that of the whole region, with
// its index.
func newOurs(file string, r room) (*oursStore, error) {
	c, err := cache.Open(file, cache.Options{Bytes: uint64(max(r.bytes(), cache.BytesMin)),
		Entries: uint64(r.entries)})
	if err != nil {
		return nil, err
	}
	return &oursStore{c: c}, nil
}

func (s *oursStore) get(key, dst []byte) ([]byte, bool) {
	v, ok, err := s.c.Get(key, dst)
	if err != nil {
		s.keep(err)
	}
	return v, ok
}

func (s *oursStore) set(key, value []byte) bool {
	err := s.c.Set(key, value)
	if err != nil {
		s.keep(err)
	}
	return err == nil
}

func (s *oursStore) remove(key []byte) {
	if _, err := s.c.Delete(key); err != nil {
		s.keep(err)
	}
}

func (s *oursStore) getBatch(keys, values [][]byte, dst []byte) []byte {
	all, _, err := s.c.GetBatch(keys, values, dst)
	if err != nil {
		s.keep(err)
	}
	return all
}

func (s *oursStore) settle() {}

func (s *oursStore) keep(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.e = errors.Join(s.e, err)
}

func (s *oursStore) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.e
}

func (s *oursStore) close() error { return s.c.Close() }
