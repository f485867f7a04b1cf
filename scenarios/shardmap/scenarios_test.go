//go:build explore

package shardmap

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	register "github.com/samecycle/samecycle/internal/catalog/shardmap"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/linearizability"
	model "github.com/samecycle/samecycle/model/shardmap"
)

// mustProgram finds a program of the model.
func mustProgram(t *testing.T, name string) model.Program {
	t.Helper()
	p, ok := model.ProgramByName(name)
	if !ok {
		t.Fatalf("no program %s", name)
	}
	return p
}

// TestPrograms_Pass: every program keeps the model and has linearizable histories within two preemptions, and
// the race of each state happens in one of its programs.
func TestPrograms_Pass(t *testing.T) {
	marked := map[string]bool{}
	for _, p := range Engine().Programs {
		bound := 2
		if p.State == "M02WriterStarvation" {
			bound = 3 // its race needs three actors at three places
		}
		rep, err := p.Explore(harness.Options{Preemptions: bound})
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		if rep.Failure != nil || !rep.Exhaustive {
			t.Errorf("%s: %v\n%v", p.Name, rep.Bound, rep.Failure)
		}
		marked[p.State] = marked[p.State] || rep.Marks[p.State] > 0
	}
	for _, s := range register.States() {
		if !marked[s.ID] {
			t.Errorf("the race of %s never happens", s.ID)
		}
	}
}

