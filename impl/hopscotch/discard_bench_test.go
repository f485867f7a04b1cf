package hopscotch

import (
	"testing"
	"time"
)

// BenchmarkDiscardOverDeleteAndCrop alternates runs that take elements out by a ticket with runs that delete
// them and crop their buckets, on the same keys, which are added again in between. It reports the median of
// the ratios of their times, those of the lookup for the ticket included, and the times of the former.
func BenchmarkDiscardOverDeleteAndCrop(b *testing.B) {
	const keysOfRun = 1 << 14
	for _, l := range loads {
		b.Run(l.name, func(b *testing.B) {
			table, all := benchTable(b, l.load)
			h, err := table.NewHandle(9)
			if err != nil {
				b.Fatal(err)
			}
			var ratios, times []float64
			at := 0
			for b.Loop() {
				keys := all[at : at+keysOfRun]
				if at += keysOfRun; at+keysOfRun > len(all) {
					at = 0
				}
				discard := timedRemoval(b, h, keys, func(key uint32) (bool, error) {
					k, ok, err := h.Ticket(key)
					if err != nil || !ok {
						return ok, err
					}
					return h.CompareAndDelete(k)
				})
				crop := timedRemoval(b, h, keys, func(key uint32) (bool, error) {
					ok, err := h.Delete(key)
					if err != nil || !ok {
						return ok, err
					}
					return ok, h.Crop(key)
				})
				ratios, times = append(ratios, discard/crop), append(times, discard)
			}
			b.ReportMetric(median(ratios), "discard/delete+crop")
			b.ReportMetric(median(times), "ns/discard")
		})
	}
}

// timedRemoval is how long the removals of the keys take, in nanoseconds each. The keys are added again. An
// add without a place leaves its key out, and the others are as they were.
func timedRemoval(b *testing.B, h *Handle, keys []uint32, remove func(key uint32) (bool, error)) float64 {
	begin, n := time.Now(), 0
	for _, key := range keys {
		ok, err := remove(key)
		if err != nil {
			b.Fatalf("removal of key %d: %v", key, err)
		}
		if ok {
			n++
		}
	}
	took := float64(time.Since(begin)) / float64(n)
	for _, key := range keys {
		if _, err := h.Add(key, key); err != nil {
			b.Fatal(err)
		}
	}
	return took
}
