package explore

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/samecycle/samecycle/internal/hook"
)

// A recorder keeps everything about one execution. It has a mutex because another goroutine reads the record
// if an actor hangs.
type recorder struct {
	mu    sync.Mutex
	sites bool // resolve call sites, keep stacks
	steps []Step
	notes []string
	marks []uint64
	items []int // decisions: an option number, or ^v for a data choice v
}

// afresh empties the recorder for another execution, for which no call sites are needed.
func (r *recorder) afresh() *recorder {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sites = false
	r.steps, r.notes, r.marks, r.items = r.steps[:0], r.notes[:0], r.marks[:0], r.items[:0]
	return r
}

// stand notes the access that a is about to request.
func (r *recorder) stand(a *actor, k hook.Kind) {
	if !r.sites {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	a.pending.kind = k
	a.pending.stack = a.pending.stack[:cap(a.pending.stack)]
	if len(a.pending.stack) == 0 {
		a.pending.stack = make([]uintptr, 64)
	}
	n := runtime.Callers(2, a.pending.stack)
	a.pending.stack = a.pending.stack[:n]
}

func (r *recorder) pick(c int) {
	r.mu.Lock()
	r.items = append(r.items, c)
	r.mu.Unlock()
}

func (r *recorder) choice(v int) { r.pick(^v) }

func (r *recorder) step(s Step) {
	r.mu.Lock()
	r.steps = append(r.steps, s)
	r.mu.Unlock()
}

// note keeps what the program says about the last step.
func (r *recorder) note(text string) {
	r.mu.Lock()
	r.notes = append(r.notes, text)
	r.mu.Unlock()
}

// take returns copies of the steps and decisions.
func (r *recorder) take() ([]Step, []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Step(nil), r.steps...), append([]int(nil), r.items...)
}

// site is a place in the code that is explored.
type site struct {
	fn, file string
	line     int
}

// recordsSites reports whether the running execution is recorded with the places of its steps.
func (e *engine) recordsSites() bool { return e.rec != nil && e.rec.sites }

// here returns where the code of a, which runs, is. A timer or the like has no code of its own: it is where
// it was made.
func here(a *actor) site {
	var pcs [64]uintptr
	return cmp.Or(resolve(pcs[:runtime.Callers(2, pcs[:])]), a.made)
}

// text renders the place as file:line (function).
func (s site) text() string {
	return fmt.Sprintf("%s (%s)", place(filepath.Base(s.file), s.line), shortFunc(s.fn))
}

// siteDepth is how many return addresses are examined. It is enough to get out of any shim.
const siteDepth = 8

// siteCache resolves call sites. A return address is always in the same place, so it is resolved once.
type siteCache struct {
	pcs   [siteDepth]uintptr
	known map[uintptr]site // the zero site stands for code of the explorer
	quick [256]struct {
		pc   uintptr
		site site
	}
}

// caller returns the nearest frame outside the explorer, the seam and the shims.
func (c *siteCache) caller() (fn, file string, line int) {
	n := returnAddresses(&c.pcs[0], siteDepth, 2)
	for _, pc := range c.pcs[:n] {
		q := &c.quick[uint64(pc)*k1>>56]
		if q.pc != pc {
			q.pc, q.site = pc, c.at(pc)
		}
		if q.site.fn != "" {
			return q.site.fn, q.site.file, q.site.line
		}
	}
	return "", "", 0
}

// at returns the place of a return address.
func (c *siteCache) at(pc uintptr) site {
	s, ok := c.known[pc]
	if !ok {
		s = resolve([]uintptr{pc, 0}) // CallersFrames leaves out what was inlined at the last address
		if c.known == nil {
			c.known = make(map[uintptr]site)
		}
		c.known[pc] = s
	}
	return s
}

// resolve finds the nearest explored frame. CallersFrames names the innermost function where
// one was inlined into another.
func resolve(pcs []uintptr) site {
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		if f.Function != "" && !ours(f.Function) {
			return site{f.Function, f.File, f.Line}
		}
		if !more {
			return site{}
		}
	}
}

const module = "github.com/samecycle/samecycle/"

// ownPackages are the packages whose frames belong to the explorer, and not to explored code.
var ownPackages = []string{
	module + "internal/hook.", module + "internal/seam.",
	module + "explore.",
	module + "explore/shim/",
	"iter.", "runtime.",
}

func ours(fn string) bool {
	for _, p := range ownPackages {
		if strings.HasPrefix(fn, p) {
			return true
		}
	}
	return false
}

// stackText renders return addresses as a stack, without the explorer's own frames.
func stackText(pcs []uintptr) string {
	var b strings.Builder
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		if f.Function != "" && !ours(f.Function) {
			b.WriteString("    " + f.Function + "\n        " + place(f.File, f.Line) + "\n")
		}
		if !more {
			return b.String()
		}
	}
}
