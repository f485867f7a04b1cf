package caches

import (
	"errors"
	"image/color"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/samecycle/samecycle/bench"
)

const timesFile, latencyFile = "times.svg", "latency.svg"

// look is how a subject is drawn: those of one colour have another mark each.
type look struct {
	colour color.RGBA
	mark   draw.GlyphDrawer
}

func (l look) glyph(points float64) draw.GlyphStyle {
	return draw.GlyphStyle{Color: l.colour, Shape: l.mark, Radius: vg.Points(points)}
}

// The colours can be told from one another by those who see few colours.
var (
	blue   = color.RGBA{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}
	orange = color.RGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}
	green  = color.RGBA{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}
	pink   = color.RGBA{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}
	sky    = color.RGBA{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff}
	grey   = color.RGBA{R: 0x6b, G: 0x6b, B: 0x6b, A: 0xff}
)

// looks are those of the subjects that are drawn: LMDB and memcached lie far to the right of all others.
var looks = map[string]look{
	ours:         {blue, draw.CircleGlyph{}},
	reference:    {orange, draw.BoxGlyph{}},
	"freecache":  {green, draw.PyramidGlyph{}},
	"bigcache":   {pink, draw.PyramidGlyph{}},
	"otter":      {green, draw.CrossGlyph{}},
	"ristretto":  {pink, draw.CrossGlyph{}},
	"golang-lru": {sky, draw.SquareGlyph{}},
	"theine":     {grey, draw.PlusGlyph{}},
	"sync.Map":   {grey, draw.RingGlyph{}},
}

// pictures writes the times beside the reference's, and the percentiles. One of which nothing was measured is
// removed.
func pictures(dir string, r Results) error {
	if err := times(filepath.Join(dir, timesFile), r); err != nil {
		return err
	}
	var panels []*plot.Plot
	for _, c := range r.Comparisons {
		if slices.ContainsFunc(c.Figures, func(f Figure) bool { return len(f.Curve) > 0 }) {
			p, err := latencyPanel(c)
			if err != nil {
				return err
			}
			panels = append(panels, p)
		}
	}
	file := filepath.Join(dir, latencyFile)
	if len(panels) == 0 {
		return removed(file)
	}
	return bench.Tiles(file, panels)
}

func removed(file string) error {
	if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// times is a row for each comparison of times, and in it a mark for each subject.
func times(file string, r Results) error {
	p := plot.New()
	bench.Fonts(p)
	p.Title.Text = "Time of an operation over fastcache's: left of the line is faster"
	p.X.Label.Text = "times fastcache's (logarithmic)"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.ConstantTicks(ratioTicks())
	points := map[string]plotter.XYs{}
	var labels []plot.Tick
	rows := 0
	for _, c := range slices.Backward(r.Comparisons) {
		if ref := c.find(reference); ref == nil || ref.NS == 0 || len(ref.Curve) > 0 {
			continue
		}
		labels = append(labels, plot.Tick{Value: float64(rows), Label: c.Name})
		for _, f := range c.Figures {
			if _, drawn := looks[f.Subject]; drawn && f.NotRun == "" {
				points[f.Subject] = append(points[f.Subject], plotter.XY{X: f.Ratio, Y: float64(rows)})
			}
		}
		rows++
	}
	if rows == 0 {
		return removed(file)
	}
	p.Y.Tick.Marker, p.Y.Tick.Length, p.Y.LineStyle.Width = plot.ConstantTicks(labels), 0, 0
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{Y: 0xdd}, color.Gray{Y: 0xee}
	p.Add(grid)
	for _, name := range names {
		if len(points[name]) == 0 {
			continue
		}
		marks, err := plotter.NewScatter(points[name])
		if err != nil {
			return err
		}
		marks.GlyphStyle = looks[name].glyph(3.5)
		p.Add(marks)
		p.Legend.Add(name, marks)
	}
	p.Legend.Top, p.Legend.Padding = true, vg.Points(1)
	p.X.Min, p.X.Max = 0.25, 16 // room for the legend
	p.Y.Min, p.Y.Max = -0.7, float64(rows)-0.3
	return bench.SavePlot(p, max(rows, 10)+4, file)
}

// ratioTicks are powers of two.
func ratioTicks() (ticks []plot.Tick) {
	for x := 0.25; x <= 16; x *= 2 {
		label := strconv.FormatFloat(x, 'g', -1, 64)
		if x < 1 {
			label = "1/" + strconv.FormatFloat(1/x, 'g', -1, 64)
		}
		ticks = append(ticks, plot.Tick{Value: x, Label: label})
	}
	return ticks
}

// latencyPanel is a line for each subject: the percentiles, the axis of which is stretched towards 100.
func latencyPanel(c Comparison) (*plot.Plot, error) {
	p := plot.New()
	bench.Fonts(p)
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Name, "percentile", "ns"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.Y.Tick.Marker = plot.LogTicks{Prec: -1}
	var marks []plot.Tick
	for _, q := range []float64{50, 90, 99, 99.9, 99.99, 99.999} {
		marks = append(marks, plot.Tick{Value: stretched(q), Label: strconv.FormatFloat(q, 'f', -1, 64)})
	}
	p.X.Tick.Marker = plot.ConstantTicks(marks)
	p.Legend.Top, p.Legend.Left, p.Legend.Padding = true, true, vg.Points(1)
	p.Add(plotter.NewGrid())
	for _, f := range c.Figures {
		l, drawn := looks[f.Subject]
		if !drawn || f.NotRun != "" {
			continue
		}
		var line plotter.XYs
		for i, ns := range f.Curve {
			line = append(line, plotter.XY{X: stretched(curve[i]), Y: max(ns, 1)})
		}
		drawnLine, points, err := plotter.NewLinePoints(line)
		if err != nil {
			return nil, err
		}
		drawnLine.Color, drawnLine.Width = l.colour, vg.Points(1)
		if f.Subject == ours {
			drawnLine.Width = vg.Points(2.5)
		}
		points.GlyphStyle = l.glyph(2)
		p.Add(drawnLine, points)
		p.Legend.Add(f.Subject, drawnLine, points)
	}
	p.Y.Max *= 30 // room for the legend
	return p, nil
}

// stretched is how many calls there are for one that is slower than the percentile.
func stretched(q float64) float64 { return 100 / (100 - q) }
