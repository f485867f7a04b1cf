package driver

import (
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// TestSpecIsSyncMap holds the sequential specification against the documented map itself, run by
// one goroutine: whatever calls are made, both give the same answers.
func TestSpecIsSyncMap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	count := map[Kind]int{}
	for range 2000 {
		var m sync.Map
		var s cell
		for range 12 {
			c := Call{Kind: Kind(1 + random.IntN(len(kindNames)-1)), Key: 7}
			if c.Kind.hasOld() {
				c.Old = 1 + random.Uint32N(3)
			}
			if c.Kind.hasValue() {
				c.Value = 1 + random.Uint32N(3)
			}
			var want Answer
			want, s = s.step(c)
			if got := do(&m, c); got != want {
				t.Fatalf("%v: the specification answers %+v, sync.Map %+v", names{}.call(c), want, got)
			}
			if v, ok := m.Load(c.Key); ok != s.present || ok && v != s.value {
				t.Fatalf("after %v: the specification holds %v, sync.Map %v, %v", names{}.call(c), s, v, ok)
			}
			if want.OK {
				count[c.Kind]++
			}
		}
	}
	for _, k := range []Kind{Load, Swap, LoadOrStore, LoadAndDelete, CompareAndSwap, CompareAndDelete} {
		if count[k] == 0 {
			t.Errorf("%v never answered true: the calls are too few", k)
		}
	}
}

// do performs a call on the map of this very process.
func do(m *sync.Map, c Call) Answer {
	answer := func(v any, ok bool) Answer {
		value, _ := v.(uint32)
		return Answer{value, ok}
	}
	switch c.Kind {
	case Load:
		return answer(m.Load(c.Key))
	case Store:
		m.Store(c.Key, c.Value)
	case Swap:
		return answer(m.Swap(c.Key, c.Value))
	case LoadOrStore:
		return answer(m.LoadOrStore(c.Key, c.Value))
	case LoadAndDelete:
		return answer(m.LoadAndDelete(c.Key))
	case Delete:
		m.Delete(c.Key)
	case CompareAndSwap:
		return Answer{OK: m.CompareAndSwap(c.Key, c.Old, c.Value)}
	case CompareAndDelete:
		return Answer{OK: m.CompareAndDelete(c.Key, c.Old)}
	}
	return Answer{}
}

// An event of a history in a test: a call if the answer is nil, else its return.
type event struct {
	actor int
	call  Call
	ret   *Answer
}

func call(actor int, c Call) event             { return event{actor, c, nil} }
func ret(actor int, v uint32, ok bool) event   { return event{actor, Call{}, &Answer{v, ok}} }
func done(actor int, c Call, a Answer) []event { return []event{call(actor, c), {actor, c, &a}} }
func sequence(groups ...[]event) (out []event) {
	for _, g := range groups {
		out = append(out, g...)
	}
	return out
}

func recorded(events []event) *record {
	r := &record{}
	open := map[int]int{}
	for _, e := range events {
		if e.ret == nil {
			open[e.actor] = r.begin(e.actor, e.call)
		} else {
			r.end(open[e.actor], *e.ret)
		}
	}
	return r
}

