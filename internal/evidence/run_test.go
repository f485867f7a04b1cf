package evidence

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/catalog"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/evidence/closure"
)

// fakeLink is a runner with a body of choice.
type fakeLink struct {
	inputs []string
	body   func(ctx context.Context, env Env, states []catalog.State) ([]Record, error)
}

func (fakeLink) Link() string { return "spec" }
func (f fakeLink) Scope(Env) (closure.Scope, error) {
	return closure.Scope{Files: f.inputs}, nil
}
func (fakeLink) Covers(Env) ([]string, error) { return []string{s01, s02}, nil }

func (f fakeLink) Run(ctx context.Context, env Env, states []catalog.State,
	_ Progress) ([]Record, error) {
	return f.body(ctx, env, states)
}

func passes(state string) Record {
	return Record{State: state, Status: Pass, Figure: 7, Unit: "states", Bound: "all of a little",
		Command: "samecycle check"}
}

type cells struct{ first, second Status }

// runCases are the ways in which a runner can end, and what becomes of two states for which it
// was asked and which both had a green record before.
var runCases = []struct {
	name string
	body func(Env) ([]Record, error)
	want cells
	says string // of the second state's reason
}{
	{"both pass", func(Env) ([]Record, error) {
		return []Record{passes(s01), passes(s02)}, nil
	}, cells{Pass, Pass}, ""},
	{"one record is missing", func(Env) ([]Record, error) {
		return []Record{passes(s01)}, nil
	}, cells{Pass, Unknown}, "no record"},
	{"a panic after the first", func(env Env) ([]Record, error) {
		if err := env.Save(passes(s01)); err != nil {
			return nil, err
		}
		panic("the second state broke")
	}, cells{Pass, Fail}, "panic: the second state broke"},
	{"an error after the first", func(Env) ([]Record, error) {
		return []Record{passes(s01)}, errors.New("disk full")
	}, cells{Pass, Unknown}, "disk full"},
	{"a missing tool", func(Env) ([]Record, error) {
		return nil, CannotRun(errors.New("java: not found"))
	}, cells{NotRun, NotRun}, "java: not found"},
	{"a refused record", func(Env) ([]Record, error) {
		empty := passes(s02)
		empty.Figure = 0
		return []Record{passes(s01), empty}, nil
	}, cells{Pass, Unknown}, "without a figure"},
	{"a refused record after a good one", func(env Env) ([]Record, error) {
		empty := passes(s02)
		empty.Figure = 0
		return []Record{passes(s01), empty}, env.Save(passes(s02)) // what was said last counts
	}, cells{Pass, Unknown}, "without a figure"},
	{"a record that nobody asked for", func(Env) ([]Record, error) {
		return []Record{passes(s01), passes("S03AddFull")}, nil
	}, cells{Pass, Unknown}, "no record"},
}

// TestRunLink runs the cases.
func TestRunLink(t *testing.T) {
	for _, c := range runCases {
		t.Run(c.name, func(t *testing.T) {
			root := newRoot(t)
			save(t, root, green(t, root, s01))
			save(t, root, green(t, root, s02))
			r := fakeLink{[]string{"spec/*.tla"},
				func(_ context.Context, env Env, _ []catalog.State) ([]Record, error) {
					return c.body(env)
				}}
			m, reasons := runBoth(t, context.Background(), root, r)
			got := cells{cellOf(m, "spec", s01).Status, cellOf(m, "spec", s02).Status}
			if got != c.want {
				t.Errorf("cells %v, want %v; reasons %v", got, c.want, reasons)
			}
			if text := reasons[s02].Text; !strings.Contains(text, c.says) {
				t.Errorf("reason %q does not say %q", text, c.says)
			}
			// What is not NotRun must also be what the records alone say later.
			later := cellOf(matrixOf(root, bothCovered), "spec", s02).Status
			if c.want.second != NotRun && later != c.want.second {
				t.Errorf("the record says %s, want %s", later, c.want.second)
			}
			if c.want.second == NotRun && later != Pass {
				t.Errorf("a missing tool must leave the older record alone, it is %s", later)
			}
		})
	}
}

