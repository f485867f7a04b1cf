//go:build explore

package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// These tests kill the actors of every program at each of their steps, and let a newcomer reclaim
// their descriptors: when all is over, or while the others go on and while it is itself helped and
// raced. No locks are held here; who is dead is what the explorer says.

var (
	errReclaim = errors.New("reclaim failed")
	errTaken   = errors.New("a descriptor of a dead actor is not free")
	errBooks   = errors.New("values are lost or handed over twice")
)

// reclaiming is the exploration of one program.
type reclaiming struct {
	w      *world
	v      *ownerValidator // nil: no step is judged
	x      *explore.Execution
	beside bool             // the newcomer runs as one more actor, and clients reclaim, too
	deny   func(i int) bool // a canary: actors that are called dead although they live

	// Of one execution.
	told    [][]uint32 // by actor: values that its returned calls were handed
	left    []int      // by actor: how many of these left the table by operations of its own
	pending []model.Op // by actor: the call that it is in
	inside  []bool     // by actor: it is reclaiming
	must    []uint32   // values that came into the table and are accounted for
	got     []hopscotch.Reclaimed
	failed  error
	dead    int

	// Of all executions.
	finished, certain, uncertain, deaths int
}

func newReclaiming(t *testing.T, p model.Program) *reclaiming {
	t.Helper()
	w, err := newWorld(p)
	if err != nil {
		t.Fatal(err)
	}
	c := &reclaiming{w: w}
	if w.table, err = hopscotch.NewWith(w.region, hopscotch.Options{
		KeepAll: !p.Config(0).MakeRoom, Alive: c.alive}); err != nil {
		t.Fatal(err)
	}
	all := append(w.handles, w.newcomer)
	for i, h := range all {
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		if all[i], err = w.table.NewHandle(uint64(i) + 1); err != nil {
			t.Fatal(err)
		}
	}
	w.newcomer = all[len(all)-1]
	w.image = slices.Clone(w.memory)
	if c.v, err = newOwnerValidator(w, len(all)+1, len(all)); err != nil {
		t.Fatal(err)
	}
	return c
}

