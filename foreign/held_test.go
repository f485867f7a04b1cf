package foreign

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

// TestTypes_HeldBefore: a lock that the calls which come before leave locked, and a counter that they leave
// counted, are so for the actors.
func TestTypes_HeldBefore(t *testing.T) {
	for _, s := range []Subject{{Type: "Gate"}, {Type: "Latch"}, {Type: "Guarded", Calls: []string{"Get"}}} {
		t.Run(s.Type, func(t *testing.T) {
			_, r := typedIn(t, "./testdata/held", s, Options{Executions: 500})
			if r.Status() != driver.Clean || r.Results[0].Programs < 2 {
				t.Errorf("%s after %d programs", r.Status(), r.Results[0].Programs)
			}
		})
	}
}

// TestTypes_HeldBeforeFound: what is wrong with such a lock is found, and a method of a lock that panics, or
// ends the process in the original, ends no search.
func TestTypes_HeldBeforeFound(t *testing.T) {
	for _, c := range []struct {
		name  string
		calls []string // none: all but those that it has from its lock
		want  []string
	}{
		{"Door", nil, []string{"{Door{}} Enter() || Leave()"}},
		{"Hatch", nil, []string{"{Hatch{}; Up()} Down() || Down()", "-> true",
			"-> panic: sync: negative WaitGroup counter", "  Down() -> true, Down() -> false\n"}},
		{"Guarded", []string{"Get", "TryLock"}, []string{"{NewGuarded()} Get(1) || TryLock()"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Subject{Type: c.name, Calls: c.calls}
			_, r := typedIn(t, "./testdata/held", s, Options{Executions: 500})
			if r.Status() != driver.Found {
				t.Fatalf("status %s", r.Status())
			}
			for _, want := range c.want {
				if !strings.Contains(r.Text(), want) {
					t.Errorf("the report lacks %q", want)
				}
			}
		})
	}
}
