package trace

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// counts are how often each object is asked for, the most popular first.
func counts(t *Trace) []int {
	n := make([]int, t.Objects())
	for _, r := range t.Requests {
		n[r]++
	}
	slices.Sort(n)
	slices.Reverse(n)
	return n
}

// zipfian is what is wrong if requests are not as often as the skew says, within a fifth for the first ranks.
func zipfian(n []int, skew float64) error {
	for rank := 2; rank <= 8; rank *= 2 {
		want := math.Pow(float64(rank), skew)
		if got := float64(n[0]) / float64(n[rank-1]); got < want*0.8 || got > want*1.2 {
			return errors.New("the ranks are not in proportion")
		}
	}
	return nil
}

// TestMake_Zipf: requests are in proportion, the same seed makes the same ones, another one makes others.
func TestMake_Zipf(t *testing.T) {
	o := Options{Object: 64, Requests: 50_000}
	for _, skew := range []float64{0, 0.7, 0.99, 1, 1.5} {
		got, err := Make(&Zipf{1000, skew, 1}, 0, o)
		if err != nil || len(got.Requests) != o.Requests || got.Objects() > 1000 || got.Cut {
			t.Fatalf("%v: %v", skew, err)
		}
		if err := errors.Join(sound(got), zipfian(counts(got), skew)); err != nil && skew > 0 {
			t.Errorf("skew %v: %v: %v", skew, err, counts(got)[:8])
		}
		if skew > 0 && zipfian(counts(got), skew+1) == nil {
			t.Errorf("skew %v passes for one more", skew)
		}
	}
	a, _ := Make(&Zipf{1000, 1, 1}, 0, o)
	b, _ := Make(&Zipf{1000, 1, 1}, 0, o)
	c, _ := Make(&Zipf{1000, 1, 2}, 0, o)
	if !slices.Equal(a.Requests, b.Requests) || slices.Equal(a.Requests, c.Requests) {
		t.Error("the seed does not say what is made")
	}
	for _, want := range []string{"50000 requests", "1000 objects", "skew 1", "seed 2"} {
		if !strings.Contains(c.Name, want) {
			t.Errorf("%q does not say %q", c.Name, want)
		}
	}
}

// TestMake_Scan: alone it is a loop, else it lies between requests that are drawn.
func TestMake_Scan(t *testing.T) {
	loop, err := Make(nil, 3, Options{Object: 1, Requests: 7})
	if err != nil || !slices.Equal(loop.Requests, []uint32{0, 1, 2, 0, 1, 2, 0}) {
		t.Errorf("%v, %v", loop, err)
	}
	mixed, err := Make(&Zipf{1, 1, 1}, 3, Options{Object: 1, Requests: 10})
	if err != nil || !slices.Equal(mixed.Requests, []uint32{0, 0, 0, 1, 2, 3, 0, 0, 0, 1}) {
		t.Errorf("%v, %v", mixed, err)
	}
	if !strings.Contains(loop.Name, "a loop over 3 objects") || !strings.Contains(mixed.Name, "a scan of 3") {
		t.Errorf("%q, %q", loop.Name, mixed.Name)
	}
}

// TestZipf_Check: what is out of bounds is named.
func TestZipf_Check(t *testing.T) {
	for says, z := range map[string]Zipf{"0 objects": {0, 1, 1}, "objects: use 1 to": {MostObjects + 1, 1, 1},
		"skew of -1": {1, -1, 1}, "skew of 11": {1, 11, 1}, "skew of NaN": {1, math.NaN(), 1}} {
		if err := z.Check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v, want %q", z, err, says)
		}
	}
	if err := (Zipf{MostObjects, 10, 0}).Check(); err != nil {
		t.Error(err)
	}
}