// alive is what a process table would say. The answer is a part of what the newcomer has read.
func (c *reclaiming) alive(o hopscotch.Owner) bool {
	i := int(o.Number()) - 1
	alive := !c.x.Killed(i) && (c.deny == nil || !c.deny(i))
	c.x.Mark(uint64(i)<<1 | uint64(oneIf(alive)))
	return alive
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (c *reclaiming) program() explore.Program {
	return explore.Program{Name: c.w.program.Name, Start: c.start, Finish: c.finish,
		Step: func(_ *explore.Execution, s explore.Step) error {
			if err := c.follow(s); err != nil {
				return err
			}
			if !c.beside {
				return nil // the scenarios' own tests look at these steps
			}
			return structure(c.w.table, true)
		}}
}

func (c *reclaiming) start(x *explore.Execution) []explore.Actor {
	c.x = x
	c.w.rewind()
	if c.v != nil {
		c.v.begin()
	}
	x.Region(c.w.base(), c.w.bytes())
	n := len(c.w.program.Ops)
	c.told, c.pending = make([][]uint32, n), make([]model.Op, n)
	c.must, c.got, c.failed, c.inside, c.left = nil, nil, nil, make([]bool, n), make([]int, n)
	for _, s := range c.w.program.Memory {
		c.must = append(c.must, uint32(s.V))
	}
	var actors []explore.Actor
	for i, ops := range c.w.program.Ops {
		actors = append(actors, explore.Actor{Name: fmt.Sprint(i + 1), Body: func() { c.client(i, ops) }})
	}
	if c.beside {
		actors = append(actors, explore.Actor{Name: "newcomer", Body: func() {
			c.reclaim(c.w.newcomer)
		}})
	}
	return actors
}

func (c *reclaiming) client(i int, ops []model.Op) {
	for _, op := range ops {
		c.x.Begin()
		c.pending[i] = op
		res, err := c.w.perform(i+1, op)
		if err != nil {
			c.failed = fmt.Errorf("%w: actor %d %v: %w", harness.ErrOperation, i+1, op, err)
			return
		}
		c.pending[i] = model.Op{}
		switch {
		case res.Outcome == mapmodel.Updated:
			c.told[i] = append(c.told[i], res.Value)
			c.must = append(c.must, uint32(op.V))
		case res.Outcome == mapmodel.Added:
			c.must = append(c.must, uint32(op.V))
		}
		if hands(op) {
			left := values(c.w.handles[i])
			c.told[i], c.left[i] = append(c.told[i], left...), c.left[i]+len(left)
		}
		c.x.Mark(uint64(res.Value)<<8 | uint64(res.Outcome))
		for _, v := range c.told[i] {
			c.x.Mark(uint64(v))
		}
	}
	if c.beside {
		c.x.Begin()
		c.inside[i] = true
		c.reclaim(c.w.handles[i])
		c.inside[i] = false
	}
}

// hands tells whether an operation can make elements leave, which its caller is handed.
func hands(op model.Op) bool {
	switch op.Op {
	case model.OpCrop, model.OpRestore, model.OpDiscard:
		return true
	}
	return op.Op == model.OpAdd && op.K != 0
}

// values are what the last call of the handle has been handed, also if it was cut short.
func values(h *hopscotch.Handle) (all []uint32) {
	for _, l := range h.Left() {
		all = append(all, l.Value)
	}
	return all
}

func (c *reclaiming) reclaim(h *hopscotch.Handle) {
	got, err := h.Reclaim()
	c.got = append(c.got, got...)
	for _, r := range got {
		c.x.Mark(uint64(r.Descriptor)<<40 | uint64(r.Left.Value)<<8 | uint64(oneIf(r.Certain)))
	}
	if err != nil {
		c.failed = fmt.Errorf("%w: %w", errReclaim, err)
	}
}

// last reclaims what is left. A newcomer that has died itself is followed by another one, who may
// inherit a descriptor and gives it back.
func (c *reclaiming) last(x *explore.Execution) error {
	h, newcomer := c.w.newcomer, len(c.told)
	if !x.Killed(newcomer) {
		c.reclaim(h)
		return nil
	}
	h, err := c.w.table.NewHandle(uint64(newcomer) + 2)
	if err != nil {
		return fmt.Errorf("%w: %w", errReclaim, err)
	}
	if r, ok := h.Inherited(); ok {
		c.got = append(c.got, r)
	}
	c.reclaim(h)
	return h.Close()
}

// finish reclaims what is left, and judges: descriptors, structure, and where each value is.
func (c *reclaiming) finish(x *explore.Execution) error {
	if err := c.last(x); err != nil {
		return err
	}
	if c.failed != nil {
		return c.failed
	}
	if err := structure(c.w.table, false); err != nil {
		return err
	}
	p := hopscotch.Snapshot(c.w.table, hopscotch.DumpOptions{})
	owners := map[uint64]bool{}
	c.dead = 0
	for i := range len(c.told) + 1 {
		if !x.Killed(i) {
			owners[uint64(i)+1] = true
		} else {
			c.dead++
		}
	}
	c.deaths += c.dead
	if c.deny != nil { // what has no owner any more is not what the canary is about
		return c.books(x, p)
	}
	if c.v != nil {
		if err := c.owners(x); err != nil {
			return err
		}
	}
	for _, d := range p.Descriptors {
		if !owners[d.Owner] || d.Installed {
			return fmt.Errorf("%w: descriptor %d has owner %d", errTaken, d.Index, d.Owner)
		}
	}
	if len(p.Descriptors) != len(owners) {
		return fmt.Errorf("%w: %d descriptors are taken, %d actors live", errTaken, len(p.Descriptors),
			len(owners))
	}
	return c.books(x, p)
}

// books finds each value in one place: in a cell, with a client that was told, or with the newcomer.
func (c *reclaiming) books(x *explore.Execution, p hopscotch.Picture) error {
	where, doubtful, lost := map[uint32]int{}, map[uint32]bool{}, map[uint32]bool{}
	for _, cell := range p.Cells {
		where[cell.Value]++
	}
	mayLose := 0
	type owned struct {
		descriptor uint32
		owner      hopscotch.Owner
	}
	taken := map[owned]bool{}
	for _, r := range c.got {
		if one := (owned{r.Descriptor, r.Owner}); taken[one] {
			return fmt.Errorf("%w: two have taken descriptor %d from %v", errBooks, r.Descriptor, r.Owner)
		} else {
			taken[one] = true
		}
		c.finished += oneIf(r.Finished)
		if !r.Leaves {
			continue
		}
		where[r.Left.Value]++
		doubtful[r.Left.Value] = !r.Certain
		c.certain += oneIf(r.Certain)
		c.uncertain += oneIf(!r.Certain)
	}
	for i := range c.told {
		dead := x.Killed(i)
		for _, v := range c.told[i] {
			if !(dead && doubtful[v]) {
				where[v]++
			}
		}
		switch {
		case dead && c.inside[i]:
			mayLose += c.dead - 1 // what it was handed for others that had died
		case dead && c.pending[i].Op == model.OpUpdate:
			mayLose++ // the old value was on its way
		case dead && hands(c.pending[i]):
			for _, v := range values(c.w.handles[i]) { // it was told, and died before its call returned
				lost[v] = true
				if doubt, found := doubtful[v]; found && !doubt {
					return fmt.Errorf("%w: %d is called certain, and actor %d was told of it", errBooks,
						v, i+1)
				}
			}
		}
	}
	if x.Killed(len(c.told)) {
		mayLose += c.dead - 1 // the same for the newcomer
	}
	for v, n := range where {
		if n > 1 {
			return fmt.Errorf("%w: %d is in %d places", errBooks, v, n)
		}
	}
	for _, v := range c.must {
		if where[v] == 0 && !lost[v] {
			if mayLose--; mayLose < 0 {
				return fmt.Errorf("%w: %d is nowhere", errBooks, v)
			}
		}
	}
	return nil
}

func (c *reclaiming) explore(t *testing.T, o explore.Options) explore.Report {
	t.Helper()
	o.Stateful, o.Sites = true, true
	rep, err := explore.Explore(c.program(), o)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// TestReclaim_AfterADeathAtEachStep: the newcomer comes when the others have ended or died.
func TestReclaim_AfterADeathAtEachStep(t *testing.T) {
	all, steps := reclaiming{}, map[string]uint64{}
	for _, p := range model.Programs() {
		c := newReclaiming(t, p)
		rep := c.explore(t, explore.Options{Kills: 1, Preemptions: 1})
		if rep.Failure != nil || !rep.Exhaustive {
			t.Fatalf("%s: %v\n%s", p.Name, rep.Failure, rep.Failure.Table())
		}
		if c.deaths == 0 {
			t.Errorf("%s: nobody died", p.Name)
		}
		all.finished += c.finished
		all.certain += c.certain
		all.uncertain += c.uncertain
		c.v.count(steps)
	}
	want(t, steps, "CallCrash", "TableFill", "TableTarget", "TableInstall", "TableHelp", "TableMeet",
		meetWithin, "TableTakeBack")
	t.Logf("%d operations finished; %d values handed over for certain, %d in doubt",
		all.finished, all.certain, all.uncertain)
	if all.finished == 0 || all.certain == 0 || all.uncertain == 0 {
		t.Error("want some of each")
	}
}

// besides are programs by whose operations elements leave, in each of the ways; with switches between
// actors that are alive, two reclaimers meet at one descriptor.
var besides = []struct {
	program         string
	kills, switches int
}{
	{"S02AddCollision", 2, 2}, {"S03AddFull_Oldest", 2, 0}, {"S03AddFull_Base", 2, 0},
	{"S10AddCollisionDeleteBase", 2, 0}, {"S20DeleteMembers", 2, 0}, {"S21DeleteBase", 2, 0},
	{"S22DeleteBaseMembers", 2, 0}, {"S04AddCollisionEmpty", 1, 1},
}

// TestReclaim_BesideTheOthers: the newcomer reclaims while clients go on, who reclaim when they are
// done; two of them may die, also in the middle of reclaiming.
func TestReclaim_BesideTheOthers(t *testing.T) {
	finished, steps := 0, map[string]uint64{}
	for _, b := range besides {
		p, ok := model.ProgramByName(b.program)
		if !ok {
			t.Fatalf("no program %s", b.program)
		}
		c := newReclaiming(t, p)
		c.beside = true
		rep := c.explore(t, explore.Options{Kills: b.kills, AnyKill: true, Preemptions: b.switches})
		if rep.Failure != nil || !rep.Exhaustive {
			t.Fatalf("%s: %v\n%s", p.Name, rep.Failure, rep.Failure.Table())
		}
		t.Logf("%s: %d executions, %d operations finished", p.Name, rep.Executions, c.finished)
		finished += c.finished
		c.v.count(steps)
	}
	want(t, steps, "CallCrash", "TableFill", "TableTarget", "TableInstall", "TableHelp", "TableMeet",
		"OwnerRead", "OwnerTakeOver", "OwnerHead", "OwnerHome", "OwnerTarget", "OwnerRetire", "OwnerFree")
	if finished == 0 {
		t.Error("no operation of a dead actor was finished")
	}
}

// TestReclaim_OfTheLivingIsFound is the canary of both: somebody is called dead who is not. The model
// refuses a step; without it the books say what came of it.
func TestReclaim_OfTheLivingIsFound(t *testing.T) {
	p, _ := model.ProgramByName("S02AddCollision")
	for _, followed := range []bool{true, false} {
		c := newReclaiming(t, p)
		c.beside = true
		c.deny = func(i int) bool { return i == 0 }
		if !followed {
			c.v = nil
		}
		rep := c.explore(t, explore.Options{Preemptions: 2})
		if rep.Failure == nil || errors.Is(rep.Failure.Err, harness.ErrRejected) != followed {
			t.Errorf("followed %t: %d executions in which a living actor lost its descriptor: %v", followed,
				rep.Executions, rep.Failure)
		}
	}
}

// TestReclaim_ClosedIsNobodys: a handle is closed while somebody waits for its descriptor, and adds with
// it at once: the last store of the one that leaves does no harm.
func TestReclaim_ClosedIsNobodys(t *testing.T) {
	p, _ := model.ProgramByName("S02AddCollision")
	c := newReclaiming(t, p)
	if err := c.w.handles[0].Close(); err != nil {
		t.Fatal(err)
	}
	image, took := slices.Clone(c.w.memory), 0
	if _, err := c.w.table.NewHandle(1); err != nil {
		t.Fatal(err)
	}
	v, err := newOwnerValidator(c.w, 3, 2)
	if err != nil {
		t.Fatal(err)
	}
	v.actors = []int{1, 3}
	var failed error
	start := func(x *explore.Execution) []explore.Actor {
		c.x, failed = x, nil
		copy(c.w.memory, image)
		v.begin()
		x.Region(c.w.base(), c.w.bytes())
		first, err := c.w.table.NewHandle(1)
		add := func(h *hopscotch.Handle, err error, key int) {
			if err == nil {
				_, err = h.Add(c.w.keys[key], uint32(key))
			}
			if err == nil {
				x.Begin()
				err = h.Close()
			}
			failed = errors.Join(failed, err)
		}
		return []explore.Actor{
			{Name: "leaves", Body: func() { add(first, err, 2) }},
			{Name: "comes", Body: func() {
				h, err := c.w.table.NewHandle(3)
				if errors.Is(err, hopscotch.ErrHandles) {
					return
				}
				took++
				add(h, err, 4)
			}},
		}
	}
	rep, err := explore.Explore(explore.Program{Name: "close", Start: start,
		Step: func(_ *explore.Execution, s explore.Step) error {
			return errors.Join(v.step(s), structure(c.w.table, true))
		},
		Finish: func(*explore.Execution) error { return errors.Join(failed, structure(c.w.table, false)) },
	}, explore.Options{Stateful: true, Sites: true, Preemptions: explore.Unbounded})
	want(t, v.steps, "OwnerTake", "OwnerRead", "OwnerHead", "OwnerRetire", "OwnerFree", "TableInstall")
	if err != nil || rep.Failure != nil || !rep.Exhaustive || took == 0 {
		t.Fatalf("%v, %d times taken\n%v", err, took, rep.Failure)
	}
	t.Logf("%d executions, %d times taken", rep.Executions, took)
}
