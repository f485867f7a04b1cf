package model

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

func TestNewRefuses(t *testing.T) {
	good := func() Config { p, _ := ProgramByName("S02AddCollision"); return p.Config(0) }
	for name, spoil := range map[string]func(c *Config){
		"too many cells":  func(c *Config) { c.N = MaxCells + 1 },
		"window too wide": func(c *Config) { c.W = c.N + 1 },
		"front too wide":  func(c *Config) { c.Front = c.W + 1 },
		"reach too far":   func(c *Config) { c.Reach = 3*c.W + 1 },
		"no actor":        func(c *Config) { c.Program = nil },
		"too many deaths": func(c *Config) { c.MaxCrashes = 2 },
		"key 0":           func(c *Config) { c.Program = [][]Op{{get(0)}} },
		"key 17":          func(c *Config) { c.Program = [][]Op{{get(MaxKeys + 1)}} },
		"add of nothing":  func(c *Config) { c.Program = [][]Op{{add(1, 0)}} },
		"get with value":  func(c *Config) { c.Program = [][]Op{{{OpGet, 1, 1}}} },
		"idle":            func(c *Config) { c.Program = [][]Op{{{OpIdle, 1, 0}}} },
		"home outside":    func(c *Config) { c.Home[1][2] = 4 },
		"third half":      func(c *Config) { c.Memory[0].H = 2 },
		"cell taken":      func(c *Config) { c.Memory = append(c.Memory, in(0, 2, 5)) },
	} {
		c := good()
		if spoil(&c); true {
			if m, err := New(c); !errors.Is(err, ErrConfig) || m != nil {
				t.Errorf("%s: %v, %v", name, m, err)
			}
		}
	}
	if _, err := New(good()); err != nil {
		t.Error(err)
	}
}
