package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"sort"
	"strings"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/samecycle/samecycle/internal/noquery"
)

func init() { noquery.Done() } // all libraries are initialised

// topView is cache top on a terminal: what bubbletea calls a model.
type topView struct {
	take          func() (topFrame, error) // looks at the cache
	every         time.Duration
	frame         topFrame
	err           error // that ended it
	paused        bool
	first         int // line of the frame that is shown first
	left          int // column of it that is shown first
	width, height int
}

// Messages of the view.
type (
	topTick  struct{}
	topTaken struct {
		frame topFrame
		err   error
	}
)

var topTitle = lipgloss.NewStyle().Bold(true)

// Init looks for the first time.
func (v *topView) Init() tea.Cmd { return v.look }

// look takes a frame, beside the loop that obeys keys.
func (v *topView) look() tea.Msg {
	f, err := v.take()
	return topTaken{f, err}
}

// Update obeys a key, or shows what was taken.
func (v *topView) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		v.width, v.height = msg.Width, msg.Height
	case topTaken:
		if v.err = msg.err; v.err != nil {
			return v, tea.Quit
		}
		v.frame = msg.frame
		return v, tea.Tick(v.every, func(time.Time) tea.Msg { return topTick{} })
	case topTick:
		if v.paused {
			return v, tea.Tick(v.every, func(time.Time) tea.Msg { return topTick{} })
		}
		return v, v.look
	case tea.KeyMsg:
		return v.key(msg.String())
	}
	return v, nil
}

func (v *topView) key(key string) (tea.Model, tea.Cmd) {
	page := max(v.room(), 1)
	switch key {
	case "q", "esc", "ctrl+c":
		return v, tea.Quit
	case "p", " ":
		v.paused = !v.paused
	case "up", "k":
		v.first--
	case "down", "j":
		v.first++
	case "pgup":
		v.first -= page
	case "pgdown":
		v.first += page
	case "home", "g":
		v.first = 0
	case "end", "G":
		v.first = len(v.frame.lines(v.width))
	case "left", "h":
		v.left -= topAside
	case "right", "l":
		v.left += topAside
	}
	lines := v.frame.lines(v.width)
	v.first = max(min(v.first, len(lines)-page), 0)
	v.left = max(min(v.left, widest(lines)-v.width), 0)
	return v, nil
}

// topAside is by how many columns left and right scroll.
const topAside = 8

// widest is how many columns the longest line takes.
func widest(lines []string) (most int) {
	for _, line := range lines {
		most = max(most, lipgloss.Width(line))
	}
	return most
}

// topAround is how many lines are above and below the tables.
const topAround = 4

// room is how many lines of the frame are shown.
func (v *topView) room() int { return v.height - topAround }

// View is the screen.
func (v *topView) View() string {
	if v.width == 0 || v.frame.Tables == nil {
		return ""
	}
	lines := v.frame.lines(v.width)
	from := max(min(v.first, len(lines)-v.room()), 0)
	to := min(from+max(v.room(), 0), len(lines))
	left := max(min(v.left, widest(lines)-v.width), 0)
	keys := "q quit   p pause"
	if from > 0 || to < len(lines) {
		keys += "   up, down, page up, page down"
	}
	if widest(lines) > v.width {
		keys += "   left, right"
	}
	shown := []string{topTitle.Render(cut(v.frame.heading(), v.width)), cut(v.state(), v.width)}
	for _, line := range lines[from:to] {
		shown = append(shown, cut(behind(line, left), v.width))
	}
	return strings.Join(append(shown, "", cut(keys, v.width)), "\n")
}

// state is a line of its own, since the one above it may be too long for the terminal.
func (v *topView) state() string {
	switch {
	case !v.paused:
		return v.frame.Note
	case v.frame.Note == "":
		return "paused"
	}
	return "paused   " + v.frame.Note
}

// behind is a line without its first columns. A character that has some of them leaves spaces for the others.
func behind(line string, n int) string {
	letters := []rune(line)
	least := sort.Search(len(letters), func(i int) bool { return lipgloss.Width(string(letters[:i])) >= n })
	wide := lipgloss.Width(string(letters[:least]))
	return strings.Repeat(" ", max(wide-n, 0)) + string(letters[fitting(letters, wide):])
}

// cut is a line as far as there is room for it.
func cut(line string, width int) string {
	letters := []rune(line)
	return string(letters[:fitting(letters, width)])
}

// fitting is how many characters take no more than that many columns, with those that take none.
func fitting(letters []rune, columns int) int {
	return sort.Search(len(letters), func(i int) bool {
		return lipgloss.Width(string(letters[:i+1])) > columns
	})
}

// untilLeft is a context that SIGHUP and SIGQUIT end, too. Otherwise they would end the program at once, and
// leave the terminal without its cursor and with the screen of the view. The second one does so. A signal
// that the program was told to ignore, as by nohup, stays ignored.
func untilLeft(ctx context.Context) (context.Context, func()) {
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-signals:
			signal.Stop(signals)
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel() }
}

// showTop shows frames on a terminal until a key, a signal or the context ends it.
func showTop(ctx context.Context, w *topWatch, every time.Duration, in io.Reader, out io.Writer) error {
	ctx, stop := untilLeft(ctx)
	defer stop()
	v := &topView{take: w.frame, every: every}
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithOutput(out), tea.WithAltScreen(),
		tea.WithoutSignalHandler()} // the program has a handler, which ends the context
	if in != nil {
		options = append(options, tea.WithInput(in))
	}
	_, err := tea.NewProgram(v, options...).Run()
	if ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled) {
		err = nil
	}
	return errors.Join(v.err, err)
}
