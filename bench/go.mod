module github.com/samecycle/samecycle/bench

go 1.26.0

require (
	github.com/puzpuzpuz/xsync/v4 v4.5.0
	github.com/samecycle/samecycle v0.0.0
)

require (
	github.com/klauspost/cpuid/v2 v2.2.10 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/samecycle/samecycle => ../
