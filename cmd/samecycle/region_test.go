package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// childJobs is what the test binary does when it runs itself with that variable set, by its value.
var childJobs = map[string]func(value string){regionChild: useRegion}

func TestMain(m *testing.M) {
	for variable, job := range childJobs {
		if value := os.Getenv(variable); value != "" {
			job(value)
		}
	}
	// A campaign that a test begins, wanted or not, starts this binary as its workers: as the tests they
	// would begin campaigns of their own, and so on without end.
	if len(os.Args) > 1 && (os.Args[1] == workerCommand || os.Args[1] == traceWorkerCommand) {
		main()
	}
	os.Exit(m.Run())
}

const regionChild = "SAMECYCLE_TEST_REGION"

// useRegion takes two handles of a region file, and stays until it is killed.
func useRegion(path string) {
	t, err := openWith(path)
	for range 2 {
		var h *hopscotch.Handle
		if err == nil {
			h, err = t.NewHandle(77)
		}
		if err == nil {
			_, err = h.Add(5, 50)
		}
		if err == nil {
			_, err = h.Delete(5)
		}
		if err == nil {
			err = h.Crop(5)
		}
	}
	fmt.Println("ready", err)
	time.Sleep(time.Minute)
	os.Exit(1)
}

func openWith(path string) (*hopscotch.Table, error) {
	_, t, err := attachTable(path)
	return t, err
}

// regionFile is a region with three elements, which this process has open.
func regionFile(t *testing.T, descriptors uint32) (string, *region.Region, *hopscotch.Table) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table")
	r, err := hopscotch.Create(path, hopscotch.Layout{CellsPerHalf: 16, Window: 4, Descriptors: descriptors})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	table, err := hopscotch.New(r)
	if err != nil {
		t.Fatal(err)
	}
	h, err := table.NewHandle(3)
	if err != nil {
		t.Fatal(err)
	}
	for key := uint32(1); key <= 3; key++ {
		if _, err := h.Add(key, 10*key); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	return path, r, table
}

// killOne lets a process take two handles of the region and kills it. It has been told of the value
// 50 by each of them, and the descriptors still say so.
func killOne(t *testing.T, path string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), regionChild+"="+path)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	_ = c.Process.Kill()
	_ = c.Wait()
	if err != nil || line != "ready <nil>\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
}

