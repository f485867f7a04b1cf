package explore_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/sync"
)

// A village is a random program of processes that may die. Each line is what one actor does, two bytes a
// move: what is done (l load, s store 1, a add 1, c swap 0 for 2, g go on only if a load returns something,
// m lock and add, h lock until the end, k look whether a process lives, x go on only if it does not, e look
// and then load one of two words, w wait for a word or a death, q wait for the bell, b ring it and try the
// lock that goes with it, S send, R receive, U select to send or receive, V select to send if somebody can
// take it), and to which word, process or channel. Homes are the processes of the actors, - for none.
// Histories is Options.Histories. With forgets what the dead have read is no part of what comes of it, and
// the processes are of that kind (Process.ReadsDie).
type village struct {
	lines   []string
	homes   string
	present [2]bool
	kills   int

	histories, forgets bool

	offersAll bool // the processes are not of that kind
}

func (v village) String() string {
	return fmt.Sprint(v.lines, v.homes, v.present, v.kills, v.histories, v.forgets)
}

// A life is the state of one execution of a village.
type life struct {
	v         village
	x         *explore.Execution
	words     [3]atomic.Uint64
	mu        sync.Mutex
	door      sync.Mutex
	pipes     [2]chan int // one has a buffer
	bell      *sync.Cond
	processes [2]*explore.Process
	saw       []string // by line
}

// live does what line n says.
func (l *life) live(n int) {
	held, line := false, l.v.lines[n]
	for i := 0; i+1 < len(line); i += 2 {
		see, on := l.move(line[i], int(line[i+1]-'0'), &held)
		if l.saw[n] += fmt.Sprint(see); !on {
			break
		}
	}
	if held {
		l.mu.Unlock()
	}
}

// move makes a move, and reports what it has seen and whether the line goes on.
func (l *life) move(what byte, at int, held *bool) (see uint64, on bool) {
	w, gone := &l.words[at], func() bool { return l.x.Gone(l.processes[at]) }
	switch what {
	case 'l':
		return w.Load(), true
	case 's':
		w.Store(1)
	case 'a':
		return w.Add(1), true
	case 'c':
		return uint64(btoi(w.CompareAndSwap(0, 2))), true
	case 'g':
		see = w.Load()
		return see, see != 0
	case 'm':
		if !*held {
			l.mu.Lock()
			defer l.mu.Unlock()
		}
		return l.words[2].Add(1), true
	case 'h':
		if !*held {
			l.mu.Lock()
			*held = true
		}
	case 'S':
		flow.To(l.pipes[at]).Send(1)
	case 'R':
		see = uint64(flow.Receive(l.pipes[at]))
	case 'U':
		see = uint64(flow.Select(false, flow.To(l.pipes[0]).Case(1), flow.Receiving(l.pipes[1])))
	case 'V':
		see = uint64(1 + flow.Select(true, flow.To(l.pipes[0]).Case(1), flow.To(l.pipes[1]).Case(1)))
	case 'q':
		l.door.Lock()
		defer l.door.Unlock()
		l.bell.Wait()
	case 'b':
		l.bell.Signal()
		if see = uint64(btoi(l.door.TryLock())); see == 1 {
			l.door.Unlock()
		}
	case 'k', 'x':
		l.words[2].Load()
		see = uint64(btoi(gone()))
		return see, what == 'k' || see == 1
	case 'e':
		return l.words[btoi(gone())].Load(), true
	case 'w':
		for see = w.Load(); see == 0 && !gone(); {
			see = w.Load()
		}
	}
	return see, true
}

// end is what came of it.
func (l *life) end() string {
	saw := slices.Clone(l.saw)
	for n := range saw {
		if l.v.forgets && l.v.homes[n] != '-' && l.x.Gone(l.processes[l.v.homes[n]-'0']) {
			saw[n] = ""
		}
	}
	text := fmt.Sprint(saw, l.words[0].Load(), l.words[1].Load(), l.words[2].Load(),
		l.x.Gone(l.processes[0]), l.x.Gone(l.processes[1]))
	counted := !l.v.forgets // how often one looks who waits is another matter in each search
	for n, line := range l.v.lines {
		text += fmt.Sprint(" ", l.x.Killed(n))
		counted = counted && !strings.Contains(line, "w")
	}
	if counted {
		text += fmt.Sprint(" ", l.x.Steps())
	}
	return text
}

// program collects the ends of its executions.
func (v village) program(got map[string]int) explore.Program {
	processes := [2]*explore.Process{}
	for i := range processes {
		processes[i] = &explore.Process{Name: fmt.Sprint(i), Present: v.present[i],
			ReadsDie: v.forgets && !v.offersAll}
	}
	var l *life
	return explore.Program{
		Name: "village",
		Start: func(x *explore.Execution) []explore.Actor {
			l = &life{v: v, x: x, processes: processes, saw: make([]string, len(v.lines))}
			l.pipes = [2]chan int{make(chan int, 1), make(chan int)}
			l.bell = sync.NewCond(&l.door)
			x.Region(unsafe.Pointer(&l.words), int(unsafe.Sizeof(l.words)))
			x.Region(unsafe.Pointer(&l.mu), int(unsafe.Sizeof(l.mu)))
			var actors []explore.Actor
			for n := range v.lines {
				a := explore.Actor{Body: func() { l.live(n) }}
				if v.homes[n] != '-' {
					a.Process = processes[v.homes[n]-'0']
				}
				actors = append(actors, a)
			}
			return actors
		},
		Finish: func(*explore.Execution) error {
			got[l.end()]++
			return nil
		},
	}
}

