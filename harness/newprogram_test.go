package harness

import (
	"errors"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/internal/seam"
)

// TestNewProgram: the row has the operations as text and their numbers, and Open is refused where nothing can
// be explored.
func TestNewProgram(t *testing.T) {
	opened := errors.New("opened")
	row := Program{Name: "A01", Open: func(Options) (*Prepared, error) { return nil, opened }}
	p := NewProgram(row, [][]int{{1, 2}, {3}})
	if !slices.Equal(p.Actors, []string{"[1 2]", "[3]"}) || !slices.Equal(p.Sizes, []int{2, 1}) {
		t.Errorf("%q, %v", p.Actors, p.Sizes)
	}
	row.NoDeaths = true
	immortal := NewProgram(row, [][]int{{1}})
	for _, c := range []struct {
		p    Program
		o    Options
		want error
	}{
		{p, Options{}, opened}, {p, Options{Kills: 1}, opened}, {p, Options{Apart: true}, ErrApart},
		{immortal, Options{}, opened}, {immortal, Options{Kills: 1}, ErrKills},
	} {
		if !seam.Explored {
			c.want = ErrPlain
		}
		if _, err := c.p.Open(c.o); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, want %v", c.o, err, c.want)
		}
	}
}