func runBoth(t *testing.T, ctx context.Context, root string, r Runner) (*Matrix, map[string]Reason) {
	t.Helper()
	reasons, err := RunLink(ctx, r, Env{Root: root, Engine: register.Engine()},
		register.States()[:2], func(string, float64) {})
	if err != nil {
		t.Fatal(err)
	}
	m := matrixOf(root, bothCovered)
	m.Overlay("spec", reasons)
	return m, reasons
}

func TestRunLink_InterruptKeepsWhatIsFinished(t *testing.T) {
	root := newRoot(t)
	ctx, cancel := context.WithCancel(context.Background())
	r := fakeLink{[]string{"spec/*.tla"},
		func(ctx context.Context, env Env, _ []catalog.State) ([]Record, error) {
			err := env.Save(passes(s01))
			cancel()
			return nil, errors.Join(err, ctx.Err())
		}}
	m, _ := runBoth(t, ctx, root, r)
	if a, b := cellOf(m, "spec", s01), cellOf(m, "spec", s02); a.Status != Pass || b.Status != NotRun {
		t.Errorf("cells %s and %s, want pass and not-run", a.Status, b.Status)
	}
}

// TestRunLink_FileChangesMeanwhile holds that a record names the files as they were when the run
// began: what nobody judged must not be green.
func TestRunLink_FileChangesMeanwhile(t *testing.T) {
	root := newRoot(t)
	r := fakeLink{[]string{"spec/*.tla"},
		func(context.Context, Env, []catalog.State) ([]Record, error) {
			put(t, root, "spec/A.tla", "edited while the run went on")
			return []Record{passes(s01), passes(s02)}, nil
		}}
	if m, _ := runBoth(t, context.Background(), root, r); cellOf(m, "spec", s01).Status != Stale {
		t.Errorf("%s, want stale", cellOf(m, "spec", s01).Status)
	}
}

func TestRunLink_NoInputs(t *testing.T) {
	r := fakeLink{inputs: []string{"spec/*.none"}}
	m, _ := runBoth(t, context.Background(), newRoot(t), r)
	if got := cellOf(m, "spec", s01).Status; got != Unknown {
		t.Errorf("%s, want unknown", got)
	}
}

// TestRunLink_NowhereToWrite: what could not be kept is not begun, and why is told.
func TestRunLink_NowhereToWrite(t *testing.T) {
	root := newRoot(t)
	put(t, root, "results/hopscotch/records/spec", "no folder")
	r := fakeLink{[]string{"spec/*.tla"}, func(context.Context, Env, []catalog.State) ([]Record, error) {
		t.Error("it is run")
		return nil, nil
	}}
	reasons, err := RunLink(t.Context(), r, Env{Root: root, Engine: register.Engine()},
		register.States()[:2], func(string, float64) {})
	if err == nil || !strings.Contains(err.Error(), "S01AddEmpty.json cannot be written: ") {
		t.Errorf("error %v", err)
	}
	for _, id := range []string{s01, s02} {
		if got := reasons[id]; got.Status != NotRun || !strings.Contains(got.Text, "cannot be written") {
			t.Errorf("%s: %+v", id, got)
		}
	}
}

func TestPanicDetail_IsStable(t *testing.T) {
	root := newRoot(t)
	r := fakeLink{[]string{"spec/*.tla"},
		func(context.Context, Env, []catalog.State) ([]Record, error) { panic("boom") }}
	read := func() string {
		runBoth(t, context.Background(), root, r)
		text, err := os.ReadFile(Path(root, "hopscotch", "spec", s01))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first := read()
	if second := read(); first != second {
		t.Errorf("two panics differ:\n%s\n%s", first, second)
	}
	if !strings.Contains(first, "TestPanicDetail_IsStable") || strings.Contains(first, "0x") {
		t.Errorf("the stack lacks the frame of the panic, or has addresses:\n%s", first)
	}
}
