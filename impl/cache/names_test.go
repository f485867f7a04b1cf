package cache

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// Of the names those are near that differ in the fewest letters, if these are a third of the name at most;
// where there are none, those of which the name is a part. They come in their order.
func TestNearest(t *testing.T) {
	for _, x := range []struct{ name, names, want string }{
		{"abc", "abd abc abe", "abc"},         // the same
		{"abcdef", "abcxyf abcdex", "abcdex"}, // the second is nearer, by one
		{"abcdef", "abcdex abcxyf", "abcdex"}, // the first is
		{"abcdef", "abcdex xbcdef", "abcdex xbcdef"},
		{"abcdef", "abcdwxef abxxef", "abcdwxef abxxef"}, // two of six
		{"abcdef", "abcxyz", ""},                         // three of six
		{"abcdef", "abcxyz uvabcdefgh", "uvabcdefgh"},
		{"abcde", "abcdef abcd", "abcdef abcd"}, // one letter more, and one less
		{"abcde", "abcdexyz abcd", "abcd"},      // a name of which it is a part is not nearer
		{"abcde", "axxde", ""},                  // two of five
		{"ab", "xabx abx", "xabx abx"},
		{"ab", "ax", ""},
		{"abc", "", ""},
		{"", "a b", ""},
		{strings.Repeat("x", nameMost+1), strings.Repeat("x", nameMost), ""},
		{strings.Repeat("x", nameMost), strings.Repeat("x", nameMost-1), strings.Repeat("x", nameMost-1)},
	} {
		if got := strings.Join(nearest(x.name, strings.Fields(x.names)), " "); got != x.want {
			t.Errorf("%q is near to %q of %q, want %q", x.name, got, x.names, x.want)
		}
	}
}

// A cache has the live parameters of its tiers, and no others: they are neither listed nor tuned nor
// proposed. Each that it has is listed with all that the table says of it.
func TestParameters_OfTheTiers(t *testing.T) {
	for _, tiers := range []int{1, 2, 8} {
		o := small()
		o.Tiers = tiers
		c := open(t, "", o)
		listed := map[string]bool{}
		for _, x := range c.Parameters() {
			listed[x.Name] = true
			i := slices.IndexFunc(parameterRows[:], func(r parameterRow) bool { return r.name == x.Name })
			if r := parameterRows[i]; x.Unit != r.unit || x.Meaning != r.meaning || x.Unit == x.Meaning {
				t.Errorf("%s is listed with %q and %q, want %q and %q", x.Name, x.Unit, x.Meaning, r.unit,
					r.meaning)
			}
		}
		if want := 10 + 2*tiers; len(listed) != want {
			t.Errorf("of %d tiers %d parameters are listed, want %d", tiers, len(listed), want)
		}
		for tier := range 9 {
			for _, of := range []string{"share", "age"} {
				name := fmt.Sprintf("tier.%d.%s", tier, of)
				err := c.Tune(name, 1)
				if tier < tiers != (err == nil) || tier < tiers != listed[name] {
					t.Errorf("of %d tiers: %s is listed: %v; tuned: %v", tiers, name, listed[name], err)
				}
				var e *TuneError
				if tier < tiers {
					continue
				}
				if !errors.Is(err, ErrParameter) || !errors.As(err, &e) ||
					strings.Contains(e.Want+e.Do, name) || !strings.Contains(e.Do, "tier.0."+of) {
					t.Errorf("of %d tiers: %v, want one that proposes tier.0.%s", tiers, err, of)
				}
			}
		}
		err := c.Tune("nothing at all", 1)
		if got := strings.Count(err.Error(), "tier."); got != 2*tiers {
			t.Errorf("of %d tiers: %v", tiers, err)
		}
	}
}

// Names of 64 bytes are compared letter by letter, and longer ones are not, be it the first or the second.
func TestDistance_OfLongNames(t *testing.T) {
	name := func(n int) string { return strings.Repeat("x", n) }
	for _, x := range []struct{ a, b, want int }{{nameMost, nameMost, 0}, {nameMost, nameMost - 1, 1},
		{nameMost - 1, nameMost, 1}, {nameMost, 0, nameMost}, {0, nameMost, nameMost},
		{nameMost + 1, nameMost + 1, math.MaxInt}, {nameMost + 1, 0, math.MaxInt},
		{0, nameMost + 1, math.MaxInt}, {nameMost, nameMost + 1, math.MaxInt},
		{nameMost + 1, nameMost, math.MaxInt}} {
		if got := distance(name(x.a), name(x.b)); got != x.want {
			t.Errorf("from %d letters to %d: %d, want %d", x.a, x.b, got, x.want)
		}
	}
}
