package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/explore"
)

// lockless are packages of the standard library, each with those below it, that call functions of the
// program and hold no lock meanwhile. Races in such functions are what they seem.
var lockless = []string{"archive", "bufio", "bytes", "cmp", "compress", "container", "encoding/ascii85",
	"encoding/asn1", "encoding/base32", "encoding/base64", "encoding/binary", "encoding/csv",
	"encoding/hex", "encoding/json", "encoding/pem", "encoding/xml", "errors", "flag", "fmt", "hash", "html",
	"image", "index", "io", "iter", "maps", "math", "path", "reflect", "regexp", "runtime", "slices", "sort",
	"strconv", "strings", "text", "unicode"}

// locklessFunctions matches functions of other packages that call functions of the program and hold no lock
// meanwhile. A literal has the name of the function in which its own is inlined.
var locklessFunctions = regexp.MustCompile(`^net/http\.(\(\*Client\)\.|\(\*ServeMux\)\.ServeHTTP|` +
	`HandlerFunc\.ServeHTTP|send$)|\.(AllowQuerySemicolons|MaxBytesHandler|StripPrefix)\.func\d+$`)

// ourProject is the project of the driver, whose functions are neither a copy nor foreign.
const ourProject = "github.com/samecycle/samecycle/"

// A stackFrame is a function in a stack, with the file that it is in.
type stackFrame struct{ function, file string }

// frame matches a function of a stack, and its file, both in stacks of the explorer and of the runtime.
var frame = regexp.MustCompile(`(?m)^\s*(\S.*)\n\s+(\S+):\d+(?: \+0x[0-9a-f]+)?$`)

// arguments matches those of a function in a stack of the runtime.
var arguments = regexp.MustCompile(`\((?:\.\.\.|[0-9a-fx?, {}.]*)\)$`)

// framesOf returns the functions of a stack, the innermost first.
func framesOf(stack string) (all []stackFrame) {
	for _, m := range frame.FindAllStringSubmatch(stack, -1) {
		all = append(all, stackFrame{arguments.ReplaceAllString(m[1], ""), m[2]})
	}
	return all
}

// packageOf returns the path of the package of a function.
func packageOf(function string) string {
	last := strings.LastIndexByte(function, '/') + 1
	name, _, _ := strings.Cut(function[last:], ".")
	return function[:last] + name
}

// isCopied reports whether the function is one of the copies, which are below the folder.
func (f stackFrame) isCopied(folder string) bool {
	return strings.Contains(filepath.ToSlash(f.file), "/"+filepath.Base(folder)+"/")
}

// isOutside reports whether the function is in no copy, and may hold a lock while it calls others.
func (f stackFrame) isOutside(folder string) bool {
	p := packageOf(f.function)
	return !f.isCopied(folder) && !locklessFunctions.MatchString(f.function) &&
		!strings.HasPrefix(f.function, ourProject) && f.function != "panic" &&
		!slices.ContainsFunc(lockless, func(l string) bool { return p == l || strings.HasPrefix(p, l+"/") })
}

// calledBack finds a function in no copy that stands in the stack between two functions of the copies, and
// the one of the copies that it calls.
func calledBack(stack, folder string) (outside, calls string) {
	inner, found, called := "", "", ""
	for _, f := range framesOf(stack) {
		switch {
		case !f.isCopied(folder):
			if found == "" && inner != "" && f.isOutside(folder) {
				found, called = f.function, inner
			}
		case found != "":
			return found, called
		default:
			inner = f.function
		}
	}
	return "", ""
}

// waitsOutside finds a function in no copy that waits in package sync for a lock, and that a function of the
// copies has called.
func waitsOutside(stack, folder string) string {
	waits, found := false, ""
	for _, f := range framesOf(stack) {
		switch p := packageOf(f.function); {
		case found == "" && (p == "sync" || p == "internal/sync"):
			waits = waits || strings.HasSuffix(f.function, "Lock")
		case f.isCopied(folder):
			return found
		case found == "" && waits && f.isOutside(folder):
			found = f.function
		}
	}
	return ""
}

// stands says which function in no copy an actor stands in that the explorer waits for, and where the copies
// have called it. It says nothing of stacks without such functions.
func stands(stack, folder string) string {
	outside := ""
	for _, f := range framesOf(stack) {
		switch {
		case f.isCopied(folder) && outside == "":
			return ""
		case f.isCopied(folder):
			return "; an actor stands in " + outside + ", called by " + f.function + ": let the test use " +
				"what waits for the explored code, such as io.Pipe in place of a connection"
		case strings.HasPrefix(f.function, ourProject):
			return ""
		case packageOf(f.function) != "runtime" && packageOf(f.function) != "sync" &&
			!strings.HasPrefix(packageOf(f.function), "internal/"):
			outside = f.function
		}
	}
	return ""
}

// remedy says what to do about a package that calls functions of the program under its own lock.
const remedy = "let the test give it what has no steps, for example a logger that writes to io.Discard, or " +
	"explore code that does without"

// doubtOutside is for a failure that may come from the locks of packages without a copy. A race below such a
// package may be none, so it is unknown. If an actor waits for such a lock, the message says so.
func doubtOutside(f *explore.Failure, folder string) {
	for _, stack := range f.Stacks {
		switch outside, calls := calledBack(stack, folder); {
		case f.Kind == explore.Race && outside != "":
			f.Kind = explore.Unexplored
			f.Message = fmt.Sprintf("this may be no race, since %s calls %s, and may hold a lock then, "+
				"which the explorer does not see, because package %s is in no copy: %s: %s", outside, calls,
				packageOf(outside), remedy, f.Message)
			return
		case f.Kind != explore.Hung:
			continue
		}
		if outside := waitsOutside(stack, folder); outside != "" {
			f.Message = fmt.Sprintf("%s; %s waits for a lock that the explorer does not see, because "+
				"package %s is in no copy; most likely it has called a function of the program under that "+
				"lock, and another actor was interrupted there: %s", f.Message, outside,
				packageOf(outside), remedy)
			return
		}
		if text := stands(stack, folder); text != "" {
			f.Message += text
			return
		}
	}
}

// copies is the folder of the copies: that of the driver.
func copies() string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	return filepath.Dir(exe)
}
