package region

import (
	"errors"
	"fmt"
	"testing"
)

// TestLayout_AcceptTellsTheFirstDifference: the error names the field, what the file has, and what was asked
// for. Of several differences it is the first one.
func TestLayout_AcceptTellsTheFirstDifference(t *testing.T) {
	changed := func(change func(p *Part)) Layout {
		l := small.complete()
		change(&l[0])
		return l
	}
	two := append(changed(func(*Part) {}), Part{Engine: "cache"})
	for name, c := range map[string]struct {
		has, want    Layout
		field        string
		found, asked string
	}{
		"a part that is not there": {small.complete(), two, "engine", "toy", "cache"},
		"a part more":              {two, small.complete(), "engines", "toy, cache", "toy"},
		"a parameter that is not there": {changed(func(p *Part) { p.Params = p.Params[1:] }),
			small.complete(), fieldParam("toy", small[0].Params[0].Name), "not there",
			fmt.Sprint(small[0].Params[0].Value)},
		"a parameter more": {small.complete(), changed(func(p *Part) { p.Params = p.Params[1:] }),
			"number of parameters of toy", "4", "3"},
		"a section that is not there": {changed(func(p *Part) { p.Sections = p.Sections[:1] }),
			small.complete(), fieldSize("toy", small[0].Sections[1].Name), "not there",
			fmt.Sprint(small[0].Sections[1].Bytes)},
		"a section more": {small.complete(), changed(func(p *Part) { p.Sections = p.Sections[:1] }),
			"number of sections of toy", "2", "1"},
		"a size, and an alignment": {changed(func(p *Part) {
			p.Sections[1].Bytes, p.Sections[1].Align = 8, 128
		}), small.complete(), fieldSize("toy", small[0].Sections[1].Name), "8",
			fmt.Sprint(small[0].Sections[1].Bytes)},
	} {
		err := c.has.accept("f", c.want, true)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v, want an error", name, err)
			continue
		}
		if e.Field != c.field || e.Found != c.found || e.Want != c.asked {
			t.Errorf("%s: %s is %q, want %q; expected %s, %q, %q", name, e.Field, e.Found, e.Want,
				c.field, c.found, c.asked)
		}
	}
}

// TestHeader_OfOneLine: a header that says it is one line long is long enough to be read, and has no parts.
// One of another length than its layout needs tells both.
func TestHeader_OfOneLine(t *testing.T) {
	h := small.header()
	h[wordHeader] = LineBytes
	_, err := h[:LineBytes/WordBytes].check("f", small.Size())
	var e *Error
	if !errors.As(err, &e) || e.Field != "list of parts" {
		t.Errorf("%v, want the list of parts", err)
	}
	longer := append(small.header(), make(header, LineBytes/WordBytes)...)
	longer[wordHeader] = headerBytes + LineBytes
	_, err = longer.check("f", small.Size())
	if !errors.As(err, &e) || e.Field != "header size" || e.Found != fmt.Sprint(headerBytes+LineBytes) ||
		e.Want != fmt.Sprint(headerBytes) {
		t.Errorf("%v, want the size of the header", err)
	}
}
