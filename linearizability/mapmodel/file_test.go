package mapmodel

import (
	"errors"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/history"
)

func TestEncode(t *testing.T) {
	var r Recorder
	var out strings.Builder
	f := File{Note: "a < b", Initial: map[uint32]uint32{3: 30, 1: 10}, Ops: sample(t, &r)}
	if err := Encode(&out, f); err != nil {
		t.Fatal(err)
	}
	want := `{"event":"note","text":"a < b"}
{"event":"initial","key":1,"value":10}
{"event":"initial","key":3,"value":30}
{"event":"call","t":1,"id":1,"client":0,"kind":"add","key":7,"value":70}
{"event":"call","t":2,"id":2,"client":1,"kind":"get","key":7}
{"event":"return","t":3,"id":1,"client":0,"outcome":"added"}
{"event":"call","t":4,"id":3,"client":2,"kind":"add","key":8,"value":80}
{"event":"return","t":5,"id":2,"client":1,"outcome":"found","value":70}
{"event":"killed","id":3,"client":2}
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	back, err := Decode(strings.NewReader(out.String()))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, f) {
		t.Errorf("got %v, want %v", back, f)
	}
	if err := Encode(&out, File{Ops: History{{ID: 1}}}); err == nil {
		t.Error("an invalid history was encoded")
	}
}

func TestEncodeDecodeRandom(t *testing.T) {
	const seed = 2
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	for range 500 {
		h := randomHistory(rng)
		var first, second strings.Builder
		if err := Encode(&first, File{Ops: h}); err != nil {
			t.Fatal(err)
		}
		back, err := Decode(strings.NewReader(first.String()))
		if err != nil {
			t.Fatalf("%v\n%s", err, first.String())
		}
		if meaning(back.Ops) != meaning(h) {
			t.Fatalf("got %s, want %s", meaning(back.Ops), meaning(h))
		}
		if err := Encode(&second, back); err != nil || second.String() != first.String() {
			t.Fatalf("encoded twice, error %v:\n%s\n%s", err, first.String(), second.String())
		}
	}
}

// Lines that the refused files below are made of.
const (
	callAdd   = `{"event":"call","t":1,"id":1,"client":0,"kind":"add","key":7,"value":70}`
	returnAdd = `{"event":"return","t":2,"id":1,"client":0,"outcome":"added"}`
	killAdd   = `{"event":"killed","id":1,"client":0}`
)

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		want  error
		where string // the line that the error must name
		lines []string
	}{
		{"not json", history.ErrFormat, "line 2", []string{callAdd, `{`}},
		{"empty line", history.ErrFormat, "line 2", []string{callAdd, ``, returnAdd}},
		{"unknown event", history.ErrFormat, "line 1", []string{`{"event":"crash"}`}},
		{"unknown field", history.ErrFormat, "line 2",
			[]string{callAdd, `{"event":"return","t":2,"id":1,"client":0,"outcome":"added","x":1}`}},
		{"field of another event", history.ErrFormat, "line 2",
			[]string{callAdd, `{"event":"return","t":2,"id":1,"client":0,"outcome":"added","key":7}`}},
		{"doubled field", history.ErrFormat, "line 1",
			[]string{`{"event":"killed","id":2,"id":1,"client":0}`}},
		{"missing field", history.ErrFormat, "line 2", []string{callAdd, `{"event":"return","t":2,"id":1}`}},
		{"fields out of order", history.ErrFormat, "line 1",
			[]string{`{"t":1,"event":"call","id":1,"client":0,"kind":"get","key":7}`}},
		{"get with a value", history.ErrFormat, "line 1",
			[]string{`{"event":"call","t":1,"id":1,"client":0,"kind":"get","key":7,"value":70}`}},
		{"found without a value", history.ErrFormat, "line 2",
			[]string{callAdd, `{"event":"return","t":2,"id":1,"client":0,"outcome":"found"}`}},
		{"unknown outcome", history.ErrFormat, "line 2",
			[]string{callAdd, `{"event":"return","t":2,"id":1,"client":0,"outcome":"maybe"}`}},
		{"outcome none", history.ErrFormat, "line 2",
			[]string{callAdd, `{"event":"return","t":2,"id":1,"client":0,"outcome":"none"}`}},
		{"late note", history.ErrFormat, "line 2", []string{callAdd, `{"event":"note","text":"x"}`}},
		{"late contents", history.ErrFormat, "line 2",
			[]string{callAdd, `{"event":"initial","key":7,"value":1}`}},
		{"contents twice", history.ErrFormat, "line 2",
			[]string{`{"event":"initial","key":7,"value":1}`, `{"event":"initial","key":7,"value":2}`}},
		{"time runs back", history.ErrFormat, "line 2",
			[]string{callAdd, `{"event":"return","t":0,"id":1,"client":0,"outcome":"added"}`}},
		{"unknown kind", ErrUnknownKind, "line 1",
			[]string{`{"event":"call","t":1,"id":1,"client":0,"kind":"pop","key":7}`}},
		{"duplicate id", history.ErrDuplicateID, "line 3", []string{callAdd, returnAdd,
			`{"event":"call","t":3,"id":1,"client":1,"kind":"get","key":7}`}},
		{"never called", history.ErrUnmatchedReturn, "line 1", []string{returnAdd}},
		{"kill of nothing", history.ErrUnmatchedReturn, "line 1", []string{killAdd}},
		{"returned twice", history.ErrUnmatchedReturn, "line 3", []string{callAdd, returnAdd, returnAdd}},
		{"killed and returned", history.ErrUnmatchedReturn, "line 3", []string{callAdd, killAdd, returnAdd}},
		{"wrong client", history.ErrUnmatchedReturn, "line 2",
			[]string{callAdd, `{"event":"return","t":2,"id":1,"client":3,"outcome":"added"}`}},
		{"return first", history.ErrReturnBeforeCall, "line 1",
			[]string{strings.Replace(returnAdd, `"t":2`, `"t":1`, 1), callAdd}},
		{"no return", history.ErrNoReturn, "1 lines", []string{callAdd}},
		{"overlap", history.ErrOverlap, "4 lines", []string{callAdd,
			`{"event":"call","t":2,"id":2,"client":0,"kind":"get","key":7}`, returnAdd,
			`{"event":"return","t":3,"id":2,"client":0,"outcome":"absent"}`}},
		{"outcome of another kind", ErrBadOutcome, "2 lines",
			[]string{callAdd, `{"event":"return","t":2,"id":1,"client":0,"outcome":"absent"}`}},
	} {
		_, err := Decode(strings.NewReader(strings.Join(c.lines, "\n") + "\n"))
		if !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		} else if !strings.Contains(err.Error(), c.where) {
			t.Errorf("%s: error %q does not name %s", c.name, err, c.where)
		}
	}
	long := strings.NewReader(`{"event":"note","text":"` + strings.Repeat("x", history.MaxLineBytes) + `"}`)
	if _, err := Decode(long); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("a long line: error %v", err)
	}
}

// FuzzDecode: whatever is accepted is valid, and what Encode makes of it is read back unchanged.
func FuzzDecode(f *testing.F) {
	f.Add(callAdd + "\n" + returnAdd + "\n")
	f.Add(callAdd + "\n" + killAdd)
	f.Add(`{"event":"note","text":"x"}` + "\n" + `{"event":"initial","key":1,"value":2}`)
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Decode(strings.NewReader(text))
		if err != nil {
			return
		}
		var first, second strings.Builder
		if err := Encode(&first, file); err != nil {
			t.Fatal(err)
		}
		back, err := Decode(strings.NewReader(first.String()))
		if err != nil {
			t.Fatal(err)
		}
		if err := Encode(&second, back); err != nil || first.String() != second.String() {
			t.Fatalf("error %v: %q became %q", err, first.String(), second.String())
		}
	})
}
