//go:build explore

package fuzz

import (
	"slices"
	"testing"

	"github.com/samecycle/samecycle/explore"
	model "github.com/samecycle/samecycle/model/hopscotch"
	scenarios "github.com/samecycle/samecycle/scenarios/hopscotch"
)

// Bounds of the programs that are decoded. The model has values for so many.
const (
	actorsMax   = 3
	callsMax    = 5
	standingMax = 9
	opsMax      = 11
)

// FuzzSchedules decodes a program on the small table of the model, who goes on at each step, and
// who dies. The engine runs it in step with the model; then the history goes to the judge, and what
// was handed over to the books.
func FuzzSchedules(f *testing.F) {
	for _, data := range scheduleSeeds() {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := checkSchedule(data, scenarios.Options{}); err != nil {
			t.Fatal(err)
		}
	})
}

// scheduleSeeds are the programs of the states, each with some schedules.
func scheduleSeeds() [][]byte {
	var seeds [][]byte
	for i, p := range model.Programs() {
		data, ok := encode(p)
		if !ok {
			continue // too large for the bounds
		}
		seeds = append(seeds, data)
		for j := range 2 {
			schedule := random(uint32(1000+10*i+j), 60)
			for k := range schedule {
				if schedule[k] < 0xC0 { // mostly the one who is at it
					schedule[k] = 0
				} else if k%16 != 15 {
					schedule[k] &= 0x0F
				}
			}
			seeds = append(seeds, slices.Concat(data, schedule))
		}
	}
	return seeds
}

// decode reads a program:
//
//	byte 0            bit 0: adds make room; bit 1: nobody may die; bit 7: near homes; all but bits 0
//	                  and 1: the number of actors
//	byte 1            standing elements, three bytes each: key, place (offset, half), value
//	then by actor     the number of calls, two bytes each: kind, key
//
// What does not fit, such as a second element in a cell, is left out. All else is the schedule.
func decode(in *input) (p model.Program, kills int) {
	options := in.next()
	p = model.Program{Name: "fuzz", State: "S04AddCollisionEmpty"}
	if options&1 != 0 {
		p.State = "S03AddFull"
	}
	if options&2 == 0 {
		kills = 1
	}
	p.Near = options&0x80 != 0
	used := map[uint8]bool{0: true}
	for range in.below(standingMax + 1) {
		key, at, value := uint8(in.between(1, model.MaxKeys)), in.next(), in.next()
		x := model.Standing{K: key, O: at % model.ProgramWindow, H: at >> 7, V: value}
		if !used[value] && stands(p, x) {
			used[value] = true
			p.Memory = append(p.Memory, x)
		}
	}
	value, ops := uint8(0), 0
	for range 1 + int(options>>2)%actorsMax {
		var calls []model.Op
		ticket := uint8(0) // the key of the actor's ticket
		for range in.between(1, callsMax) {
			x := model.Op{Op: kinds[in.below(len(kinds))], K: uint8(in.between(1, model.MaxKeys))}
			if x.Op >= model.OpStill && x.K != ticket {
				x.Op = model.OpLookup // the actor has no ticket of this key
			}
			if ticket = 0; x.Op == model.OpLookup || x.Op == model.OpStill {
				ticket = x.K
			}
			if x.Op == model.OpAdd || x.Op == model.OpUpdate || x.Op == model.OpSwap {
				for used[value] {
					value++
				}
				used[value], x.V = true, value
			}
			if ops++; ops <= opsMax && len(used) <= model.MaxValues {
				calls = append(calls, x)
			}
		}
		if len(calls) > 0 {
			p.Ops = append(p.Ops, calls)
		}
	}
	return p, kills
}

var kinds = []model.OpKind{model.OpAdd, model.OpGet, model.OpUpdate, model.OpDelete, model.OpCrop,
	model.OpRestore, model.OpLookup, model.OpStill, model.OpSwap, model.OpDiscard}

