package stress

import (
	"errors"
	"testing"
)

func TestMetamorphic(t *testing.T) {
	for seed := range uint64(3) {
		n, err := Metamorphic(seed, t.TempDir())
		if err != nil || n != len(variants) {
			t.Errorf("seed %d: %d ways, %v", seed, n, err)
		}
	}
}

// TestMetamorphic_Canary lets a client lie: its results differ from those of a map.
func TestMetamorphic_Canary(t *testing.T) {
	all := program(1)
	got, err := variants[0].run(all, "", func(t table) table { return &dropper{table: t} })
	if err != nil {
		t.Fatal(err)
	}
	want, differs := expected(all), 0
	for i := range want {
		if got[i] != want[i] {
			differs++
		}
	}
	if differs == 0 {
		t.Error("lost adds make no difference")
	}
	small := variant{cells: 4, window: 2, clients: 1}
	if _, err := small.run(all, "", nil); err == nil || errors.Is(err, ErrDiffers) {
		t.Errorf("a table that is too small: error %v", err)
	}
}
