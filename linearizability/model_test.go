package linearizability

import (
	"bytes"
	"errors"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/history"
)

// deed is what a client of the test's object asks for. The object is a stack of digits, which is no map, is
// not divided by keys, and has what a model can get wrong: clear has no result that tells whether it changed
// anything, and of many(a, b) a killed client may have done a part.
type deed struct {
	what string // push, pop, clear, many
	a, b int
}

// Append implements history.Value.
func (d deed) Append(b []byte) []byte {
	b = append(b, d.what...)
	if d.a != 0 {
		b = strconv.AppendInt(append(b, ' '), int64(d.a), 10)
	}
	if d.b != 0 {
		b = strconv.AppendInt(append(b, ' '), int64(d.b), 10)
	}
	return b
}

// Validate and ValidateResult implement history.Validator.
func (d deed) Validate() error {
	if !slices.Contains([]string{"push", "pop", "clear", "many"}, d.what) {
		return errNoDeed
	}
	return nil
}

func (d deed) ValidateResult(r top) error {
	if d.what != "pop" && r != 0 {
		return errNoDeed
	}
	return nil
}

var errNoDeed = errors.New("the stack cannot do this")

// top is the digit that a pop took; 0: none.
type top int

// Append implements history.Value.
func (r top) Append(b []byte) []byte { return strconv.AppendInt(b, int64(r), 10) }

// stack is the specification, with the digits as a string, the first one at the bottom.
var stack = Spec[deed, top, string]{
	Init: func(deed) string { return "" },
	Step: func(s string, d deed, r top) (string, bool) {
		after, want := do(s, d)
		return after, r == want
	},
	Pending: func(s string, d deed) []string {
		all, _ := do(s, d)
		if d.what == "many" {
			part, _ := do(s, deed{what: "push", a: d.a})
			return []string{part, all}
		}
		return []string{all}
	},
	ReadOnly: func(d deed, r *top) bool { return d.what == "pop" && r != nil && *r == 0 },
	Bytes:    func(s string) int { return len(s) },
}

func do(s string, d deed) (after string, r top) {
	switch {
	case d.what == "push":
		return s + strconv.Itoa(d.a), 0
	case d.what == "many":
		return s + strconv.Itoa(d.a) + strconv.Itoa(d.b), 0
	case d.what == "clear", s == "":
		return "", 0
	}
	return s[:len(s)-1], top(s[len(s)-1] - '0')
}

type (
	stackOp      = history.Op[deed, top]
	stackHistory = history.History[deed, top]
)

// enough is time for every history of these tests that is meant to be judged.
const enough = time.Minute

// explained decides by the definition, with nothing in common with the searches: every order that respects
// the intervals, each pending operation left out or put somewhere with each effect that it may have.
func explained(left stackHistory, s string) bool {
	if !slices.ContainsFunc(left, func(op stackOp) bool { return !op.Pending }) {
		return true
	}
	for i, op := range left {
		if slices.ContainsFunc(left, func(o stackOp) bool { return !o.Pending && o.Return < op.Call }) {
			continue
		}
		rest := slices.Delete(slices.Clone(left), i, i+1)
		after := stack.Pending(s, op.Request)
		if !op.Pending {
			state, r := do(s, op.Request)
			if after = []string{state}; r != op.Result {
				continue
			}
		}
		if slices.ContainsFunc(after, func(s string) bool { return explained(rest, s) }) {
			return true
		}
	}
	return false
}

// draw makes a valid history of three clients on a real stack, with kills, and spoils some of their pops.
func draw(rng *rand.Rand) stackHistory {
	deeds := []deed{{what: "push"}, {what: "push"}, {what: "pop"}, {what: "pop"}, {what: "clear"},
		{what: "many"}}
	var r history.Recorder[deed, top]
	s := ""
	flying, done, results := [3]uint64{}, [3]bool{}, [3]top{}
	asked, dead := [3]deed{}, [3]bool{}
	called := 0
	for range 60 {
		c := rng.Intn(3)
		switch {
		case dead[c]:
		case flying[c] == 0 && called < 7:
			called++
			d := deeds[rng.Intn(len(deeds))]
			if d.what == "push" || d.what == "many" {
				d.a = 1 + rng.Intn(2)
			}
			if d.what == "many" {
				d.b = 1 + rng.Intn(2)
			}
			asked[c], flying[c], done[c] = d, r.Call(c, d), false
		case flying[c] == 0:
		case rng.Intn(12) == 0:
			if asked[c].what == "many" && !done[c] && rng.Intn(2) == 0 {
				s, _ = do(s, deed{what: "push", a: asked[c].a})
			}
			dead[c] = r.Kill(c)
		case !done[c]:
			s, results[c] = do(s, asked[c])
			done[c] = true
		default:
			if asked[c].what == "pop" && rng.Intn(2) == 0 {
				results[c] = top(rng.Intn(3))
			}
			r.Return(flying[c], results[c])
			flying[c] = 0
		}
	}
	for c := range 3 {
		r.Kill(c)
	}
	h, err := r.History()
	if err != nil {
		panic(err)
	}
	return h
}

