package hostile

import (
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
)

func options(t *testing.T) Options {
	return Options{Seed: 1, Words: 20000, Folder: t.TempDir(), Progress: func(string, float64) {}}
}

// TestHostile: whatever is overwritten, each call ends with an error, a miss or a true value.
func TestHostile(t *testing.T) {
	o := options(t)
	if !testing.Short() {
		o.Words = 100000
	}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range r.Faults {
		t.Error(fault)
	}
	t.Logf("%+v", *r)
	if r.Words < o.Words || r.Errors == 0 || r.Misses == 0 || r.True == 0 || r.Refused == 0 || r.Cuts == 0 ||
		r.Other == 0 || len(r.Parts) < 9 {
		t.Errorf("the run is none: %+v", *r)
	}
}

// TestHostile_Repeats: a round by itself does what it does among others.
func TestHostile_Repeats(t *testing.T) {
	o := options(t)
	o.Words, o.Round = 1<<60, 7
	a, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Run(t.Context(), o)
	if err != nil || a.Words != b.Words || a.Rounds != 1 || a.Words == 0 {
		t.Errorf("%+v, %+v, %v", a, b, err)
	}
}

// TestCanary_Hostile: what a call must not do is found.
func TestCanary_Hostile(t *testing.T) {
	var kept [][]byte
	for says, spoil := range map[string]func(x *round){
		"it panics: no reason":     func(*round) { panic("no reason") },
		"it panics: runtime error": func(x *round) { _ = x.file[x.random.IntN(9)+len(x.file)] },
		"a value of 5000 bytes":    func(x *round) { x.answer(1, make([]byte, 5000), true, nil) },
		"value that nobody has set": func(x *round) {
			x.records, x.changed = false, false
			x.answer(1, []byte("x"), true, nil)
		},
		"it took":                func(x *round) { x.begun = time.Now().Add(-time.Hour); x.end() },
		"bytes were allocated":   func(*round) { kept = append(kept, make([]byte, allocatedMost)) },
		"a record of 9000 bytes": func(x *round) { x.told(eventOf(9000)) },
	} {
		o := options(t)
		o.Words, o.spoil = 500, spoil
		r, err := Run(t.Context(), o)
		if err != nil || !strings.Contains(strings.Join(r.Faults, "\n"), says) {
			t.Errorf("%s: %.300q, %v", says, r.Faults, err)
		}
		kept = nil
	}
	o := options(t)
	o.Words, o.Folder = 10, o.Folder+"/missing"
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("no folder: %v", err)
	}
}

func eventOf(size int) cache.Event { return cache.Event{Value: make([]byte, size)} }
