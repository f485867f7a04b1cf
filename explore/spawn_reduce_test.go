package explore_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/sync"
	"github.com/samecycle/samecycle/internal/hook"
)

// A family is a random program whose actors make others. Each line is what one actor does, two bytes
// a move: what is done (l load, s store 1, a add 1, c swap 0 for 2, g go on only if a load returns
// something, m lock and unlock, p start the next line that nobody has started, q the same and wait for
// it later, w wait for those), and to which word. Lines below roots are there from the start.
type family struct {
	roots int
	lines []string
}

func (f family) String() string { return fmt.Sprint(f.roots, f.lines) }

// upbringing is the state of one execution of a family. A line's children are its own, so that who
// starts which line does not depend on the order of the steps.
type upbringing struct {
	f      family
	words  [3]atomic.Uint64
	mu     sync.Mutex
	groups []sync.WaitGroup
	saw    []string // by line: what its accesses returned
	order  string   // of the locked moves, in plain memory
}

// children are the lines that line n may start: the tree in which line k is a child of line k/2.
func (f family) children(n int) []int {
	var c []int
	for k := f.roots; k < len(f.lines); k++ {
		if (k-f.roots)/2 == n {
			c = append(c, k)
		}
	}
	return c
}

func (u *upbringing) live(n int) {
	children, script := u.f.children(n), u.f.lines[n]
	for i := 0; i+1 < len(script); i += 2 {
		w, see := &u.words[script[i+1]-'0'], uint64(9)
		switch c := script[i]; {
		case c == 'l':
			see = w.Load()
		case c == 's':
			w.Store(1)
		case c == 'a':
			see = w.Add(1)
		case c == 'c' && w.CompareAndSwap(0, 2):
			see = 1
		case c == 'g' && w.Load() == 0:
			i = len(script)
		case c == 'm':
			u.mu.Lock()
			u.order += fmt.Sprint(n)
			u.mu.Unlock()
		case c == 'p' && len(children) > 0:
			k := children[0]
			flow.Go(func() { u.live(k) })
			children = children[1:]
		case c == 'q' && len(children) > 0:
			k := children[0]
			u.groups[n].Go(func() { u.live(k) })
			children = children[1:]
		case c == 'w':
			u.groups[n].Wait()
		}
		u.saw[n] += fmt.Sprint(see)
	}
}

func (f family) program(got map[string]int) explore.Program {
	var u *upbringing
	return explore.Program{
		Name: "family",
		Start: func(x *explore.Execution) []explore.Actor {
			n := len(f.lines)
			u = &upbringing{f: f, saw: make([]string, n), groups: make([]sync.WaitGroup, n)}
			x.Region(unsafe.Pointer(u), int(unsafe.Sizeof(*u))) // names that hold in all executions
			x.Region(unsafe.Pointer(&u.groups[0]), len(u.groups)*int(unsafe.Sizeof(u.groups[0])))
			var actors []explore.Actor
			for n := range f.roots {
				actors = append(actors, explore.Actor{Body: func() { u.live(n) }})
			}
			return actors
		},
		Finish: func(*explore.Execution) error {
			got[fmt.Sprint(u.saw, u.words[0].Load(), u.words[1].Load(), u.words[2].Load(), u.order)]++
			return nil
		},
	}
}

// randomFamily draws a family of two or three lines beside the roots. What the lines do is short, so
// that the search of all executions ends.
func randomFamily(r *rand.Rand) family {
	f := family{roots: 1 + r.IntN(2)}
	for i := range f.roots + 2 + r.IntN(2) {
		var b strings.Builder
		if i < f.roots {
			b.WriteString([]string{"p0", "q0", "p0q0", "a0p0"}[r.IntN(4)])
		}
		for range 1 + r.IntN(5-f.roots) {
			b.WriteByte("lsaacgmpqw"[r.IntN(10)])
			b.WriteByte('0' + byte(r.IntN(3)/2))
		}
		f.lines = append(f.lines, b.String())
	}
	return f
}

