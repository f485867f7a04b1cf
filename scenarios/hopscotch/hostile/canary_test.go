//go:build explore

package hostile

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/hostile"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/internal/seam"
)

var errForeign = errors.New("something else")

// overlay is the word of the region at an index.
func (s *stage) overlay(at int) *seam.Uint64 { return (*seam.Uint64)(unsafe.Pointer(&s.memory[at])) }

// met reports whether somebody has met damage in the execution of the canary.
var met func() bool

// wrongs are clients that do what the engine must not, once they have met damage or before; and what the
// judge says of each.
var wrongs = map[string]struct {
	program string
	perform func(*client, Call) error
	want    error // nil: a failure of the explorer's own, which says
	says    string
}{
	"panics": {"HostileUpdate", func(c *client, x Call) error {
		if err := c.perform(x); err != nil {
			panic("met damage")
		}
		return nil
	}, nil, "met damage"},
	"goes on for ever": {"HostileUpdate", func(c *client, x Call) error {
		for c.perform(x) != nil { //nolint:revive // the canary
		}
		return nil
	}, hostile.ErrEndless, ""},
	"leaves the region": {"HostileUpdate", func(c *client, x Call) error {
		if err := c.perform(x); err != nil {
			new(seam.Uint64).Load()
		}
		return nil
	}, hostile.ErrOutside, ""},
	"gives an error of its own": {"HostileUpdate", func(c *client, x Call) error {
		if err := c.perform(x); err != nil {
			return errForeign
		}
		return nil
	}, hostile.ErrUntold, ""},
	"does not say what to do": {"HostileUpdate", func(c *client, x Call) error {
		if err := c.perform(x); err != nil {
			return silent{err}
		}
		return nil
	}, hostile.ErrUntold, ""},
	"tries in vain": {"HostileAddUsurps", func(c *client, x Call) error {
		if err := c.perform(x); !errors.Is(err, hopscotch.ErrCorrupt) {
			return err
		}
		return hopscotch.ErrBusy
	}, ErrPatient, ""},
	"fails for nothing": {"HostileUpdate", func(c *client, x Call) error {
		if err := c.perform(x); err != nil || met() {
			return err
		}
		return hopscotch.ErrCorrupt
	}, hostile.ErrInnocent, ""},
	"writes elsewhere": {"HostileUpdate", func(c *client, x Call) error {
		err := c.perform(x)
		if err != nil {
			c.overlay(c.cell(0, farHome+1)).Store(1)
		}
		return err
	}, hostile.ErrSpread, ""},
	"drops an error": {"HostileReclaimSpoilt", func(c *client, x Call) error {
		err := c.perform(x)
		if err == nil || !strings.Contains(err.Error(), "descriptor 1 has") {
			return err
		}
		return fmt.Errorf("descriptor 1 has another owner: %w", hopscotch.ErrCorrupt)
	}, ErrDropped, ""},
	"reclaims nothing": {"HostileReclaim", func(c *client, x Call) error {
		if c.overlay(c.descriptor(1)).Load() == 0 {
			return c.perform(x)
		}
		return nil
	}, ErrAbandoned, ""},
}

// silent is an error without its text.
type silent struct{ error }

func (silent) Error() string   { return "no" }
func (s silent) Unwrap() error { return s.error }

// Each judge finds who does what it forbids; and what it says can be replayed.
func TestJudge_Canaries(t *testing.T) {
	for name, w := range wrongs {
		p, ok := ProgramByName(w.program)
		if !ok {
			t.Fatalf("no program %s", w.program)
		}
		s, err := prepare(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.wrong = w.perform
		met = s.Met
		rep, err := s.Explore(explore.Options{Preemptions: explore.Unbounded, Reduce: true})
		if err != nil || rep.Failure == nil {
			t.Errorf("a client that %s: %v, nothing is found in %d executions", name, err, rep.Executions)
			continue
		}
		f := rep.Failure
		if w.want != nil && !errors.Is(f.Err, w.want) || !strings.Contains(f.Error(), w.says) {
			t.Errorf("a client that %s: %v", name, f)
		}
		again, err := s.Replay(rep.Failure.Token)
		if err != nil || again.Failure == nil || again.Failure.Kind != rep.Failure.Kind {
			t.Errorf("a client that %s: replayed: %v, %v", name, err, again.Failure)
		}
	}
}

// A program that fails without a writer is no program.
func TestPrepare_WantsASoundProgram(t *testing.T) {
	p, _ := ProgramByName("HostileReclaim")
	p.Cast = [][]Call{{{Do: Add, Value: 1}}} // of the key 0
	if _, err := Explore(p, explore.Options{}); !errors.Is(err, hostile.ErrUndamaged) {
		t.Errorf("%v", err)
	}
}

// Each value that is written is another one, and for each kind of word there are some that look like it.
func TestValues_AreOfTheWordsKind(t *testing.T) {
	p, _ := ProgramByName("HostileReclaim")
	s, err := prepare(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	entries := int(p.layout().Region().Offset(region.Own, region.OwnProcesses)) / region.WordBytes
	bell := int(p.layout().Region().Offset(region.Own, region.OwnBell)) / region.WordBytes
	d := s.descriptor(0)
	for name, c := range map[string]struct{ at, most int }{
		"word 0": {s.cell(0, 0), 40}, "word 1": {s.cell(0, 0) + 1, 9}, "head": {d, 20},
		"pair": {d + hopscotch.DescriptorPair, 9}, "plan": {d + hopscotch.DescriptorPlan, 12},
		"expect": {d + hopscotch.DescriptorExpect, 6}, "target": {d + hopscotch.DescriptorTarget, 30},
		"owner": {d + hopscotch.DescriptorOwner, 10}, "source": {d + hopscotch.DescriptorSource, 12},
		"entry": {entries, 7}, "bell": {bell, 6},
	} {
		if n := len(s.Nasty(c.at)); n < c.most {
			t.Errorf("%s: %d values, want %d at least", name, n, c.most)
		}
		if s.Name(c.at) == "" || s.Text(c.at, s.image[c.at]) == "" {
			t.Errorf("%s: has no name, or no text", name)
		}
	}
}

// The token of an execution in which nobody fails runs it again.
func TestReplay_OfAPassingExecution(t *testing.T) {
	p, _ := ProgramByName("HostileUpdate")
	s, err := prepare(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	token := ""
	program := s.Program()
	finish := program.Finish
	program.Finish = func(x *explore.Execution) error {
		if s.Met() && token == "" {
			token = x.Token()
		}
		return finish(x)
	}
	_, err = explore.Explore(program, explore.Options{Preemptions: 1, MaxSteps: 4 * tableMost,
		SpinLimit: 2 * tableMost})
	if err != nil || token == "" {
		t.Fatalf("%v, token %q", err, token)
	}
	rep, err := Replay(p, token)
	if err != nil || rep.Failure != nil || rep.Met != 1 {
		t.Errorf("%v, %v, met %d times", err, rep.Failure, rep.Met)
	}
	if hook.Active != nil {
		t.Error("somebody is scheduled still")
	}
	if _, err := Explore(p, explore.Options{Kills: 1}); !errors.Is(err, explore.ErrOptions) {
		t.Errorf("deaths: %v", err)
	}
}
