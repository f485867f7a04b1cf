package foreign

import (
	"bytes"
	"io"
	"regexp"
	"strings"

	"github.com/samecycle/samecycle/foreign/driver"
)

// An output takes what a driver and its target print. Progress goes to the log, if there is one. Of the rest
// it keeps the lines that may say why the driver has failed.
type output struct {
	log   io.Writer
	line  []byte // a line that is not complete yet
	fatal string // the first line in which the Go runtime says why it ends a process; many lines follow
	last  []byte // the last bytes of the complete lines

	loaded func() // called when the driver has begun, after its packages
}

// mostKept bounds the bytes that an output keeps of the last lines, and of one line.
const mostKept = 4000

// fatalLine matches the beginning of that line.
var fatalLine = regexp.MustCompile(`^(fatal error|panic): `)

func (o *output) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		o.line = append(o.line, line...)
		if len(o.line) < mostKept && !bytes.HasSuffix(o.line, []byte("\n")) {
			continue
		}
		progress, is := bytes.CutPrefix(o.line, []byte(driver.Mark))
		switch {
		case is && string(progress) == driver.Loaded:
			o.loaded()
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

// keep takes a line from the target, or from the Go runtime.
func (o *output) keep(line []byte) {
	if o.fatal == "" && fatalLine.Match(line) {
		o.fatal = string(line)
	}
	o.last = append(o.last, line...)
	o.last = o.last[max(0, len(o.last)-mostKept):]
}

// end returns why the runtime has ended the driver, or otherwise the last lines.
func (o *output) end() string {
	if o.fatal != "" {
		return strings.TrimSpace(o.fatal)
	}
	return strings.TrimSpace(string(o.last) + string(o.line))
}
