//go:build !explore

package cache

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"testing"
)

// D10: more than the cache has room for, and more than 2^32 bytes, are written. One build is enough for the
// sums of bytes, which are the same in both.
func TestReportD10_MoreThan32BitsOfBytes(t *testing.T) {
	if raced {
		t.Skip("NOT RUN: it takes minutes with the race detector: run it without -race")
	}
	if free := availableBytes(); testing.Short() || free < 16<<30 {
		t.Skipf("NOT RUN: it takes 5 GiB of memory, and wants 16 GiB available and no short run; found %d",
			free)
	}
	evicted := uint64(0)
	o := wide(t)
	o.OnEvent = func(e Event) {
		if e.Reason == Evicted {
			evicted++
		}
	}
	c := open(t, "", o)
	value := make([]byte, 1<<20-64)
	const sets = 6 << 10
	for i := range uint64(sets) {
		binary.LittleEndian.PutUint64(value, i)
		if err := c.Set(key(int(i)), value); err != nil {
			t.Fatalf("set %d: %v", i, err)
		}
	}
	s, err := c.Stats()
	if err != nil {
		t.Fatal(err)
	}
	l := c.store.Layout()
	if s.LiveBytes <= math.MaxUint32 || s.LiveBytes > o.Bytes || evicted == 0 || s.Evicted != evicted ||
		s.LiveBytes+s.DeadBytes+s.FreeBytes != uint64(l.Baskets)*uint64(l.BasketBytes) {
		t.Errorf("%+v, %d evicted", s, evicted)
	}
	n := 0
	for k, v := range c.All() {
		if binary.LittleEndian.Uint64(v) != binary.BigEndian.Uint64(k) {
			t.Errorf("key %x has the value of %x", k, v[:8])
		}
		n++
	}
	if uint64(n)+evicted != sets {
		t.Errorf("%d entries are there and %d were evicted of %d", n, evicted, sets)
	}
}

// availableBytes is how much memory programs can have, 0 if nobody knows.
func availableBytes() (n uint64) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	var total, free, available uint64
	_, err = fmt.Sscanf(string(text), "MemTotal: %d kB\nMemFree: %d kB\nMemAvailable: %d kB", &total,
		&free, &available)
	if err != nil {
		return 0
	}
	return available << 10
}
