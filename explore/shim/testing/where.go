package testing

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// methods is how the names of the methods of T begin.
const methods = "github.com/samecycle/samecycle/explore/shim/testing.(*T)."

// mostHelpers is how many helpers may have called each other.
const mostHelpers = 50

// Helper marks the calling function: a message names the line that has called it.
func (t *T) Helper() {
	var pc [1]uintptr
	if runtime.Callers(2, pc[:]) == 0 {
		return
	}
	f, _ := runtime.CallersFrames(pc[:]).Next()
	r := t.root()
	if r.helpers == nil {
		r.helpers = map[string]bool{}
	}
	r.helpers[f.Function] = true
}

// say adds a message, with the line that has called the method which calls say.
func (t *T) say(text string) { t.log(t.line(), text) }

// line returns the file and the line of the innermost function that is no helper, as the original does.
func (t *T) line() string {
	var pcs [mostHelpers]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	helpers, first := t.root().helpers, ""
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); strings.HasPrefix(f.Function, methods) || f.Function == "" {
			continue
		}
		at := fmt.Sprintf("%s:%d: ", filepath.Base(f.File), f.Line)
		if first == "" {
			first = at
		}
		if !helpers[f.Function] {
			return at
		}
	}
	return first
}
