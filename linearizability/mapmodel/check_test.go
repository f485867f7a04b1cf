package mapmodel

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
	"github.com/samecycle/samecycle/linearizability"
)

// enough is time for every history of these tests that is meant to be judged.
const enough = time.Minute

// canaries reads testdata: the name of a file says what must come of it.
func canaries(t *testing.T) map[string]File {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]File{}
	for _, path := range paths {
		in, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Decode(in)
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
				if v.Outcome != linearizability.Ok || v.Err() != nil {
					t.Errorf("want ok, got %s", v.Detail())
				}
			case strings.HasPrefix(name, "illegal-"):
				refused++
				if v.Outcome != linearizability.Illegal || !errors.Is(v.Err(), linearizability.ErrIllegal) {
					t.Errorf("want illegal, got %s", v.Detail())
				}
			default:
				t.Error("the name says neither legal nor illegal")
			}
			if want := bruteForce(f.Ops, f.Initial); want != (v.Outcome == linearizability.Ok) {
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
		f.Ops = append(f.Ops, Op{
			ID: 100 + i, Client: 9, Request: Request{Kind: Get, Key: 8},
			Result: Result{Outcome: Absent}, Call: at, Return: at + 1,
		})
		at += 2
	}
	v := Check(f.Ops, enough, f.Initial)
	if v.Outcome != linearizability.Illegal || v.Key != uint32(8) || v.Ops != 22 {
		t.Fatalf("got %s of key %v with %d operations", v.Outcome, v.Key, v.Ops)
	}
	if len(v.Evidence) != 2 {
		t.Errorf("evidence has %d operations, want the add and one get:\n%s", len(v.Evidence),
			v.Detail())
	}
	if again := Check(v.Evidence, enough, f.Initial); again.Outcome != linearizability.Illegal {
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
	h := History{{
		ID: 1, Request: Request{Kind: Add, Key: 1, Value: 1},
		Result: Result{Outcome: Added}, Call: 5, Return: 2,
	}}
	if porcupine.CheckOperations(Model(nil).Porcupine(), linearizability.Operations(h, history.Forever)) {
		t.Error("porcupine accepts a reversed interval now: the reason for validating has changed")
	}
	v := Check(h, enough, nil)
	if v.Outcome != linearizability.Unknown || errors.Is(v.Err(), linearizability.ErrIllegal) {
		t.Errorf("got %s: %v", v.Outcome, v.Err())
	}
	if !errors.Is(v.Err(), linearizability.ErrUnknown) || !errors.Is(v.Err(), history.ErrReversed) {
		t.Errorf("error %v, want linearizability.ErrUnknown and ErrReversed", v.Err())
	}
}

// hard returns a history of one key of which any set of the first n operations may have happened when the
// last one returns, a get of what nobody wrote, so that all sets are tried. Where these are killed adds the
// second search knows that one of them is as good as several.
func hard(n int, killed bool) History {
	var h History
	for i := range n {
		op := Op{
			ID: uint64(i), Client: i, Call: int64(i + 1), Return: history.Forever, Pending: killed,
			Request: Request{Kind: Add, Key: 1, Value: uint32(i + 1)},
		}
		if !killed {
			op.Return, op.Result.Outcome = int64(n+10+i), Added
			if i%2 == 1 {
				op.Request = Request{Kind: Delete, Key: 1}
				op.Result.Outcome = Deleted
			}
		}
		h = append(h, op)
	}
	return append(h, Op{
		ID: uint64(n), Client: n, Call: int64(n + 1), Return: int64(n + 2),
		Request: Request{Kind: Get, Key: 1},
		Result:  Result{Outcome: Found, Value: 1 << 30},
	})
}