// agrees compares the reduced search of a family with the search of all its executions, and counts
// those of the reduced one.
func (f family) agrees(t *testing.T, executions *uint64) error {
	all, got := map[string]int{}, map[string]int{}
	o := withoutAudit(unbounded())
	o.MaxExecutions = 3_000
	a := mustExplore(t, f.program(all), o)
	if !a.Exhaustive {
		return nil // too large to compare
	}
	r := mustExplore(t, f.program(got), withoutAudit(reduced()))
	*executions += r.Executions
	switch {
	case a.Failure != nil || r.Failure != nil:
		return fmt.Errorf("%v: %v, reduced %v", f, a.Err(), r.Err())
	case keysOf(got) != keysOf(all):
		return fmt.Errorf("%v: outcomes\n%s\nwant\n%s", f, keysOf(got), keysOf(all))
	case r.Executions != r.Classes || !r.Exhaustive:
		return fmt.Errorf("%v: %d executions, %d classes, %d repeated, %d cut", f, r.Executions,
			r.Classes, r.Repeated, r.SleepBlocked)
	}
	return nil
}

// TestSpawnReduced_Random: over random programs whose actors make others, the reduced search has the
// outcomes of the search of all executions, and one execution of each class.
func TestSpawnReduced_Random(t *testing.T) {
	const runs = 1000
	seed := drawn(t)
	r, executions := rand.New(rand.NewPCG(seed, 2)), uint64(0)
	for range runs {
		if err := randomFamily(r).agrees(t, &executions); err != nil {
			t.Fatal(err)
		}
	}
	if executions < 3*runs {
		t.Errorf("%d executions of %d programs: they do not collide", executions, runs)
	}
}

// TestSpawnReduced_Canary: a reduction to which an actor and what came before its making are independent
// is noticed.
func TestSpawnReduced_Canary(t *testing.T) {
	explore.WithFault(explore.Orphans, func() {
		r, executions := rand.New(rand.NewPCG(1, 2)), uint64(0)
		for range 200 {
			if randomFamily(r).agrees(t, &executions) != nil {
				return
			}
		}
		t.Error("200 random programs do not tell the relations apart")
	})
}

// TestSpawnReduced: three times two accesses of one word have 90 orders and as many classes, also if
// actors make one another; those of different words have one.
func TestSpawnReduced(t *testing.T) {
	got := map[uint64]bool{}
	r := mustExplore(t, spawning(got), reduced())
	if r.Failure != nil || r.Executions != 90 || r.Classes != 90 || len(got) != 1 || !got[111111] {
		t.Errorf("%d executions, %d classes, want 90; %v %v", r.Executions, r.Classes, got, r.Err())
	}
	for _, c := range []struct {
		f    family
		want uint64
	}{
		{family{1, []string{"p0a0", "a1"}}, 1},                   // nothing in common
		{family{1, []string{"a0p0", "a0"}}, 1},                   // before the child
		{family{1, []string{"p0a0", "a0"}}, 2},                   // beside it
		{family{1, []string{"q0w0a0", "a0"}}, 1},                 // after it
		{family{2, []string{"p0", "p0", "a0", "", "a0", ""}}, 2}, // two makers, in either order
		{family{2, []string{"p0", "p0", "a0", "", "a1", ""}}, 1},
	} {
		got := map[string]int{}
		r := mustExplore(t, c.f.program(got), withoutAudit(reduced()))
		if r.Failure != nil || r.Executions != c.want || r.Classes != c.want {
			t.Errorf("%v: %d executions of %d classes, want %d; %v", c.f, r.Executions, r.Classes, c.want,
				r.Err())
		}
	}
}

