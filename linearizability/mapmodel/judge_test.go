package mapmodel

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/linearizability"
)

// record replays a race of two clients with two operations each on one key into the recorder.
func record(r *Recorder, last Result) History {
	r.Reset()
	a := r.Call(0, Request{Kind: Add, Key: 7, Value: 70})
	b := r.Call(1, Request{Kind: Add, Key: 7, Value: 71})
	r.Return(a, Result{Outcome: Exists})
	r.Return(b, Result{Outcome: Added})
	c := r.Call(0, Request{Kind: Get, Key: 7})
	d := r.Call(1, Request{Kind: Get, Key: 7})
	r.Return(c, Result{Outcome: Found, Value: 71})
	r.Return(d, last)
	h, err := r.History()
	if err != nil {
		panic(err)
	}
	return h
}

var (
	good = Result{Outcome: Found, Value: 71}
	bad  = Result{Outcome: Absent}
)

func TestJudge(t *testing.T) {
	var r Recorder
	j := NewJudge(enough, nil)
	for range 3 {
		if err := j.Check(record(&r, good)); err != nil {
			t.Error(err)
		}
		if err := j.Check(record(&r, bad)); !errors.Is(err, linearizability.ErrIllegal) {
			t.Errorf("error %v, want ErrIllegal", err)
		}
		if err := j.Check(History{{}}); !errors.Is(err, ErrUnknownKind) {
			t.Errorf("error %v, want ErrUnknownKind", err)
		}
	}
	want := linearizability.JudgeStats{Judged: 9, Searched: 2, Distinct: 2, Invalid: 3}
	if got := j.Stats(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	var f *linearizability.Failure
	if err := j.Check(record(&r, bad)); !errors.As(err, &f) || f.Key != uint32(7) {
		t.Errorf("error %v carries no verdict", err)
	}
	hurried := NewJudge(time.Nanosecond, nil)
	for range 2 {
		if err := hurried.Check(record(&r, good)); !errors.Is(err, linearizability.ErrTimeout) {
			t.Errorf("error %v, want ErrTimeout", err)
		}
	}
}

// TestJudgeKeepsItsPremise: the caller may change its map afterwards, the verdicts do not follow.
func TestJudgeKeepsItsPremise(t *testing.T) {
	var r Recorder
	initial := map[uint32]uint32{}
	j := NewJudge(enough, initial)
	initial[7] = 70
	if err := j.Check(record(&r, good)); err != nil {
		t.Error(err)
	}
	k := NewJudge(enough, initial)
	if err := k.Check(record(&r, good)); !errors.Is(err, linearizability.ErrIllegal) {
		t.Errorf("error %v, want linearizability.ErrIllegal: the key was there", err)
	}
}

func TestJudgeAllocatesNothing(t *testing.T) {
	var r Recorder
	j := NewJudge(enough, nil)
	if n := testing.AllocsPerRun(200, func() {
		if err := j.Check(record(&r, good)); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations for a known history, want 0", n)
	}
}

// The unit is one history of two clients with two operations each: recorded, validated, judged.
func BenchmarkJudgeKept(b *testing.B) {
	var r Recorder
	j := NewJudge(enough, nil)
	b.ReportAllocs()
	for b.Loop() {
		if err := j.Check(record(&r, good)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "histories/s")
}

func BenchmarkJudgeSearched(b *testing.B) {
	var r Recorder
	b.ReportAllocs()
	for b.Loop() {
		if err := Check(record(&r, good), enough, nil).Err(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "histories/s")
}

// TestJudge_Resume: a judge that goes on with what another one knew counts as that one would have,
// and still refuses what the other one refused.
func TestJudge_Resume(t *testing.T) {
	get := Request{Kind: Get, Key: 1}
	good := History{{ID: 1, Request: get, Call: 1, Return: 2,
		Result: Result{Outcome: Absent}}}
	bad := History{{ID: 1, Request: Request{Kind: Get, Key: 1}, Call: 1, Return: 2,
		Result: Result{Outcome: Found, Value: 5}}}
	first, second := NewJudge(enough, nil), NewJudge(enough, nil)
	for _, j := range []*Judge{first, second} {
		if err := j.Check(good); err != nil {
			t.Fatal(err)
		}
		if err := j.Check(bad); err == nil {
			t.Fatal("a value from nowhere is accepted")
		}
		if j == first {
			kept := first.Keep()
			kept.Stats = linearizability.JudgeStats{}
			second.Resume(kept)
		}
	}
	if s := second.Stats(); s.Judged != 2 || s.Searched != 1 {
		t.Errorf("%+v: the good history was searched again, or the bad one was not", s)
	}
	second.Resume(first.Keep())
	if second.Stats() != first.Stats() {
		t.Errorf("%+v, want %+v", second.Stats(), first.Stats())
	}
}

// TestPictureNamesTheClients: the page calls clients by their names, which are data, and has the
// places that the names go to.
func TestPictureNamesTheClients(t *testing.T) {
	f := canaries(t)["illegal-lost-insert"]
	v := Check(f.Ops, enough, f.Initial)
	v.Clients = []string{"actor </script>"}
	var page bytes.Buffer
	if err := v.Draw(&page); err != nil {
		t.Fatal(err)
	}
	const places = 2 // of porcupine's page: labels, and their width
	want := `(["actor \u003c/script\u003e"`
	if n := strings.Count(page.String(), want); n != places {
		t.Errorf("the names are at %d places of the page, want %d", n, places)
	}
	for _, text := range []string{v.Err().Error(), v.Detail()} {
		if !strings.Contains(text, "actor </script>") || strings.Contains(text, "client 0") {
			t.Errorf("a client goes by its number: %s", text)
		}
	}
	if v.Clients = nil; !strings.Contains(v.Err().Error(), "client ") {
		t.Errorf("a client without a name: %v", v.Err())
	}
	other := []byte("<html>i < realClients ? i :</html>")
	if !bytes.Equal(linearizability.NameClients(other, []string{"a"}), other) {
		t.Error("a page of an unknown form was changed")
	}
}
