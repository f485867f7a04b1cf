package cache

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// Each field of the error of a change that is refused has what it is for.
func TestTune_FieldsOfErrors(t *testing.T) {
	o := small()
	o.Tiers = 1
	c := open(t, "", o)
	var names []string
	for _, x := range c.Parameters() {
		names = append(names, x.Name)
	}
	long := strings.Repeat("x", 1000)
	for _, x := range []struct {
		settings []Setting
		want     TuneError
	}{
		{[]Setting{{"ttl.defualt", 1}}, TuneError{ErrParameter, `"ttl.defualt"`, "unknown",
			"one that the cache has", "did you mean ttl.default?"}},
		{[]Setting{{"quota", 1}}, TuneError{ErrParameter, `"quota"`, "unknown", "one that the cache has",
			"did you mean quota.object or quota.client or quota.retry?"}},
		{[]Setting{{"nothing of it", 1}}, TuneError{ErrParameter, `"nothing of it"`, "unknown",
			"one of " + strings.Join(names, ", "), "choose a name of this list"}},
		{[]Setting{{long, 1}}, TuneError{ErrParameter, `"` + long[:nameMost] + `"`, "unknown",
			"one of " + strings.Join(names, ", "), "choose a name of this list"}},
		{[]Setting{{"janitor.run", 3}, {"compact.gain", 101}}, TuneError{ErrValue, "compact.gain", "101",
			"1..100 percent", "choose a value within the bounds"}},
		{[]Setting{{"janitor.records", 63}}, TuneError{ErrValue, "janitor.records", "63",
			"64..1048576 records", "choose a value within the bounds"}},
		{[]Setting{{"janitor.every", 30}, {"janitor.run", 3}, {"janitor.every", 40}}, TuneError{ErrValue,
			"janitor.every", "40", "one value for each name", "leave one of the two out"}},
	} {
		err := c.TuneAll(x.settings...)
		var e *TuneError
		if !errors.As(err, &e) || *e != x.want {
			t.Errorf("%.40v: %#v, want %#v", x.settings, e, x.want)
			continue
		}
		if want := fmt.Sprintf("tune: live parameter %s is %s, want %s: %s", x.want.Name, x.want.Found,
			x.want.Want, x.want.Do); err.Error() != want || !errors.Is(err, x.want.Reason) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// So has each of an option that is out of bounds.
func TestOptions_FieldsOfErrors(t *testing.T) {
	for _, x := range []struct {
		o    Options
		want Error
	}{
		{Options{Bytes: BytesMin - 1}, Error{"Bytes", "131071", "131072..51539607552",
			"choose the size of the whole cache in bytes, or 0"}},
		{Options{Bytes: BytesMax + 1}, Error{"Bytes", "51539607553", "131072..51539607552",
			"choose the size of the whole cache in bytes, or 0"}},
		{Options{BasketBytes: BasketBytesMax + 1}, Error{"BasketBytes", "67108865", "4096..67108864",
			"choose a power of two, or 0 for one that fits Bytes"}},
		{Options{BasketBytes: 3 << 20}, Error{"BasketBytes", "3145728", "a power of two",
			"choose 2097152 or 4194304, or 0 for one that fits Bytes"}},
		{Options{Entries: 63}, Error{"Entries", "63", "64..2147483648",
			"choose how many entries the cache will have, or 0 for one in 128 bytes"}},
		{Options{Hash: 3}, Error{"Hash", "3", "1..2", "choose HashXXH3 or HashSip, or 0"}},
		{Options{Writers: -2}, Error{"Writers", "-2", "1..256",
			"choose how many goroutines write at one moment, or 0 for GOMAXPROCS"}},
		{Options{Readers: 257}, Error{"Readers", "257", "1..256",
			"choose how many goroutines read at one moment, or 0 for twice GOMAXPROCS"}},
		{Options{hashBits: 33}, Error{"hashBits", "33", "1..32",
			"choose how many bits tests leave of a hash, or 0"}},
		{Options{TTL: -time.Second}, Error{"TTL", "-1s", "0 or more",
			"choose 0 for the time that the cache has"}},
		{Options{Tiers: 9}, Error{"Tiers", "9", "1..8",
			"choose how many tiers there are, or 0 for what the policy has"}},
		{Options{Tiers: 3, Policy: TinyLFU{}}, Error{"Tiers", "3", "2, which policy tinylfu has",
			"choose 0"}},
		{Options{Quota: Quota{Action: 3}}, Error{"Quota.Action", "action3", "refuse, warn or expel",
			"choose one of these"}},
	} {
		err := x.o.check()
		var e *Error
		if !errors.As(err, &e) || *e != x.want {
			t.Errorf("%+v: %#v, want %#v", x.o, e, x.want)
			continue
		}
		if want := fmt.Sprintf("cache: option %s is %s, want %s: %s", x.want.Field, x.want.Found, x.want.Want,
			x.want.Do); err.Error() != want || !errors.Is(err, ErrOptions) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for _, o := range []Options{{Bytes: BytesMin}, {Bytes: BytesMax}, {BasketBytes: BasketBytesMin},
		{BasketBytes: BasketBytesMax}, {Entries: entriesMin}, {Entries: entriesMax}, {Hash: HashXXH3},
		{Hash: HashSip}, {Writers: 1}, {Writers: handlesMax}, {Readers: 1}, {Readers: handlesMax},
		{hashBits: 1}, {hashBits: 32}, {TTL: 1}, {Tiers: 1}, {Tiers: 8}, {Tiers: 2, Policy: TinyLFU{}}} {
		if err := o.check(); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
	_, key := NewTyped[struct{}, string](open(t, "", small()), nil, nil)
	_, value := NewTyped[string, []int](open(t, "", small()), nil, nil)
	for of, err := range map[string]error{"codec of the key is nil for struct {}": key,
		"codec of the value is nil for []int": value} {
		if want := "cache: option " + of + ", want one, or a number, bool, string or []byte: give a Codec " +
			"of that type"; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// So has each of a region that is none of this cache.
func TestOptionsOf_FieldsOfErrors(t *testing.T) {
	g, err := geometryOf(Options{Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	changed := func(change func(g *geometry)) region.Layout {
		x := g
		x.own.Params = append([]region.Param{}, g.own.Params...)
		change(&x)
		return x.layout()
	}
	param := func(name string, value uint64) region.Layout {
		return changed(func(g *geometry) {
			for i := range g.own.Params {
				if g.own.Params[i].Name == name {
					g.own.Params[i].Value = value
				}
			}
		})
	}
	params := func(l region.Layout) string { p, _ := l.Part(Engine); return fmt.Sprint(p.Params) }
	const damaged = "the file is damaged: unlink it and create it anew"
	none := region.Layout{g.index.Part()}
	newer := changed(func(g *geometry) { g.own.Version++ })
	lost, other := param(paramEntries, 0), changed(func(g *geometry) { g.index.CellsPerHalf++ })
	odd := param(paramBasket, 5000)
	foreign, ok := basket.NameOf("newest")
	if !ok {
		t.Fatal("no name of a policy")
	}
	for what, x := range map[string]struct {
		l    region.Layout
		want region.Error
	}{
		"no part": {none, region.Error{Reason: region.ErrLayout, Field: "engine", Found: none.String(),
			Want: "cache", Do: "open a region that a cache has made, or create one under another path"}},
		"another version": {newer, region.Error{Reason: region.ErrLayout, Field: "version of cache",
			Found: fmt.Sprint(FormatVersion + 1), Want: fmt.Sprint(FormatVersion),
			Do: "it was created by another build: use that build, or unlink it and create it anew"}},
		"another policy": {param(paramPolicy, uint64(foreign)), region.Error{Reason: region.ErrLayout,
			Field: "policy", Found: "newest", Want: "one of this package",
			Do: "pass the policy with that name in Options.Policy"}},
		"no entries": {lost, region.Error{Reason: region.ErrHeader, Field: "part cache", Found: params(lost),
			Want: "options within their bounds", Do: damaged}},
		"odd baskets": {odd, region.Error{Reason: region.ErrHeader, Field: "part cache",
			Found: Options{BasketBytes: 5000}.check().Error(), Want: "options within their bounds",
			Do: damaged}},
		"another index": {other, region.Error{Reason: region.ErrHeader, Field: "layout",
			Found: other.String(), Want: "that of the options " + params(other), Do: damaged}},
	} {
		r, err := region.Create(cacheFile(t), x.l)
		if err != nil {
			t.Fatal(err)
		}
		o, err := optionsOf(r, nil)
		x.want.File = r.File()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		var e *region.Error
		if !errors.As(err, &e) || *e != x.want || o.Bytes != 0 || o.Policy != nil || o.Entries != 0 {
			t.Errorf("%s: %#v, want %#v", what, e, x.want)
		}
	}
}

// Each error of a call begins with the name of the call.
func TestCalls_AreNamedInErrors(t *testing.T) {
	c, err := Open("", small())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	for name, call := range answers(c, []byte("k"), nil) {
		switch name {
		case "set with a time":
			name = "set ttl"
		case "set if absent with a time":
			name = "set if absent ttl"
		case "batch":
			name = "get batch"
		}
		if _, err := call(); err == nil || err.Error() != name+": "+ErrClosed.Error() {
			t.Errorf("%s: %v", name, err)
		}
	}
	only := func(_ any, err error) error { return err }
	for name, err := range map[string]error{"stats": only(c.Stats()), "processes": only(c.Processes()),
		"baskets": only(c.Baskets()), "check": only(c.Check()), "admit": only(c.Admit(1)), "close": c.Close(),
		"tune": c.Tune("compact.gain", 5)} {
		if err == nil || err.Error() != name+": "+ErrClosed.Error() {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := tried(triesMost); !errors.Is(err, ErrBusy) || tried(triesMost-1) != nil {
		t.Errorf("%v, %v", err, tried(triesMost-1))
	}
}

// An error of a handle says which handle there is none of, whatever the reason.
func TestNoHandle_NamesTheHandle(t *testing.T) {
	other := errors.New("other")
	for _, err := range []error{other, hopscotch.ErrHandles, basket.ErrWriters} {
		said := noHandle("writer", err)
		if !strings.HasPrefix(said.Error(), "writer: ") || !errors.Is(said, err) ||
			errors.Is(said, ErrBusy) != (err != other) {
			t.Errorf("of %v: %v", err, said)
		}
	}
}

// What has a number in the region is shown by its name, also where no kind has that number; and a text that
// is no number as it is.
func TestNames_OfNumbers(t *testing.T) {
	for number, want := range map[string]string{"1": "xxh3", "2": "siphash", "0": "hash0", "3": "hash3",
		"255": "hash255", "256": "256", "none": "none", "-1": "-1", "": "", "0x1": "0x1"} {
		if got := hashText(number); got != want {
			t.Errorf("hash %q is shown as %q, want %q", number, got, want)
		}
	}
	const most = "18446744073709551615" // of 64 bits
	for number, want := range map[string]string{fmt.Sprint(policyNumber(Ageing{})): "ageing",
		fmt.Sprint(policyNumber(TinyLFU{})): "tinylfu", "97": "a", "none": "none", "-1": "-1",
		"0": "", most: strings.Repeat("\xff", 8), most + "0": most + "0", "0x61": "0x61"} {
		if got := policyText(number); got != want {
			t.Errorf("policy %q is shown as %q, want %q", number, got, want)
		}
	}
}