// TestModel_AgainstTheDefinition: both searches, the check of both, and a judge say what the definition says,
// and evidence is illegal itself.
func TestModel_AgainstTheDefinition(t *testing.T) {
	const seed, runs = 11, 8000
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	m, limits := stack.Model(), DefaultLimits()
	limits.Timeout = enough
	j := NewJudge(m, enough)
	count := map[Outcome]int{}
	for range runs {
		h := draw(rng)
		want := Illegal
		if explained(h, "") {
			want = Ok
		}
		count[want]++
		v := CheckWithin(m, h, limits)
		p, _ := CheckByPorcupine(m, h, limits)
		w, err := CheckByWalk(m, h, limits)
		if v.Outcome != want || p != want || w != want {
			t.Fatalf("%v: want %s; the check says %s, porcupine %s, the walk %s (%v)", h, want,
				v.Outcome, p, w, err)
		}
		if err := j.Check(h); (err == nil) != (want == Ok) {
			t.Fatalf("%v: the judge says %v, want %s", h, err, want)
		}
		if want == Illegal && (explained(v.Evidence, "") || len(v.Evidence) > len(h)) {
			t.Fatalf("the evidence is linearizable: %v of %v", v.Evidence, h)
		}
	}
	if t.Logf("%v", count); count[Ok] < runs/5 || count[Illegal] < runs/5 {
		t.Errorf("the sample is lopsided: %v", count)
	}
}

// TestModel_Canaries: a model with a wrong idea is noticed by the comparison above: one in which a killed
// client does all or nothing, one in which it never did anything, and one that calls clear read only.
func TestModel_Canaries(t *testing.T) {
	whole, never, passive := stack, stack, stack
	whole.Pending = func(s string, d deed) []string { after, _ := do(s, d); return []string{after} }
	never.Pending = func(string, deed) []string { return nil }
	passive.ReadOnly = func(d deed, _ *top) bool { return d.what == "clear" }
	limits := DefaultLimits()
	for name, spec := range map[string]Spec[deed, top, string]{
		"whole": whole, "never": never, "passive": passive,
	} {
		rng := rand.New(rand.NewSource(12))
		m := spec.Model()
		wrong, contradicts := 0, 0
		for range 2000 {
			h := draw(rng)
			o, err := CheckByWalk(m, h, limits)
			if (o == Ok) != explained(h, "") {
				wrong++
			}
			if errors.Is(err, ErrModel) {
				contradicts++
			}
		}
		if wrong == 0 || (contradicts > 0) != (name == "passive") {
			t.Errorf("%s: %d wrong verdicts, %d contradictions", name, wrong, contradicts)
		}
	}
}

// op is an operation of the stack; a result below zero is of a killed client.
func op(id uint64, d deed, r top, call, ret int64) stackOp {
	o := stackOp{ID: id, Client: int(id), Request: d, Result: r, Call: call, Return: ret}
	if r < 0 {
		o.Result, o.Return, o.Pending = 0, history.Forever, true
	}
	return o
}

