// Package caches measures the cache beside caches that a Go program would take in its place: in one process
// fastcache, which is the reference of all ratios, freecache, bigcache, otter, ristretto, golang-lru,
// theine and sync.Map; LMDB, whose file other processes can open; and memcached behind a unix socket.
//
// All subjects of a comparison take turns within one run, and a ratio is the median of the rounds' ratios:
// see package bench. Each result is checked. A peer that cannot be built or started is NOT RUN, with the
// reason.
package caches
