package cachestorm

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/region"
)

// TestCanary_Processes: each judge finds a process that does wrong what it judges, in rounds with deaths.
func TestCanary_Processes(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT RUN: it takes half a minute: run it without -short")
	}
	for fault, says := range map[string]string{
		"torn":    "whole: ",
		"alien":   "never set",
		"revives": "return: ",
		"forgets": "return: |told: value",
		"silent":  "told: value|has not told it",
		"twice":   "has left twice",
		"lies":    "return: |told: value",
		"slow":    "wait: ",
		"exits":   "a fault of a test",
		"hangs":   "does not come to rest within 3s",

		"lenient":   "and the highest limit allows|counts: Stats has",
		"accuses":   "which is asked for rarely",
		"bans":      "which asks rarely",
		"expels":    "and slot 0 was in no Ask of it",
		"imagines":  "counts: Stats has",
		"halves":    "has found compact.living and compact.gain",
		"unset":     "tune: ",
		"drops":     "no store was given it",
		"hoards":    "store: ",
		"miscounts": "store: Stats has",

		"denies":  "said not to be set",
		"invents": "return: |told: value",
		"orphan":  "was told that its service has died",
		"repeats": "return: |told: value|left twice|is there, and was told",
	} {
		t.Run(fault, func(t *testing.T) {
			o := options(t)
			o.fault, o.Rounds = fault, 12
			if slices.Contains(faultsOfSlots, fault) {
				o.variants = variants[3:4]
			}
			if fault == "hangs" {
				o.restTime = 3 * time.Second
			}
			r, text := stormOf(t, o)
			for o.Seed < 20 && first[fault] != "" && strings.Contains(text, first[fault]) &&
				!hasOneOf(text, says) {
				o.Seed++
				o.Folder = t.TempDir()
				r, text = stormOf(t, o)
			}
			if !hasOneOf(text, says) {
				t.Errorf("in %d rounds found %q", r.Rounds, text)
			}
			t.Logf("round %d: %.150s", r.Rounds, r.Faults)
		})
	}
}

// first is what another judge says of a fault, if by chance it sees that before the one that is to find it: a
// storm ends with the round in which anything is found. Then another storm is to show it.
var first = map[string]string{"imagines": "which asks often, is denied to slot"}

// stormOf is what a storm has found.
func stormOf(t *testing.T, o Options) (r *Report, faults string) {
	t.Helper()
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r, strings.Join(r.Faults, "\n")
}

// hasOneOf tells whether the text has one of the parts, which are separated by bars.
func hasOneOf(text, parts string) bool {
	return slices.ContainsFunc(strings.Split(parts, "|"),
		func(s string) bool { return strings.Contains(text, s) })
}

// faultsOfSlots are those of clients, and of their services.
var faultsOfSlots = []string{"denies", "invents", "orphan", "repeats"}

// TestCanary_Region: words that no step writes are found at the end of a round.
func TestCanary_Region(t *testing.T) {
	for section, word := range map[string]uint64{
		basket.SectionHeads:   uint64(basket.MakeHead(basket.StateOpen, 0, 1, 1)),
		basket.SectionRecords: 1<<32 | 1,
	} {
		o := options(t)
		o.Rounds = 2
		o.damage = func(path string) {
			r, err := region.Open(path, nil)
			if err != nil {
				t.Fatal(err)
			}
			words, err := r.Section(basket.Engine, section)
			if err != nil {
				t.Fatal(err)
			}
			for i := range words {
				if words[i].Load() != 0 {
					words[i].Store(word)
					break
				}
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Run(t.Context(), o)
		if err != nil || !strings.Contains(strings.Join(r.Faults, "\n"), "accounts: cache.Check") {
			t.Errorf("%s: %q, %v", section, r.Faults, err)
		}
	}
	for says, x := range map[string]struct {
		section string
		word    func(old uint64) uint64
	}{
		// All penalties end in half an hour, and all parameters that somebody has tuned are one more.
		"after all calls": {cache.SectionObjects, func(uint64) uint64 {
			return uint64(time.Now().Add(time.Hour/2).UnixNano())&^7 | 1 // with one offence
		}},
		"tune: slot 4": {cache.SectionParams, func(old uint64) uint64 { return old + min(old, 1) }},
	} {
		o := options(t)
		o.Rounds = 1
		o.damage = func(path string) { overwrite(t, path, cache.Engine, x.section, x.word) }
		r, err := Run(t.Context(), o)
		if err != nil || !strings.Contains(strings.Join(r.Faults, "\n"), says) {
			t.Errorf("%s: %q, %v", x.section, r.Faults, err)
		}
	}
	o := options(t)
	o.Rounds = 2
	o.damage = func(path string) {
		if err := os.Truncate(path, 100); err != nil {
			t.Error(err)
		}
	}
	if r, err := Run(t.Context(), o); err != nil ||
		!strings.Contains(strings.Join(r.Faults, "\n"), "cannot be opened any more") {
		t.Errorf("cut: %q, %v", r.Faults, err)
	}
}

// overwrite changes all words of a section.
func overwrite(t *testing.T, path, engine, section string, f func(old uint64) uint64) {
	t.Helper()
	r, err := region.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	words, err := r.Section(engine, section)
	if err != nil {
		t.Fatal(err)
	}
	for i := range words {
		words[i].Store(f(words[i].Load()))
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}
