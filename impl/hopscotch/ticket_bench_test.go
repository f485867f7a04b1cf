package hopscotch

import (
	"slices"
	"testing"
	"time"
)

// BenchmarkTicketOverGet alternates runs of gets and of lookups for a ticket on the same keys, and reports
// the median of the ratios of their times; so it does with a get and a lookup that is followed by a Still.
func BenchmarkTicketOverGet(b *testing.B) {
	const keysOfRun = 1 << 16
	for _, l := range loads {
		b.Run(l.name, func(b *testing.B) {
			table, all := benchTable(b, l.load)
			h, err := table.NewHandle(9)
			if err != nil {
				b.Fatal(err)
			}
			var ticket, still []float64
			at := 0
			for b.Loop() {
				keys := all[at : at+keysOfRun]
				if at += keysOfRun; at+keysOfRun > len(all) {
					at = 0
				}
				got := timed(b, keys, func(key uint32) (uint32, bool) { return table.Get(key) })
				one := timed(b, keys, func(key uint32) (uint32, bool) {
					k, ok, _ := h.Ticket(key)
					return k.Value(), ok
				})
				two := timed(b, keys, func(key uint32) (uint32, bool) {
					k, ok, _ := h.Ticket(key)
					return k.Value(), ok && table.Still(k)
				})
				ticket, still = append(ticket, one/got), append(still, two/got)
			}
			b.ReportMetric(median(ticket), "ticket/get")
			b.ReportMetric(median(still), "ticket+still/get")
		})
	}
}

// timed is how long the lookups of the keys take, in nanoseconds each.
func timed(b *testing.B, keys []uint32, look func(key uint32) (uint32, bool)) float64 {
	begin := time.Now()
	for _, key := range keys {
		if v, ok := look(key); !ok || v != key {
			b.Fatalf("key %d: %d, %v", key, v, ok)
		}
	}
	return float64(time.Since(begin)) / float64(len(keys))
}

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}
