package foreign

import (
	"bytes"
	"io"
	"regexp"
	"strings"

	"github.com/samecycle/samecycle/foreign/driver"
)

// An output takes what a driver and its target print. Progress goes to the log, if there is one; of the rest
// it keeps what may say why the driver has failed.
type output struct {
	log   io.Writer
	line  []byte // not at its end yet
	fatal string // the first line by which the Go runtime says why it ends a process; many follow
	last  []byte // the end of all lines before
}

// mostKept bounds the bytes that an output keeps of the end, and of a line.
const mostKept = 4000

// fatalLine is how that line begins.
var fatalLine = regexp.MustCompile(`^(fatal error|panic): `)

func (o *output) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		o.line = append(o.line, line...)
		if len(o.line) < mostKept && !bytes.HasSuffix(o.line, []byte("\n")) {
			continue
		}
		progress, is := bytes.CutPrefix(o.line, []byte(driver.Mark))
		switch {
		case !is:
			o.keep(o.line)
		case o.log != nil:
			if _, err := o.log.Write(progress); err != nil {
				return 0, err
			}
		}
		o.line = o.line[:0]
	}
	return len(p), nil
}

// keep takes a line of the target's, or of the Go runtime.
func (o *output) keep(line []byte) {
	if o.fatal == "" && fatalLine.Match(line) {
		o.fatal = string(line)
	}
	o.last = append(o.last, line...)
	o.last = o.last[max(0, len(o.last)-mostKept):]
}

// end is why the runtime has ended the driver, or else the last that was printed.
func (o *output) end() string {
	if o.fatal != "" {
		return strings.TrimSpace(o.fatal)
	}
	return strings.TrimSpace(string(o.last) + string(o.line))
}
