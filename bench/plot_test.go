package bench

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestDraw_Anywhere: the picture names fonts of the same widths for where its own is not, and has a ground up
// to its edges, on which it can be read in a page that is dark, too.
func TestDraw_Anywhere(t *testing.T) {
	dir := t.TempDir()
	if err := Draw(filepath.Join(dir, "rows.svg"), testRows()); err != nil {
		t.Fatal(err)
	}
	svg := read(t, dir, "rows.svg")
	fonts := strings.Count(svg, "font-family:")
	if others := strings.Count(svg, "Liberation Sans,Arimo,Arial,"); fonts == 0 || others != fonts {
		t.Errorf("%d of %d texts name another font", others, fonts)
	}
	_, first, _ := strings.Cut(svg, "<path ")
	first, _, _ = strings.Cut(first, "/>")
	if !strings.HasPrefix(first, `d="M0,0L960,0L960,`) || !strings.Contains(first, "fill:#FFFFFF") {
		t.Errorf("the first shape is %s", first)
	}
}
