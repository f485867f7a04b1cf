package bench

import "sync"

// Peers of the standard library: Go's map alone, in shards behind locks, and sync.Map.

func peerMap() peer {
	return peer{name: "map", alone: true, make: func() (store, error) {
		return plainMap(make(map[uint32]uint32, Keys)), nil
	}}
}

type plainMap map[uint32]uint32

func (m plainMap) gets(keys []uint32, present bool) (wrong int) {
	for _, key := range keys {
		if v, ok := m[key]; ok != present || ok && wrongValue(key, v) {
			wrong++
		}
	}
	return wrong
}

func (m plainMap) adds(keys []uint32) int {
	for _, key := range keys {
		m[key] = key
	}
	return 0
}

func (m plainMap) sets(keys []uint32, flip uint32) int {
	for _, key := range keys {
		m[key] = key ^ flip
	}
	return 0
}

// mixes is never called: the peer is alone.
func (m plainMap) mixes(int, []uint32, []bool, uint32) int { return 1 }

func (m plainMap) walks() (seen, wrong int) {
	for key, v := range m {
		if seen++; wrongValue(key, v) {
			wrong++
		}
	}
	return seen, wrong
}

func (m plainMap) value(key uint32) (uint32, bool) { v, ok := m[key]; return v, ok }

func (m plainMap) close() {}

func peerSharded() peer {
	return peer{name: "sharded", make: func() (store, error) {
		s := &sharded{}
		for i := range s {
			s[i].m = make(map[uint32]uint32, Keys/shards+Keys/shards/8)
		}
		return s, nil
	}}
}

const shards = 256

// sharded is the map that most programs write themselves.
type sharded [shards]struct {
	sync.RWMutex
	m map[uint32]uint32
	_ [32]byte // a shard has a cache line of its own
}

func shardOf(key uint32) uint32 { return key * 0x85EBCA6B >> 24 }

func (s *sharded) get(key uint32) (uint32, bool) {
	shard := &s[shardOf(key)]
	shard.RLock()
	v, ok := shard.m[key]
	shard.RUnlock()
	return v, ok
}

func (s *sharded) set(key, value uint32) {
	shard := &s[shardOf(key)]
	shard.Lock()
	shard.m[key] = value
	shard.Unlock()
}

func (s *sharded) gets(keys []uint32, present bool) (wrong int) {
	for _, key := range keys {
		if v, ok := s.get(key); ok != present || ok && wrongValue(key, v) {
			wrong++
		}
	}
	return wrong
}

func (s *sharded) adds(keys []uint32) int {
	for _, key := range keys {
		s.set(key, key)
	}
	return 0
}

func (s *sharded) sets(keys []uint32, flip uint32) int {
	for _, key := range keys {
		s.set(key, key^flip)
	}
	return 0
}

func (s *sharded) mixes(_ int, keys []uint32, reads []bool, flip uint32) (wrong int) {
	for i, key := range keys {
		if !reads[i%len(reads)] {
			s.set(key, key^flip)
		} else if v, ok := s.get(key); !ok || wrongValue(key, v) {
			wrong++
		}
	}
	return wrong
}

func (s *sharded) walks() (seen, wrong int) {
	for i := range s {
		s[i].RLock()
		for key, v := range s[i].m {
			if seen++; wrongValue(key, v) {
				wrong++
			}
		}
		s[i].RUnlock()
	}
	return seen, wrong
}

func (s *sharded) value(key uint32) (uint32, bool) { return s.get(key) }

func (s *sharded) close() {}

func peerSyncMap() peer {
	return peer{name: "sync.Map", garbage: true, make: func() (store, error) { return &syncMap{}, nil }}
}

type syncMap struct{ m sync.Map }

// get gives the value, 0 of none.
func (s *syncMap) get(key uint32) (uint32, bool) {
	v, ok := s.m.Load(key)
	if !ok {
		return 0, false
	}
	value, ok := v.(uint32)
	return value, ok
}

func (s *syncMap) gets(keys []uint32, present bool) (wrong int) {
	for _, key := range keys {
		if v, ok := s.get(key); ok != present || ok && wrongValue(key, v) {
			wrong++
		}
	}
	return wrong
}

func (s *syncMap) adds(keys []uint32) int {
	for _, key := range keys {
		s.m.Store(key, key)
	}
	return 0
}

func (s *syncMap) sets(keys []uint32, flip uint32) int {
	for _, key := range keys {
		s.m.Store(key, key^flip)
	}
	return 0
}

func (s *syncMap) mixes(_ int, keys []uint32, reads []bool, flip uint32) (wrong int) {
	for i, key := range keys {
		if !reads[i%len(reads)] {
			s.m.Store(key, key^flip)
		} else if v, ok := s.get(key); !ok || wrongValue(key, v) {
			wrong++
		}
	}
	return wrong
}

func (s *syncMap) walks() (seen, wrong int) {
	s.m.Range(func(key, v any) bool {
		seen++
		k, okKey := key.(uint32)
		if value, ok := v.(uint32); !ok || !okKey || wrongValue(k, value) {
			wrong++
		}
		return true
	})
	return seen, wrong
}

func (s *syncMap) value(key uint32) (uint32, bool) { return s.get(key) }

func (s *syncMap) close() {}
