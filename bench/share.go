package bench

import (
	"bytes"
	"image/color"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// What the measurements of this module share for their results.

// Commit is the one that is checked out, with a mark if files differ from it.
func Commit(root string) string {
	text, err := exec.Command("git", "-C", root, "describe", "--always", "--dirty", "--abbrev=12").Output()
	if err != nil {
		return "unknown: git could not tell"
	}
	return strings.TrimSpace(string(text))
}

// Versions are those of the linked modules whose paths contain one of the words.
func Versions(words ...string) []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	var all []string
	for _, m := range info.Deps {
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(m.Path, w) }) {
			all = append(all, m.Path+" "+m.Version)
		}
	}
	return all
}

// Digits keeps four of them: more would be noise. What is no number, or infinite, is 0.
func Digits(x float64) float64 { return rounded(x) }

// Middle is the median of the numbers and their quartiles, in four digits.
func Middle(numbers []float64) (median, low, high float64) {
	return Digits(Median(numbers)), Digits(Quantile(numbers, 0.25)), Digits(Quantile(numbers, 0.75))
}

// Number prints three digits.
func Number(x float64) string {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	return strconv.FormatFloat(y, 'f', -1, 64)
}

// Tiles writes the panels as one picture, two in a row.
func Tiles(file string, panels []*plot.Plot) error {
	rows := (len(panels) + 1) / 2
	canvas := vgsvg.New(vg.Points(760), vg.Points(float64(280*rows)))
	whole := draw.New(canvas)
	whole.FillPolygon(color.White, []vg.Point{whole.Min, {X: whole.Max.X, Y: whole.Min.Y}, whole.Max,
		{X: whole.Min.X, Y: whole.Max.Y}})
	tiles := draw.Tiles{Rows: rows, Cols: 2, PadX: vg.Points(12), PadY: vg.Points(12), PadTop: vg.Points(6),
		PadBottom: vg.Points(6), PadLeft: vg.Points(6), PadRight: vg.Points(10)}
	for i, p := range panels {
		p.Draw(tiles.At(whole, i%2, i/2))
	}
	return saveCanvas(canvas, file)
}

// Fonts gives title, axes and legend of a panel a small font that browsers have, or have another one of the
// same widths for.
func Fonts(p *plot.Plot) {
	for _, f := range []*font.Font{&p.Title.TextStyle.Font,
		&p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font,
		&p.X.Tick.Label.Font, &p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font} {
		*f = sized(9)
	}
}

// saveCanvas writes the picture. Labels end at the right place with the widths of this font only; those
// named after it have the same.
func saveCanvas(canvas *vgsvg.Canvas, file string) error {
	var svg bytes.Buffer
	if _, err := canvas.WriteTo(&svg); err != nil {
		return err
	}
	named := strings.ReplaceAll(svg.String(), "font-family:"+typeface+" "+variant+";",
		"font-family:"+typeface+" "+variant+",Arimo,Arial,Helvetica,sans-serif;")
	return os.WriteFile(file, []byte(named), 0o644)
}