func asJSON[T any](t *testing.T, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

// TestRepair_AfterADeath: a rehearsal changes nothing; the repair frees both descriptors, hands the
// value over in doubt, clears the process, and the second repair finds nothing.
func TestRepair_AfterADeath(t *testing.T) {
	path, _, table := regionFile(t, 2) // the repairer inherits one: both are the dead process's
	killOne(t, path)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	code, out, errOut := call("repair", path, "--dry-run")
	if code != exitOK || !strings.Contains(out, "processes: 1 alive, 1 dead") ||
		!strings.Contains(out, "descriptors to reclaim: 2, processes to clear: 1") ||
		!strings.Contains(out, "descriptor 1 of owner 77 in process 1@1: to be reclaimed; "+
			"its last operation: clear\n") {
		t.Errorf("dry run: %d\n%s%s", code, out, errOut)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("a dry run has changed the region, %v", err)
	}
	code, out, errOut = call("repair", path, "--json")
	got := asJSON[repaired](t, out)
	if code != exitOK || !got.Clean || len(got.Dead) != 1 || !got.Dead[0].Cleared || !got.Live ||
		len(got.Descriptors) != 2 || got.Count.Elements != 3 || got.Alive != 1 {
		t.Fatalf("repair: %d\n%s%s", code, out, errOut)
	}
	for i, d := range got.Descriptors { // the one that the repairer has taken comes first
		if d.Descriptor != uint32(i) || d.Left == nil || *d.Left != (parted{Value: 50, InDoubt: true}) ||
			d.Kind != "clear" || d.Finished || !strings.HasPrefix(d.Owner, "owner 77 in process 1@1") {
			t.Errorf("descriptor %+v, left %+v", d, d.Left)
		}
	}
	if orphans, err := table.Orphans(); orphans != nil || err != nil {
		t.Errorf("orphans %v, %v", orphans, err)
	}
	code, out, _ = call("repair", path)
	if code != exitOK || !strings.Contains(out, "processes: 1 alive, 0 dead") ||
		!strings.Contains(out, "clean, elements: 3; descriptors reclaimed: 0") {
		t.Errorf("again: %d\n%s", code, out)
	}
}

// TestRepair_SaysWhatItDid in words, for a region that nobody else uses.
func TestRepair_SaysWhatItDid(t *testing.T) {
	path, r, _ := regionFile(t, 4)
	killOne(t, path)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	code, out, errOut := call("repair", path)
	for _, want := range []string{"processes: 0 alive, 1 dead", "process 1@1 died (pid ", ": cleared",
		"value 50 left the table and is yours, in doubt: its owner may have used it",
		"clean, elements: 3; descriptors reclaimed: 2"} {
		if !strings.Contains(out, want) {
			t.Errorf("repair says nothing of %q: %d\n%s%s", want, code, out, errOut)
		}
	}
}

// damaged is a region file with words that no process writes: an element nowhere, a descriptor of a
// dead process that makes no sense.
func damaged(t *testing.T) string {
	t.Helper()
	path, r, _ := regionFile(t, 4)
	killOne(t, path)
	descriptors, err := r.Section(hopscotch.Engine, hopscotch.SectionDescriptors)
	if err != nil {
		t.Fatal(err)
	}
	descriptors[hopscotch.DescriptorWords].Store(^uint64(0)) // the head of descriptor 1
	return path
}

// TestRepair_SaysWhatItCannot: damage is red, with what to do, and the rest is repaired.
func TestRepair_SaysWhatItCannot(t *testing.T) {
	path := damaged(t)
	code, out, _ := call("repair", path)
	if code != exitRed || !strings.Contains(out, "problem: descriptor 1 of owner 77 in process 1@1") ||
		!strings.Contains(out, "descriptor 0 of owner 77 in process 1@1: reclaimed") ||
		!strings.Contains(out, "save the elements") {
		t.Errorf("%d\n%s", code, out)
	}
	if code, out, _ := call("repair", path, "--dry-run"); code != exitRed {
		t.Errorf("dry run: %d\n%s", code, out)
	}
	if code, out, _ := call("verify", path); code != exitRed || strings.Contains(out, "to reclaim it") {
		t.Errorf("verify says that repair does what it cannot: %d\n%s", code, out)
	}
	if code, _, says := call("repair", ""); code != exitUsage || !strings.Contains(says, "FILE is missing") {
		t.Errorf("an empty name: %d %s", code, says)
	}
	if code, _, errOut := call("repair", path+".absent"); code != exitRed ||
		!strings.Contains(errOut, "create it, or check the path") {
		t.Errorf("no file: %d %s", code, errOut)
	}
}

// TestRepair_OfAnyOwnerWord: a rehearsal calls nothing lost that the repair then mends, whichever bit of the
// owner of a free descriptor has been flipped, and verify says which command it is.
func TestRepair_OfAnyOwnerWord(t *testing.T) {
	path, r, _ := regionFile(t, 4)
	descriptors, err := r.Section(hopscotch.Engine, hopscotch.SectionDescriptors)
	if err != nil {
		t.Fatal(err)
	}
	owner := &descriptors[hopscotch.DescriptorWords+hopscotch.DescriptorOwner]
	invalid := 0
	for bit := range 64 {
		if hopscotch.Owner(1<<bit).Process() == r.Process() {
			continue // it is at work, and may be about to write the rest
		}
		owner.Store(1 << bit)
		code, out, _ := call("verify", path)
		if code == exitRed {
			invalid++
			if !strings.Contains(out, hopscotch.WantOwner+"; to reclaim it: samecycle repair "+path+"\n") {
				t.Errorf("bit %d: verify says nothing of repair:\n%s", bit, out)
			}
		}
		rehearsal, told, _ := call("repair", path, "--dry-run")
		done, says, _ := call("repair", path)
		if rehearsal != done {
			t.Errorf("bit %d: dry run: %d\n%s\nrepair: %d\n%s", bit, rehearsal, told, done, says)
		}
		if code, out, _ := call("verify", path); code != exitOK {
			t.Errorf("bit %d: repaired, and not clean:\n%s", bit, out)
		}
	}
	if invalid != 31 {
		t.Errorf("%d words name another process and no owner, want those of 32 bits but one", invalid)
	}
}

// TestWatch_Counts: what a region in use looks like before and after a death, and after damage.
func TestWatch_Counts(t *testing.T) {
	path, _, table := regionFile(t, 8)
	h, err := table.NewHandle(4)
	if err != nil {
		t.Fatal(err)
	}
	killOne(t, path)
	code, out, errOut := call("watch", path, "--count", "1", "--json")
	l := asJSON[look](t, out)
	if code != exitOK || l.Alive != 1 || l.Dead != 1 || l.Handles != 3 || l.Orphans != 2 || l.Flying != 0 ||
		l.Elements != 3 || l.Lost != 0 || len(l.Findings) != 0 || l.Time.IsZero() {
		t.Errorf("%d %+v\n%s", code, l, errOut)
	}
	if ok, err := h.Delete(1); !ok || err != nil {
		t.Fatal(ok, err)
	}
	code, out, _ = call("watch", path, "--count", "3", "--interval", "10ms")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != exitOK || len(lines) != 4 || !strings.HasPrefix(lines[0], "time") ||
		strings.Join(strings.Fields(lines[3])[1:], " ") != "1 1 3 2 0 0 2 1 0.062 0" {
		t.Errorf("%d\n%s", code, out)
	}
	if code, out, _ = call("watch", damaged(t), "--count", "1"); code != exitRed ||
		!strings.Contains(out, "Decode: descriptor 1") {
		t.Errorf("damaged: %d\n%s", code, out)
	}
}

// TestWatch_SeesWork: operations that are begun between two looks are counted.
func TestWatch_SeesWork(t *testing.T) {
	path, r, table := regionFile(t, 8)
	h, err := table.NewHandle(4)
	if err != nil {
		t.Fatal(err)
	}
	w := watcher{region: r, table: table}
	if l, err := w.look(); err != nil || l.Begun != 0 {
		t.Errorf("%+v, %v", l, err)
	}
	for key := uint32(4); key <= 7; key++ {
		if result, err := h.Add(key, 1); result != hopscotch.Added || err != nil {
			t.Fatal(result, err)
		}
	}
	if l, err := w.look(); err != nil || l.Begun < 4 || l.Elements != 7 {
		t.Errorf("%+v, %v", l, err)
	}
	_ = path
}

// onWrite does something when it has been written to.
type onWrite struct {
	bytes.Buffer
	do []func() error // after the first time, the second, ...
}

func (w *onWrite) Write(p []byte) (n int, err error) {
	n, _ = w.Buffer.Write(p) // never fails
	if len(w.do) > 0 {
		err, w.do = w.do[0](), w.do[1:]
	}
	return n, err
}

// TestWatch_SaysThatTheNameIsGone: once, be there no file or another one; the looks go on.
func TestWatch_SaysThatTheNameIsGone(t *testing.T) {
	path, _, _ := regionFile(t, 8)
	out := &onWrite{do: []func() error{
		func() error { return nil },
		func() error { return os.Rename(path, path+".old") },
		func() error { return os.WriteFile(path, nil, 0o600) },
	}}
	var errOut strings.Builder
	code := run(context.Background(), &app{out: out, err: &errOut},
		[]string{"watch", path, "--count", "4", "--interval", "10ms", "--json"})
	got := ""
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		l := asJSON[look](t, line)
		got += fmt.Sprint(l.Elements, l.Unlinked, " ")
	}
	if code != exitOK || got != "3 false 3 false 3 true 3 true " ||
		strings.Count(errOut.String(), path+": the region watched has lost this name") != 1 {
		t.Errorf("%d %s\n%s%s", code, got, out, errOut.String())
	}
}

