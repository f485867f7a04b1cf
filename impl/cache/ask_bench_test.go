package cache

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// BenchmarkAsk is BenchmarkGet with quotas: without any, with limits that nobody reaches, and of a client
// that is over its limit.
func BenchmarkAsk(b *testing.B) {
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
			var k [8]byte
			dst := make([]byte, 0, 64)
			for x.want == Denied {
				if _, a, err := c.Ask(7, k[:], dst); a.State == Denied || err != nil {
					break
				}
			}
			for b.Loop() {
				binary.BigEndian.PutUint64(k[:], uint64(r.Uint32N(benchKeys)))
				if _, a, err := c.Ask(7, k[:], dst); a.State != x.want && x.want == Hit || err != nil {
					b.Fatal(a, err)
				}
			}
		})
	}
}
