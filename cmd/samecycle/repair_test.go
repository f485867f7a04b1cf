package main

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// TestRepair_OfNobodysRegion: what a dead process was in the midst of is no damage to a rehearsal, since the
// repair finishes it. For verify it is a finding, as nobody is there who would.
func TestRepair_OfNobodysRegion(t *testing.T) {
	path, r, table := regionFile(t, 4)
	h, err := table.NewHandle(4)
	if err != nil {
		t.Fatal(err)
	}
	beginAdd(t, r, table, h)
	if err := r.Close(); err != nil { // with its handle, as a process that dies
		t.Fatal(err)
	}
	verified(t, path, exitRed)
	code, out, errOut := call("repair", path, "--dry-run", "--json")
	if x := asJSON[repaired](t, out); code != exitOK || x.Alive != 0 || len(x.Dead) != 0 ||
		len(x.Descriptors) != 1 || x.Count.Elements != 3 || !x.DryRun || !x.Clean {
		t.Errorf("dry run: %d\n%s%s", code, out, errOut)
	}
	code, out, errOut = call("repair", path)
	if code != exitOK || !strings.Contains(out, "clean, elements: 4; descriptors reclaimed: 1") {
		t.Errorf("repair: %d\n%s%s", code, out, errOut)
	}
	verified(t, path, exitOK)
}

// TestRepair_HandsOverForCertain what left by an operation that the dead process had not come to the end of.
func TestRepair_HandsOverForCertain(t *testing.T) {
	path, r, table := regionFile(t, 4)
	h, err := table.NewHandle(4)
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := h.Delete(1); !ok || err != nil {
		t.Fatal(ok, err)
	}
	cells, err := r.Section(hopscotch.Engine, hopscotch.SectionCells)
	if err != nil {
		t.Fatal(err)
	}
	descriptors, err := r.Section(hopscotch.Engine, hopscotch.SectionDescriptors)
	if err != nil {
		t.Fatal(err)
	}
	half, homes := uint32(0), [2]uint32{}
	homes[0], homes[1] = hopscotch.Homes(1, shape(t, r))
	base := hopscotch.BaseWord(hopscotch.KeyLost, 0)
	for half < 1 && cells[hopscotch.CellWord(half, homes[half])].Load() != uint64(base) {
		half++
	}
	cell := cells[hopscotch.CellWord(half, homes[half]):]
	if found := hopscotch.Word0(cell[0].Load()); found != base {
		t.Fatalf("the deleted element is not alone at its home: %v", found)
	}
	const g = 9
	d := descriptors[h.Descriptor()*hopscotch.DescriptorWords:]
	d[hopscotch.DescriptorHead].Store(uint64(hopscotch.MakeHead(g, hopscotch.KindClear, half, homes[half])))
	d[hopscotch.DescriptorPlan].Store(uint64(hopscotch.MakePlan(hopscotch.KeyLost, 0)))
	d[hopscotch.DescriptorExpect].Store(cell[1].Load())
	d[hopscotch.DescriptorTarget].Store(uint64(hopscotch.MakeTarget(g)))
	cell[0].Store(uint64(hopscotch.OperatingWord(hopscotch.KeyLost,
		table.RefLayout().Make(h.Descriptor(), g))))
	if err := r.Close(); err != nil { // with its handle, as a process that dies
		t.Fatal(err)
	}
	code, out, errOut := call("repair", path, "--json")
	got := asJSON[repaired](t, out)
	if code != exitOK || len(got.Descriptors) != 1 {
		t.Fatalf("%d\n%s%s", code, out, errOut)
	}
	if d := got.Descriptors[0]; !d.Finished || d.Left == nil || *d.Left != (parted{Value: 10}) {
		t.Errorf("%+v, left %+v, want the value 10 for certain", d, d.Left)
	}
}

