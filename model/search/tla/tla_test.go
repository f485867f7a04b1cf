package tla

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"{3, 1, 2, 1}", "{1, 2, 3}"},
		{"<<\"b\", TRUE,\n  -7>>", `<<"b", TRUE, -7>>`},
		{"[b |-> {}, a |-> <<>>]", "[a |-> <<>>, b |-> {}]"},
		{"(2 :> 20 @@ 1 :> 10)", "<<10, 20>>"},
		{"(1 :> 10 @@ 0 :> 0)", "(0 :> 0 @@ 1 :> 10)"},
		{"(<<0, 1>> :> [f |-> \"E\"])", `(<<0, 1>> :> [f |-> "E"])`},
		{"<<1..3, -1..0, 2..1>>", "<<{1, 2, 3}, {-1, 0}, {}>>"},
	} {
		got, err := Canonical(x.text)
		if err != nil || got != x.want {
			t.Errorf("%s: %s, %v; want %s", x.text, got, err, x.want)
		}
	}
	for _, text := range []string{"", "{1", "[a -> 1]", "(1 :> )", "\"open", "1 2", "x", "<<1 2>>",
		"1..", "1..x"} {
		if got, err := Canonical(text); !errors.Is(err, ErrValue) {
			t.Errorf("%q is read as %s, %v", text, got, err)
		}
	}
}

// Each state is read by itself, whatever was remembered of those before.
func TestReadStates(t *testing.T) {
	dump := "State 1:\n/\\ b = [x |-> {2,\n  1}]\n/\\ a = <<[k |-> \"]\"], 0>>\n\n" +
		"State 2:\n/\\ a = <<[k |-> \"]\"], 1>>\n/\\ b = [x |-> {2,\n  1}]\n\n" +
		"State 3:\n/\\ b = [x |-> {2, 3}]\n/\\ a = <<[k |-> \"]]\"], [k |-> \"]\"]>>\n"
	var got []string
	err := ReadStates(strings.NewReader(dump), func(s string) { got = append(got, s) })
	want := []string{
		`[a |-> <<[k |-> "]"], 0>>, b |-> [x |-> {1, 2}]]`,
		`[a |-> <<[k |-> "]"], 1>>, b |-> [x |-> {1, 2}]]`,
		`[a |-> <<[k |-> "]]"], [k |-> "]"]>>, b |-> [x |-> {2, 3}]]`,
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("read as\n%s, %v; want\n%s", strings.Join(got, "\n"), err, strings.Join(want, "\n"))
	}
	for _, text := range []string{"/\\ a = 1\n", "State 1:\na", "State 1:\n/\\ a = [b |-> 1\n",
		"State 1:\n/\\ a = 1 b = 2\n"} {
		if err := ReadStates(strings.NewReader(text), func(string) {}); !errors.Is(err, ErrValue) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What is written is canonical: the reader makes the same of it.
func TestWritten_IsCanonical(t *testing.T) {
	all := []Pair{
		{"flag", Bool(true)},
		{"list", Each([]uint8{3, 1}, Num)},
		{"map", Function([]Pair{{"2", Num(20)}, {"1", Num(-10)}})},
		{"set", Set([]string{String("b"), String("a"), String("b")})},
	}
	const want = `[flag |-> TRUE, list |-> <<3, 1>>, map |-> <<-10, 20>>, set |-> {"a", "b"}]`
	text := Record(all...)
	if got, err := Canonical(text); text != want || got != want || err != nil {
		t.Errorf("%s is read as %s, %v; want %s", text, got, err, want)
	}
	if got := Show(all, "set", "flag"); got != `flag TRUE, set {"a", "b"}` {
		t.Errorf("shown as %s", got)
	}
}
