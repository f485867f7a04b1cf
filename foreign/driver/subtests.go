package driver

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// A part is a test, or one of its direct subtests alone.
type part struct {
	Test
	only string // the subtest, as package testing names it; empty for the whole test
}

// function is the name of the test function.
func (p part) function() string { return p.Name[strings.LastIndexByte(p.Name, '.')+1:] }

// title is the name in reports and tokens: sub/path.TestName/subtest.
func (p part) title() string { return p.Name + strings.TrimPrefix(p.only, p.function()) }

// part finds the part that a token names.
func (t tests) part(title string) (part, bool) {
	for _, x := range t.all {
		p := part{Test: x}
		if rest, is := strings.CutPrefix(title, x.Name+"/"); is {
			p.only = p.function() + "/" + rest
		}
		if p.title() == title {
			return p, true
		}
	}
	return part{}, false
}

// Rest is the flag of a driver of tests that names one of Report.Rest.
const Rest = "rest"

// listed reports whether the tests have run before they are explored, for the names of their subtests.
func (t tests) listed() bool { return t.subtests != "" && len(t.rest) == 0 }

// parts returns the requested parts: the tests, or those of their subtests whose names match.
func (t tests) parts() (all []part, err error) {
	for _, title := range t.rest {
		if p, is := t.part(title); is {
			all = append(all, p)
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	if t.subtests == "" {
		for _, x := range t.all {
			all = append(all, part{Test: x})
		}
		return all, nil
	}
	m, err := regexp.Compile(asNamed(t.subtests))
	if err != nil {
		return nil, fmt.Errorf("%w: the name of a subtest: %w", ErrProgram, err)
	}
	var has []string
	for _, x := range t.all {
		for _, p := range t.split(part{Test: x}) {
			has = append(has, p.title())
			if m.MatchString(strings.TrimPrefix(p.only, p.function()+"/")) {
				all = append(all, p)
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: no subtest matches %s; there are: %s", ErrProgram, t.subtests,
			strings.Join(has, ", "))
	}
	return all, nil
}

// asNamed changes a pattern as package testing changes the names that t.Run is given and the patterns of go
// test -run: it has no blanks, and no characters that cannot be printed.
func asNamed(pattern string) string {
	var b strings.Builder
	for _, r := range pattern {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte('_')
		case !strconv.IsPrint(r):
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// split returns the subtests of a test, each alone; a subtest is not split. They are found by a run in which
// the test runs none of them.
func (t tests) split(x part) (all []part) {
	if x.only != "" {
		return nil
	}
	s := t.searchOf(x)
	s.judge.subtests.Listing = true
	if _, err := s.once(); err != nil {
		return nil
	}
	for _, name := range s.judge.subtests.Names {
		all = append(all, part{x.Test, name})
	}
	return all
}