// TestWatch_EndsWithTheInterrupt at once, and in good order.
func TestWatch_EndsWithTheInterrupt(t *testing.T) {
	path, _, _ := regionFile(t, 8)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	code, out, errOut := callWith(ctx, "watch", path, "--interval", "1h")
	if code != exitOK || strings.Count(out, "\n") != 2 || time.Since(start) > 20*time.Second {
		t.Errorf("%d after %v\n%s%s", code, time.Since(start), out, errOut)
	}
	for _, bad := range [][]string{{"--interval", "1ms"}, {"--count", "-1"}} {
		if code, _, errOut := call(append([]string{"watch", path}, bad...)...); code != exitUsage ||
			!strings.Contains(errOut, "use ") {
			t.Errorf("%v: %d %s", bad, code, errOut)
		}
	}
}

// TestRegionCommands_EndAtSoManyFindings: of a table of garbage a check ends somewhere, and says so.
func TestRegionCommands_EndAtSoManyFindings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	r, err := hopscotch.Create(path, hopscotch.Layout{CellsPerHalf: 1024, Window: 8, Descriptors: 4})
	if err != nil {
		t.Fatal(err)
	}
	words, err := r.Section(hopscotch.Engine, hopscotch.SectionCells)
	if err != nil {
		t.Fatal(err)
	}
	for i := range words {
		words[i].Store(^uint64(i))
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	v := asJSON[verification](t, verified(t, path, exitRed))
	if len(v.Findings) < mostFindings || len(v.Findings) > mostFindings+10 || !v.More || v.Clean {
		t.Errorf("%d findings, more: %t, clean: %t", len(v.Findings), v.More, v.Clean)
	}
	for command, says := range map[string]string{
		"verify": " findings, where the check ended: there may be more",
		"repair": " or more: what is damaged"} {
		if code, out, _ := call(command, path); code != exitRed || !strings.Contains(out, says) {
			t.Errorf("%s: status %d, want %q at the end of\n%s", command, code, says,
				out[max(0, len(out)-300):])
		}
	}
}

