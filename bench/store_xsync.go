//go:build !no_xsync

package bench

import "github.com/puzpuzpuz/xsync/v4"

func peerXsync() peer {
	return peer{name: "xsync", garbage: true, make: func() (store, error) {
		return xsyncMap{xsync.NewMap[uint32, uint32](xsync.WithPresize(Keys))}, nil
	}}
}

type xsyncMap struct{ m *xsync.Map[uint32, uint32] }

func (x xsyncMap) gets(keys []uint32, present bool) (wrong int) {
	for _, key := range keys {
		if v, ok := x.m.Load(key); ok != present || ok && wrongValue(key, v) {
			wrong++
		}
	}
	return wrong
}

func (x xsyncMap) adds(keys []uint32) int {
	for _, key := range keys {
		x.m.Store(key, key)
	}
	return 0
}

func (x xsyncMap) sets(keys []uint32, flip uint32) int {
	for _, key := range keys {
		x.m.Store(key, key^flip)
	}
	return 0
}

func (x xsyncMap) mixes(_ int, keys []uint32, reads []bool, flip uint32) (wrong int) {
	for i, key := range keys {
		if !reads[i%len(reads)] {
			x.m.Store(key, key^flip)
		} else if v, ok := x.m.Load(key); !ok || wrongValue(key, v) {
			wrong++
		}
	}
	return wrong
}

func (x xsyncMap) walks() (seen, wrong int) {
	x.m.Range(func(key, v uint32) bool {
		if seen++; wrongValue(key, v) {
			wrong++
		}
		return true
	})
	return seen, wrong
}

func (x xsyncMap) value(key uint32) (uint32, bool) { return x.m.Load(key) }

func (x xsyncMap) close() {}
