package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows live progress on the error output: a bar on a terminal, a line every few seconds
// elsewhere. Its methods may be called from any goroutine.
type progress struct {
	mu    sync.Mutex
	to    io.Writer
	bar   *progressbar.ProgressBar // nil when the output is no terminal
	start time.Time
	last  time.Time
	what  string // the latest news
	share float64
	done  chan struct{} // closed by close
}

// plainInterval is the least pause between two plain progress lines. A long run waits longer,
// one plainShare-th of its time, so that a log does not fill with them.
const (
	plainInterval = 3 * time.Second
	plainShare    = 10
)

// barSteps is the resolution of the bar.
const barSteps = 1000

func newProgress(to io.Writer) *progress {
	p := &progress{to: to, start: time.Now(), done: make(chan struct{})}
	p.last = p.start
	defer func() { go p.beat() }()
	f, ok := beneath(to).(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("CI") != "" || os.Getenv("TERM") == "dumb" {
		return p
	}
	p.bar = progressbar.NewOptions(barSteps,
		progressbar.OptionSetWriter(f), progressbar.OptionSetWidth(20),
		progressbar.OptionSetPredictTime(false), progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetElapsedTime(true),
		progressbar.OptionSetTheme(progressbar.Theme{
			Saucer: "=", SaucerHead: ">", SaucerPadding: " ", BarStart: "[", BarEnd: "]"}))
	return p
}

// beat repeats the latest news, so that a long run without any still shows its time.
func (p *progress) beat() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-p.done:
			return
		case <-tick.C:
			p.mu.Lock()
			p.show()
			p.mu.Unlock()
		}
	}
}

// descriptionWidth keeps the bar's line within 80 columns.
const descriptionWidth = 44

// update shows what is going on and how much of it is done, from 0 to 1.
func (p *progress) update(what string, fraction float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what, p.share = what, min(max(fraction, 0), 1)
	p.show()
}

// show is called with the lock held.
func (p *progress) show() {
	if p.what == "" {
		return
	}
	if p.bar != nil {
		p.bar.Describe(fmt.Sprintf("%-*s", descriptionWidth, shorten(plainLine(p.what), descriptionWidth)))
		_ = p.bar.Set(int(p.share * (barSteps - 1)))
		return
	}
	if time.Since(p.last) < max(plainInterval, time.Since(p.start)/plainShare) {
		return
	}
	p.last = time.Now()
	fmt.Fprintf(p.to, "%5s %3.0f%%  %s\n", p.elapsed(), p.share*100, p.what)
}

func (p *progress) elapsed() string { return time.Since(p.start).Round(time.Second).String() }

// line prints a line that stays.
func (p *progress) line(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	p.last = time.Now()
	fmt.Fprintln(p.to, strings.TrimRight(fmt.Sprintf(format, args...), "\n"))
}

// close removes the bar and ends the progress. It may be called twice.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.done:
		return
	default:
		close(p.done)
	}
	p.what = ""
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar = nil
	}
}

// shorten cuts s to n runes, an ellipsis included.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