// stands tells whether the element can stand beside the others: a base in a free cell, or a member
// in a free cell of the window of its base.
func stands(p model.Program, x model.Standing) bool {
	home := func(y model.Standing) int { return p.HomeIn(int(y.H), int(y.K)) }
	cell := func(y model.Standing) int { return (home(y) + int(y.O)) % model.ProgramCells }
	based := x.O == 0
	for _, y := range p.Memory {
		if y.K == x.K || y.H == x.H && cell(y) == cell(x) {
			return false
		}
		based = based || y.H == x.H && y.O == 0 && cell(y) == home(x)
	}
	return based
}

// encode is a program in bytes, without a schedule, if decode gives it back.
func encode(p model.Program) ([]byte, bool) {
	options := byte(len(p.Ops)-1) << 2
	if p.Near { // 1<<5 is 2 modulo the three numbers of actors
		options = 0x80 | byte(len(p.Ops)%actorsMax)<<2
	}
	if p.Config(0).MakeRoom {
		options |= 1
	}
	data := []byte{options, byte(len(p.Memory))}
	for _, x := range p.Memory {
		data = append(data, x.K-1, x.O+x.H*129, x.V) // 129 is 0 modulo the window of 3
	}
	for _, ops := range p.Ops {
		data = append(data, byte(len(ops)-1))
		for _, x := range ops {
			data = append(data, byte(slices.Index(kinds, x.Op)), x.K-1)
		}
	}
	in := input{data}
	got, _ := decode(&in)
	same := in.done() && got.Near == p.Near && len(got.Ops) == len(p.Ops) &&
		slices.Equal(got.Memory, p.Memory)
	for i := range min(len(got.Ops), len(p.Ops)) {
		same = same && slices.EqualFunc(got.Ops[i], p.Ops[i],
			func(x, y model.Op) bool { return x.Op == y.Op && x.K == y.K })
	}
	return data, same
}

// checkSchedule runs one execution before the judges of the scenarios.
func checkSchedule(data []byte, o scenarios.Options) error {
	in := input{data}
	p, kills := decode(&in)
	o.Preemptions, o.Kills, o.Walks = explore.Unbounded, kills, 1
	o.Guide = append([]byte{}, in.bytes...)
	rep, err := scenarios.Explore(p, o)
	if err != nil {
		return wrong("%v on %v: %w", p.Ops, p.Memory, err)
	}
	if rep.Failure != nil {
		return wrong("%v on %v: %w\n%s", p.Ops, p.Memory, rep.Failure, rep.Failure.Table())
	}
	if rep.Executions != 1 || rep.Complete+rep.StepBound != 1 {
		return wrong("%v on %v: %+v", p.Ops, p.Memory, rep.Stats)
	}
	return nil
}

// The seeds are the programs of the states: nearly all fit the bounds.
func TestSchedules_SeedsAreThePrograms(t *testing.T) {
	whole := 0
	for _, p := range model.Programs() {
		if _, ok := encode(p); ok {
			whole++
		} else {
			t.Logf("%s does not fit", p.Name)
		}
	}
	if all := len(model.Programs()); whole < all*9/10 {
		t.Errorf("%d of %d programs are among the seeds", whole, all)
	}
}

// Another protocol, a step that the model does not have, and a program that is none are found.
func TestSchedules_Canaries(t *testing.T) {
	inputs := corpus(t, "FuzzSchedules", scheduleSeeds())
	for name, o := range map[string]scenarios.Options{
		"without FixRetry": {Fixes: model.AllFixes &^ model.FixRetry},
		"without FixMark":  {Fixes: model.AllFixes &^ model.FixMark},
		"step altered": {Misplaced: func(s *explore.Step) {
			if s.Index == 9 {
				s.Object ^= 8
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			findsFault(t, inputs, func(data []byte) error { return checkSchedule(data, o) })
		})
	}
}