// TestRepair_TellsTimesInUTC: wherever it runs. The process may have lived in another zone.
func TestRepair_TellsTimesInUTC(t *testing.T) {
	defer func(here *time.Location) { time.Local = here }(time.Local)
	time.Local = time.FixedZone("elsewhere", 5*3600)
	path, _, _ := regionFile(t, 4)
	begun := time.Now()
	killOne(t, path)
	_, out, _ := call("repair", path, "--dry-run", "--json")
	dead := asJSON[repaired](t, out).Dead
	if len(dead) != 1 || dead[0].Since.Before(begun) || dead[0].Since.After(time.Now()) {
		t.Fatalf("%+v, begun at %v", dead, begun)
	}
	if text := dead[0].Since.UTC().Format(time.RFC3339Nano); !strings.Contains(out, `"since": "`+text+`"`) {
		t.Errorf("%s\nwant %s", out, text)
	}
}

// TestRepair_AllDescriptorsTaken: by the living there is nothing to reclaim, and nothing is wrong; by the
// dead, and damaged, there is, and none can be had.
func TestRepair_AllDescriptorsTaken(t *testing.T) {
	path, _, table := regionFile(t, 2)
	for range 2 {
		if _, err := table.NewHandle(4); err != nil {
			t.Fatal(err)
		}
	}
	code, out, errOut := call("repair", path)
	if code != exitOK || !strings.Contains(out, "clean, elements: 3; descriptors reclaimed: 0") {
		t.Errorf("of the living: %d\n%s%s", code, out, errOut)
	}
	path, r, _ := regionFile(t, 2)
	killOne(t, path)
	descriptors, err := r.Section(hopscotch.Engine, hopscotch.SectionDescriptors)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		descriptors[i*hopscotch.DescriptorWords].Store(^uint64(0))
	}
	code, out, errOut = call("repair", path, "--json")
	got := asJSON[repaired](t, out)
	if code != exitRed || len(got.Problems) != 1 || len(got.Descriptors) != 0 {
		t.Errorf("damaged ones of the dead: %d\n%s%s", code, out, errOut)
	}
}

// TestRepair_NoEntryIsFree: who cannot be one more process of the region says so, and repairs nothing.
func TestRepair_NoEntryIsFree(t *testing.T) {
	path, _, _ := regionFile(t, 4)
	for range region.Processes - 1 {
		r, err := region.Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
	}
	code, out, errOut := call("repair", path)
	if code != exitRed || out != "" || !strings.Contains(errOut, "end a process that has the region open") {
		t.Errorf("%d\n%s%s", code, out, errOut)
	}
}

// TestRepair_ClearedByWhom: the repair says of the dead whom it has cleared, not of whom another one has.
func TestRepair_ClearedByWhom(t *testing.T) {
	path, r, _ := regionFile(t, 4)
	killOne(t, path)
	for _, faster := range []bool{true, false} {
		x := newRepaired(path)
		dead, err := x.before(path)
		if err != nil || len(dead) != 1 {
			t.Fatal(dead, err)
		}
		if faster {
			if done, err := r.Clear(dead[0].Process); !done || err != nil {
				t.Fatal(done, err)
			}
		}
		if x.clear(r, dead); x.Dead[0].Cleared == faster || len(x.Problems) != 0 {
			t.Errorf("another one was faster: %t; %+v, %v", faster, x.Dead, x.Problems)
		}
		killOne(t, path) // takes the same entry
	}
}

// desk keeps the locks of a region until it fails.
type desk struct {
	region.Futex
	taken [region.Processes]bool
	fails error
}

func (d *desk) Lock(i uint32) (bool, error) {
	ok := !d.taken[i] && d.fails == nil
	d.taken[i] = d.taken[i] || ok
	return ok, d.fails
}
func (d *desk) Unlock(i uint32) error         { d.taken[i] = false; return nil }
func (d *desk) Locked(i uint32) (bool, error) { return d.taken[i], d.fails }
func (d *desk) Pid() uint64                   { return 1 }
func (d *desk) Now() uint64                   { return 1 }

