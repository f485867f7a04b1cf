package flow

import (
	"slices"
	"testing"
)

// TestLoaded: what the module starts runs only once the program is loaded; what others start, always.
func TestLoaded(t *testing.T) {
	defer func(path string) { module, load.over, load.notRun = path, false, nil }(module)
	ran := make(chan string, 3)
	begin := func(name string) func() { return func() { ran <- name } }
	before := Strays()
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
	if want := []string{"later", "of another module"}; !slices.Equal(names, want) || Strays() != before+2 {
		t.Errorf("%q ran, want %q; %d strays", names, want, Strays()-before)
	}
}
