package cache

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
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

// The age of the small tier of TinyLFU is no parameter, since nothing goes by it: it is not listed, refused
// with the reason, and not in force where an older build has tuned it, which is no damage. That of another
// policy with as many tiers is.
func TestParameters_ThatNothingGoesBy(t *testing.T) {
	const name = "tier.0.age"
	for policy, has := range map[Policy]bool{TinyLFU{}: false, Ageing{}: true} {
		o := small()
		o.Policy, o.Tiers = policy, 2
		c := open(t, "", o)
		listed := slices.ContainsFunc(c.Parameters(), func(x Parameter) bool { return x.Name == name })
		err := c.Tune(name, 1000)
		if listed != has || has != (err == nil) || len(c.Parameters()) != 13+map[bool]int{true: 1}[has] {
			t.Errorf("%s: %s is listed: %v; tuned: %v", policy.Name(), name, listed, err)
		}
		want := `live parameter "tier.0.age" is one that the policy of this cache does not look at, ` +
			`want one that the cache has: did you mean tier.1.age?`
		if !has && (!errors.Is(err, ErrParameter) || !strings.HasSuffix(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
		field := parameterRows[liveAge].field
		c.params.words[field.Word].Store(field.In(0, 1000))
		if got := c.params.tuning().Ages[0]; (got == 1000) != has || got != 0 && got != 1000 {
			t.Errorf("%s: the age in force is %d ms", policy.Name(), got)
		}
		if found, err := c.Check(); err != nil || found.Err() != nil {
			t.Errorf("%s: %v, %v", policy.Name(), found, err)
		}
		tuned(t, c, "tier.1.age", 1000)
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

// Only TinyLFU itself does not look at the age of its small tier, and no policy whose name is half the same.
func TestMostAge_OfEachPolicy(t *testing.T) {
	for name, want := range map[string]uint64{"tinylfu": 0, "otherlfu": ttlMost, "abcdlfu": ttlMost,
		"tinyabc": ttlMost, "ageing": ttlMost} {
		number, ok := basket.NameOf(name)
		l := basket.Layout{Policy: number}
		if got := mostAge(0)(l); !ok || got != want || mostAge(1)(l) != ttlMost {
			t.Errorf("%s: %d and %d, want %d and %d", name, got, mostAge(1)(l), want, uint64(ttlMost))
		}
	}
}
