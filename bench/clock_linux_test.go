package bench

import (
	"testing"
	"time"
)

// TestRounds_Clocks: sleeping takes no processor time, but time on the wall.
func TestRounds_Clocks(t *testing.T) {
	if _, ok := cpuClock(); !ok {
		t.Fatal("no processor time of a thread, which Linux tells")
	}
	const nap = 30 * time.Millisecond
	sleep := func() int { time.Sleep(nap); return 0 }
	samples, err := Rounds(t.Context(), 1, nil, Subject{Name: "alone", Ops: 1, Run: sleep},
		Subject{Name: "together", Ops: 1, Run: sleep, Together: true})
	if err != nil {
		t.Fatal(err)
	}
	if alone, wall := samples[0].NS[0], samples[1].NS[0]; alone > float64(nap)/2 || wall < float64(nap) {
		t.Errorf("a nap of %v is %v ns alone, %v ns together", nap, alone, wall)
	}
}
