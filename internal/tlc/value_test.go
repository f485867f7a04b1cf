package tlc

import (
	"slices"
	"strings"
	"testing"
)

// TestChanges: of each variable what differs and nothing else is told, however deep it is.
func TestChanges(t *testing.T) {
	const before = `/\ dead = {}
/\ map = <<0, 0>>
/\ w0 = ( <<0, 0>> :> [f |-> "E", g |-> 0] @@
  <<0, 1>> :>
      [f |-> "E", g |-> 0] )
/\ loc = << [ pc |-> "a, b]", left |-> {1, 2},
     p |-> [n |-> 1,
            v |-> -2] ],
   [pc |-> "idle \" >>", left |-> {}, p |-> [n |-> 1, v |-> 2]] >>
/\ free = (11 :> m1 @@ 22 :> m2)`
	for _, c := range []struct {
		name, from, to string
		want           []string
	}{
		{"nothing", "", "", nil},
		{"spaces", "<<0, 0>> :> [", "<<0,\n 0>>   :>\n [ ", nil},
		{"a set", "dead = {}", `dead = {"A"}`, []string{`dead = {"A"}, was {}`}},
		{"an element", "map = <<0, 0>>", "map = <<0, 7>>", []string{"map[2] = 7, was 0"}},
		{"a longer sequence", "map = <<0, 0>>", "map = <<0, 0, 5>>", []string{"map[3] = 5, was not there"}},
		{"a shorter sequence", "map = <<0, 0>>", "map = <<0>>", []string{"map[2] is gone, was 0"}},
		{"an empty sequence", "map = <<0, 0>>", "map = <<>>", []string{"map = <<>>, was <<0, 0>>"}},
		{"a field of a function's value", "[f |-> \"E\", g |-> 0] )", "[f |-> \"M\", g |-> 0] )",
			[]string{`w0[<<0, 1>>].f = "M", was "E"`}},
		{"a string with brackets", "a, b]", "a, c]", []string{`loc[1].pc = "a, c]", was "a, b]"`}},
		{"deep", "v |-> -2", "v |-> 3", []string{"loc[1].p.v = 3, was -2"}},
		{"a quotation mark", `idle \"`, `idle \\`, []string{`loc[2].pc = "idle \\", was "idle \" >>"`}},
		{"a model value", "m2", "m3", []string{"free[22] = m3, was m2"}},
		{"a key", "22 :>", "33 :>", []string{"free[33] = m2, was not there", "free[22] is gone, was m2"}},
		{"another kind", "(11 :> m1 @@ 22 :> m2)", "{}", []string{"free = {}, was (11 :> m1 @@ 22 :> m2)"}},
	} {
		now := strings.Replace(before, c.from, c.to, 1)
		if c.name == "a quotation mark" { // the string ends earlier
			now = strings.Replace(now, `idle \\ >>"`, `idle \\"`, 1)
		}
		got := State{Text: now}.Changes(State{Text: before})
		if (c.from != "") != (now != before) || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestChanges_OneVariable: TLC prints it without a conjunction. What cannot be read is told whole.
func TestChanges_OneVariable(t *testing.T) {
	for _, c := range [][3]string{
		{"x = 1", "x = 2", "x = 2, was 1"},
		{"x = [a: {1}]", "x = [a:\n {1, 2}]", "x = [a: {1, 2}], was [a: {1}]"},
	} {
		if got := (State{Text: c[1]}).Changes(State{Text: c[0]}); !slices.Equal(got, []string{c[2]}) {
			t.Errorf("%q, want %q", got, c[2])
		}
	}
}
