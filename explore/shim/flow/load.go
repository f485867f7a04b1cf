package flow

import (
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// module is the path of the explored module. The linker sets it. Goroutines that this module starts while
// the program is loaded do not run, because they would run beside the actors.
var module string

var load struct {
	sync.Mutex
	over   bool
	notRun []string
}

// Loaded says that the program is loaded. It returns the functions of the explored module that have started
// goroutines before; these goroutines do not run.
func Loaded() []string {
	load.Lock()
	defer load.Unlock()
	load.over = true
	return load.notRun
}

// strays are the goroutines that were started outside of explorations and have not ended: how many by each
// function.
var strays struct {
	sync.Mutex
	by map[string]int
}

// stray runs f in a goroutine that is no actor, for the caller of Go.
func stray(f func()) {
	name := starter(4)
	count := func(n int) {
		strays.Lock()
		defer strays.Unlock()
		if strays.by == nil {
			strays.by = map[string]int{}
		}
		if strays.by[name] += n; strays.by[name] == 0 {
			delete(strays.by, name)
		}
	}
	count(1)
	go func() {
		defer count(-1)
		f()
	}()
}

// Strays returns the functions that have started goroutines outside of explorations which have not ended
// within that time. No scheduler controls these, so a goroutine that still runs while actors do breaks the
// exploration.
func Strays(within time.Duration) []string {
	for end := time.Now().Add(within); ; time.Sleep(time.Millisecond) {
		strays.Lock()
		names := slices.Sorted(maps.Keys(strays.by))
		strays.Unlock()
		if len(names) == 0 || time.Now().After(end) {
			return names
		}
	}
}

// starter returns the name of the function that is so far up the stack.
func starter(skip int) string {
	var callers [1]uintptr
	runtime.Callers(skip, callers[:])
	frame, _ := runtime.CallersFrames(callers[:]).Next()
	return strings.ReplaceAll(frame.Function, "%2e", ".")
}

// atLoad reports whether the go statement that called Go is in the module, and the program is not loaded
// yet.
func atLoad() bool {
	load.Lock()
	defer load.Unlock()
	if load.over || module == "" {
		return false
	}
	name := starter(4)
	if !strings.HasPrefix(name, module+".") && !strings.HasPrefix(name, module+"/") {
		return false
	}
	if name = path.Base(name); !slices.Contains(load.notRun, name) {
		load.notRun = append(load.notRun, name)
	}
	return true
}
