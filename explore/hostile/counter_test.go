//go:build explore

package hostile

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/seam"
)

// A counter is a subject for the tests: word 0 is a number, word 1 its complement, and word 2 is nobody's.
type counter struct {
	memory []uint64
	add    func(c *counter) error // one call
	judged int
	spoilt bool
}

var (
	errDamaged = errors.New("the number is damaged: count anew")
	errMute    = errors.New("no")
)

// The words of a counter.
const (
	number = iota
	complement
	aside
	words
)

func (c *counter) word(i int) *seam.Uint64 { return (*seam.Uint64)(unsafe.Pointer(&c.memory[i])) }

// right adds 1 if the number is sound.
func right(c *counter) error {
	v := c.word(number).Load()
	if c.word(complement).Load() != ^v {
		return fmt.Errorf("%w, it is %d", errDamaged, v)
	}
	c.word(number).Store(v + 1)
	c.word(complement).Store(^(v + 1))
	return nil
}

func (c *counter) Start() ([][]Call, error) {
	return [][]Call{{{Name: "add", Most: 4, Do: func() error { return c.add(c) }}}}, nil
}

func (c *counter) Values(word int) []uint64    { return []uint64{uint64(word), 42, 42} }
func (c *counter) Aside(word int) bool         { return word == aside }
func (c *counter) Name(word int) string        { return fmt.Sprint("word ", word) }
func (c *counter) Text(_ int, v uint64) string { return fmt.Sprint("number ", v) }
func (c *counter) Judge(e End) error           { c.judged++; return c.agrees(e) }
func (c *counter) program(spoilt bool) Program {
	c.spoilt = spoilt
	return Program{Name: "Counter", Actors: 1, Memory: c.memory, Subject: c,
		Told: []error{errDamaged, errMute}, Most: 4, Spoilt: spoilt}
}

// agrees holds what the judge is told: who fails is the one actor, in its one call, and has met a write, if
// the number was sound before.
func (c *counter) agrees(e End) error {
	f := e.Failed[0]
	unmet := !c.spoilt && (!e.Met || e.Written == None)
	if len(f) > 1 || len(f) == 1 && (f[0].Call != 0 || unmet) {
		return fmt.Errorf("told %+v", e)
	}
	return nil
}

// stageOf is a counter whose calls are add, once it was learned what right accesses.
func stageOf(t *testing.T, add func(*counter) error) (*counter, *Stage) {
	t.Helper()
	c := &counter{memory: []uint64{7, ^uint64(7), 9}, add: right}
	s, err := Prepare(c.program(false), t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c.add = add
	return c, s
}

var whole = explore.Options{Preemptions: explore.Unbounded, Reduce: true}

// Both words that are accessed are overwritten, with each value and with what they were; the third is not.
// A subject that tells damage is found right.
func TestStage_HoldsWhereDamageIsTold(t *testing.T) {
	c, s := stageOf(t, right)
	rep, err := s.Explore(whole)
	if err != nil || rep.Failure != nil || !rep.Exhaustive {
		t.Fatal(err, rep.Failure, rep.Bound)
	}
	tally := s.Tally()
	if tally.Words != 2 || tally.Met == 0 || tally.Longest != 4 || c.judged == 0 {
		t.Errorf("%v, judged %d times", tally, c.judged)
	}
	values := s.Nasty(number)
	for _, want := range []uint64{0, ^uint64(0), 42, uint64(number)} {
		n := 0
		for _, v := range values {
			if v == want {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d is written %d times of %v", want, n, values)
		}
	}
	// Each value of each word, and what it was, at two places of the order at least.
	if least := 2 * (len(s.Nasty(number)) + len(s.Nasty(complement)) + 2); rep.Executions < uint64(least) {
		t.Errorf("%d executions, want %d at least", rep.Executions, least)
	}
}

// The canaries: who does what a call must not is found, and its token does it again.
func TestStage_FindsWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		add  func(c *counter) error
		want error // nil: a failure of the explorer's own, which says
		says string
	}{
		"panics": {func(c *counter) error {
			if right(c) != nil {
				panic("met damage")
			}
			return nil
		}, nil, "met damage"},
		"goes on": {func(c *counter) error {
			for right(c) != nil { //nolint:revive // the canary
			}
			return nil
		}, ErrEndless, "add has made 5"},
		"leaves the memory": {func(c *counter) error {
			if right(c) != nil {
				new(seam.Uint64).Load()
			}
			return nil
		}, ErrOutside, ""},
		"does not say what to do": {func(c *counter) error {
			if right(c) != nil {
				return errMute
			}
			return nil
		}, ErrUntold, ""},
		"has an error of its own": {func(c *counter) error {
			if right(c) != nil {
				return errors.New("something: else")
			}
			return nil
		}, ErrUntold, ""},
		"fails for nothing": {func(c *counter) error {
			right(c)
			return errDamaged
		}, ErrInnocent, ""},
		"writes elsewhere": {func(c *counter) error {
			if err := right(c); err != nil {
				c.word(aside).Store(0)
				return err
			}
			return nil
		}, ErrSpread, "changes word 2"},
	} {
		_, s := stageOf(t, c.add)
		rep, err := s.Explore(whole)
		if err != nil || rep.Failure == nil {
			t.Errorf("one who %s: %v, nothing is found in %d executions", name, err, rep.Executions)
			continue
		}
		f := rep.Failure
		if c.want != nil && !errors.Is(f.Err, c.want) || !strings.Contains(f.Error(), c.says) {
			t.Errorf("one who %s: %v", name, f)
		}
		again, err := s.Replay(f.Token)
		if err != nil || again.Failure == nil || again.Failure.Kind != f.Kind {
			t.Errorf("one who %s: replayed: %v, %v", name, err, again.Failure)
		}
	}
}

