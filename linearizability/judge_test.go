package linearizability

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/linearizability/mapmodel"
)

// record replays a race of two clients with two operations each on one key into the recorder.
func record(r *mapmodel.Recorder, last mapmodel.Result) mapmodel.History {
	r.Reset()
	a := r.Call(0, mapmodel.Request{Kind: mapmodel.Add, Key: 7, Value: 70})
	b := r.Call(1, mapmodel.Request{Kind: mapmodel.Add, Key: 7, Value: 71})
	r.Return(a, mapmodel.Result{Outcome: mapmodel.Exists})
	r.Return(b, mapmodel.Result{Outcome: mapmodel.Added})
	c := r.Call(0, mapmodel.Request{Kind: mapmodel.Get, Key: 7})
	d := r.Call(1, mapmodel.Request{Kind: mapmodel.Get, Key: 7})
	r.Return(c, mapmodel.Result{Outcome: mapmodel.Found, Value: 71})
	r.Return(d, last)
	h, err := r.History()
	if err != nil {
		panic(err)
	}
	return h
}

var (
	good = mapmodel.Result{Outcome: mapmodel.Found, Value: 71}
	bad  = mapmodel.Result{Outcome: mapmodel.Absent}
)

func TestJudge(t *testing.T) {
	var r mapmodel.Recorder
	j := NewJudge(enough, nil)
	for range 3 {
		if err := j.Check(record(&r, good)); err != nil {
			t.Error(err)
		}
		if err := j.Check(record(&r, bad)); !errors.Is(err, ErrIllegal) {
			t.Errorf("error %v, want ErrIllegal", err)
		}
		if err := j.Check(mapmodel.History{{}}); !errors.Is(err, mapmodel.ErrUnknownKind) {
			t.Errorf("error %v, want ErrUnknownKind", err)
		}
	}
	want := JudgeStats{Judged: 9, Searched: 2, Distinct: 2, Invalid: 3}
	if got := j.Stats(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	var f *Failure
	if err := j.Check(record(&r, bad)); !errors.As(err, &f) || f.Verdict.Key != 7 {
		t.Errorf("error %v carries no verdict", err)
	}
	hurried := NewJudge(time.Nanosecond, nil)
	for range 2 {
		if err := hurried.Check(record(&r, good)); !errors.Is(err, ErrTimeout) {
			t.Errorf("error %v, want ErrTimeout", err)
		}
	}
}

// TestJudgeKeepsItsPremise: the caller may change its map afterwards, the verdicts do not follow.
func TestJudgeKeepsItsPremise(t *testing.T) {
	var r mapmodel.Recorder
	initial := map[uint32]uint32{}
	j := NewJudge(enough, initial)
	initial[7] = 70
	if err := j.Check(record(&r, good)); err != nil {
		t.Error(err)
	}
	k := NewJudge(enough, initial)
	if err := k.Check(record(&r, good)); !errors.Is(err, ErrIllegal) {
		t.Errorf("error %v, want ErrIllegal: the key was there", err)
	}
}

func TestJudgeAllocatesNothing(t *testing.T) {
	var r mapmodel.Recorder
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
	var r mapmodel.Recorder
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
	var r mapmodel.Recorder
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
	get := mapmodel.Request{Kind: mapmodel.Get, Key: 1}
	good := mapmodel.History{{ID: 1, Request: get, Call: 1, Return: 2,
		Result: mapmodel.Result{Outcome: mapmodel.Absent}}}
	bad := mapmodel.History{{ID: 1, Request: mapmodel.Request{Kind: mapmodel.Get, Key: 1}, Call: 1, Return: 2,
		Result: mapmodel.Result{Outcome: mapmodel.Found, Value: 5}}}
	first, second := NewJudge(enough, nil), NewJudge(enough, nil)
	for _, j := range []*Judge{first, second} {
		if err := j.Check(good); err != nil {
			t.Fatal(err)
		}
		if err := j.Check(bad); err == nil {
			t.Fatal("a value from nowhere is accepted")
		}
		if j == first {
			second.Resume(first.Keep())
			second.stats = JudgeStats{}
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
	want := `(["actor \u003c/script\u003e"`
	if n := strings.Count(page.String(), want); n != len(clientTexts) {
		t.Errorf("the names are at %d places of the page, want %d", n, len(clientTexts))
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
	if !bytes.Equal(NameClients(other, []string{"a"}), other) {
		t.Error("a page of an unknown form was changed")
	}
}
