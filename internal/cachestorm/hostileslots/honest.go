package hostileslots

import (
	"context"
	"fmt"
	"time"

	"github.com/samecycle/samecycle/impl/remote"
)

// honest is the client that keeps to the protocol, and knows what each answer must be. It makes at least one
// call, however short the run is.
func (x *run) honest(ctx context.Context, path string) {
	c, err := remote.Dial(path, remote.DialOptions{Timeout: x.o.most})
	if err != nil {
		x.fault("the honest client: %v", err)
		return
	}
	defer c.Close()
	has := map[string]string{}
	for n := 0; (n == 0 || ctx.Err() == nil) && !x.failed(); n++ {
		begun := time.Now()
		wrong := x.honestCall(c, has, n)
		took := time.Since(begun)
		x.Calls, x.Longest = x.Calls+1, max(x.Longest, int64(took))
		if wrong != "" {
			x.fault("honest call %d: %s", n, wrong)
		}
		if took > x.o.most {
			x.fault("honest call %d took %v, want %v at most", n, took, x.o.most)
		}
	}
}

// honestCall makes one call and says what is wrong with its answer.
func (x *run) honestCall(c *remote.Client, has map[string]string, n int) (wrong string) {
	ctx := context.Background()
	key := fmt.Sprintf("honest %d", n*7%32)
	value, there := has[key]
	switch n % 5 {
	case 0, 1:
		value = fmt.Sprintf("%s of call %d %*s", key, n, n%200, "")
		if err := c.Set(ctx, []byte(key), []byte(value)); err != nil {
			return err.Error()
		}
		has[key] = value
	case 2:
		deleted, err := c.Delete(ctx, []byte(key))
		if delete(has, key); err != nil || deleted != there && !(there && x.hasLeft(key)) {
			return fmt.Sprintf("delete of %q: %v (%v), want %v", key, deleted, err, there)
		}
		x.hasLeft(key)
	default:
		got, ok, err := c.Get(ctx, []byte(key), nil)
		if err == nil && !ok && there && x.hasLeft(key) {
			delete(has, key)
			return ""
		}
		if err != nil || ok != there || string(got) != value {
			return fmt.Sprintf("get of %q: %q, %v (%v), want %q, %v", key, got, ok, err, value, there)
		}
	}
	return ""
}
