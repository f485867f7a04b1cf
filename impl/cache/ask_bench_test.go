package cache

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// BenchmarkAskBesideGet compares Ask with Get, of entries of 8 + 64 bytes: in turn a block of one and a block
// of the other, with the median of the blocks of each. So what else the machine does meets both, and blocks
// that were interrupted do not count. Ask is called without quotas, with limits that nobody reaches, and by a
// client that is over its limit.
func BenchmarkAskBesideGet(b *testing.B) {
	for _, x := range []struct {
		name  string
		quota Quota
		want  State
	}{{"none", Quota{}, Hit}, {"limits", Quota{Object: 50_000_000, Client: 100_000_000}, Hit},
		{"denied", Quota{Client: 1}, Denied}} {
		b.Run(x.name, func(b *testing.B) {
			c := benchCache(b)
			c.options.Quota = x.quota
			r := rand.New(rand.NewPCG(1, 2))
			var keys [256][8]byte
			dst := make([]byte, 0, 64)
			var gets, asks []float64
			wrong := 0
			for b.Loop() {
				for i := range keys {
					binary.BigEndian.PutUint64(keys[i][:], uint64(r.Uint32N(benchKeys)))
				}
				gets = append(gets, block(b, len(keys), func(i int) error {
					_, _, err := c.Get(keys[i][:], dst)
					return err
				}))
				for i := range keys {
					binary.BigEndian.PutUint64(keys[i][:], uint64(r.Uint32N(benchKeys)))
				}
				asks = append(asks, block(b, len(keys), func(i int) error {
					_, a, err := c.Ask(7, keys[i][:], dst)
					if a.State != x.want {
						wrong++
					}
					return err
				}))
			}
			if wrong > len(asks)*len(keys)/100+1000 {
				b.Errorf("%d of %d answers are not %v", wrong, len(asks)*len(keys), x.want)
			}
			slices.Sort(gets)
			slices.Sort(asks)
			b.ReportMetric(gets[len(gets)/2], "get-ns")
			b.ReportMetric(asks[len(asks)/2], "ask-ns")
		})
	}
}

// block is how many nanoseconds a call takes, of n calls.
func block(b *testing.B, n int, call func(i int) error) float64 {
	begun := time.Now()
	for i := range n {
		if err := call(i); err != nil {
			b.Fatal(err)
		}
	}
	return float64(time.Since(begun)) / float64(n)
}