// TestModel_Evidence: of a long history what is wrong is left, with neither later operations nor empty pops.
func TestModel_Evidence(t *testing.T) {
	var h stackHistory
	for i := range int64(40) {
		h = append(h, op(uint64(i+10), deed{what: "pop"}, 0, 2*i+1, 2*i+2))
	}
	h = append(h, op(1, deed{what: "push", a: 1}, 0, 101, 102),
		op(2, deed{what: "many", a: 2, b: 3}, -1, 103, 0),
		op(3, deed{what: "pop"}, 4, 105, 106), op(4, deed{what: "pop"}, 1, 107, 108))
	v := Check(stack.Model(), h, enough)
	if v.Outcome != Illegal || v.Key != nil || v.Ops != 44 || len(v.Evidence) != 3 {
		t.Fatalf("%s of %d operations, key %v:\n%s", v.Outcome, v.Ops, v.Key, v.Detail())
	}
	var f *Failure
	if err := v.Err(); !errors.As(err, &f) || !errors.Is(err, ErrIllegal) || f.Detail() != v.Detail() ||
		strings.Contains(err.Error(), "key") || !strings.Contains(err.Error(), "many 2 3: killed") {
		t.Errorf("%v", v.Err())
	}
	h[42].Result = 3 // many may have happened
	if v := Check(stack.Model(), h, enough); v.Outcome != Illegal {
		t.Errorf("a pop of 1 from 1 2: %s", v.Outcome)
	}
	h[42].Result = 2 // and a part of it, too
	if v := Check(stack.Model(), h, enough); v.Outcome != Ok {
		t.Error(v.Detail())
	}
}

// TestModel_Limits: what cannot be judged is unknown, and says why.
func TestModel_Limits(t *testing.T) {
	var h stackHistory
	for i := range 30 {
		h = append(h, op(uint64(i), deed{what: "push", a: 1 + i%9}, 0, int64(i+1), int64(100+i)))
	}
	h = append(h, op(99, deed{what: "pop"}, 0, 50, 60), op(98, deed{what: "pop"}, 0, 200, 201))
	killed := stackHistory{op(1, deed{what: "push", a: 1}, -1, 1, 0)}
	deaf := stack
	deaf.Pending = nil
	for name, c := range map[string]struct {
		spec   Spec[deed, top, string]
		limits Limits
		h      stackHistory
		want   error
	}{
		"time":     {stack, Limits{time.Nanosecond, 100, 1 << 40}, h, ErrTimeout},
		"memory":   {stack, Limits{enough, 100, 20_000}, h, ErrMemory},
		"length":   {stack, Limits{enough, 10, 1 << 20}, h, ErrTooLong},
		"limits":   {stack, Limits{}, h, ErrLimits},
		"pending":  {deaf, DefaultLimits(), killed, ErrPending},
		"nonsense": {stack, DefaultLimits(), stackHistory{op(1, deed{what: "peek"}, 0, 1, 2)}, errNoDeed},
		"result":   {stack, DefaultLimits(), stackHistory{op(1, deed{what: "clear"}, 5, 1, 2)}, errNoDeed},
	} {
		v := CheckWithin(c.spec.Model(), c.h, c.limits)
		if err := v.Err(); v.Outcome != Unknown || !errors.Is(err, c.want) || !errors.Is(err, ErrUnknown) {
			t.Errorf("%s: %s, %v; want unknown because %v", name, v.Outcome, err, c.want)
		}
	}
	v := Check(deaf.Model(), stackHistory{op(1, deed{what: "pop"}, 3, 1, 2)}, enough)
	if v.Outcome != Illegal || len(v.Evidence) != 1 {
		t.Errorf("without killed clients nothing of them need be known: %s", v.Detail())
	}
	defer func() {
		if recover() == nil {
			t.Error("a specification without a step is taken")
		}
	}()
	Spec[deed, top, string]{Init: stack.Init}.Model()
}

// TestModel_Picture: the page has the verdict, and the states that a killed client may have left.
func TestModel_Picture(t *testing.T) {
	h := stackHistory{op(1, deed{what: "many", a: 1, b: 2}, -1, 1, 0), op(2, deed{what: "pop"}, 7, 3, 4)}
	v := Check(stack.Model(), h, enough)
	var page bytes.Buffer
	if err := v.Draw(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"NOT LINEARIZABLE", "1 or 12",
		"many 1 2 killed: may or may not have happened"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if err := (Verdict[deed, top]{Outcome: Illegal}).Draw(&page); !errors.Is(err, ErrPicture) {
		t.Errorf("a verdict of nobody: %v", err)
	}
}

// TestLargestPicture writes the worst page that is allowed: many operations at the same time.
func TestLargestPicture(t *testing.T) {
	var h stackHistory
	for i := range MaxPictureOps {
		h = append(h, stackOp{
			ID: uint64(i), Client: i % 64, Call: int64(1 + i/64*10), Return: int64(9 + i/64*10),
			Request: deed{what: "clear"},
		})
	}
	h[0].Request, h[0].Result = deed{what: "pop"}, 1
	v := Verdict[deed, top]{Outcome: Illegal, Evidence: h, model: stack.Model()}
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