// TestSpawnReduced_Tokens: the tokens of all executions of a reduced search replay to the same outcome,
// although independent makers make their actors in either order.
func TestSpawnReduced_Tokens(t *testing.T) {
	f := family{2, []string{"a0p0p0", "a0p0", "a1c0", "c0l1", "l1a0"}}
	tokens := map[string]string{}
	last := func(got map[string]int) string { return strings.Join(slices.Collect(maps.Keys(got)), "") }
	got := map[string]int{}
	p := f.program(got)
	finish := p.Finish
	p.Finish = func(x *explore.Execution) error {
		clear(got)
		err := finish(x)
		if token := x.Token(); token != "" {
			tokens[token] = last(got)
		}
		return err
	}
	o := reduced()
	o.Kills = 1
	r := mustExplore(t, p, o)
	if r.Failure != nil || len(tokens) < 50 {
		t.Fatalf("%d tokens, %v", len(tokens), r.Err())
	}
	for token, want := range tokens {
		r, err := explore.Replay(p, token, explore.Options{})
		if err != nil || r.Failure != nil || last(got) != want {
			t.Fatalf("%s: %v %v, %s, want %s", token, err, r.Err(), last(got), want)
		}
	}
}

// TestSpawnReduced_Numbers: in each execution an actor has the number of its place in the order in which
// the actors were made: for itself, in its steps, for who asks whether it was killed, and in the names
// of what it was the first to meet, which a replay of the token gives the same.
func TestSpawnReduced_Numbers(t *testing.T) {
	var made, died []string
	var ended map[string]bool
	var steps, names []string
	word := &atomic.Uint64{} // none of these lies in a region
	start := func(x *explore.Execution) []explore.Actor {
		made, died, ended = []string{"0", "1"}, nil, map[string]bool{}
		steps, names = nil, nil
		*word = atomic.Uint64{}
		body := func(i int) func() {
			own := &atomic.Uint64{}
			return func() {
				own.Add(1)
				word.Add(1) // so that either makes its actor first
				name := fmt.Sprint(i, ".1")
				made = append(made, name)
				flow.Go(func() {
					own, n := &atomic.Uint64{}, x.Actor()
					names = append(names, made[n], name)
					own.Add(1)
					word.Add(1)
					own.Add(1)
					ended[made[x.Actor()]] = true
				})
				own.Add(1)
			}
		}
		return []explore.Actor{{Body: body(0)}, {Body: body(1)}}
	}
	all := map[string]string{}
	p := explore.Program{Name: "numbers", Start: start,
		Step: func(x *explore.Execution, s explore.Step) error {
			if s.Kind == hook.Kill {
				died = append(died, made[s.Actor])
			} else if s.Actor != x.Actor() {
				return fmt.Errorf("a step of actor %d is one of %d", x.Actor(), s.Actor)
			}
			steps = append(steps, fmt.Sprint(s.Actor, s.Kind, s.Object, s.Old, s.New))
			return nil
		},
		Finish: func(x *explore.Execution) error {
			for i := 0; i < len(names); i += 2 {
				if names[i] != names[i+1] {
					return fmt.Errorf("actor %s has the number of %s", names[i+1], names[i])
				}
			}
			for i, name := range made {
				if x.Killed(i) != slices.Contains(died, name) || i > 1 && x.Killed(i) && ended[name] {
					return fmt.Errorf("killed: %v; of actor %d, %s, it is %v", died, i, name, x.Killed(i))
				}
			}
			if token := x.Token(); token != "" {
				all[token] = fmt.Sprint(steps)
			}
			return nil
		}}
	o := withoutAudit(reduced())
	o.Kills = 1
	if r := mustExplore(t, p, o); r.Failure != nil || len(all) < 10 {
		t.Fatalf("%d tokens, %v", len(all), r.Err())
	}
	for token, want := range all {
		r, err := explore.Replay(p, token, explore.Options{})
		if got := fmt.Sprint(steps); err != nil || r.Failure != nil || got != want {
			t.Fatalf("%s: %v, %v\n%s\nwant\n%s", token, err, r.Err(), got, want)
		}
	}
}
