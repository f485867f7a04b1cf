package volume

import (
	"errors"
	"testing"

	"github.com/samecycle/samecycle/stress"
)

func TestMetamorphic(t *testing.T) {
	for seed := range uint64(3) {
		n, err := metamorphic(seed, t.TempDir(), nil)
		if err != nil || n != len(variants) {
			t.Errorf("seed %d: %d ways, %v", seed, n, err)
		}
	}
}

// TestMetamorphic_Canary lets a client lie: its results differ from those of a map.
func TestMetamorphic_Canary(t *testing.T) {
	for name, wrap := range map[string]func(table) table{
		"lost adds":      func(t table) table { return &dropper{table: t} },
		"another value":  func(t table) table { return oneMore{t} },
		"another answer": func(t table) table { return nothing{t} },
	} {
		if _, err := metamorphic(1, t.TempDir(), wrap); !errors.Is(err, stress.ErrDiffers) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	all := program(1)
	small := variant{cells: 4, window: 2, clients: 1}
	if _, err := small.run(all, "", nil); err == nil || errors.Is(err, stress.ErrDiffers) {
		t.Errorf("a table that is too small: error %v", err)
	}
}

// oneMore finds what is there, with another value.
type oneMore struct{ table }

func (o oneMore) Get(key uint32) (uint32, bool) {
	v, ok := o.table.Get(key)
	return v + 1, ok
}
