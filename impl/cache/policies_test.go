package cache

import (
	"errors"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// listener is a policy that notes for how many tiers it is asked, and answers by a function.
type listener struct {
	shaped
	asked  *[]uint32
	answer func(asked uint32) uint32
}

func (l listener) Shape(asked uint32) (tiers, lanes uint32) {
	*l.asked = append(*l.asked, asked)
	return l.answer(asked), 1
}

// A policy is asked for as many tiers as the options say, or for 0, and never for another number: so it is
// refused, or accepted, for what it does when it is asked so.
func TestOptions_PolicyIsAskedForItsTiers(t *testing.T) {
	for _, tiers := range []int{0, 1, 3, 8} {
		var asked []uint32
		only := func(asked uint32) uint32 { // of another number it makes too many
			if asked != uint32(tiers) {
				return 99
			}
			return max(asked, 1)
		}
		o := Options{Tiers: tiers, Policy: listener{shaped{name: "listener"}, &asked, only}}
		if err := o.check(); err != nil {
			t.Errorf("%d tiers: %v", tiers, err)
		}
		if got := o.complete().Tiers; got != max(tiers, 1) {
			t.Errorf("%d tiers become %d", tiers, got)
		}
		if len(asked) == 0 {
			t.Error("the policy was not asked")
		}
		for _, n := range asked {
			if n != uint32(tiers) {
				t.Errorf("a policy is asked for %d tiers, and the options have %d", n, tiers)
			}
		}
		o.Policy = listener{shaped{name: "listener"}, &asked, func(asked uint32) uint32 {
			return 98 - only(asked)
		}}
		if err := o.check(); !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), "Policy") {
			t.Errorf("of a policy that has 97 tiers when it is asked for %d: %v", tiers, err)
		}
	}
}

// A policy that contradicts itself, and breaks the rules only when it is asked for the number of tiers that
// it has given, is an error of whoever makes a cache with it, and no cache.
func TestOptions_PolicyContradictsItself(t *testing.T) {
	var asked []uint32
	answer := func(asked uint32) uint32 {
		if asked == 3 {
			return 99
		}
		return 3
	}
	o := Options{Bytes: 1 << 20, Policy: listener{shaped{name: "listener"}, &asked, answer}}
	g, err := geometryOf(o)
	for _, err := range []error{err, tooSmall(o)} {
		if err == nil || !strings.HasPrefix(err.Error(), "cache: ") ||
			!strings.Contains(err.Error(), "99 tiers") {
			t.Errorf("%v", err)
		}
	}
	if g.basket.BasketBytes != 0 || g.own.Sections != nil {
		t.Errorf("with an error %+v", g)
	}
	if c, err := Open("", Options{Policy: listener{shaped{name: "listener"}, &asked, answer}}); c != nil ||
		err == nil || errors.Is(err, region.ErrLayout) {
		t.Errorf("%v, %v", c, err)
	}
}

// asking is a policy that asks for so many words, or for so many for each entry.
type asking struct {
	shaped
	words, each uint64
}

func (g asking) Words(records uint64) uint64 { return g.words + g.each*records }

// A policy that asks for so much memory that its bytes cannot be counted is refused by name, and is not given
// next to none. One that asks for more than a cache has lacks Bytes.
func TestOptions_PolicyAsksForTooMuch(t *testing.T) {
	for _, x := range []struct {
		words, each, bytes, entries uint64
		says                        string // "" if it is accepted
	}{
		{0, 0, 0, 0, ""}, {1, 0, 1 << 20, 0, ""}, {0, 1, 1 << 20, 0, ""},
		{1 << 32, 0, 1 << 20, 0, "option Bytes is"}, {1 << 60, 0, 0, 0, "option Bytes is"},
		{0, 1 << 54, 1 << 20, 64, "option Bytes is"},
		{0, 1<<54 + 1, 1 << 20, 64, "whose Words is 1152921504606847040 for 64 entries, want at most " +
			"1152921504606846976: let it ask for less"},
		{1<<60 + 1, 0, 0, 0, "whose Words is 1152921504606846977 for 2097152 entries"},
		{1 << 61, 0, 1 << 20, 0, "for 8192 entries"},
		{1<<64 - 8, 0, 0, 0, "whose Words is"}, {1<<64 - 7, 0, 0, 0, "whose Words is"},
		{1<<64 - 1, 0, 0, 0, "whose Words is 18446744073709551615"},
	} {
		o := Options{Bytes: x.bytes, Entries: x.entries,
			Policy: asking{shaped{"greedy", 1, 1}, x.words, x.each}}
		err := o.check()
		if err == nil {
			_, err = geometryOf(o)
		}
		if (err == nil) != (x.says == "") || err != nil && (!errors.Is(err, ErrOptions) ||
			!strings.Contains(err.Error(), x.says)) {
			t.Errorf("%+v: %v", x, err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "cache: option ") {
			t.Errorf("%+v: %v", x, err)
		}
	}
}

// renamed is a policy of a user who has embedded one of the package, and has left its name.
type renamed struct{ TinyLFU }

// A policy of a user's own that has the name of one of the package is refused, whether a cache is made with
// it or one that is there is opened: whoever passes no policy would take the other one for it. Those of the
// package are accepted, also by a pointer.
func TestOptions_PolicyHasANameOfThePackage(t *testing.T) {
	path := cacheFile(t)
	if err := open(t, path, small()).Close(); err != nil {
		t.Fatal(err)
	}
	for policy, want := range map[Policy]string{
		shaped{"ageing", 4, 1}: `cache: option Policy is cache.shaped, whose Name is "ageing", want a name ` +
			"that no policy of this package has: let its Name return another one, or pass cache.Ageing{}",
		renamed{}: `cache: option Policy is cache.renamed, whose Name is "tinylfu", want a name that no ` +
			"policy of this package has: let its Name return another one, or pass cache.TinyLFU{}",
		&renamed{}: `cache: option Policy is *cache.renamed, whose Name is "tinylfu", want a name that no ` +
			"policy of this package has: let its Name return another one, or pass cache.TinyLFU{}",
	} {
		o := small()
		o.Policy = policy
		_, heap := Open("", o)
		_, there := Open(path, o)
		_, made := Open(cacheFile(t), o)
		_, attached := Attach(path, o)
		for of, err := range map[string]error{"on the heap": heap, "in a file": there, "in a new file": made,
			"attached": attached} {
			if err == nil || err.Error() != want || !errors.Is(err, ErrOptions) {
				t.Errorf("%s: %v, want %s", of, err, want)
			}
		}
	}
	for _, policy := range []Policy{Ageing{}, &Ageing{}, TinyLFU{}, &TinyLFU{}, shaped{"own", 1, 1}} {
		if err := (Options{Policy: policy}).check(); err != nil {
			t.Errorf("%T: %v", policy, err)
		}
	}
}
