package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"
)

// A frame of cache top is a list of tables. Each way to show one (text, JSON, a page) knows tables only, not
// what is in them. So to show something more, add a function to topTables.

// topFrame is what cache top shows at one time.
type topFrame struct {
	File    string     `json:"file"`
	Time    time.Time  `json:"time"`
	Seconds float64    `json:"seconds"` // over which rates were counted; 0: there are none yet
	Note    string     `json:"note,omitempty"`
	Tables  []topTable `json:"tables"`
}

// topTable is one table. A row has a cell for each column.
type topTable struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"`
}

// Cells are texts, numbers, truth values, times, and these; nil is not known. JSON has bytes and shares as
// numbers, and durations in seconds.
type (
	cellBytes    uint64
	cellShare    float64 // 1 is all
	cellDuration float64 // seconds
)

// cellText is a cell for a person.
func cellText(cell any) string {
	switch x := cell.(type) {
	case nil:
		return "-"
	case string:
		return plainLine(x)
	case bool:
		if x {
			return "yes"
		}
		return ""
	case float64:
		return fmt.Sprintf("%.1f", x)
	case cellShare:
		return fmt.Sprintf("%.1f %%", 100*float64(x))
	case cellBytes:
		return bytesText(uint64(x))
	case cellDuration:
		return durationText(time.Duration(float64(x) * float64(time.Second)))
	}
	return fmt.Sprint(cell)
}

// bytesText is a number of bytes in the unit that leaves few digits.
func bytesText(n uint64) string {
	units := []string{"B", "KiB", "MiB", "GiB"}
	i, x := 0, float64(n)
	for ; x >= 1024 && i < len(units)-1; i++ {
		x /= 1024
	}
	if i == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", x, units[i])
}

// durationText is a duration without the parts that say nothing.
func durationText(d time.Duration) string {
	switch {
	case d < 0:
		return "0s"
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d >= 48*time.Hour:
		return fmt.Sprintf("%dd%dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
	case d >= time.Hour:
		return fmt.Sprintf("%dh%dm", d/time.Hour, d%time.Hour/time.Minute)
	}
	return d.Round(time.Second).String()
}

// isText reports whether a cell stands at the left of its column.
func isText(cell any) bool {
	_, text := cell.(string)
	return text
}

// left reports whether a column stands at the left: its first cell that is known is a text.
func (t topTable) left(column int) bool {
	for _, row := range t.Rows {
		if row[column] != nil {
			return isText(row[column])
		}
	}
	return true
}

// lines are the table as text, one as wide as the other. Columns of the terminal are counted, and not
// characters: one of Chinese takes two.
func (t topTable) lines() []string {
	cells := [][]string{t.Columns}
	for _, row := range t.Rows {
		var texts []string
		for _, cell := range row {
			texts = append(texts, cellText(cell))
		}
		cells = append(cells, texts)
	}
	widths := make([]int, len(t.Columns))
	for _, row := range cells {
		for i, text := range row {
			widths[i] = max(widths[i], lipgloss.Width(text))
		}
	}
	all := []string{strings.ToUpper(t.Name)}
	for _, row := range cells {
		var b strings.Builder
		for i, text := range row {
			space := strings.Repeat(" ", widths[i]-lipgloss.Width(text))
			if i > 0 {
				b.WriteString("  ")
			}
			if t.left(i) {
				b.WriteString(text + space)
			} else {
				b.WriteString(space + text)
			}
		}
		all = append(all, b.String())
	}
	return level(all)
}

// level makes lines as wide as the widest.
func level(lines []string) []string {
	most := 0
	for _, line := range lines {
		most = max(most, lipgloss.Width(line))
	}
	for i, line := range lines {
		lines[i] = line + strings.Repeat(" ", most-lipgloss.Width(line))
	}
	return lines
}

// tablesBeside is how many columns are between two tables.
const tablesBeside = 4

// lines are the tables of the frame, side by side as far as the width allows; below one another if it is 0.
func (f topFrame) lines(width int) (all []string) {
	var shelf []string // tables side by side
	for _, t := range f.Tables {
		block := t.lines()
		wide := 0
		if len(shelf) > 0 {
			wide = lipgloss.Width(shelf[0]) + tablesBeside + lipgloss.Width(block[0])
		}
		if wide == 0 || wide > width {
			all = append(all, shelf...)
			shelf = append(block, strings.Repeat(" ", lipgloss.Width(block[0])))
			continue
		}
		shelf = beside(shelf, block)
	}
	all = append(all, shelf...)
	for i, line := range all {
		all[i] = strings.TrimRight(line, " ")
	}
	return all
}

// beside are two blocks of lines side by side.
func beside(a, b []string) []string {
	emptyA, emptyB := strings.Repeat(" ", lipgloss.Width(a[0])),
		strings.Repeat(" ", lipgloss.Width(b[0]))
	gap := strings.Repeat(" ", tablesBeside)
	var all []string
	for i := range max(len(a), len(b)+1) {
		x, y := emptyA, emptyB
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		all = append(all, x+gap+y)
	}
	return all
}

// heading says what is shown.
func (f topFrame) heading() string {
	text := fmt.Sprintf("%s   %s", plainLine(f.File), f.Time.Format(time.DateTime))
	if f.Seconds > 0 {
		text += fmt.Sprintf("   rates over %.1f s", f.Seconds)
	}
	return text
}

// title is the line above the tables, however long.
func (f topFrame) title() string {
	if f.Note != "" {
		return f.heading() + "   " + f.Note
	}
	return f.heading()
}
