package ratio

import (
	"runtime/debug"

	"github.com/maypok86/otter/v2"

	"github.com/samecycle/samecycle/internal/trace"
	"github.com/samecycle/samecycle/internal/trace/policy"
	"github.com/samecycle/samecycle/internal/trace/replay"
)

const otterPath = "github.com/maypok86/otter/v2"

// peerVersion is the version of otter.
var peerVersion = func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == otterPath {
				return m.Version
			}
		}
	}
	return "unknown"
}()

// peer is otter. What it would do in other goroutines it does in the calling one, and it settles after each
// settleEvery requests, so that its figures do not depend on the machine.
func peer() replay.Cache {
	return replay.Cache{Name: "otter", New: func(capacity uint64, t *trace.Trace) (policy.Replayed, error) {
		o := otter.Options[uint64, struct{}]{MaximumSize: int(capacity / objectBytes),
			Executor: func(f func()) { f() }}
		if t.Sized {
			o.MaximumSize, o.MaximumWeight = 0, capacity
			o.Weigher = func(key uint64, _ struct{}) uint32 { return t.Sizes[key] }
		}
		if o.MaximumSize == 0 && o.MaximumWeight == 0 {
			return nil, replay.ErrCapacity
		}
		c, err := otter.New(&o)
		return &otterCache{c: c}, err
	}}
}

const settleEvery = 16

// otterCache is otter as a cache that is replayed.
type otterCache struct {
	c *otter.Cache[uint64, struct{}]
	n int
}

func (x *otterCache) Access(key uint64, _ uint32) (hit bool) {
	if _, hit = x.c.GetIfPresent(key); !hit {
		x.c.Set(key, struct{}{})
	}
	if x.n++; x.n%settleEvery == 0 {
		x.c.CleanUp()
	}
	return hit
}

func (x *otterCache) Close() error {
	x.c.StopAllGoroutines()
	return nil
}