// TestHistories judges histories whose verdict follows from the meaning of the operations. The
// illegal ones are canaries.
func TestHistories(t *testing.T) {
	add1, add2 := With(LoadOrStore, 1, 11), With(LoadOrStore, 1, 21)
	take, get := OnKey(LoadAndDelete, 1), OnKey(Load, 1)
	swap1, swap2 := Change(1, 5, 11), Change(1, 5, 21)
	five := map[uint32]cell{1: {true, 5}}
	for _, c := range []struct {
		name    string
		initial map[uint32]cell
		events  []event
		legal   bool
	}{
		{"one of two stores", nil, []event{call(0, add1), call(1, add2), ret(1, 21, false),
			ret(0, 21, true)}, true},
		{"both store", nil, []event{call(0, add1), call(1, add2), ret(1, 21, false),
			ret(0, 11, false)}, false},
		{"loads what nobody stored", nil, done(0, add1, Answer{99, true}), false},
		{"one of two deletes", five, []event{call(0, take), call(1, take), ret(1, 5, true),
			ret(0, 0, false)}, true},
		{"both delete", five, []event{call(0, take), call(1, take), ret(1, 5, true),
			ret(0, 5, true)}, false},
		{"one of two swaps", five, []event{call(0, swap1), call(1, swap2), ret(1, 0, true),
			ret(0, 0, false)}, true},
		{"both swap", five, []event{call(0, swap1), call(1, swap2), ret(1, 0, true),
			ret(0, 0, true)}, false},
		{"get either way", five, []event{call(0, take), call(1, get), ret(1, 5, true),
			ret(0, 5, true)}, true},
		{"get after the delete", five, sequence(done(0, take, Answer{5, true}),
			done(1, get, Answer{5, true})), false},
		{"keys are apart", five, sequence(done(0, OnKey(Load, 2), Answer{}),
			done(1, get, Answer{5, true})), true},
		{"other key's value", five, done(0, OnKey(Load, 2), Answer{5, true}), false},
		{"a value with false", nil, done(0, get, Answer{5, false}), false},
	} {
		err := newJudge(c.initial, nil).check(recorded(c.events))
		if c.legal != (err == nil) || err != nil && !errors.Is(err, ErrIllegal) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestNoReturn: an operation in flight is no history to judge.
func TestNoReturn(t *testing.T) {
	r := recorded([]event{call(0, OnKey(Load, 1))})
	if err := newJudge(nil, nil).check(r); !errors.Is(err, ErrUnknown) {
		t.Errorf("judged as %v", err)
	}
}

// TestJudgeRemembers: a second look gives the same verdict, and another history its own.
func TestJudgeRemembers(t *testing.T) {
	j := newJudge(nil, nil)
	bad, good := done(0, OnKey(Load, 1), Answer{5, true}), done(0, OnKey(Load, 1), Answer{})
	for range 2 {
		if err := j.check(recorded(bad)); !errors.Is(err, ErrIllegal) {
			t.Errorf("bad history judged as %v", err)
		}
		if err := j.check(recorded(good)); err != nil {
			t.Errorf("good history judged as %v", err)
		}
	}
	if len(j.known) != 2 {
		t.Errorf("%d verdicts kept, want 2", len(j.known))
	}
}

// TestJudgeTellsApart: histories that differ in anything have verdicts of their own.
func TestJudgeTellsApart(t *testing.T) {
	j := newJudge(nil, nil)
	one := op{actor: 1, call: Call{Load, 1, 2, 3}, answer: Answer{4, false}, called: 1, returned: 3}
	all := []op{one}
	for _, change := range []func(o *op){
		func(o *op) { o.actor++ }, func(o *op) { o.called++ }, func(o *op) { o.returned++ },
		func(o *op) { o.call.Kind++ }, func(o *op) { o.call.Key++ }, func(o *op) { o.call.Old++ },
		func(o *op) { o.call.Value++ }, func(o *op) { o.answer.Value++ }, func(o *op) { o.answer.OK = true },
	} {
		other := one
		change(&other)
		all = append(all, other)
	}
	for _, o := range all {
		_ = j.check(&record{calls: []op{o}}) // right or wrong
	}
	if len(j.known) != len(all) {
		t.Errorf("%d histories have %d verdicts", len(all), len(j.known))
	}
}

// TestTable: names, calls, the time in flight and answers are in the table.
func TestTable(t *testing.T) {
	r := recorded([]event{call(0, With(LoadOrStore, 1, 11)), call(1, Change(1, 5, 6)),
		ret(1, 0, false), ret(0, 11, false)})
	want := `time | actor 1           | actor 2
---- | ----------------- | -----------------
   1 | GetOrSet(1, 11)   |
   2 | |                 | Change(1, 5, 6)
   3 | |                 | -> false
   4 | -> 11 stored      |
`
	n := names{LoadOrStore: "GetOrSet", CompareAndSwap: "Change"}
	if got := squeeze(r.table(n.texts)); got != squeeze(want) {
		t.Errorf("table is\n%swant\n%s", got, want)
	}
}

// squeeze drops what differs by the width of columns.
func squeeze(table string) string {
	var b strings.Builder
	for line := range strings.Lines(table) {
		b.WriteString(strings.Join(strings.Fields(strings.ReplaceAll(line, "-----", "-")), " ") + "\n")
	}
	for s := b.String(); ; {
		next := strings.ReplaceAll(s, "--", "-")
		if next == s {
			return s
		}
		s = next
	}
}
