package ours

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// TestLimits: so many processes are refused as cannot have all their handles and an entry of the table each.
func TestLimits(t *testing.T) {
	for _, x := range []struct {
		l      limits
		most   int // that live to the end
		deaths int // the same beside one that is killed
	}{
		{limits{64, 64}, 21, 19}, // 63 handles for 21
		{limits{64, 95}, 31, 29},
		{limits{64, 96}, 32, 30},
		{limits{64, 191}, 63, 61},
		{limits{64, 512}, 64, 62}, // the table is the bound
		{limits{64, 5}, 1, 0},
	} {
		for n := 1; n < 70; n++ {
			if err := x.l.check(n, false); (err == nil) != (n <= x.most) {
				t.Errorf("%+v: %d processes: %v, want %d", x.l, n, err, x.most)
			}
			if err := x.l.check(n, true); (err == nil) != (n <= x.deaths) {
				t.Errorf("%+v: %d processes and one that is killed: %v, want %d", x.l, n, err, x.deaths)
			}
		}
	}
}

// TestCrew_TooMany: more processes than the cache can have are refused before anything is prepared, with how
// many there can be.
func TestCrew_TooMany(t *testing.T) {
	tr := made(t, 500)
	o := crewOptions(t, "")
	o.Processes, o.KillEvery = 64, time.Hour
	o.Prepare = func() error { t.Error("it was prepared"); return nil }
	r, err := Crew(t.Context(), tr, tr.Bytes/5, o)
	if !errors.Is(err, ErrProcesses) || r != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, want := range []string{"room for ", "beside the one that is killed", "a larger --size"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	bad := errors.New("no program")
	o.Processes, o.Prepare = 1, func() error { return bad }
	if r, err = Crew(t.Context(), tr, tr.Bytes/5, o); !errors.Is(err, bad) || r != nil {
		t.Errorf("%+v, %v", r, err)
	}
}
