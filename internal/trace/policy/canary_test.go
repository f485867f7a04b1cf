package policy

import (
	"math/rand/v2"
	"testing"
)

// wrong is a policy with a fault.
type wrong struct {
	Policy
	access func(p Policy, key uint64, size uint32) bool
	used   func(p Policy) uint64
}

func (w *wrong) Access(key uint64, size uint32) bool {
	if w.access == nil {
		return w.Policy.Access(key, size)
	}
	return w.access(w.Policy, key, size)
}

func (w *wrong) Used() uint64 {
	if w.used == nil {
		return w.Policy.Used()
	}
	return w.used(w.Policy)
}

// TestCanary_WithinCapacity: a cache of 21 bytes that should have 20, one that counts wrong, and one that
// tells hits that are none.
func TestCanary_WithinCapacity(t *testing.T) {
	requests := drawn(rand.New(rand.NewPCG(1, 6)), 400, 64)
	for name, p := range map[string]Policy{
		"too much room": NewLRU(21),
		"counts wrong":  &wrong{Policy: NewLRU(20), used: func(p Policy) uint64 { return p.Used() / 2 }},
		"false hits": &wrong{Policy: NewLRU(20), access: func(p Policy, key uint64, size uint32) bool {
			return p.Access(key, size) || key == 7
		}},
	} {
		if err := withinCapacity(p, 20, requests, unit); err == nil {
			t.Errorf("%s: nothing is found", name)
		}
	}
	if err := withinCapacity(NewLRU(20), 20, requests, unit); err != nil {
		t.Error(err)
	}
}

// TestCanary_Inclusion: other policies do not have the property of LRU; of CLOCK as a queue it is known as
// Belady's anomaly.
func TestCanary_Inclusion(t *testing.T) {
	found := map[string]bool{}
	for seed := range uint64(40) {
		requests := drawn(rand.New(rand.NewPCG(seed, 7)), 400, 64)
		for _, k := range Kinds() {
			if !k.Offline && includes(k.New(10, nil), k.New(13, nil), requests) != nil {
				found[k.Name] = true
			}
		}
	}
	if found["LRU"] || !found["CLOCK"] || !found["S3-FIFO"] || !found["ARC"] {
		t.Errorf("found in %v", found)
	}
}

// TestCanary_Beyond: a cache with more room than the optimum, and one that evicts what the optimum would keep
// in the place of the optimum.
func TestCanary_Beyond(t *testing.T) {
	requests := drawn(rand.New(rand.NewPCG(1, 8)), 600, 64)
	if beyond(NewLRU(60), 10, requests) == nil {
		t.Error("six times the room is not noticed")
	}
	nearest := Foresee(requests, 64)
	for i, next := range nearest {
		nearest[i] = Never - 1 - next%Never // the nearest next use passes for the farthest
	}
	worst := count(replayed(NewBelady(10, nearest), requests, unit))
	if most := count(replayed(NewLRU(10), requests, unit)); worst >= most {
		t.Errorf("the optimum turned round has %d hits, LRU %d", worst, most)
	}
}
