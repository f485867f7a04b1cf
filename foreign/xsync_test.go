package foreign

import (
	"bytes"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

const xsyncMap = "github.com/puzpuzpuz/xsync/v4@v4.5.0"

// TestXsync: the map stays clean, the search did look, and the table grows in the programs that are for it:
// a growth copies the buckets, in many more steps than the four calls of another program.
func TestXsync(t *testing.T) {
	w := prepared(t, xsyncMap, edits{})
	results := explored(t, w)
	if len(results) != 7 {
		t.Errorf("%d suites, want 7", len(results))
	}
	for name, s := range results {
		if s.Status != driver.Clean || !s.Exhaustive || s.Schedules < 100 || s.Preemptions < 2 {
			t.Errorf("%s: %+v", name, s)
		}
		if each, grows := s.Steps/s.Schedules, name == "grow" || name == "grow-both"; grows != (each > 80) {
			t.Errorf("%s: %d steps an execution", name, each)
		}
	}
}

// TestXsync_Canaries breaks the map in one place each. A suite that is aimed at the place must find it.
func TestXsync_Canaries(t *testing.T) {
	for name, c := range map[string]struct {
		suite, from, to string
	}{
		"no second look at the table": {"grow", "return table != m.table.Load()", "return false"},
		"delete without a lock": {"load-and-delete", "newv, op := valueFn(oldv, true)",
			"rootb.mu.Unlock(); newv, op := valueFn(oldv, true); rootb.mu.Lock()"},
	} {
		t.Run(name, func(t *testing.T) {
			e, changed := watched(edits{source: func(_ string, text []byte) []byte {
				return bytes.Replace(text, []byte(c.from), []byte(c.to), 1)
			}})
			w := prepared(t, xsyncMap, e)
			if !*changed {
				t.Fatal("the place to break is not in the source: write the canary anew")
			}
			s := explored(t, w)[c.suite]
			if s.Status != driver.Found || s.Token == "" {
				t.Errorf("%s is %s: %s", c.suite, s.Status, s.Message)
			}
		})
	}
}
