package testing

import (
	"slices"
	"strings"
	std "testing"
)

// TestParallel_Learns: a subtest that calls Parallel is known then, up to a number of them, and runs beside
// the others when the function of its parent has returned; its parent ends behind it.
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
	for i := range 2 * MostParallel {
		known.learn(strings.Repeat("x", i))
	}
	if len(known.parallel) != MostParallel {
		t.Errorf("%d are known", len(known.parallel))
	}
	known = &Subtests{}
	if run(); known.News || known.isParallel("x/a") {
		t.Error("it is known without learning")
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
