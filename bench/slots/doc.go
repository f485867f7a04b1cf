// Package slots has benchmarks of the ways to use a cache from a process: direct calls, slot files, and a
// memcached behind a unix socket.
package slots
