package testing

import (
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	std "testing"
	"time"
)

// TestParallel_Learns: a subtest that calls Parallel is known then, and runs beside the others when the
// function of its parent has returned; its parent ends behind it.
func TestParallel_Learns(t *std.T) {
	known := &Subtests{Learning: true}
	var order []string
	run := func() {
		order = nil
		x := New("x", known)
		x.RunTest(func(t *T) {
			t.Cleanup(func() { order = append(order, "cleanup") })
			t.Run("a", func(t *T) {
				order = append(order, "a")
				t.Parallel()
				order = append(order, "a2")
				t.Run("in it", func(t *T) { order = append(order, t.Name()) })
			})
			t.Run("b", func(t *T) { order = append(order, "b") })
		})
		if o := x.Outcome(); !o.Ended || o.Failed {
			t.Errorf("%+v", o)
		}
	}
	run()
	if want := []string{"a", "a2", "x/a/in_it", "b", "cleanup"}; !known.News || !slices.Equal(order, want) {
		t.Errorf("at first %q, news %t", order, known.News)
	}
	known.News = false
	run()
	if want := []string{"a", "b", "a2", "x/a/in_it", "cleanup"}; known.News || !slices.Equal(order, want) {
		t.Errorf("then %q, news %t", order, known.News)
	}
	known = &Subtests{}
	if run(); known.News || known.isParallel("x/a") {
		t.Error("it is known without learning")
	}
}

// TestParallel_Many: no parallel subtest begins before the function of its parent has returned, however many
// there are, and at most so many run at the same time. One that waits for its own does not count.
func TestParallel_Many(t *std.T) {
	var now, most, all atomic.Int32
	runs := func() {
		all.Add(1)
		for n := now.Add(1); ; {
			if m := most.Load(); m >= n || most.CompareAndSwap(m, n) {
				break
			}
		}
		time.Sleep(time.Millisecond)
		now.Add(-1)
	}
	group := func(t *T, f func(t *T)) {
		returned := make(chan struct{})
		for i := range 2 * MostParallel {
			t.Run(strconv.Itoa(i), func(t *T) {
				t.Parallel()
				<-returned
				f(t)
			})
		}
		close(returned)
	}
	test := func(t *T) {
		t.Run("in order", func(t *T) { group(t, func(*T) { runs() }) })
		runs()
		group(t, func(t *T) {
			runs()
			t.Run("in order", func(t *T) { group(t, func(*T) { runs() }); runs() })
			group(t, func(*T) { runs() })
		})
	}
	known := &Subtests{parallel: map[string]bool{}}
	var learn func(name string, depth int)
	learn = func(name string, depth int) {
		for i := 0; depth > 0 && i < 2*MostParallel; i++ {
			known.parallel[name+"/"+strconv.Itoa(i)] = true
			learn(name+"/"+strconv.Itoa(i), depth-1)
			learn(name+"/"+strconv.Itoa(i)+"/in_order", depth-1)
		}
	}
	learn("x", 2)
	learn("x/in_order", 1)
	x := New("x", known)
	x.RunTest(test)
	const n = 2 * MostParallel
	if o := x.Outcome(); !o.Ended || o.Failed || all.Load() != n+1+n*(2+2*n) || most.Load() > MostParallel {
		t.Errorf("%+v, %d run, at most %d at a time", o, all.Load(), most.Load())
	}
	if p := x.places; p.taken != 1 || len(p.queue) > 0 {
		t.Errorf("%d places are taken behind it", p.taken)
	}
}

// TestParallel_Refused: as in the original.
func TestParallel_Refused(t *std.T) {
	for name, f := range map[string]func(t *T){
		"called multiple times":  func(t *T) { t.Parallel(); t.Parallel() },
		"inside synctest bubble": func(t *T) { t.RunWithin(func(t *T) { t.Parallel() }) },
		"t.Chdir, or":            func(t *T) { t.Setenv("SAMECYCLE_C", "c"); t.Parallel() },
		"t.Setenv, t.Chdir, or":  func(t *T) { t.Parallel(); t.Run("in it", func(t *T) { t.Chdir(".") }) },
	} {
		func() {
			defer func() {
				if text, is := recover().(string); !is || !strings.Contains(text, name) {
					t.Errorf("%s: %q", name, text)
				}
			}()
			New("x", nil).RunTest(f)
		}()
	}
}

// TestSubtests_Only: one subtest is run, or all are listed, with what is between them.
func TestSubtests_Only(t *std.T) {
	var order []string
	run := func(known *Subtests) {
		order = nil
		New("x", known).RunTest(func(t *T) {
			for _, name := range []string{"a", "b", "a"} {
				t.Run(name, func(t *T) {
					order = append(order, t.Name())
					t.Run("in it", func(t *T) { order = append(order, t.Name()) })
				})
			}
			order = append(order, "end")
		})
	}
	known := &Subtests{Listing: true}
	run(known)
	if want := []string{"x/a", "x/b", "x/a#01"}; !slices.Equal(known.Names, want) || len(order) != 1 {
		t.Errorf("listed are %q, run %q", known.Names, order)
	}
	run(&Subtests{Only: "x/a#01"})
	if want := []string{"x/a#01", "x/a#01/in_it", "end"}; !slices.Equal(order, want) {
		t.Errorf("%q", order)
	}
}
