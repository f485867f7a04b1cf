package picture

import (
	"encoding/xml"
	"errors"
	"image/color"
	"io"
	"slices"
	"strings"
	"testing"
)

func curves() []Curve {
	return []Curve{
		{Name: "LRU", Points: []Point{{1 << 10, 0.1}, {1 << 20, 0.50}}},
		{Name: "own", Points: []Point{{1 << 10, 0.2}, {1 << 20, 0.51}}, Broad: true},
		{Name: "best", Points: []Point{{1 << 10, 0.3}, {1 << 20, 0.70}}, Bound: true},
		{Name: "not run"},
	}
}

// TestSVG: it is XML, and has names, ratios, sizes and the title.
func TestSVG(t *testing.T) {
	svg, err := Picture{Title: "a trace", Size: "size of all", Curves: curves(),
		Names: map[uint64]string{1 << 20: "5 %"}}.SVG()
	if err != nil {
		t.Fatal(err)
	}
	text := string(svg)
	for _, want := range []string{"LRU  50.0", "own  51.0", "best  70.0", "a trace", "1 KiB",
		"5 %", "size of all (logarithmic)", "#D55E00", "stroke-dasharray", "Arial"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(text, "not run") {
		t.Error("a cache without figures is drawn")
	}
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	one := Picture{Curves: []Curve{{Name: "a", Points: []Point{{5, 1}}}}}
	if _, err := one.SVG(); !errors.Is(err, ErrPoints) {
		t.Errorf("one size: %v", err)
	}
	if _, err := (Picture{}).SVG(); !errors.Is(err, ErrPoints) {
		t.Errorf("nothing: %v", err)
	}
}

// TestStyled: no two curves look alike, also where two of them are those that the picture is about.
func TestStyled(t *testing.T) {
	all := []Curve{{Broad: true}, {Broad: true}, {}, {}, {}, {}, {}, {Bound: true}}
	seen := map[color.Color]int{}
	for i, s := range styled(all) {
		if before, ok := seen[s.Color]; ok {
			t.Errorf("curves %d and %d both have the colour %v", before, i, s.Color)
		}
		seen[s.Color] = i
	}
}

// TestTicks: each size has one, but where names would lie on each other only the first has its name.
func TestTicks(t *testing.T) {
	c := Curve{Points: []Point{{1000, 0}, {1010, 0}, {30_000, 0}, {100_000, 0}}}
	var got []string
	for _, tick := range (Picture{Curves: []Curve{c, c}}).ticks(1000, 100_000) {
		got = append(got, tick.Label)
	}
	if want := []string{"1000 B", "", "29.3 KiB", "97.7 KiB"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for top, want := range map[float64]int{100: 6, 90: 5, 40: 5, 30: 4, 10: 6} {
		if n := len(ratioTicks(top)); n != want {
			t.Errorf("up to %v: %d ticks, want %d", top, n, want)
		}
	}
}

// TestSpread: names that would lie on each other do not, and stay within the picture.
func TestSpread(t *testing.T) {
	for _, c := range [][2][]float64{
		{{10, 50, 90}, {10, 50, 90}},
		{{10, 10, 11}, {10, 15, 20}},
		{{0, 0, 100, 100}, {0, 5, 95, 100}},
		{{}, {}},
	} {
		got := slices.Clone(c[0])
		if spread(got, 100, 5); !slices.Equal(got, c[1]) {
			t.Errorf("%v: %v, want %v", c[0], got, c[1])
		}
	}
}

// TestBytes: in the largest unit of which there is one.
func TestBytes(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 B", 640: "640 B", 1023: "1023 B", 1024: "1 KiB",
		1536: "1.5 KiB", 1<<20 - 1: "1 MiB", 64 << 20: "64 MiB", 1<<64 - 1: "16 EiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
