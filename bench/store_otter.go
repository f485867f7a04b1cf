//go:build !no_otter

package bench

import "github.com/maypok86/otter/v2"

// peerOtter may hold twice the keys, so that it never evicts.
func peerOtter() peer {
	return peer{name: "otter", garbage: true, make: func() (store, error) {
		c, err := otter.New(&otter.Options[uint32, uint32]{MaximumSize: 2 * Keys, InitialCapacity: Keys})
		return otterCache{c}, err
	}}
}

type otterCache struct{ c *otter.Cache[uint32, uint32] }

func (o otterCache) gets(keys []uint32, present bool) (wrong int) {
	for _, key := range keys {
		if v, ok := o.c.GetIfPresent(key); ok != present || ok && wrongValue(key, v) {
			wrong++
		}
	}
	return wrong
}

func (o otterCache) adds(keys []uint32) (wrong int) {
	for _, key := range keys {
		if _, fresh := o.c.Set(key, key); !fresh {
			wrong++
		}
	}
	return wrong
}

func (o otterCache) sets(keys []uint32, flip uint32) (wrong int) {
	for _, key := range keys {
		if _, fresh := o.c.Set(key, key^flip); fresh {
			wrong++
		}
	}
	return wrong
}

func (o otterCache) mixes(_ int, keys []uint32, reads []bool, flip uint32) (wrong int) {
	for i, key := range keys {
		if !reads[i%len(reads)] {
			if _, fresh := o.c.Set(key, key^flip); fresh {
				wrong++
			}
		} else if v, ok := o.c.GetIfPresent(key); !ok || wrongValue(key, v) {
			wrong++
		}
	}
	return wrong
}

func (o otterCache) walks() (seen, wrong int) {
	for key, v := range o.c.All() {
		if seen++; wrongValue(key, v) {
			wrong++
		}
	}
	return seen, wrong
}

func (o otterCache) value(key uint32) (uint32, bool) { return o.c.GetIfPresent(key) }

func (o otterCache) close() { o.c.StopAllGoroutines() }
