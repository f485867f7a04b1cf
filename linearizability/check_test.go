package linearizability

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
)

// enough is time for every history of these tests that is meant to be judged.
const enough = time.Minute

// canaries reads testdata: the name of a file says what must come of it.
func canaries(t *testing.T) map[string]mapmodel.File {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]mapmodel.File{}
	for _, path := range paths {
		in, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := mapmodel.Decode(in)
		in.Close()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if f.Note == "" {
			t.Errorf("%s: no note says why", path)
		}
		files[strings.TrimSuffix(filepath.Base(path), ".ndjson")] = f
	}
	return files
}

func TestCanaries(t *testing.T) {
	legal, refused := 0, 0
	for name, f := range canaries(t) {
		t.Run(name, func(t *testing.T) {
			v := Check(f.Ops, enough, f.Initial)
			switch {
			case strings.HasPrefix(name, "legal-"):
				legal++
				if v.Outcome != Ok || v.Err() != nil {
					t.Errorf("want ok, got %s", v.Detail())
				}
			case strings.HasPrefix(name, "illegal-"):
				refused++
				if v.Outcome != Illegal || !errors.Is(v.Err(), ErrIllegal) {
					t.Errorf("want illegal, got %s", v.Detail())
				}
			default:
				t.Error("the name says neither legal nor illegal")
			}
			if want := bruteForce(f.Ops, f.Initial); want != (v.Outcome == Ok) {
				t.Errorf("brute force says linearizable %v, the checker %s", want, v.Outcome)
			}
		})
	}
	if legal < 8 || refused < 15 {
		t.Errorf("%d legal and %d illegal canaries; some are missing", legal, refused)
	}
}

func TestIllegalNamesTheKeyAndShortens(t *testing.T) {
	f := canaries(t)["illegal-lost-insert"]
	at := int64(100)
	for i := range uint64(20) { // later operations and reads that have nothing to do with it
		f.Ops = append(f.Ops, mapmodel.Op{
			ID: 100 + i, Client: 9, Request: mapmodel.Request{Kind: mapmodel.Get, Key: 8},
			Result: mapmodel.Result{Outcome: mapmodel.Absent}, Call: at, Return: at + 1,
		})
		at += 2
	}
	v := Check(f.Ops, enough, f.Initial)
	if v.Outcome != Illegal || v.Key != 8 || v.Ops != 22 {
		t.Fatalf("got %s of key %d with %d operations", v.Outcome, v.Key, v.Ops)
	}
	if len(v.Evidence) != 2 {
		t.Errorf("evidence has %d operations, want the add and one get:\n%s", len(v.Evidence),
			v.Detail())
	}
	if again := Check(v.Evidence, enough, f.Initial); again.Outcome != Illegal {
		t.Errorf("the evidence is %s", again.Outcome)
	}
	for _, want := range []string{"key 8, initially absent", "add(8, 80)", "-> absent", "2 of 22"} {
		if !strings.Contains(v.Detail(), want) {
			t.Errorf("detail lacks %q:\n%s", want, v.Detail())
		}
	}
	if text := v.Err().Error(); strings.Contains(text, "\n") || !strings.Contains(text, "key 8") {
		t.Errorf("error %q", text)
	}
}

// TestEvidenceKeepsWhatMayHaveHappened: without its killed add a history may be illegal for a
// reason that the whole history does not share, so the evidence must not drop it.
func TestEvidenceKeepsWhatMayHaveHappened(t *testing.T) {
	f := canaries(t)["illegal-killed-other-value"]
	v := Check(f.Ops, enough, f.Initial)
	if len(v.Evidence) != 2 || !v.Evidence[0].Pending {
		t.Errorf("the evidence lacks the killed add:\n%s", v.Detail())
	}
}

// TestMalformedIsNeverIllegal shows the trap and the way around it: porcupine itself answers false
// for a reversed interval, Check says that the history is malformed.
func TestMalformedIsNeverIllegal(t *testing.T) {
	h := mapmodel.History{{
		ID: 1, Request: mapmodel.Request{Kind: mapmodel.Add, Key: 1, Value: 1},
		Result: mapmodel.Result{Outcome: mapmodel.Added}, Call: 5, Return: 2,
	}}
	if porcupine.CheckOperations(mapModel(nil, nil), operations(h, history.Forever)) {
		t.Error("porcupine accepts a reversed interval now: the reason for validating has changed")
	}
	v := Check(h, enough, nil)
	if v.Outcome != Unknown || errors.Is(v.Err(), ErrIllegal) {
		t.Errorf("got %s: %v", v.Outcome, v.Err())
	}
	if !errors.Is(v.Err(), ErrUnknown) || !errors.Is(v.Err(), history.ErrReversed) {
		t.Errorf("error %v, want ErrUnknown and ErrReversed", v.Err())
	}
}

// hard returns a history of one key of which any set of the first n operations may have happened when the
// last one returns, a get of what nobody wrote, so that all sets are tried. Where these are killed adds the
// second search knows that one of them is as good as several.
func hard(n int, killed bool) mapmodel.History {
	var h mapmodel.History
	for i := range n {
		op := mapmodel.Op{
			ID: uint64(i), Client: i, Call: int64(i + 1), Return: history.Forever, Pending: killed,
			Request: mapmodel.Request{Kind: mapmodel.Add, Key: 1, Value: uint32(i + 1)},
		}
		if !killed {
			op.Return, op.Result.Outcome = int64(n+10+i), mapmodel.Added
			if i%2 == 1 {
				op.Request = mapmodel.Request{Kind: mapmodel.Delete, Key: 1}
				op.Result.Outcome = mapmodel.Deleted
			}
		}
		h = append(h, op)
	}
	return append(h, mapmodel.Op{
		ID: uint64(n), Client: n, Call: int64(n + 1), Return: int64(n + 2),
		Request: mapmodel.Request{Kind: mapmodel.Get, Key: 1},
		Result:  mapmodel.Result{Outcome: mapmodel.Found, Value: 1 << 30},
	})
}

