package flow

import (
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
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

// atLoad reports whether the go statement that called Go is in the module, and the program is not loaded
// yet.
func atLoad() bool {
	load.Lock()
	defer load.Unlock()
	if load.over || module == "" {
		return false
	}
	var callers [1]uintptr
	runtime.Callers(3, callers[:])
	frame, _ := runtime.CallersFrames(callers[:]).Next()
	name := strings.ReplaceAll(frame.Function, "%2e", ".")
	if !strings.HasPrefix(name, module+".") && !strings.HasPrefix(name, module+"/") {
		return false
	}
	if name = path.Base(name); !slices.Contains(load.notRun, name) {
		load.notRun = append(load.notRun, name)
	}
	return true
}
