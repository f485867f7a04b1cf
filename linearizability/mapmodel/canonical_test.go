package mapmodel

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/history"
)

// randomHistory makes a valid history of up to three clients and four operations, with ties in
// time and with kills.
func randomHistory(rng *rand.Rand) History {
	var h History
	clients := 1 + rng.Intn(3)
	now := make([]int64, clients)
	dead := make([]bool, clients)
	for id := range 1 + rng.Intn(4) {
		c := rng.Intn(clients)
		if dead[c] {
			continue
		}
		op := Op{ID: uint64(id + 1), Client: c, Request: Request{Kind: Get, Key: uint32(rng.Intn(2))}}
		op.Call = now[c] + 1 + int64(rng.Intn(3))
		op.Return = op.Call + int64(rng.Intn(4))
		now[c] = op.Return
		op.Result = Result{Outcome: Absent}
		if rng.Intn(2) == 0 {
			op.Request = Request{Add, op.Request.Key, uint32(rng.Intn(2))}
			op.Result = Result{Outcome: Added}
		}
		if rng.Intn(6) == 0 {
			dead[c] = true
			op.Pending, op.Return, op.Result = true, history.Forever, Result{}
		}
		h = append(h, op)
	}
	return h
}

// meaning writes down, the slow way, all that a verdict may depend on: what each client did, in
// its own order, and which operation precedes which. It is the definition that Canon must match.
func meaning(h History) string {
	sorted := slices.Clone(h)
	slices.SortFunc(sorted, func(a, b Op) int {
		if a.Client != b.Client {
			return a.Client - b.Client
		}
		return cmp.Compare(a.Call, b.Call)
	})
	var out strings.Builder
	for i, a := range sorted {
		fmt.Fprintf(&out, "%d %v %v %v after", a.Client, a.Request, a.Result, a.Pending)
		for j, b := range sorted {
			if i != j && b.Return < a.Call {
				fmt.Fprintf(&out, " %d", j)
			}
		}
		out.WriteString("; ")
	}
	return out.String()
}

func TestCanonicalFormIsTheMeaning(t *testing.T) {
	const seed = 1
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	formOf, meaningOf := map[string]string{}, map[string]string{}
	shared := 0
	var c Canon
	for range 40000 {
		h := randomHistory(rng)
		if err := h.Validate(); err != nil {
			t.Fatal(err)
		}
		rng.Shuffle(len(h), func(i, j int) { h[i], h[j] = h[j], h[i] })
		form, mean := string(c.Bytes(h)), meaning(h)
		if old, seen := formOf[mean]; seen {
			shared++
			if old != form {
				t.Fatalf("one meaning, two forms: %s", mean)
			}
		}
		if old, seen := meaningOf[form]; seen && old != mean {
			t.Fatalf("one form, two meanings:\n%s\n%s", old, mean)
		}
		formOf[mean], meaningOf[form] = form, mean
	}
	if shared == 0 || len(formOf) < 1000 {
		t.Fatalf("the sample shows nothing: %d forms, %d shared", len(formOf), shared)
	}
}

func TestCanonicalFormIgnoresIDsAndDistances(t *testing.T) {
	var r Recorder
	h := slices.Clone(sample(t, &r))
	var a, b Canon
	moved := slices.Clone(h)
	for i := range moved {
		moved[i].ID += 100
		moved[i].Call *= 10
		if !moved[i].Pending {
			moved[i].Return *= 10
		}
	}
	if !bytes.Equal(a.Bytes(h), b.Bytes(moved)) || h.Hash() != moved.Hash() {
		t.Error("ids or distances in time changed the form")
	}
	moved[1].Result.Value++
	if bytes.Equal(a.Bytes(h), b.Bytes(moved)) || h.Hash() == moved.Hash() {
		t.Error("another result has the same form")
	}
}

func TestCanonAllocatesNothing(t *testing.T) {
	var r Recorder
	var c Canon
	h := sample(t, &r)
	c.Bytes(h)
	if n := testing.AllocsPerRun(100, func() { c.Bytes(h) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

func BenchmarkRecordValidateCanon(b *testing.B) {
	var r Recorder
	var c Canon
	b.ReportAllocs()
	for b.Loop() {
		r.Reset()
		for range 2 {
			x := r.Call(0, Request{Add, 7, 70})
			y := r.Call(1, Request{Kind: Get, Key: 7})
			r.Return(x, Result{Outcome: Added})
			r.Return(y, Result{Found, 70})
		}
		h, _ := r.History()
		if err := h.Validate(); err != nil {
			b.Fatal(err)
		}
		c.Bytes(h)
	}
}
