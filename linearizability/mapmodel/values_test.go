package mapmodel

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/samecycle/samecycle/internal/history"
)

// sample is a history of three clients with everything in it: an overlap, a read value, a kill.
func sample(t *testing.T, r *Recorder) History {
	t.Helper()
	r.Reset()
	a := r.Call(0, Request{Add, 7, 70})
	g := r.Call(1, Request{Kind: Get, Key: 7})
	r.Return(a, Result{Outcome: Added})
	r.Call(2, Request{Add, 8, 80})
	r.Return(g, Result{Found, 70})
	if !r.Kill(2) {
		t.Fatal("the kill met nothing in flight")
	}
	h, err := r.History()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestRecorder(t *testing.T) {
	var r Recorder
	h := sample(t, &r)
	want := History{
		{ID: 1, Client: 0, Request: Request{Add, 7, 70}, Result: Result{Added, 0}, Call: 1, Return: 3},
		{ID: 2, Client: 1, Request: Request{Get, 7, 0}, Result: Result{Found, 70}, Call: 2, Return: 5},
		{ID: 3, Client: 2, Request: Request{Add, 8, 80}, Call: 4, Return: history.Forever, Pending: true},
	}
	if len(h) != len(want) {
		t.Fatalf("got %d operations, want %d", len(h), len(want))
	}
	for i := range want {
		if h[i] != want[i] {
			t.Errorf("operation %d: got %s, want %s", i, h[i], want[i])
		}
	}
	if err := h.Validate(); err != nil {
		t.Error(err)
	}
	if r.Clock() != 5 || h.Clients() != 3 || Count(h, Added) != 1 || len(OfKey(h, 8)) != 1 {
		t.Errorf("clock %d, clients %d, added %d", r.Clock(), h.Clients(), Count(h, Added))
	}
}

func TestRecorderAllocatesNothing(t *testing.T) {
	var r Recorder
	sample(t, &r)
	if n := testing.AllocsPerRun(100, func() {
		h := sample(t, &r)
		if err := h.Validate(); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a run, want 0", n)
	}
}

// TestRecorderMarks: the marks of a run are a function of its events, and tell events apart.
func TestRecorderMarks(t *testing.T) {
	var r Recorder
	var marks []uint64
	r.Mark = func(bits uint64) { marks = append(marks, bits) }
	sample(t, &r)
	first := marks
	marks = nil
	sample(t, &r)
	if len(first) != 5 || !slices.Equal(first, marks) {
		t.Errorf("marks %x, then %x; want five, the same twice", first, marks)
	}
	marks = nil
	for _, client := range []int{0, 1} {
		for _, key := range []uint32{1, 2} {
			for _, value := range []uint32{1, 2} {
				r.Reset()
				r.Return(r.Call(client, Request{Add, key, value}), Result{Outcome: Added})
				r.Return(r.Call(client, Request{Kind: Get, Key: key}), Result{Found, value})
			}
		}
	}
	different := map[uint64]bool{}
	for _, m := range marks {
		different[m] = true
	}
	// 8 calls of add, 2 answers added (by client), 4 calls of get, 4 answers found.
	if len(different) != 18 {
		t.Errorf("%d different marks, want 18", len(different))
	}
}

func TestRecorderMisuse(t *testing.T) {
	add := Request{Add, 1, 1}
	for name, misuse := range map[string]func(r *Recorder){
		"two calls":         func(r *Recorder) { r.Call(0, add); r.Call(0, add) },
		"return of nothing": func(r *Recorder) { r.Return(1, Result{Outcome: Added}) },
		"call when killed":  func(r *Recorder) { r.Kill(0); r.Call(0, add) },
		"negative client":   func(r *Recorder) { r.Call(-1, add) },
		"negative kill":     func(r *Recorder) { r.Kill(-1) },
		"two returns": func(r *Recorder) {
			id := r.Call(0, add)
			r.Return(id, Result{Outcome: Added})
			r.Return(id, Result{Outcome: Added})
		},
		"return when killed": func(r *Recorder) {
			id := r.Call(0, add)
			r.Kill(0)
			r.Return(id, Result{Outcome: Added})
		},
	} {
		var r Recorder
		misuse(&r)
		if _, err := r.History(); !errors.Is(err, history.ErrRecorder) {
			t.Errorf("%s: error %v, want ErrRecorder", name, err)
		}
		r.Reset()
		if _, err := r.History(); err != nil {
			t.Errorf("%s: error %v after Reset, want none", name, err)
		}
	}
}

func TestConcurrentRecorder(t *testing.T) {
	const clients, calls = 4, 500
	rec, err := history.NewConcurrent[Request, Result](clients, calls)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range clients {
		log := rec.Client(i)
		wg.Go(func() {
			for k := range uint32(calls) {
				log.Call(Request{Kind: Get, Key: k})
				if k == calls-1 && i == 0 {
					log.Kill()
					return
				}
				log.Return(Result{Outcome: Absent})
			}
		})
	}
	wg.Wait()
	h, err := rec.History()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Validate(); err != nil {
		t.Fatal(err)
	}
	if len(h) != clients*calls || Count(h, Absent) != clients*calls-1 {
		t.Errorf("%d operations, %d answers", len(h), Count(h, Absent))
	}
	for i := 1; i < len(h); i++ {
		if h[i-1].Call >= h[i].Call {
			t.Fatalf("call %d at %d is not after %d", i, h[i].Call, h[i-1].Call)
		}
	}
	rec.Client(0).Call(Request{Kind: Get})
	if _, err := rec.History(); !errors.Is(err, history.ErrRecorder) {
		t.Errorf("a killed client calls: error %v, want ErrRecorder", err)
	}
	if _, err := history.NewConcurrent[Request, Result](0, 0); !errors.Is(err, history.ErrRecorder) {
		t.Errorf("no clients: error %v, want ErrRecorder", err)
	}
}

func TestValidate(t *testing.T) {
	add := Request{Add, 1, 10}
	get := Request{Kind: Get, Key: 1}
	added := Result{Outcome: Added}
	for _, c := range []struct {
		name string
		want error
		h    History
	}{
		{"empty", nil, nil},
		{"good", nil, History{{ID: 1, Request: add, Result: added, Call: 1, Return: 2}}},
		{"instant", nil, History{{ID: 1, Request: add, Result: added, Call: 1, Return: 1}}},
		{"call without return", history.ErrNoReturn, History{{ID: 1, Request: add, Call: 1}}},
		{"reversed", history.ErrReversed, History{{ID: 1, Request: add, Result: added, Call: 3, Return: 2}}},
		{"unknown kind", ErrUnknownKind,
			History{{ID: 1, Request: Request{Kind: 99}, Result: added, Call: 1, Return: 2}}},
		{"no kind", ErrUnknownKind, History{{ID: 1, Result: added, Call: 1, Return: 2}}},
		{"client", history.ErrBadClient,
			History{{ID: 1, Client: -1, Request: add, Result: added, Call: 1, Return: 2}}},
		{"time", history.ErrBadTime, History{{ID: 1, Request: add, Result: added, Call: 0, Return: 2}}},
		{"unending", history.ErrBadTime,
			History{{ID: 1, Request: add, Result: added, Call: 1, Return: history.Forever}}},
		{"pending that ends", history.ErrBadTime,
			History{{ID: 1, Request: add, Call: 1, Return: 2, Pending: true}}},
		{"pending with result", history.ErrPendingResult,
			History{{ID: 1, Request: add, Result: added, Call: 1, Return: history.Forever, Pending: true}}},
		{"outcome", ErrBadOutcome,
			History{{ID: 1, Request: get, Result: added, Call: 1, Return: 2}}},
		{"no outcome", ErrBadOutcome, History{{ID: 1, Request: add, Call: 1, Return: 2}}},
		{"result value", ErrBadValue,
			History{{ID: 1, Request: add, Result: Result{Added, 5}, Call: 1, Return: 2}}},
		{"request value", ErrBadValue, History{
			{ID: 1, Request: Request{Get, 1, 5}, Result: Result{Outcome: Absent}, Call: 1, Return: 2}}},
		{"duplicate id", history.ErrDuplicateID, History{
			{ID: 1, Request: add, Result: added, Call: 1, Return: 2},
			{ID: 1, Client: 1, Request: add, Result: added, Call: 3, Return: 4}}},
		{"overlap", history.ErrOverlap, History{
			{ID: 1, Request: add, Result: added, Call: 1, Return: 3},
			{ID: 2, Request: add, Result: added, Call: 2, Return: 4}}},
		{"touching", history.ErrOverlap, History{
			{ID: 2, Request: add, Result: added, Call: 2, Return: 4},
			{ID: 1, Request: add, Result: added, Call: 1, Return: 2}}},
		{"call after kill", history.ErrOverlap, History{
			{ID: 1, Request: add, Call: 1, Return: history.Forever, Pending: true},
			{ID: 2, Request: add, Result: added, Call: 2, Return: 4}}},
	} {
		if err := c.h.Validate(); !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		}
		long := append(filler(40), c.h...)
		if err := long.Validate(); !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
			t.Errorf("%s in a long history: error %v, want %v", c.name, err, c.want)
		}
	}
}

