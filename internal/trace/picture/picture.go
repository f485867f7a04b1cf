// Package picture draws the hit ratio of caches against their size.
package picture

import (
	"bytes"
	"errors"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Curve is one cache. The points are in ascending order of size.
type Curve struct {
	Name   string
	Points []Point
	Broad  bool // one that the picture is about
	Bound  bool // no cache, but what bounds them
}

// Point is the hit ratio, from 0 to 1, at a size in bytes.
type Point struct {
	Bytes uint64
	Ratio float64
}

// Picture is what to draw.
type Picture struct {
	Title  string
	Curves []Curve
	Size   string            // what the sizes are of
	Names  map[uint64]string // of sizes, where they have one
}

// ErrPoints says that there is nothing to draw.
var ErrPoints = errors.New("a picture needs two sizes at least")

// colours can be told apart by those who see some colours alike (M. Okabe, K. Ito, Color universal design).
var colours = []color.RGBA{{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}, {R: 0xe6, G: 0x9f, B: 0x00, A: 0xff},
	{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}, {R: 0xcc, G: 0x79, B: 0xa7, A: 0xff},
	{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff}}

var (
	coloursBroad = []color.RGBA{{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}, {R: 0x00, G: 0x00, B: 0x00, A: 0xff}}
	colourBound  = color.RGBA{R: 0x6b, G: 0x6b, B: 0x6b, A: 0xff}
)

// typeface of the picture. A browser without any like it takes another one.
const typeface, variant = "Liberation", "Sans"

func sized(points float64) font.Font {
	return font.From(font.Font{Typeface: typeface, Variant: variant}, vg.Points(points))
}

// SVG is the picture as a file. Lines end in the name of their cache and its ratio at the largest size.
func (x Picture) SVG() ([]byte, error) {
	p, curves := plot.New(), x.Curves
	p.Title.Text = x.Title
	p.Title.TextStyle.Font, p.Title.Padding = sized(12), vg.Points(8)
	p.X.Label.Text, p.Y.Label.Text = x.Size+" (logarithmic)", "hit ratio, % of requests"
	for _, f := range []*font.Font{&p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font} {
		*f = sized(10)
	}
	p.X.Tick.Label.Font, p.Y.Tick.Label.Font = sized(9), sized(9)
	p.X.Padding, p.Y.Padding = vg.Points(6), vg.Points(6)
	least, most, top := span(curves)
	if !(least < most) {
		return nil, ErrPoints
	}
	p.Y.Min, p.Y.Max = 0, top
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, x.ticks(least, most)
	p.Y.Tick.Marker = ratioTicks(top)
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{Y: 0xdd}, color.Gray{Y: 0xee}
	p.Add(grid)
	styles := styled(curves)
	for i, c := range curves {
		if err := line(p, c, styles[i]); err != nil {
			return nil, err
		}
	}
	// The names stand to the right of the last point.
	p.X.Min, p.X.Max = least, most*math.Pow(most/least, 0.2)
	if err := names(p, curves, styles, top); err != nil {
		return nil, err
	}
	return written(p)
}

// span is the least and the largest size, and the upper end of the ratios in percent.
func span(curves []Curve) (least, most, top float64) {
	least, top = math.Inf(1), 1
	for _, c := range curves {
		for _, at := range c.Points {
			least, most = min(least, float64(at.Bytes)), max(most, float64(at.Bytes))
			top = max(top, 100*at.Ratio)
		}
	}
	if top = 10 * math.Ceil(1.02*top/10); top > 100 {
		top = 100
	}
	return least, most, top
}

// styled are how the curves are drawn.
func styled(curves []Curve) []draw.LineStyle {
	styles, next, broad := make([]draw.LineStyle, len(curves)), 0, 0
	for i, c := range curves {
		s := draw.LineStyle{Width: vg.Points(1.4)}
		switch {
		case c.Broad:
			s.Color, s.Width = coloursBroad[broad%len(coloursBroad)], vg.Points(2.6)
			broad++
		case c.Bound:
			s.Color, s.Dashes = colourBound, []vg.Length{vg.Points(5), vg.Points(3)}
		default:
			s.Color = colours[next%len(colours)]
			next++
		}
		styles[i] = s
	}
	return styles
}

// line draws a curve with its points.
func line(p *plot.Plot, c Curve, style draw.LineStyle) error {
	if len(c.Points) == 0 {
		return nil
	}
	var all plotter.XYs
	for _, at := range c.Points {
		all = append(all, plotter.XY{X: float64(at.Bytes), Y: 100 * at.Ratio})
	}
	l, dots, err := plotter.NewLinePoints(all)
	if err != nil {
		return err
	}
	l.LineStyle = style
	dots.GlyphStyle = draw.GlyphStyle{Color: style.Color, Radius: style.Width + vg.Points(0.6),
		Shape: draw.CircleGlyph{}}
	p.Add(l, dots)
	return nil
}

// names writes names beside the ends of the curves, far enough from each other to be read, in their order.
func names(p *plot.Plot, curves []Curve, styles []draw.LineStyle, top float64) error {
	var drawn []int
	for i, c := range curves {
		if len(c.Points) > 0 {
			drawn = append(drawn, i)
		}
	}
	end := func(i int) Point { return curves[i].Points[len(curves[i].Points)-1] }
	slices.SortStableFunc(drawn, func(a, b int) int { return int(1e6 * (end(a).Ratio - end(b).Ratio)) })
	heights := make([]float64, len(drawn))
	for n, i := range drawn {
		heights[n] = 100 * end(i).Ratio
	}
	spread(heights, top, 0.05*top)
	for n, i := range drawn {
		label := curves[i].Name + "  " + strconv.FormatFloat(100*end(i).Ratio, 'f', 1, 64)
		told, err := plotter.NewLabels(plotter.XYLabels{Labels: []string{label},
			XYs: plotter.XYs{{X: float64(end(i).Bytes), Y: heights[n]}}})
		if err != nil {
			return err
		}
		told.TextStyle[0] = text.Style{Color: styles[i].Color, Font: sized(10), XAlign: draw.XLeft,
			YAlign: draw.YCenter, Handler: plot.DefaultTextHandler}
		told.Offset.X = vg.Points(9)
		p.Add(told)
	}
	return nil
}

// spread moves ascending heights apart until each is by the gap above the one below it, and none above the
// top.
func spread(heights []float64, top, gap float64) {
	for i := 1; i < len(heights); i++ {
		heights[i] = max(heights[i], heights[i-1]+gap)
	}
	for i, limit := len(heights)-1, top; i >= 0; i, limit = i-1, limit-gap {
		heights[i] = min(heights[i], limit)
	}
}

// written is the picture with a margin.
func written(p *plot.Plot) ([]byte, error) {
	canvas := vgsvg.New(vg.Points(720), vg.Points(420))
	whole := draw.New(canvas)
	whole.FillPolygon(color.White, []vg.Point{whole.Min, {X: whole.Max.X, Y: whole.Min.Y}, whole.Max,
		{X: whole.Min.X, Y: whole.Max.Y}}) // the margin, too, for a page that is dark
	p.Draw(draw.Crop(whole, vg.Points(10), -vg.Points(10), vg.Points(8), -vg.Points(10)))
	var svg bytes.Buffer
	if _, err := canvas.WriteTo(&svg); err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(svg.Bytes(), []byte("font-family:"+typeface+" "+variant+";"),
		[]byte("font-family:"+typeface+" "+variant+",Arimo,Arial,Helvetica,sans-serif;")), nil
}

// ticks are the sizes of the curves, as far as their names do not lie on each other.
func (x Picture) ticks(least, most float64) plot.ConstantTicks {
	var sizes []uint64
	for _, c := range x.Curves {
		for _, at := range c.Points {
			sizes = append(sizes, at.Bytes)
		}
	}
	slices.Sort(sizes)
	var ticks plot.ConstantTicks
	end := math.Inf(-1)
	for _, n := range slices.Compact(sizes) {
		name, ok := x.Names[n]
		if !ok {
			name = Bytes(n)
		}
		const apart = 0.08 // of the width
		at := math.Log(float64(n)/least) / math.Log(most/least)
		if at-end < apart {
			name = ""
		} else {
			end = at
		}
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: name})
	}
	return ticks
}

// ratioTicks are percentages from 0 to the top: some four to ten.
func ratioTicks(top float64) plot.ConstantTicks {
	step := 20.0
	if top <= 40 {
		step = 10
	}
	if top <= 10 {
		step = 2
	}
	var ticks plot.ConstantTicks
	for x := 0.0; x <= top; x += step {
		ticks = append(ticks, plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'f', -1, 64)})
	}
	return ticks
}

// Bytes is a number of bytes in words, with at most one digit after the point.
func Bytes(n uint64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	x, unit := float64(n), 0
	for ; x >= 1023.95 && unit < len(units)-1; unit++ {
		x /= 1024
	}
	return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0") + " " + units[unit]
}
