package flow

import (
	"slices"
	"testing"
	"time"
)

// TestLoaded: what the module starts runs only once the program is loaded; what others start, always.
func TestLoaded(t *testing.T) {
	defer func(path string) { module, load.over, load.notRun = path, false, nil }(module)
	ran := make(chan string, 3)
	begin := func(name string) func() { return func() { ran <- name } }
	module = "example.com/other"
	Go(begin("of another module"))
	module = "github.com/samecycle/samecycle/explore/shim"
	Go(begin("while it is loaded"))
	Go(begin("again"))
	if got := Loaded(); !slices.Equal(got, []string{"flow.TestLoaded"}) {
		t.Errorf("not run are those of %q", got)
	}
	Go(begin("later"))
	names := []string{<-ran, <-ran}
	slices.Sort(names)
	if want := []string{"later", "of another module"}; !slices.Equal(names, want) {
		t.Errorf("%q ran, want %q", names, want)
	}
}

// TestStrays: of the goroutines that are no actors those count that have not ended, under the name of the
// function that has started them.
func TestStrays(t *testing.T) {
	defer func(over bool) { load.over = over }(load.over)
	load.over = true
	Go(func() {})
	if names := Strays(time.Minute); len(names) > 0 {
		t.Errorf("%q have ended", names)
	}
	end := make(chan bool)
	Go(func() { <-end })
	const want = "github.com/samecycle/samecycle/explore/shim/flow.TestStrays"
	if names := Strays(0); !slices.Equal(names, []string{want}) {
		t.Errorf("%q run", names)
	}
	close(end)
	if names := Strays(time.Minute); len(names) > 0 {
		t.Errorf("%q have ended", names)
	}
}