func TestUnknownIsAnError(t *testing.T) {
	limits := linearizability.DefaultLimits()
	small := linearizability.DefaultLimits()
	small.Words = 100_000
	short := linearizability.DefaultLimits()
	short.OpsPerKey = 24
	quick := linearizability.DefaultLimits()
	quick.Timeout = time.Millisecond
	never := linearizability.DefaultLimits()
	never.Timeout = 0
	for _, c := range []struct {
		name   string
		limits linearizability.Limits
		h      History
		want   error
	}{
		{"time", quick, hard(40, false), linearizability.ErrTimeout},
		{"memory", small, hard(40, false), linearizability.ErrMemory},
		{"length", short, hard(40, false), linearizability.ErrTooLong},
		{"in flight", small, hard(70, true), linearizability.ErrFlight},
		{"no limit", never, hard(1, true), linearizability.ErrLimits},
		{"malformed", limits, History{{}}, ErrUnknownKind},
	} {
		v := CheckWithin(c.h, c.limits, nil)
		err := v.Err()
		if v.Outcome != linearizability.Unknown || !errors.Is(err, linearizability.ErrUnknown) ||
			!errors.Is(err, c.want) {
			t.Errorf("%s: got %s, %v; want unknown with %v", c.name, v.Outcome, err, c.want)
		}
		if errors.Is(err, linearizability.ErrIllegal) {
			t.Errorf("%s: %v claims that the history is illegal", c.name, err)
		}
	}
	// The same kinds of history are judged when they are small enough: the limits are what refused.
	for _, killed := range []bool{false, true} {
		if v := Check(hard(8, killed), enough, nil); v.Outcome != linearizability.Illegal {
			t.Errorf("hard(8, %t): got %s, want illegal", killed, v.Outcome)
		}
	}
	var zero Verdict
	if !errors.Is(zero.Err(), linearizability.ErrUnknown) {
		t.Errorf("the zero verdict passes: %v", zero.Err())
	}
}

// TestIllegalOutweighsUnknown: one key cannot be judged, another one is bad; the bad one is news.
func TestIllegalOutweighsUnknown(t *testing.T) {
	limits := linearizability.DefaultLimits()
	limits.OpsPerKey = 10
	h := hard(20, true)
	h = append(h, Op{
		ID: 99, Client: 99, Call: 50, Return: 51,
		Request: Request{Kind: Get, Key: 2},
		Result:  Result{Outcome: Found, Value: 1},
	})
	if v := CheckWithin(h, limits, nil); v.Outcome != linearizability.Illegal || v.Key != uint32(2) {
		t.Errorf("got %s of key %v, want illegal of key 2", v.Outcome, v.Key)
	}
	h[len(h)-1].Result = Result{Outcome: Absent}
	if v := CheckWithin(h, limits, nil); v.Outcome != linearizability.Unknown || v.Key != uint32(1) {
		t.Errorf("got %s of key %v, want unknown of key 1", v.Outcome, v.Key)
	}
}

func TestPicture(t *testing.T) {
	for name, f := range canaries(t) {
		v := Check(f.Ops, enough, f.Initial)
		var page bytes.Buffer
		err := v.Draw(&page)
		if v.Outcome == linearizability.Ok {
			if !errors.Is(err, linearizability.ErrPicture) || page.Len() > 0 {
				t.Errorf("%s: a legal history has a picture: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if page.Len() > linearizability.MaxPictureBytes || !strings.Contains(page.String(), "initially") ||
			!strings.Contains(page.String(), "NOT LINEARIZABLE") {
			t.Errorf("%s: page of %d bytes without its verdict or premise", name, page.Len())
		}
	}
	v := Verdict{Outcome: linearizability.Illegal, Evidence: make(History, linearizability.MaxPictureOps+1)}
	if err := v.Draw(&bytes.Buffer{}); !errors.Is(err, linearizability.ErrPicture) {
		t.Errorf("a long picture: %v", err)
	}
	v = Check(canaries(t)["illegal-two-added"].Ops, enough, nil)
	closed, err := os.Open(os.DevNull)
	if err != nil || closed.Close() != nil {
		t.Fatal(err)
	}
	if err := v.Draw(closed); !errors.Is(err, linearizability.ErrPicture) {
		t.Errorf("a file that cannot be written: %v", err)
	}
}