// A program that fails without a writer, or accesses nothing, is no program; and its dead are dead before.
func TestPrepare_RefusesWhatIsNoProgram(t *testing.T) {
	fails := &counter{memory: []uint64{1, 2, 3}, add: right}
	if _, err := Prepare(fails.program(false), t.Context()); !errors.Is(err, ErrUndamaged) {
		t.Errorf("a program that fails: %v", err)
	}
	if _, err := Prepare(fails.program(true), t.Context()); err != nil {
		t.Errorf("one that was damaged before: %v", err)
	}
	idle := &counter{memory: make([]uint64, words), add: func(*counter) error { return nil }}
	if _, err := Prepare(idle.program(false), t.Context()); !errors.Is(err, ErrPlain) {
		t.Errorf("a program without accesses: %v", err)
	}
	_, s := stageOf(t, right)
	if _, err := s.Explore(explore.Options{Kills: 1}); !errors.Is(err, explore.ErrOptions) {
		t.Errorf("deaths: %v", err)
	}
}

// Who ends a preparation learns how far it came, and has the report of a search that did not begin.
func TestPrepare_Ends(t *testing.T) {
	c := &counter{memory: []uint64{7, ^uint64(7), 9}, add: right}
	ended, end := context.WithCancel(t.Context())
	end()
	_, err := Prepare(c.program(false), ended)
	early := (*Unprepared)(nil)
	if !errors.As(err, &early) || !strings.Contains(err.Error(), "nothing was overwritten") {
		t.Fatalf("%v, want one that says that nothing was overwritten", err)
	}
	rep := early.Report(explore.Options{Preemptions: 1})
	if rep.Exhaustive || rep.Executions != 0 || rep.Preemptions != 1 || rep.Bound == "" {
		t.Errorf("%+v", rep)
	}
	fails := &counter{memory: []uint64{1, 2, 3}, add: right}
	within, end := context.WithCancel(t.Context())
	fails.add = func(c *counter) error { end(); return right(c) }
	if _, err := Prepare(fails.program(false), within); !errors.Is(err, ErrUndamaged) {
		t.Errorf("a program that fails before the end: %v", err)
	}
}

// Whoever dies outside of an exploration has made so many accesses, and no more.
func TestDying(t *testing.T) {
	for accesses, want := range []uint64{7, 7, 7, 8, 8} {
		c := &counter{memory: []uint64{7, ^uint64(7), 9}}
		died, err := Dying(accesses, func() error { return right(c) })
		if died != (accesses < 4) || err != nil || c.memory[number] != want {
			t.Errorf("after %d accesses: %v, %v, the number is %d", accesses, died, err, c.memory[number])
		}
	}
}
