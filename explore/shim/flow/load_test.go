package flow

import (
	"slices"
	"testing"
	"time"
)

// TestLoaded: what the module starts runs only once the program is loaded; what others start, always.
func TestLoaded(t *testing.T) {
	defer func(path string) { module, load.over, load.kept = path, false, nil }(module)
	load.watched = true // by nobody
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

// TestWatchLoad: what was kept runs when the goroutine that loads the program has waited twice in a row, and
// is not run any more once the program is loaded.
func TestWatchLoad(t *testing.T) {
	defer func() { load.over, load.kept = false, nil }()
	ran, looks := make(chan int, 1), 0
	load.over, load.kept = false, []begun{{"first", func() { ran <- looks }}}
	watchLoad(func() bool {
		if looks++; looks == 5 {
			if n := <-ran; n != 4 { // the third look was the first of two
				t.Errorf("it runs after %d looks, want 4", n)
			}
			load.Lock()
			load.over, load.kept = true, []begun{{"second", func() { t.Error("it runs when all is loaded") }}}
			load.Unlock()
		}
		return looks != 2
	})
	if names := Strays(time.Minute); len(names) > 0 {
		t.Errorf("%q run", names)
	}
}

// TestLoaderWaits: the stack of the first goroutine says so, which waits for this test.
func TestLoaderWaits(t *testing.T) {
	if !loaderWaits() {
		t.Error("it does not wait")
	}
	for text, waits := range map[string]bool{"goroutine 1 [chan receive, 2 minutes]:\n": true,
		"goroutine 1 [select]:\n": true, "goroutine 1 [sync.WaitGroup.Wait]:\n": true,
		"goroutine 1 [running]:\n": false, "goroutine 1 [sleep]:\n": false,
		"goroutine 12 [select]:\n": false} {
		if loader.MatchString("goroutine 7 [running]:\nf()\n\n"+text) != waits {
			t.Errorf("%q: want %t", text, waits)
		}
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