// written searches a program with the behaviour of the source, without the model, which does not have it.
func written(t *testing.T, name string, o harness.Options) harness.Report {
	t.Helper()
	p := registered(mustProgram(t, name))
	p.Open = func(o harness.Options) (*harness.Prepared, error) { return open(mustProgram(t, name), o, true) }
	rep, err := p.Explore(o)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// TestWritten_FreshValueIsLost: as the source words it, a cleanup and a deferred invalidation erase a value
// that was put since: the history has no order. As built it has one: TestPrograms_Pass.
func TestWritten_FreshValueIsLost(t *testing.T) {
	for _, name := range []string{"M07DeferredInvalidation", "M08CleanupPut", "M13FullCleanup"} {
		rep := written(t, name, harness.Options{Preemptions: explore.Unbounded})
		if rep.Failure == nil || !errors.Is(rep.Failure.Err, linearizability.ErrIllegal) ||
			!strings.Contains(rep.Failure.Message, "erases 1") {
			t.Errorf("%s: %v", name, rep.Failure)
		}
	}
}

// TestDeadlocks_AreFound: what a callback or a predicate must not do ends in a deadlock or a livelock, which
// the explorer finds.
func TestDeadlocks_AreFound(t *testing.T) {
	n := 0
	for _, p := range model.Programs() {
		if !p.Deadlocks {
			continue
		}
		n++
		// The model has no step to judge where all wait.
		rep := written(t, p.Name, harness.Options{Preemptions: 3})
		if f := rep.Failure; f == nil || f.Kind != explore.Livelock && f.Kind != explore.Deadlock {
			t.Errorf("%s: %v, want a livelock", p.Name, rep.Failure)
		}
	}
	if n != 7 {
		t.Errorf("%d programs must deadlock, want 7", n)
	}
}

// TestReplay: a token of an outcome runs the same interleaving again, and each step has its action and its
// word.
func TestReplay(t *testing.T) {
	p := registered(mustProgram(t, "M08CleanupPut"))
	rep, err := p.Explore(harness.Options{Preemptions: 1})
	if err != nil || len(rep.Tokens) == 0 {
		t.Fatalf("%v, %d tokens", err, len(rep.Tokens))
	}
	for outcome, token := range rep.Tokens {
		e, found, err := harness.Find([]*harness.Engine{Engine()}, token)
		if err != nil || e.Name != "shardmap" {
			t.Fatal(err)
		}
		again, err := found.Replay(token)
		if err != nil || again.Failure != nil || again.Outcomes[outcome] != 1 {
			t.Errorf("%s: %v, %v, %v", outcome, err, again.Failure, again.Outcomes)
		}
		for _, want := range []string{"ShardLook  contents of shard 0", "CleanupNext  cursor",
			"WriteClaim  lock of"} {
			if !strings.Contains(again.Table, want) {
				t.Errorf("the table lacks %q:\n%s", want, again.Table)
			}
		}
	}
}

// TestStep_Canaries: a step that is altered before it is judged is refused, whatever it is.
func TestStep_Canaries(t *testing.T) {
	p := registered(mustProgram(t, "M08CleanupPut"))
	for name, alter := range map[string]func(*explore.Step){
		"another word":     func(s *explore.Step) { s.Object += 1 << 48 },
		"another actor":    func(s *explore.Step) { s.Actor = 1 - s.Actor },
		"another access":   func(s *explore.Step) { s.Kind = hook.Store },
		"another function": func(s *explore.Step) { s.Func = "shardmap.(*Map).other" },
		"another action":   func(s *explore.Step) { s.Func = "shardmap.(*Lock).writeLeave" },
	} {
		rep, err := p.Explore(harness.Options{Preemptions: 1, Misplaced: func(s *explore.Step) {
			if strings.HasSuffix(s.Func, ".shardChange") {
				alter(s)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Failure == nil || !errors.Is(rep.Failure.Err, harness.ErrRejected) {
			t.Errorf("%s: %v", name, rep.Failure)
		}
	}
}

// TestJudge_Canaries: a history with another answer than the map's has no order.
func TestJudge_Canaries(t *testing.T) {
	q := sequence{mustProgram(t, "M08CleanupPut")}
	x := q.initial()
	for name, c := range map[string]struct {
		call
		answer
		ok bool
	}{
		"a get of what is there": {call{kind: model.Get, key: 1}, answer{gave: true, n: 10}, true},
		"a get of another value": {call{kind: model.Get, key: 1}, answer{gave: true, n: 11}, false},
		"an erase of what is stale": {call{kind: model.Cleanup, part: erased, key: 1, context: 1},
			answer{gave: true, n: 1}, true},
		"an erase of what is fresh": {call{kind: model.Cleanup, part: erased, key: 1},
			answer{gave: true, n: 1}, false},
		"a count": {call{kind: model.Size, part: counted, shard: 1},
			answer{gave: true, n: 2}, true},
		"another count": {call{kind: model.Size, part: counted, shard: 1},
			answer{gave: true, n: 1}, false},
		"an invalidation": {call{kind: model.Invalidate, key: 1}, answer{gave: true, n: 1},
			true},
		"an invalidation of nothing": {call{kind: model.Invalidate, key: 1}, answer{gave: true}, false},
		"a conditional one": {call{kind: model.InvalidateIf, key: 1, context: 1},
			answer{gave: true, n: 1}, true},
		"a conditional one, not to be": {call{kind: model.InvalidateIf, key: 1}, answer{gave: true, n: 1},
			false},
		"a get that rejects": {call{kind: model.GetFunc, key: 1, context: 1, verdict: model.Reject},
			answer{gave: true}, true},
		"a get that should": {call{kind: model.GetFunc, key: 1, context: 1, verdict: model.Reject},
			answer{gave: true, n: 10}, false},
	} {
		if ok, _ := q.step(x, c.call, c.answer); ok != c.ok {
			t.Errorf("%s: %v, want %v", name, ok, c.ok)
		}
	}
}

// TestWorld_Leftovers: a lock or a flag that is left behind, and a number that is not what was erased, are
// seen.
func TestWorld_Leftovers(t *testing.T) {
	w, err := newWorld(mustProgram(t, "M08CleanupPut"), false)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(nil, 0); err != nil {
		t.Errorf("a map at rest: %v", err)
	}
	*(*uint32)(w.m.Places()[0].At) = 1
	if err := w.Finish(nil, 0); !errors.Is(err, ErrLeftover) {
		t.Errorf("a lock that is taken: %v", err)
	}
	*(*uint32)(w.m.Places()[0].At) = 0
	for _, p := range w.m.Places() {
		if p.Name == "cleanup flag" {
			*(*uint32)(p.At) = 1
		}
	}
	if err := w.Finish(nil, 0); !errors.Is(err, ErrLeftover) {
		t.Errorf("a flag that is set: %v", err)
	}
	o := model.Op{Kind: model.Cleanup}
	if err := w.check(o, answer{gave: true, n: 1}, 2); !errors.Is(err, ErrCount) {
		t.Errorf("one is returned, two were erased: %v", err)
	}
}

// TestOpen_Refuses what the engine does not have.
func TestOpen_Refuses(t *testing.T) {
	p := registered(mustProgram(t, "M01ReaderWriter"))
	if _, err := p.Open(harness.Options{Apart: true}); !errors.Is(err, harness.ErrApart) {
		t.Error(err)
	}
	if _, err := p.Open(harness.Options{Kills: 1}); !errors.Is(err, harness.ErrKills) ||
		!strings.Contains(fmt.Sprint(err), "leave kills out") {
		t.Error(err)
	}
}

// TestMinimise: a failure of the sharded map loses the operations that it does not need, and becomes a test
// that finds its program by name.
func TestMinimise(t *testing.T) {
	p := registered(mustProgram(t, "M08CleanupPut_Three"))
	o := harness.Options{Preemptions: 2, Misplaced: func(s *explore.Step) {
		if strings.HasSuffix(s.Func, ".shardChange") {
			s.Object += 1 << 48
		}
	}}
	rep, err := p.Explore(o)
	if err != nil || rep.Failure == nil {
		t.Fatalf("%v: no failure to make smaller", err)
	}
	small, err := Engine().Minimise(rep.Failure.Token, harness.Reduction{Options: o})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(small.Program, "M08CleanupPut_Three-") || len(small.Failure.Actors) != 1 ||
		harness.Verdict(small.Failure) != harness.Verdict(rep.Failure) {
		t.Errorf("left is %s of %v: %q", small.Program, small.Failure.Actors, small.Notes)
	}
	text, err := Engine().Export(small.Report, "some_test")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "x_test.go", text, 0); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	for _, want := range []string{"harness.Find(engines.All(), token)", small.Failure.Token} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the test lacks %q:\n%s", want, text)
		}
	}
	if _, _, err := harness.Find([]*harness.Engine{Engine()}, small.Failure.Token); err != nil {
		t.Errorf("the smaller program is not found: %v", err)
	}
	for _, name := range []string{"M08CleanupPut-9.9", "Nobody"} {
		if _, err := named(name); !errors.Is(err, explore.ErrToken) {
			t.Errorf("%s: %v, want %v", name, err, explore.ErrToken)
		}
	}
}