func TestUnknownIsAnError(t *testing.T) {
	limits := DefaultLimits()
	small := DefaultLimits()
	small.Words = 100_000
	short := DefaultLimits()
	short.OpsPerKey = 24
	quick := DefaultLimits()
	quick.Timeout = time.Millisecond
	never := DefaultLimits()
	never.Timeout = 0
	for _, c := range []struct {
		name   string
		limits Limits
		h      mapmodel.History
		want   error
	}{
		{"time", quick, hard(40, false), ErrTimeout},
		{"memory", small, hard(40, false), ErrMemory},
		{"length", short, hard(40, false), ErrTooLong},
		{"in flight", small, hard(70, true), ErrFlight},
		{"no limit", never, hard(1, true), ErrLimits},
		{"malformed", limits, mapmodel.History{{}}, mapmodel.ErrUnknownKind},
	} {
		v := CheckWithin(c.h, c.limits, nil)
		err := v.Err()
		if v.Outcome != Unknown || !errors.Is(err, ErrUnknown) || !errors.Is(err, c.want) {
			t.Errorf("%s: got %s, %v; want unknown with %v", c.name, v.Outcome, err, c.want)
		}
		if errors.Is(err, ErrIllegal) {
			t.Errorf("%s: %v claims that the history is illegal", c.name, err)
		}
	}
	// The same kinds of history are judged when they are small enough: the limits are what refused.
	for _, killed := range []bool{false, true} {
		if v := Check(hard(8, killed), enough, nil); v.Outcome != Illegal {
			t.Errorf("hard(8, %t): got %s, want illegal", killed, v.Outcome)
		}
	}
	var zero Verdict
	if !errors.Is(zero.Err(), ErrUnknown) {
		t.Errorf("the zero verdict passes: %v", zero.Err())
	}
}

// TestIllegalOutweighsUnknown: one key cannot be judged, another one is bad; the bad one is news.
func TestIllegalOutweighsUnknown(t *testing.T) {
	limits := DefaultLimits()
	limits.OpsPerKey = 10
	h := hard(20, true)
	h = append(h, mapmodel.Op{
		ID: 99, Client: 99, Call: 50, Return: 51,
		Request: mapmodel.Request{Kind: mapmodel.Get, Key: 2},
		Result:  mapmodel.Result{Outcome: mapmodel.Found, Value: 1},
	})
	if v := CheckWithin(h, limits, nil); v.Outcome != Illegal || v.Key != 2 {
		t.Errorf("got %s of key %d, want illegal of key 2", v.Outcome, v.Key)
	}
	h[len(h)-1].Result = mapmodel.Result{Outcome: mapmodel.Absent}
	if v := CheckWithin(h, limits, nil); v.Outcome != Unknown || v.Key != 1 {
		t.Errorf("got %s of key %d, want unknown of key 1", v.Outcome, v.Key)
	}
}

func TestPicture(t *testing.T) {
	for name, f := range canaries(t) {
		v := Check(f.Ops, enough, f.Initial)
		var page bytes.Buffer
		err := v.Draw(&page)
		if v.Outcome == Ok {
			if !errors.Is(err, ErrPicture) || page.Len() > 0 {
				t.Errorf("%s: a legal history has a picture: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if page.Len() > MaxPictureBytes || !strings.Contains(page.String(), "initially") ||
			!strings.Contains(page.String(), "NOT LINEARIZABLE") {
			t.Errorf("%s: page of %d bytes without its verdict or premise", name, page.Len())
		}
	}
	v := Verdict{Outcome: Illegal, Evidence: make(mapmodel.History, MaxPictureOps+1)}
	if err := v.Draw(&bytes.Buffer{}); !errors.Is(err, ErrPicture) {
		t.Errorf("a long picture: %v", err)
	}
	v = Check(canaries(t)["illegal-two-added"].Ops, enough, nil)
	closed, err := os.Open(os.DevNull)
	if err != nil || closed.Close() != nil {
		t.Fatal(err)
	}
	if err := v.Draw(closed); !errors.Is(err, ErrPicture) {
		t.Errorf("a file that cannot be written: %v", err)
	}
}

// TestLargestPicture writes the worst page that is allowed: many operations at the same time.
func TestLargestPicture(t *testing.T) {
	var h mapmodel.History
	for i := range MaxPictureOps {
		h = append(h, mapmodel.Op{
			ID: uint64(i), Client: i % 64, Call: int64(1 + i/64*10), Return: int64(9 + i/64*10),
			Request: mapmodel.Request{Kind: mapmodel.Add, Key: 1, Value: uint32(i)},
			Result:  mapmodel.Result{Outcome: mapmodel.Full},
		})
	}
	h[0].Result.Outcome = mapmodel.Exists
	v := Verdict{Outcome: Illegal, Key: 1, Evidence: h, initial: keyState{known: true}}
	var page bytes.Buffer
	if err := v.Draw(&page); err != nil && !errors.Is(err, ErrPicture) {
		t.Fatal(err)
	}
	if page.Len() > MaxPictureBytes+1<<20 { // the names come on top
		t.Errorf("%d bytes", page.Len())
	}
	var b bounded
	if _, err := b.Write(make([]byte, MaxPictureBytes+1)); err == nil || b.Len() > 0 {
		t.Errorf("%d bytes are no picture", b.Len())
	}
}
