package history

import (
	"errors"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// deed and count are a request and a result with nothing but a text: of a counter, which clients add to. A
// deed is no object in JSON; a count is one. step is a request with all that requests may have.
type (
	deed  string
	count struct {
		N int `json:"n"`
	}
	step struct{ by int8 }
)

// Append implements Value.
func (d deed) Append(b []byte) []byte { return append(b, d...) }

// Append implements Value.
func (c count) Append(b []byte) []byte { return strconv.AppendInt(b, int64(c.N), 10) }

// Append implements Value.
func (s step) Append(b []byte) []byte { return fmt.Appendf(b, "step by %d", s.by) }

// AppendForm implements Compact.
func (s step) AppendForm(b []byte) []byte { return append(b, byte(s.by)) }

var errStep = errors.New("no step")

// Validate implements Validator.
func (s step) Validate() error {
	if s.by == 0 {
		return errStep
	}
	return nil
}

// ValidateResult implements Validator.
func (s step) ValidateResult(c count) error {
	if c.N < 0 {
		return errStep
	}
	return nil
}

type counterHistory = History[deed, count]

// counted is a history of two clients, one of which is killed.
func counted(t *testing.T) counterHistory {
	t.Helper()
	var r Recorder[deed, count]
	a := r.Call(0, "add 1")
	r.Call(1, "add 2")
	r.Return(a, count{1})
	r.Kill(1)
	r.Return(r.Call(0, "read"), count{3})
	h, err := r.History()
	if err != nil || h.Validate() != nil {
		t.Fatal(err, h.Validate())
	}
	return h
}

func TestTexts(t *testing.T) {
	h := counted(t)
	want := "[client 0 add 1: 1 [1, 3] client 1 add 2: killed [2, forever] client 0 read: 3 [4, 5]]"
	if got := fmt.Sprint(h); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	reads := h.Filter(func(op *Op[deed, count]) bool { return op.Request == "read" })
	if len(reads) != 1 || reads[0] != h[2] {
		t.Errorf("the reads are %v", reads)
	}
	var out strings.Builder
	if err := TableOf(&out, h, []string{"a", "b"}); err != nil || !strings.Contains(out.String(), "-> 3") {
		t.Errorf("%v, %s", err, &out)
	}
	if p := h.Prefix(3); len(p) != 2 || p[0].Result.N != 1 || !p[1].Pending {
		t.Errorf("the prefix is %v", p)
	}
}

// TestFile: values that are objects are members of the line, others have a name; entries of any type are
// the initial contents.
func TestFile(t *testing.T) {
	type file = File[deed, count, count]
	f := file{Note: "a < b", Initial: []count{{7}, {8}}, Ops: counted(t)}
	var out strings.Builder
	if err := Encode(&out, f); err != nil {
		t.Fatal(err)
	}
	want := `{"event":"note","text":"a < b"}
{"event":"initial","n":7}
{"event":"initial","n":8}
{"event":"call","t":1,"id":1,"client":0,"request":"add 1"}
{"event":"call","t":2,"id":2,"client":1,"request":"add 2"}
{"event":"return","t":3,"id":1,"client":0,"n":1}
{"event":"call","t":4,"id":3,"client":0,"request":"read"}
{"event":"return","t":5,"id":3,"client":0,"n":3}
{"event":"killed","id":2,"client":1}
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &out, want)
	}
	back, err := Decode[deed, count, count](strings.NewReader(want))
	if err != nil || !reflect.DeepEqual(back, f) {
		t.Errorf("%v: got %v, want %v", err, back, f)
	}
	for _, c := range [][2]string{ // a line, and what to make of it
		{`"request":"add 1"`, `"request":1`},
		{`"request":"add 1"`, `"deed":"add 1"`},
		{`"client":0,"n":1`, `"client":0,"n":"1"`},
		{`"client":0,"n":1`, `"client":0,"result":{"n":1}`},
		{`"client":0,"n":1`, `"client":0`},
		{`"id":2,"client":1}`, `"id":2,"client":1,"request":"add 2"}`},
		{`"initial","n":7`, `"initial","m":7`},
		{`"text":"a < b"`, `"text":"a < b","n":1`},
	} {
		text := strings.Replace(want, c[0], c[1], 1)
		if text == want {
			t.Fatalf("%s is not in the file", c[0])
		}
		if _, err := Decode[deed, count, count](strings.NewReader(text)); !errors.Is(err, ErrFormat) {
			t.Errorf("%s instead of %s: error %v, want ErrFormat", c[1], c[0], err)
		}
	}
	unwritable := File[deed, count, chan int]{Initial: []chan int{nil}, Ops: f.Ops}
	if err := Encode(&out, unwritable); err == nil {
		t.Error("a channel was written to a file")
	}
}

func TestValidator(t *testing.T) {
	type stepOp = Op[step, count]
	for _, c := range []struct {
		op   stepOp
		want error
	}{
		{stepOp{ID: 1, Request: step{1}, Call: 1, Return: 2}, nil},
		{stepOp{ID: 1, Request: step{0}, Call: 1, Return: 2}, errStep},
		{stepOp{ID: 1, Request: step{1}, Result: count{-1}, Call: 1, Return: 2}, errStep},
		{stepOp{ID: 1, Request: step{1}, Call: 1, Return: Forever, Pending: true}, nil},
		{stepOp{ID: 1, Request: step{1}, Result: count{1}, Call: 1, Return: Forever, Pending: true},
			ErrPendingResult},
	} {
		err := (History[step, count]{c.op}).Validate()
		if !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
			t.Errorf("%v: error %v, want %v", c.op, err, c.want)
		}
	}
	if err := (History[deed, count]{{ID: 1, Result: count{-1}, Call: 1, Return: 2}}).Validate(); err != nil {
		t.Errorf("a request without a validator is refused: %v", err)
	}
}

// TestCanon_Texts: forms of values that have no form but their text are as different as the histories,
// however long the texts are, and wherever one ends and the next one begins.
func TestCanon_Texts(t *testing.T) {
	var c Canon[deed, count]
	seen := map[string]string{}
	const seed = 9
	rng := rand.New(rand.NewSource(seed))
	for range 3000 {
		var r Recorder[deed, count]
		for range 2 {
			d := deed(strings.Repeat("a", []int{0, 1, 2, 126, 127, 128, 129, 16383, 16384}[rng.Intn(9)]))
			r.Return(r.Call(rng.Intn(2), d), count{rng.Intn(12)})
		}
		h, err := r.History()
		if err != nil {
			t.Fatal(err)
		}
		form, text := string(c.Bytes(h)), fmt.Sprint(h)
		if old, ok := seen[form]; ok && old != text {
			t.Fatalf("one form of\n%s\nand\n%s", old, text)
		}
		seen[form] = text
	}
	texts := map[string]bool{}
	for _, text := range seen {
		texts[text] = true
	}
	if len(texts) != len(seen) || len(seen) < 1000 {
		t.Errorf("%d forms of %d histories", len(seen), len(texts))
	}
	var compact Canon[step, count]
	long := compact.Bytes(History[step, count]{{ID: 1, Request: step{5}, Call: 1, Return: 2}})
	if !slices.Contains(long, 5) || strings.Contains(string(long), "step") {
		t.Errorf("the form %q is not the compact one", long)
	}
}

// TestNoAllocation: a run that is recorded, marked, validated and put in its form costs no memory, with all
// the methods that a request may have and with none.
func TestNoAllocation(t *testing.T) {
	var r Recorder[step, count]
	var c Canon[step, count]
	marks := map[uint64]bool{}
	r.Mark = func(bits uint64) { marks[bits] = true }
	run := func() {
		r.Reset()
		a := r.Call(0, step{1})
		b := r.Call(1, step{2})
		r.Return(a, count{1})
		r.Return(b, count{3})
		h, err := r.History()
		if err != nil || h.Validate() != nil {
			t.Fatal(err, h.Validate())
		}
		c.Bytes(h)
	}
	run()
	if n := testing.AllocsPerRun(100, run); len(marks) != 4 || n != 0 {
		t.Errorf("%d marks, want 4; %v allocations, want 0", len(marks), n)
	}
}
