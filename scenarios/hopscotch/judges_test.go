//go:build explore

package scenarios

import (
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/linearizability"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// spoil explores a program and lets f damage something right before the verdict.
func spoil(t *testing.T, name string, kills int, f func(w *world)) error {
	t.Helper()
	p, _ := model.ProgramByName(name)
	w, r, err := prepare(p, Options{Preemptions: 0, Kills: kills})
	if err != nil {
		t.Fatal(err)
	}
	finish := r.Program.Finish
	r.Program.Finish = func(x *explore.Execution) error {
		if kills == 0 || x.Killed(0) {
			f(w)
		}
		return finish(x)
	}
	rep, err := explore.Explore(r.Program, r.Options)
	if err != nil {
		t.Fatal(err)
	}
	if rep.Failure == nil {
		return nil
	}
	return rep.Failure.Err
}

// Every judge at the end of an execution can refuse it.
func TestJudges_Canaries(t *testing.T) {
	lose := func(w *world) { // the displaced element vanishes
		for half := range 2 {
			for c := range model.ProgramCells {
				at := w.cell(half, c)
				if hopscotch.Word0(w.memory[at]).Form() == hopscotch.FormMember {
					w.memory[at] = 0
				}
			}
		}
	}
	revalue := func(w *world) { // each element is there with another value
		for half := range 2 {
			for c := range model.ProgramCells {
				at := w.cell(half, c)
				if v := hopscotch.Word1(w.memory[at+1]).Value(); v != 0 {
					w.memory[at+1] = uint64(hopscotch.MakeWord1(v+1, 1))
				}
			}
		}
	}
	duplicate := func(w *world) { // and the same key once more, in the last cell
		w.memory[w.cell(0, 3)] = uint64(hopscotch.BaseWord(hopscotch.Key(w.keys[9]), 0))
		w.memory[w.cell(0, 3)+1] = uint64(hopscotch.MakeWord1(9, 1))
	}
	dangle := func(w *world) { // a claim of a descriptor that nobody installed
		ref := w.table.RefLayout().Make(1, 77)
		w.memory[w.cell(1, 2)] = uint64(hopscotch.ClaimedWord(ref))
	}
	again := func(w *world) { w.handed.values = append(w.handed.values, 9) }
	never := func(w *world) { w.handed.values = w.handed.values[:0] }
	foreign := func(w *world) { w.handed.values = append(w.handed.values, 1<<20) }
	other := func(w *world) { w.handed.gone[0].value++ }
	const one, room = "S02AddCollision", "S03AddFull_Oldest"
	for name, c := range map[string]struct {
		program string
		kills   int
		f       func(*world)
		want    error
	}{
		"contents":                         {one, 0, lose, ErrContents},
		"another value":                    {one, 0, revalue, ErrContents},
		"structure":                        {one, 0, duplicate, ErrStructure},
		"leftover":                         {one, 1, dangle, ErrLeftover},
		"handed twice":                     {room, 0, again, ErrHanded},
		"handed twice, and the other died": {room, 1, again, ErrHanded},
		"handed to nobody":                 {room, 0, never, ErrHanded},
		"handed a foreign":                 {room, 0, foreign, ErrHanded},
		"evicted another":                  {room, 0, other, linearizability.ErrIllegal},
		"sound":                            {one, 0, func(*world) {}, nil},
		"sound, with room":                 {room, 0, func(*world) {}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if err := spoil(t, c.program, c.kills, c.f); !errors.Is(err, c.want) {
				t.Errorf("want %v, got %v", c.want, err)
			}
		})
	}
}

// A history that is not linearizable is refused by the judge of histories.
func TestJudges_HistoryCanary(t *testing.T) {
	p, _ := model.ProgramByName("S05AddEmptyGet")
	o := Options{Preemptions: explore.Unbounded}
	_, s, err := setUp(p, o)
	if err != nil {
		t.Fatal(err)
	}
	// As if the key had been there before with another value.
	s.Judge = mapmodel.NewJudge(judgeTimeout, map[uint32]uint32{1: 99})
	r := harness.Prepare(s, o)
	rep, err := explore.Explore(r.Program, r.Options)
	if err != nil {
		t.Fatal(err)
	}
	if rep.Failure == nil || !errors.Is(rep.Failure.Err, linearizability.ErrIllegal) {
		t.Fatalf("want an illegal history, got %v", rep.Failure)
	}
	if !harness.OfHistory(rep.Failure) {
		t.Error("the record would name the wrong link")
	}
}

// A token reproduces the very execution: same failure, same steps.
func TestReplay_ReproducesARejection(t *testing.T) {
	p, _ := model.ProgramByName("S04AddCollisionEmpty")
	o := Options{Preemptions: 2, Kills: 1, Fixes: model.AllFixes &^ model.FixRetry}
	first, err := Explore(p, o)
	if err != nil || first.Failure == nil {
		t.Fatal(err, "no failure to replay")
	}
	_, r, err := prepare(p, o)
	if err != nil {
		t.Fatal(err)
	}
	again, err := explore.Replay(r.Program, first.Failure.Token, r.Options)
	if err != nil || again.Failure == nil {
		t.Fatalf("the token does not reproduce: %v %v", err, again.Failure)
	}
	if again.Failure.Message != first.Failure.Message {
		t.Errorf("another failure:\n%s\n%s", first.Failure.Message, again.Failure.Message)
	}
	// With the protocol that ships, the same interleaving is accepted, and told step by step.
	told, err := Replay(first.Failure.Token)
	if err != nil {
		t.Fatal(err)
	}
	if told.Failure != nil && told.Failure.Kind != explore.Diverged {
		t.Errorf("the shipped protocol fails: %v", told.Failure)
	}
	if len(told.Steps) == 0 || !strings.Contains(told.Table, "AddClaimEmpty") {
		t.Errorf("the replay tells nothing:\n%s", told.Table)
	}
}

// sealed is the token of that content, with its checksum.
func sealed(content string) string {
	return fmt.Sprintf("%s~%08x", content, crc32.ChecksumIEEE([]byte(content)))
}

func TestReplay_RefusesBadTokens(t *testing.T) {
	for token, says := range map[string]string{
		"":                                      "starts with",
		"x":                                     "starts with",
		"sx1~S04AddCollisionEmpty~k0":           "has 3 of the 5 fields",
		"sx1~Nobody~k0a0b0p0m1s4~a~00000000":    `checksum is "00000000"`,
		sealed("sx1~Nobody~k0a0b0p0m1s4~a"):     `no scenario has a program "Nobody"`,
		sealed("sx1~S04AddCollisionEmpty~k0~a"): "options",
		sealed("sx1~history%3Afly.1%3B~k0~a"):   "no scenario has a program",
		sealed("sx1~S04AddCollisionEmpty-9.9~~a"): "lacks operations",
	} {
		_, err := Replay(token)
		if !errors.Is(err, explore.ErrToken) || !strings.Contains(err.Error(), says) {
			t.Errorf("token %q: want ErrToken with %q, got %v", token, says, err)
		}
	}
}
