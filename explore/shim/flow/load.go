package flow

import (
	"maps"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// module is the path of the explored module. The linker sets it. Goroutines that this module starts while
// the program is loaded do not run, because they would run beside the actors. But if the program cannot be
// loaded without them, because the goroutine that loads it waits, they run.
var module string

var load struct {
	sync.Mutex
	over    bool
	kept    []begun
	watched bool
}

// begun is a goroutine that was started while the program was loaded, and the function that has started it.
type begun struct {
	by string
	f  func()
}

// Loaded says that the program is loaded. It returns the functions of the explored module that have started
// goroutines before which do not run.
func Loaded() (names []string) {
	load.Lock()
	defer load.Unlock()
	load.over = true
	for _, b := range load.kept {
		if name := path.Base(b.by); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// watchEvery is how often the goroutine that loads the program is looked at.
const watchEvery = 20 * time.Millisecond

// watchLoad runs the goroutines that were kept as soon as the one that loads the program is seen waiting
// twice in a row. It ends when the program is loaded.
func watchLoad(waits func() bool) {
	for seen := 0; ; time.Sleep(watchEvery) {
		if seen++; !waits() {
			seen = 0
		}
		load.Lock()
		if load.over {
			load.Unlock()
			return
		}
		var run []begun
		if seen > 1 {
			run, load.kept = load.kept, nil
		}
		load.Unlock()
		for _, b := range run {
			stray(b.by, b.f)
		}
	}
}

// loader matches how a stack begins of the first goroutine, which loads the program, while it waits for
// another one.
var loader = regexp.MustCompile(
	`(?m)^goroutine 1 \[(chan receive|chan send|select|semacquire|sync\.[A-Za-z.]+)[],]`)

// loaderWaits reports whether that goroutine waits for another one.
func loaderWaits() bool {
	stacks := make([]byte, 1<<20)
	return loader.Match(stacks[:runtime.Stack(stacks, true)])
}

// strays are the goroutines that were started outside of explorations and have not ended: how many by each
// function.
var strays struct {
	sync.Mutex
	by map[string]int
}

// stray runs f in a goroutine that is no actor, for that function.
func stray(name string, f func()) {
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

// keep keeps f if the function that starts it is in the module, and the program is not loaded yet, and
// reports whether it has.
func keep(name string, f func()) bool {
	load.Lock()
	defer load.Unlock()
	if load.over || module == "" ||
		!strings.HasPrefix(name, module+".") && !strings.HasPrefix(name, module+"/") {
		return false
	}
	load.kept = append(load.kept, begun{name, f})
	if !load.watched {
		load.watched = true
		go watchLoad(loaderWaits)
	}
	return true
}
