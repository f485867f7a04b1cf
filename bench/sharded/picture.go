package sharded

import (
	"image/color"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/samecycle/samecycle/bench"
)

// colours of the subjects in their order; each can be told from the others by those who see few colours.
var colours = []color.RGBA{
	{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}, // blue
	{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff}, // light blue
	{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}, // orange
	{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}, // green
	{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}, // pink
}

// pictures writes the time of an operation by the number of goroutines: for each kind of work of the
// map, and of the lock. A picture of which nothing was measured is not written.
func pictures(dir string, r Results) error {
	for file, works := range map[string][]string{
		"map.svg":  {"map/get", "map/get-cleanup", "map/mixed", "map/mixed-cleanup"},
		"lock.svg": {"lock/readers", "lock/mixed", "lock/writer"},
	} {
		var panels []*plot.Plot
		for _, work := range works {
			p, err := panel(r, work)
			if err != nil {
				return err
			}
			if p != nil {
				panels = append(panels, p)
			}
		}
		if len(panels) == 0 {
			continue
		}
		if err := bench.Tiles(filepath.Join(dir, file), panels); err != nil {
			return err
		}
	}
	return nil
}

// panel is a line for each subject, over the numbers of goroutines; nil if nothing was measured.
func panel(r Results, work string) (*plot.Plot, error) {
	lines := map[string]plotter.XYs{}
	var names []string
	for _, c := range r.Comparisons {
		n, ok := strings.CutPrefix(c.Name, work+"/")
		x, err := strconv.ParseFloat(n, 64)
		if !ok || err != nil {
			continue
		}
		for _, f := range c.Figures {
			if lines[f.Subject] == nil {
				names = append(names, f.Subject)
			}
			if f.Failed == "" && f.NS > 0 {
				lines[f.Subject] = append(lines[f.Subject], plotter.XY{X: x, Y: f.NS})
			}
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = work, "goroutines", "ns for an operation"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.Y.Tick.Marker = plot.LogTicks{Prec: -1}
	var marks []plot.Tick
	for _, n := range counts {
		marks = append(marks, plot.Tick{Value: float64(n), Label: strconv.Itoa(n)})
	}
	p.X.Tick.Marker = plot.ConstantTicks(marks)
	bench.Fonts(p)
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	for i, name := range names {
		line, points, err := plotter.NewLinePoints(lines[name])
		if err != nil {
			return nil, err
		}
		colour := colours[i%len(colours)]
		line.Color, line.Width, points.Color = colour, vg.Points(1.5), colour
		p.Add(line, points)
		p.Legend.Add(name, line, points)
	}
	p.Y.Max *= 2.5 // room for the legend
	return p, nil
}
