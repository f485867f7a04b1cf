package bench

import (
	"errors"
	"fmt"
	"image/color"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/samecycle/samecycle/internal/plural"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The picture of the rows that have a goal: a bar for each, from the goal to how far the ratio is past
// it, as a factor. To the left of the line it is met.

var (
	colourMet    = color.RGBA{R: 0x1b, G: 0x7f, B: 0x5c, A: 0xff}
	colourMissed = color.RGBA{R: 0xc4, G: 0x4e, B: 0x1c, A: 0xff}
	colourNotRun = color.RGBA{R: 0x6b, G: 0x6b, B: 0x6b, A: 0xff}
)

// The widest factor that is drawn; what lies beyond ends there and is told in words.
const widest = 64.0

// typeface of the picture. A browser without any like it takes another one, hence the room on the left.
const typeface, variant, leftRoom = "Liberation", "Sans", 30

func sized(points float64) font.Font {
	return font.From(font.Font{Typeface: typeface, Variant: variant}, vg.Points(points))
}

// Draw writes the picture. No rows with a goal are no picture: an old one is removed.
func Draw(file string, rows []Row) error {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Direction == "" })
	if len(rows) == 0 {
		if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	p := plot.New()
	p.Title.Text = "Ratio against goal: left of the line the goal is met\n" + spinSpan(rows)
	p.Title.TextStyle.Font, p.Title.Padding = sized(13), vg.Points(8)
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, factors{}
	p.X.Label.Text = "ratio / goal, or goal / ratio where the goal is a least (logarithmic)"
	p.X.Label.TextStyle.Font, p.X.Tick.Label.Font, p.Y.Tick.Label.Font = sized(10), sized(9), sized(9)
	p.X.Min, p.X.Max = span(rows)
	p.Y.Min, p.Y.Max = -0.7, float64(len(rows))-0.3
	var names []plot.Tick
	for i, r := range rows {
		y := float64(len(rows) - 1 - i)
		names = append(names, plot.Tick{Value: y, Label: label(r)})
		if err := drawRow(p, r, y); err != nil {
			return err
		}
	}
	p.Y.Tick.Marker = plot.ConstantTicks(names)
	p.Y.Tick.Length = 0
	p.Y.LineStyle.Width = 0
	line, err := plotter.NewLine(plotter.XYs{{X: 1, Y: p.Y.Min}, {X: 1, Y: p.Y.Max}})
	if err != nil {
		return err
	}
	line.Width = vg.Points(1)
	grid := plotter.NewGrid()
	grid.Horizontal.Width = 0
	grid.Vertical.Color = color.Gray{Y: 0xdd}
	p.Add(grid, line)
	return SavePlot(p, len(rows), file)
}

// SavePlot writes a picture of so many rows of text with a margin.
func SavePlot(p *plot.Plot, rows int, file string) error {
	canvas := vgsvg.New(vg.Points(960), vg.Points(float64(116+15*rows)))
	whole := draw.New(canvas)
	whole.FillPolygon(color.White, []vg.Point{whole.Min, {X: whole.Max.X, Y: whole.Min.Y}, whole.Max,
		{X: whole.Min.X, Y: whole.Max.Y}}) // the margin, too, for a page that is dark
	p.Draw(draw.Crop(whole, vg.Points(leftRoom), -vg.Points(10), vg.Points(5), -vg.Points(10)))
	return saveCanvas(canvas, file)
}

// label is a row's name in the picture.
func label(r Row) string {
	name := strings.TrimPrefix(what(r), "index/")
	if r.Against == number {
		return name
	}
	return name + " : " + r.Against
}

// spinSpan tells in words what else went on when the rows were measured.
func spinSpan(rows []Row) string {
	count, checks := map[string]int{}, []float64{}
	for _, r := range rows {
		if count[r.machine()]++; r.Spin != 0 {
			checks = append(checks, r.Spin)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s on an idle machine, %d on a busy one", plural.Of(count["idle"], "row"), count["busy"])
	if n := count["unknown"]; n > 0 {
		fmt.Fprintf(&b, ", %d nobody knows", n)
	}
	if len(checks) > 0 {
		fmt.Fprintf(&b, "; spin check %.2f to %.2f of 2", slices.Min(checks), slices.Max(checks))
	}
	return b.String()
}

// span is the range of factors, powers of two around all gaps, with room for words on the right.
func span(rows []Row) (least, most float64) {
	least, most = 0.5, 2
	for _, r := range rows {
		gap, ok := r.Gap()
		for ; ok && gap > 0 && gap < least && least > 1/widest; least /= 2 {
		}
		for ; ok && gap > most && most < widest; most *= 2 {
		}
	}
	return least, 2 * most
}

// drawRow draws a bar and the words after it.
func drawRow(p *plot.Plot, r Row, y float64) error {
	gap, ok := r.Gap()
	colour, words := colourMet, strconv.FormatFloat(r.Ratio, 'g', 4, 64)+", goal "+
		r.Direction+" "+strconv.FormatFloat(r.Goal, 'g', 3, 64)
	if r.machine() != "idle" {
		words += ", " + r.machine() + " machine"
	}
	switch r.verdict() {
	case "missed":
		colour = colourMissed
	case "NOT RUN":
		colour, words = colourNotRun, "NOT RUN"
	}
	end := 1.0
	if ok && r.Goal != 0 { // The goal 0 has no factors: words alone.
		end = math.Max(1/widest, math.Min(widest, gap))
	}
	bar, err := plotter.NewPolygon(plotter.XYs{
		{X: 1, Y: y - 0.32}, {X: end, Y: y - 0.32}, {X: end, Y: y + 0.32}, {X: 1, Y: y + 0.32}})
	if err != nil {
		return err
	}
	bar.Color, bar.LineStyle.Width = colour, 0
	told, err := plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{{X: math.Max(end, 1), Y: y}},
		Labels: []string{words}})
	if err != nil {
		return err
	}
	told.TextStyle[0] = text.Style{Color: colour, Font: sized(9), XAlign: draw.XLeft, YAlign: draw.YCenter,
		Handler: plot.DefaultTextHandler}
	told.Offset.X = vg.Points(4)
	p.Add(bar, told)
	return nil
}

// factors are the marks of the axis.
type factors struct{}

// Ticks are powers of two, in words.
func (factors) Ticks(least, most float64) []plot.Tick {
	var ticks []plot.Tick
	for x := 1 / widest; x <= 2*widest; x *= 2 {
		if x >= least && x <= most {
			label := strconv.FormatFloat(x, 'g', -1, 64)
			if x < 1 {
				label = "1/" + strconv.FormatFloat(1/x, 'g', -1, 64)
			}
			ticks = append(ticks, plot.Tick{Value: x, Label: label})
		}
	}
	return ticks
}
