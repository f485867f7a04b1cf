package cache

import (
	"errors"
	"testing"
	"time"
)

// The function that is told may close the cache, whatever call has told it. The call returns what it has
// done, and touches nothing of the region any more: on a system whose addresses have 32 bits that is not
// there then.
func TestClose_ByWhatIsTold(t *testing.T) {
	k, v := []byte("k"), []byte("12345678")
	for name, call := range map[string]func(c *Cache) (bool, error){
		"Set":            func(c *Cache) (bool, error) { return true, c.Set(k, v) },
		"SetTTL":         func(c *Cache) (bool, error) { return true, c.SetTTL(k, v, time.Hour) },
		"Expire":         func(c *Cache) (bool, error) { return c.Expire(k, time.Hour) },
		"Delete":         func(c *Cache) (bool, error) { return c.Delete(k) },
		"CompareAndSwap": func(c *Cache) (bool, error) { return c.CompareAndSwap(k, v, v) },
		"Add": func(c *Cache) (bool, error) {
			sum, err := c.Add(k, 1)
			return sum != 0, err
		},
		"Compute": func(c *Cache) (bool, error) {
			_, ok, err := c.Compute(k, func(old []byte, _ bool) ([]byte, Op) { return old, Write })
			return ok, err
		},
	} {
		for _, path := range []string{"", cacheFile(t)} {
			var c *Cache
			o, told := small(), 0
			o.OnEvent = func(Event) {
				told++
				if err := c.Close(); err != nil {
					t.Errorf("%s: close: %v", name, err)
				}
			}
			c = open(t, path, o)
			if err := c.Set(k, v); err != nil {
				t.Fatal(err)
			}
			if ok, err := call(c); !ok || err != nil || told != 1 {
				t.Errorf("%s: %v, %v, and %d events were told", name, ok, err, told)
			}
			if _, err := call(c); !errors.Is(err, ErrClosed) {
				t.Errorf("%s after the close: %v", name, err)
			}
		}
	}
}