// filler returns n valid operations of another client with other ids.
func filler(n int) History {
	var h History
	for i := range n {
		h = append(h, Op{
			ID: 1000 + uint64(i), Client: 5, Request: Request{Kind: Get, Key: 9},
			Result: Result{Outcome: Absent}, Call: int64(2*i + 1), Return: int64(2*i + 2),
		})
	}
	return h
}

func TestPrefix(t *testing.T) {
	var r Recorder
	h := sample(t, &r)
	p := h.Prefix(3)
	if len(p) != 2 || p[0].Pending || !p[1].Pending {
		t.Errorf("prefix at 3: %v", p)
	}
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	if got := len(h.Prefix(0)); got != 0 {
		t.Errorf("prefix at 0 has %d operations", got)
	}
}

func TestTable(t *testing.T) {
	var r Recorder
	var out strings.Builder
	if err := history.Table(&out, sample(t, &r)); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"  time  client 0     client 1     client 2",
		"  ----  ---          ---          ---",
		"     1  add(7, 70)",
		"     2  |            get(7)",
		"     3  -> added     |",
		"     4               |            add(8, 80)",
		"     5               -> found 70  |",
		"   end                            killed",
		"",
	}, "\n")
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	out.Reset()
	if err := history.Table(&out, filler(history.MaxTableRows)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "and 400 more rows") {
		t.Errorf("a long table does not say that it was cut: ...%s", out.String()[out.Len()-80:])
	}
	wide := filler(2)
	wide[1].Client = 99
	out.Reset()
	if err := history.Table(&out, wide); err != nil {
		t.Fatal(err)
	}
	if strings.Count(out.String(), "\n") != 2 {
		t.Errorf("a wide history is not listed:\n%s", out.String())
	}
}
