package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/samecycle/samecycle/impl/cache"
)

// longFrame has a table of so many rows.
func longFrame(rows int) topFrame {
	t := topTable{Name: "rows", Columns: []string{"row", "number"}}
	for i := range rows {
		t.Rows = append(t.Rows, []any{fmt.Sprint("row ", i), uint64(i)})
	}
	return topFrame{File: "a\x1b.cache", Tables: []topTable{t}}
}

// press sends a key to a view.
func press(v *topView, key string) tea.Cmd {
	names := map[string]tea.KeyType{"up": tea.KeyUp, "down": tea.KeyDown, "pgup": tea.KeyPgUp,
		"pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "left": tea.KeyLeft,
		"right": tea.KeyRight, "esc": tea.KeyEsc,
		"ctrl+c": tea.KeyCtrlC}
	msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key)}
	if kind, ok := names[key]; ok {
		msg = tea.KeyMsg{Type: kind}
	}
	_, cmd := v.Update(msg)
	return cmd
}

// TestTopView_Scrolls: no more lines are shown than there is room for, and each line can be reached.
func TestTopView_Scrolls(t *testing.T) {
	v := &topView{every: time.Second, frame: longFrame(30)}
	v.Update(tea.WindowSizeMsg{Width: 60, Height: 14})
	for _, x := range []struct{ key, first, last string }{
		{"", "ROWS", "row 7"}, {"down", "row", "row 8"}, {"up", "ROWS", "row 7"}, {"up", "ROWS", "row 7"},
		{"pgdown", "row 8", "row 17"}, {"end", "row 21", ""}, {"down", "row 21", ""},
		{"home", "ROWS", "row 7"},
		{"G", "row 21", ""}, {"g", "ROWS", "row 7"}, {"j", "row", "row 8"}, {"k", "ROWS", "row 7"},
	} {
		if x.key != "" {
			press(v, x.key)
		}
		lines := strings.Split(v.View(), "\n")
		if len(lines) > 14 || !strings.HasPrefix(lines[2], x.first) ||
			!strings.HasPrefix(lines[11], x.last) || !strings.Contains(lines[len(lines)-1], "page down") ||
			strings.Contains(v.View(), "\x1b.cache") {
			t.Errorf("behind %q: %q", x.key, lines)
		}
	}
	for _, size := range []tea.WindowSizeMsg{{Width: 1, Height: 1}, {Width: 300, Height: 100}, {}} {
		v.Update(size)
		press(v, "end")
		for _, line := range strings.Split(v.View(), "\n") {
			if len([]rune(line)) > max(size.Width, 0) {
				t.Errorf("%+v: the line %q", size, line)
			}
		}
	}
}

// TestTopView_Pauses: a view that is paused takes no frames, and goes on when it is told to.
func TestTopView_Pauses(t *testing.T) {
	taken := 0
	take := func() (topFrame, error) { taken++; return longFrame(taken), nil }
	v := &topView{every: time.Millisecond, take: take}
	v.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	turn := func() { // what the program does with a tick
		if _, cmd := v.Update(topTick{}); cmd != nil {
			if msg, ok := cmd().(topTaken); ok {
				v.Update(msg)
			}
		}
	}
	turn()
	press(v, "p")
	turn()
	if taken != 1 || !strings.Contains(v.View(), "paused") {
		t.Errorf("%d frames while it pauses: %q", taken, v.View())
	}
	press(v, "p")
	turn()
	if taken != 2 || strings.Contains(v.View(), "paused") || len(v.frame.Tables[0].Rows) != 2 {
		t.Errorf("%d frames: %q", taken, v.View())
	}
	for _, key := range []string{"q", "esc", "ctrl+c"} {
		if cmd := press(v, key); cmd == nil {
			t.Errorf("%s does not end it", key)
		} else if _, ok := cmd().(tea.QuitMsg); !ok {
			t.Errorf("%s does not end it", key)
		}
	}
}

// TestTopView_NarrowTerminal: however narrow the terminal, what is wrong is shown, and that it pauses.
func TestTopView_NarrowTerminal(t *testing.T) {
	v := &topView{frame: longFrame(3)}
	v.frame.File = strings.Repeat("a", 100)
	const note = "the name leads to this cache no more"
	v.Update(tea.WindowSizeMsg{Width: len(note), Height: 14})
	line := func() string { return strings.Split(v.View(), "\n")[1] }
	if got := line(); got != "" {
		t.Errorf("of nothing wrong: %q", got)
	}
	v.frame.Note = note
	if got := line(); got != note {
		t.Errorf("%q, want %q", got, note)
	}
	press(v, "p")
	if got := line(); !strings.HasPrefix(got, "paused   the name") {
		t.Errorf("while it pauses: %q", got)
	}
	v.frame.Note = ""
	if got := line(); got != "paused" {
		t.Errorf("while it pauses, and nothing is wrong: %q", got)
	}
}

