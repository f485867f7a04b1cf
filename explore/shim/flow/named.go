package flow

import "github.com/samecycle/samecycle/internal/hook"

// named is the first call by which the running execution has asked for the names of functions, files or
// packages.
var named struct {
	epoch uint64
	call  string
}

// Names notes that the call of a function, at a place, asks for the names of functions, files or packages,
// and returns the function.
func Names[F any](f F, name, place string) F {
	if hook.Active != nil && named.epoch != hook.Epoch {
		named.epoch, named.call = hook.Epoch, name+" at "+place
	}
	return f
}

// Named names the first such call of the last execution, and its place. It is empty if there was none.
func Named() string {
	if named.epoch != hook.Epoch {
		return ""
	}
	return named.call
}
