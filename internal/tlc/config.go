package tlc

import (
	"regexp"
	"strings"
)

// config is what this package needs to know of a TLC configuration file.
type config struct {
	invariants      []string
	properties      []string
	symmetry        bool
	deadlockIgnored bool // CHECK_DEADLOCK FALSE
}

var reComment = regexp.MustCompile(`(?s)\(\*.*?\*\)|\\\*[^\n]*`)

// configKeywords are the words that start a section of a TLC configuration.
var configKeywords = map[string]bool{
	"CONSTANT": true, "CONSTANTS": true, "CONSTRAINT": true, "CONSTRAINTS": true,
	"ACTION_CONSTRAINT": true, "ACTION_CONSTRAINTS": true, "INVARIANT": true, "INVARIANTS": true,
	"INIT": true, "NEXT": true, "VIEW": true, "SYMMETRY": true, "SPECIFICATION": true,
	"PROPERTY": true, "PROPERTIES": true, "TYPE": true, "TYPE_CONSTRAINT": true,
	"ALIAS": true, "POSTCONDITION": true, "CHECK_DEADLOCK": true,
}

func parseConfig(text string) config {
	var c config
	section := ""
	for _, word := range strings.Fields(reComment.ReplaceAllString(text, " ")) {
		if configKeywords[word] {
			section = word
			continue
		}
		switch section {
		case "INVARIANT", "INVARIANTS":
			c.invariants = append(c.invariants, word)
		case "PROPERTY", "PROPERTIES":
			c.properties = append(c.properties, word)
		case "SYMMETRY":
			c.symmetry = true
		case "CHECK_DEADLOCK":
			c.deadlockIgnored = word == "FALSE"
		}
	}
	return c
}

// checkKeywords start the sections that say what is checked.
var checkKeywords = map[string]bool{"INVARIANT": true, "INVARIANTS": true, "PROPERTY": true,
	"PROPERTIES": true}

// checking returns a configuration's text, comments left out, that checks those of its properties that are
// kept, and no other.
func checking(text string, kept func(property string) bool) string {
	var out []string
	section := ""
	for _, word := range strings.Fields(reComment.ReplaceAllString(text, " ")) {
		if configKeywords[word] {
			section = word
		}
		if !checkKeywords[section] {
			out = append(out, word)
		} else if word != section && kept(word) {
			out = append(out, section, word)
		}
	}
	return strings.Join(out, " ") + "\n"
}
