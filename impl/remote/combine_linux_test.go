package remote_test

import (
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/impl/remote"
)

// TestServe_Combines: sets of many clients are appended to one basket, in which a process that maps the cache
// would have one of its own. So small batches of many clients leave no baskets that are half empty.
func TestServe_Combines(t *testing.T) {
	const clients, sets = 12, 10
	own := newCache(t)
	for i := range clients {
		_, path := serving(t, own, remote.Options{})
		c := dial(t, path, remote.DialOptions{})
		var b remote.Batch
		for n := range sets {
			b.Set(fmt.Appendf(nil, "%d %d", i, n), nil)
		}
		if _, err := c.Do(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
	s, err := own.Stats()
	if err != nil || s.Entries != clients*sets || s.Writers != 1 || s.OpenBaskets != 1 ||
		s.SealedBaskets != 0 {
		t.Errorf("%d entries of %d writers in %d + %d baskets (%v), want %d of one in one", s.Entries,
			s.Writers, s.OpenBaskets, s.SealedBaskets, err, clients*sets)
	}
}