func randomVillage(r *rand.Rand) village {
	v := village{present: [2]bool{r.IntN(2) == 0, r.IntN(2) == 0}, kills: 1 + r.IntN(4)/3,
		histories: r.IntN(4) == 0, forgets: r.IntN(2) == 0}
	for range 2 + r.IntN(2) {
		var b strings.Builder
		const moves = "lsaacgkkxewmhqb"
		home := "0011-"[r.IntN(5)]
		for range 1 + r.IntN(3) {
			b.WriteByte(moves[r.IntN(len(moves))])
			b.WriteByte('0' + byte(r.IntN(2)))
		}
		v.lines = append(v.lines, b.String())
		v.homes += string(home)
	}
	return v
}

// effort sums up what reduced searches have run.
type effort struct {
	compared, all, executions, classes uint64

	// Of villages that forget: what the search of all runs, and what those do that leave deaths out.
	forgotten, fewer uint64
}

// agrees compares the reduced search of a village with the search of all its executions.
func (v village) agrees(t *testing.T, sum *effort) error {
	all, got := map[string]int{}, map[string]int{}
	o := withoutAudit(unbounded())
	o.Kills, o.BlockedOK, o.MaxExecutions = v.kills, true, 3_000
	w := v
	w.offersAll = true
	a := mustExplore(t, w.program(all), o)
	if !a.Exhaustive && a.Failure == nil {
		return nil // too large to compare
	}
	if v.forgets && a.Failure == nil {
		if err := v.fewer(t, o, a, all, sum); err != nil {
			return err
		}
	}
	o.Reduce, o.MaxExecutions, o.Histories, o.Audit = true, 0, v.histories, 5
	r := mustExplore(t, v.program(got), o)
	switch sum.compared++; {
	case a.Failure != nil && r.Failure != nil && a.Failure.Kind == r.Failure.Kind:
		return nil // a wait that never ends
	case a.Failure != nil || r.Failure != nil || !r.Exhaustive:
		return fmt.Errorf("%v: %v, reduced %v", v, a.Err(), r.Err())
	case keysOf(got) != keysOf(all) || (a.Blocked > 0) != (r.Blocked > 0):
		return fmt.Errorf("%v: %d deadlocks of %d, outcomes lost %q, and made up %q", v, r.Blocked, a.Blocked,
			without(all, got), without(got, all))
	}
	sum.all += a.Executions
	sum.executions += r.Executions
	sum.classes += r.Classes
	return nil
}

// fewer compares the searches of a village that leave out equivalent deaths with the report and the outcomes
// of the search that has them all.
func (v village) fewer(t *testing.T, o explore.Options, a explore.Report, all map[string]int,
	sum *effort) error {
	for _, o.Stateful = range []bool{false, true} {
		got := map[string]int{}
		b := mustExplore(t, v.program(got), o)
		if keysOf(got) != keysOf(all) || (a.Blocked > 0) != (b.Blocked > 0) || b.Executions > a.Executions {
			return fmt.Errorf("%v, stateful %v: %d of %d executions, outcomes lost %q, and made up %q", v,
				o.Stateful, b.Executions, a.Executions, without(all, got), without(got, all))
		}
		sum.fewer += b.Executions
	}
	sum.forgotten += a.Executions
	return nil
}

// without are the keys of a that b does not have.
func without(a, b map[string]int) (keys []string) {
	for k := range a {
		if b[k] == 0 {
			keys = append(keys, k)
		}
	}
	return keys
}