// TestTopView_Aside: each column of a table that is wider than the terminal can be reached, and the view does
// not go further than that.
func TestTopView_Aside(t *testing.T) {
	const width = 20
	wide := strings.Repeat("0123456789", 10)
	v := &topView{frame: topFrame{Tables: []topTable{{Columns: []string{"a"}, Rows: [][]any{{wide}}}}}}
	v.Update(tea.WindowSizeMsg{Width: width, Height: 14})
	shown := func() (text, keys string) {
		lines := strings.Split(v.View(), "\n")
		return lines[4], lines[len(lines)-1]
	}
	at := 0
	step := func(key string, by int) {
		press(v, key)
		at = max(min(at+by, len(wide)-width), 0)
		if got, _ := shown(); got != wide[at:at+width] {
			t.Fatalf("behind %s: %q, want %q", key, got, wide[at:at+width])
		}
	}
	step("left", -topAside)
	for range len(wide) / topAside {
		step("right", topAside)
	}
	if at != len(wide)-width {
		t.Errorf("the end is not reached: column %d", at)
	}
	step("h", -topAside)
	step("l", topAside)
	v.Update(tea.WindowSizeMsg{Width: 60, Height: 14})
	if text, keys := shown(); text != wide[40:] || !strings.HasSuffix(keys, "left, right") {
		t.Errorf("on a wider terminal: %q, %q", text, keys)
	}
	v.Update(tea.WindowSizeMsg{Width: 100, Height: 14})
	if text, keys := shown(); text != wide || strings.Contains(keys, "right") {
		t.Errorf("where there is room: %q, %q", text, keys)
	}
}

// TestTopView_WideCharacters: columns begin at the same place in each row, whatever is in it; no line is
// wider than the terminal; and who goes aside sees them in line, also where half of a character is left.
func TestTopView_WideCharacters(t *testing.T) {
	f := topFrame{Tables: []topTable{{Columns: []string{"key", "n"}}}}
	keys := []string{"abcdefgh", "日本語", "e\u0301tude", "😀 !", "한글한"}
	for i := range keys {
		f.Tables[0].Rows = append(f.Tables[0].Rows, []any{keys[i], uint64(i)})
	}
	for i, line := range f.lines(80)[2:][:len(keys)] {
		if want := fmt.Sprint(i); !strings.HasSuffix(line, want) || lipgloss.Width(line) != 8+2+1 {
			t.Errorf("%q: %d columns, want %d, and %s", line, lipgloss.Width(line), 8+2+1, want)
		}
	}
	for _, x := range []struct {
		from, width int
		want        string
	}{{0, 3, "日"}, {0, 4, "日本"}, {0, 9, "日本語ab"}, {1, 5, " 本語"}, {2, 5, "本語a"}, {6, 5, "ab"},
		{8, 5, ""}, {9, 5, ""}, {0, 0, ""}} {
		if got := cut(behind("日本語ab", x.from), x.width); got != x.want {
			t.Errorf("%d columns from %d: %q, want %q", x.width, x.from, got, x.want)
		}
	}
}

// TestTopView_EndsWithAnError: what went wrong at a look is the error of the program.
func TestTopView_EndsWithAnError(t *testing.T) {
	bad := errors.New("the cache is damaged")
	v := &topView{take: func() (topFrame, error) { return topFrame{}, bad }}
	_, cmd := v.Update(v.Init()())
	if cmd == nil || !errors.Is(v.err, bad) {
		t.Fatalf("%v", v.err)
	}
	if _, ok := cmd().(tea.QuitMsg); !ok {
		t.Error("it does not end")
	}
}

// TestFrame_SideBySide: tables are side by side where there is room, and no line is lost.
func TestFrame_SideBySide(t *testing.T) {
	f := topFrame{Tables: []topTable{longFrame(3).Tables[0], longFrame(6).Tables[0], longFrame(1).Tables[0]}}
	for width, lines := range map[int]int{0: 2 + 3 + 1 + 2 + 6 + 1 + 2 + 1 + 1, 40: 2 + 6 + 1 + 2 + 1 + 1,
		200: 2 + 6 + 1} {
		all := f.lines(width)
		text := strings.Join(all, "\n")
		if len(all) != lines || strings.Count(text, "row 0") != 3 || strings.Count(text, "row 5") != 1 ||
			strings.Count(text, "ROWS") != 3 {
			t.Errorf("%d columns: %d lines, want %d:\n%s", width, len(all), lines, text)
		}
	}
}

// TestCells_ForAPerson have units that leave few digits.
func TestCells_ForAPerson(t *testing.T) {
	for _, x := range []struct {
		cell any
		want string
	}{
		{nil, "-"}, {"a\x1bb", `a\u001bb`}, {true, "yes"}, {false, ""}, {1234.56, "1234.6"}, {uint64(7), "7"},
		{cellShare(0.1234), "12.3 %"}, {cellBytes(1023), "1023 B"}, {cellBytes(1536), "1.5 KiB"},
		{cellBytes(1 << 40), "1024.0 GiB"}, {cellDuration(59.6), "1m0s"},
		{cellDuration(0.44), "0.4s"}, {cellDuration(-1), "0s"},
		{cellDuration(3*3600 + 65), "3h1m"}, {cellDuration(50 * 3600), "2d2h"},
	} {
		if got := cellText(x.cell); got != x.want {
			t.Errorf("%v is shown as %q, want %q", x.cell, got, x.want)
		}
	}
}

// TestShowTop_Ends: the program ends by a key, by a context that has ended, and by an error of a look.
func TestShowTop_Ends(t *testing.T) {
	c, err := cache.Open("", cache.Options{Bytes: 1 << 20, NoJanitor: true})
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	w := &topWatch{cache: c}
	if err := showTop(t.Context(), w, time.Hour, strings.NewReader("q"), &out); err != nil {
		t.Errorf("by a key: %v", err)
	}
	if err := showTop(ended, w, time.Hour, strings.NewReader(""), &out); err != nil {
		t.Errorf("from outside: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := showTop(t.Context(), w, time.Hour, new(silent), &out); !errors.Is(err, cache.ErrClosed) {
		t.Errorf("of a cache that is closed: %v", err)
	}
}

// silent is a terminal at which nobody presses a key for a while.
type silent struct{}

func (*silent) Read([]byte) (int, error) {
	time.Sleep(10 * time.Second)
	return 0, io.EOF
}
