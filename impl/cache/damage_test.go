package cache

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// J2: wherever bits are wrong, calls end with an answer or an error. None panics, none returns more bytes
// than a basket has, and Check, which sees all of it, ends as well.
func TestReportJ2_WrongBitsAnywhere(t *testing.T) {
	sections := [][2]string{{hopscotch.Engine, hopscotch.SectionCells},
		{hopscotch.Engine, hopscotch.SectionDescriptors}, {basket.Engine, basket.SectionHeads},
		{basket.Engine, basket.SectionWriters}, {basket.Engine, basket.SectionRecords},
		{basket.Engine, basket.SectionTouch}, {basket.Engine, basket.SectionShared}, {Engine, SectionClock}}
	r := rand.New(rand.NewPCG(19, 20))
	failures, slowest := 0, time.Duration(0)
	for round := range shorter(160) {
		c := open(t, "", Options{Bytes: 160 << 10, BasketBytes: 4 << 10, NoJanitor: true})
		for i := range 300 {
			if err := c.Set(key(i), make([]byte, 200)); err != nil {
				t.Fatal(err)
			}
		}
		which := sections[round%len(sections)]
		words, err := c.region.Section(which[0], which[1])
		if err != nil {
			t.Fatal(err)
		}
		for range 1 + r.IntN(20) {
			w := &words[r.IntN(len(words))]
			w.Store(w.Load() ^ 1<<r.IntN(64))
		}
		begin := time.Now()
		most := int(c.Options().BasketBytes)
		for i := range 300 {
			v, _, err := c.Get(key(i), nil)
			if len(v) > most {
				t.Errorf("%v: a value of %d bytes", which, len(v))
			}
			if err == nil {
				err = c.Set(key(r.IntN(400)), make([]byte, r.IntN(300)))
			}
			if err == nil {
				_, err = c.Delete(key(r.IntN(400)))
			}
			if err != nil {
				failures++
				break
			}
		}
		for range c.All() {
		}
		if _, err := c.Stats(); err != nil {
			t.Errorf("%v: %v", which, err)
		}
		if _, err := c.Check(); err != nil {
			t.Errorf("%v: %v", which, err)
		}
		_ = c.Close() // may say what is wrong
		slowest = max(slowest, time.Since(begin))
	}
	t.Logf("%d of %d rounds met an error, the slowest took %v", failures, shorter(160), slowest)
	if failures == 0 {
		t.Error("no call has met the damage")
	}
}