// TestDeaths_Random: over random programs of processes of which one or two die, the reduced search has the
// outcomes of the search of all executions. What it costs is judged over the first half, which is the same
// each time: of 8,000 programs 1.23 executions have a class, and 2,000 drawn anew stray from that.
func TestDeaths_Random(t *testing.T) {
	seed := drawn(t)
	fixed, drawn := effort{}, effort{}
	for _, half := range []struct {
		seed uint64
		sum  *effort
	}{{1, &fixed}, {seed, &drawn}} {
		r := rand.New(rand.NewPCG(half.seed, 3))
		for half.sum.compared < 1000 {
			if err := randomVillage(r).agrees(t, half.sum); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("seed 1 %+v, seed %d %+v", fixed, seed, drawn)
	if fixed.all < 5*fixed.executions || 4*fixed.executions > 5*fixed.classes {
		t.Errorf("%+v: too few are left out, or more than a quarter of the rest is in vain", fixed)
	}
}

// TestDeaths_Canary: two faults of the reduction are noticed: that a death is independent of steps that
// report it, and that it is independent of the steps that it prevents.
func TestDeaths_Canary(t *testing.T) {
	for name, fault := range explore.DeathFaults {
		explore.WithFault(fault, func() {
			r, sum := rand.New(rand.NewPCG(1, 3)), effort{}
			for range 300 {
				if randomVillage(r).agrees(t, &sum) != nil {
					return
				}
			}
			t.Errorf("%s: 300 random programs do not tell the relations apart", name)
		})
	}
}

// TestDeaths_Hard: programs of which other ways to reverse a death lose an outcome. In the first one a death
// need not come at all; in the second a plan has a step of an actor that another alternative has ended; in
// the third one an actor waits for a lock where it dies, and would not if it died later; in the fourth one a
// death has to come while the other process, which holds the lock, goes on, and that one dies right after it;
// in the fifth one a process waits for the lock of a dead actor, and dies ahead of what it has read last. In
// the next somebody may die because it was woken, and in that after it because it has unlocked the lock that
// it waits for, with nobody else left; in the eighth one who waits for the lock of a dead one may not. Then
// somebody dies ahead of what would end its wait, twice, and somebody waits at an empty channel for ever.
func TestDeaths_Hard(t *testing.T) {
	for _, v := range []village{
		{[]string{"c1l0", "c0g1x0", "s0g1k0"}, "010", [2]bool{false, true}, 1, false, false, false},
		{[]string{"x1", "k1s1", "a0a1"}, "0-1", [2]bool{}, 2, false, false, false},
		{[]string{"s1", "h0m1s0", "l1e1h0"}, "101", [2]bool{true, false}, 2, false, false, false},
		{[]string{"a1h0a0", "h0s1"}, "10", [2]bool{false, true}, 2, false, true, false},
		{[]string{"a0l0m1", "h1g0"}, "1-", [2]bool{true, false}, 2, false, true, false},
		{[]string{"q0", "b0"}, "--", [2]bool{}, 1, false, false, false},
		{[]string{"m0m0"}, "-", [2]bool{}, 1, false, false, false},
		{[]string{"q0", "b0q0"}, "--", [2]bool{}, 2, false, false, false},
		{[]string{"S1R1", "U0V0S0"}, "01", [2]bool{true, true}, 2, false, false, false},
		{[]string{"S1", "U1S0x0", "U1l1l0"}, "100", [2]bool{false, true}, 2, false, false, false},
		{[]string{"l0R0", "x1l1"}, "11", [2]bool{true, true}, 1, false, false, false},
	} {
		sum := effort{}
		if err := v.agrees(t, &sum); err != nil || sum.all == 0 {
			t.Errorf("%v, %+v", err, sum)
		}
	}
}

// TestDeaths_Counts: a process of one actor with n steps runs beside an actor that does not look at it. It
// may die before each step and after the last one: n + 2 classes, with the one without a death. An actor
// that looks once whether the process is alive splits each of the n + 1 classes with a death in two, except
// the one in which the death comes after everything else.
func TestDeaths_Counts(t *testing.T) {
	for _, c := range []struct {
		v    village
		want uint64
	}{
		{village{[]string{"a0", "a1"}, "01", [2]bool{true, false}, 1, false, false, false}, 3},
		{village{[]string{"a0a0a0", "a1"}, "01", [2]bool{true, false}, 1, false, false, false}, 5},
		{village{[]string{"a0", "k0"}, "01", [2]bool{true, false}, 1, false, false, false}, 4},
		{village{[]string{"a0a0", "k0"}, "01", [2]bool{true, false}, 1, false, false, false}, 6},
	} {
		o := withoutAudit(reduced())
		o.Kills = 1
		if r := mustExplore(t, c.v.program(map[string]int{}), o); r.Classes != c.want || r.Repeated != 0 {
			t.Errorf("%v: %d classes, %d repeated, want %d", c.v, r.Classes, r.Repeated, c.want)
		}
	}
}

// TestDeaths_Tokens: the token of each execution of a reduced search replays to the same outcome, also if the
// death comes after all steps.
func TestDeaths_Tokens(t *testing.T) {
	v := village{[]string{"a0m0", "k0a0", "l0k0"}, "010", [2]bool{true, false}, 1, false, false, false}
	got, tokens := map[string]int{}, map[string]string{}
	p := v.program(got)
	finish := p.Finish
	p.Finish = func(x *explore.Execution) error {
		clear(got)
		err := finish(x)
		if token := x.Token(); token != "" {
			tokens[token] = keysOf(got)
		}
		return err
	}
	o := withoutAudit(reduced())
	o.Kills, o.BlockedOK = 1, true
	if r := mustExplore(t, p, o); r.Failure != nil || len(tokens) < 20 {
		t.Fatalf("%v, %d tokens", r.Err(), len(tokens))
	}
	for token, want := range tokens {
		r, err := explore.Replay(p, token, explore.Options{})
		if err != nil || r.Failure != nil || keysOf(got) != want {
			t.Fatalf("%s: %v, %v, %s, want %s", token, err, r.Err(), keysOf(got), want)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