// beginAdd leaves the add of a new key with the value 70 where it has claimed its cell, and nothing else.
func beginAdd(t *testing.T, r *region.Region, table *hopscotch.Table, h *hopscotch.Handle) (key uint32) {
	t.Helper()
	cells, err := r.Section(hopscotch.Engine, hopscotch.SectionCells)
	if err != nil {
		t.Fatal(err)
	}
	descriptors, err := r.Section(hopscotch.Engine, hopscotch.SectionDescriptors)
	if err != nil {
		t.Fatal(err)
	}
	key, home := uint32(4), uint32(0)
	for ; ; key++ {
		home, _ = hopscotch.Homes(key, shape(t, r))
		if cells[hopscotch.CellWords*2*home].Load() == 0 {
			break // it has never been used
		}
	}
	const g = 5
	d := descriptors[h.Descriptor()*hopscotch.DescriptorWords:]
	d[hopscotch.DescriptorHead].Store(uint64(hopscotch.MakeHead(g, hopscotch.KindNew, 0, home)))
	d[hopscotch.DescriptorPair].Store(uint64(hopscotch.MakePair(hopscotch.Key(key), 70)))
	d[hopscotch.DescriptorExpect].Store(0)
	d[hopscotch.DescriptorTarget].Store(uint64(hopscotch.MakeTarget(g)))
	cells[hopscotch.CellWords*2*home].Store(uint64(hopscotch.ClaimedWord(
		table.RefLayout().Make(h.Descriptor(), g))))
	return key
}

// TestRepair_FinishesForTheLiving: a process that is alive, and stands still in the midst of an add, has its
// operation finished for it, and keeps its descriptor.
func TestRepair_FinishesForTheLiving(t *testing.T) {
	path, r, table := regionFile(t, 4)
	h, err := table.NewHandle(4)
	if err != nil {
		t.Fatal(err)
	}
	key := beginAdd(t, r, table, h)
	code, out, errOut := call("repair", path)
	if code != exitOK || !strings.Contains(out, "clean, elements: 4; descriptors reclaimed: 0") {
		t.Errorf("%d\n%s%s", code, out, errOut)
	}
	if v, ok := table.Get(key); v != 70 || !ok {
		t.Errorf("the add that was begun: %d, %t", v, ok)
	}
	h.Rewind()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// shape is the layout of the table in r.
func shape(t *testing.T, r *region.Region) hopscotch.Layout {
	t.Helper()
	l, err := hopscotch.LayoutOf(r)
	if err != nil {
		t.Fatal(err)
	}
	return l
}