// TestRepair_WhereNobodyKnowsWhoIsDead: a system that does not tell is a problem for each that asks it.
func TestRepair_WhereNobodyKnowsWhoIsDead(t *testing.T) {
	l := hopscotch.Layout{CellsPerHalf: 16, Window: 4, Descriptors: 4}
	words := make([]uint64, l.Region().Size()/region.WordBytes+region.LineBytes)
	for uintptr(unsafe.Pointer(&words[0]))%region.LineBytes != 0 {
		words = words[1:]
	}
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), l.Region().Size())
	d := &desk{}
	r, err := region.Make(memory, l.Region(), d)
	if err != nil {
		t.Fatal(err)
	}
	table, err := hopscotch.New(r)
	if err != nil {
		t.Fatal(err)
	}
	other, err := region.Attach(memory, l.Region(), d)
	if err != nil {
		t.Fatal(err)
	}
	descriptors, err := r.Section(hopscotch.Engine, hopscotch.SectionDescriptors)
	if err != nil {
		t.Fatal(err)
	}
	descriptors[hopscotch.DescriptorOwner].Store(uint64(hopscotch.MakeOwner(7, other.Process())))
	dead := []region.Attachment{{Process: other.Process()}}
	d.fails = errors.New("locks are out of order")
	for name, ask := range map[string]func(x *repaired){
		"survey":  func(x *repaired) { x.survey(r) },
		"orphans": func(x *repaired) { x.orphans(table) },
		"reclaim": func(x *repaired) { x.reclaim(table) },
		"clear":   func(x *repaired) { x.Dead = make([]deadProcess, 1); x.clear(r, dead) },
		"verify":  func(x *repaired) { x.problem((&verification{}).check(r, table)) },
		"watch": func(x *repaired) { // of which no owner is asked for
			owner := descriptors[hopscotch.DescriptorOwner].Swap(0)
			defer descriptors[hopscotch.DescriptorOwner].Store(owner)
			_, err := (&watcher{region: r, table: table}).look()
			x.problem(err)
		},
	} {
		x := newRepaired("memory")
		ask(x)
		told := slices.ContainsFunc(x.Problems, func(p string) bool {
			return strings.Contains(p, d.fails.Error())
		})
		if !told || !x.report().Red {
			t.Errorf("%s: %v", name, x.Problems)
		}
	}
}

// TestRepair_WritesOff: a descriptor whose owner has died, and whose last operation is over and makes no
// sense, is a finding of verify, which says what to do; after that, it is one that anybody can have.
func TestRepair_WritesOff(t *testing.T) {
	path, r, table := regionFile(t, 4)
	h, err := table.NewHandle(4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Add(40, 4); err != nil {
		t.Fatal(err)
	}
	descriptors, err := r.Section(hopscotch.Engine, hopscotch.SectionDescriptors)
	if err != nil {
		t.Fatal(err)
	}
	descriptors[h.Descriptor()*hopscotch.DescriptorWords+hopscotch.DescriptorPair].Store(1)
	if err := r.Close(); err != nil { // with its handle, as a process that dies
		t.Fatal(err)
	}
	code, out, _ := call("verify", path)
	wants := hopscotch.WantLast + "; to reclaim it: samecycle repair " + path
	if code != exitRed || !strings.Contains(out, wants) {
		t.Errorf("verify: %d\n%s", code, out)
	}
	if code, out, _ := call("repair", path, "--dry-run"); code != exitOK {
		t.Errorf("dry run: %d\n%s", code, out)
	}
	code, out, _ = call("repair", path, "--json")
	x := asJSON[repaired](t, out)
	if code != exitOK || len(x.Descriptors) != 1 || !x.Descriptors[0].WrittenOff {
		t.Errorf("repair: %d\n%s", code, out)
	}
	verified(t, path, exitOK)
	const says = "descriptor 1 of owner 4: reclaimed, written off: the words of its drop make no sense"
	d := reclaimed{Descriptor: 1, Owner: "owner 4", Kind: "drop", WrittenOff: true}
	if text := d.text(false); !strings.HasPrefix(text, says) {
		t.Errorf("it says %q, want %q", text, says)
	}
}
