// Package slots measures the ways to use a cache from a process: direct calls, slot files, and a memcached
// behind a unix socket. The benchmarks measure one round; [Run] runs some rounds, and writes what they come
// to.
package slots
