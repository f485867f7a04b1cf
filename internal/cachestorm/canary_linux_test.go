package cachestorm

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
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
		"silent":  "told: value",
		"twice":   "has left twice",
		"lies":    "return: |told: value",
		"slow":    "wait: ",
		"exits":   "a fault of a test",
		"hangs":   "does not come to rest within 3s",
	} {
		t.Run(fault, func(t *testing.T) {
			o := options(t)
			o.fault, o.Rounds = fault, 12
			if fault == "hangs" {
				o.restTime = 3 * time.Second
			}
			r, err := Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if text := strings.Join(r.Faults, "\n"); !slices.ContainsFunc(strings.Split(says, "|"),
				func(s string) bool { return strings.Contains(text, s) }) {
				t.Errorf("in %d rounds found %q", r.Rounds, text)
			}
			t.Logf("round %d: %.150s", r.Rounds, r.Faults)
		})
	}
}

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
