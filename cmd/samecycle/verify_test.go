package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// TestVerify_WhileAtWork: what operations are in the middle of is no damage, and the user is told that
// there may be some.
func TestVerify_WhileAtWork(t *testing.T) {
	path, _, table := regionFile(t, 8)
	done, ended := make(chan struct{}), make(chan error, 2)
	for who := range uint64(2) {
		h, err := table.NewHandle(4 + who)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			var err error
			for key := uint32(who); err == nil; key++ {
				select {
				case <-done:
					ended <- h.Close()
					return
				default:
				}
				if _, err = h.Add(1+key%40, 7); err == nil {
					_, err = h.Delete(1 + (key+20)%40)
				}
			}
			ended <- err
		}()
	}
	for range 300 {
		code, out, errOut := call("verify", path)
		if code != exitOK || !strings.Contains(out, "1 process at work") {
			t.Errorf("%d\n%s%s", code, out, errOut)
			break
		}
	}
	close(done)
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// TestVerify_SaysWhoIsThere: nobody, a process, and an entry of the process table that is damaged.
func TestVerify_SaysWhoIsThere(t *testing.T) {
	path, r, _ := regionFile(t, 8)
	used := asJSON[verification](t, verified(t, path, exitOK))
	if !used.Clean || !used.Live || used.Alive != 1 {
		t.Errorf("in use: %+v", used)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	left := asJSON[verification](t, verified(t, path, exitOK))
	if !left.Clean || left.Live || left.Alive != 0 || left.Count.Elements != 3 {
		t.Errorf("left alone: %+v", left)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		text[r.Layout().Offset(region.Own, region.OwnProcesses)+uint64(i)] = 0xa5
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	hurt := asJSON[verification](t, verified(t, path, exitRed))
	if hurt.Clean || len(hurt.Damaged) != 1 || len(hurt.Findings) != 0 {
		t.Errorf("damaged: %+v", hurt)
	}
	code, out, _ := call("verify", path)
	want := []string{hurt.Damaged[0], path + ": 1 finding"}
	if got := strings.Split(strings.TrimSpace(out), "\n"); code != exitRed || !slices.Equal(got, want) {
		t.Errorf("damaged: %d %q, want %q", code, got, want)
	}
	const says = "its entry is damaged, and nobody's; to clear it: samecycle repair "
	if !strings.Contains(out, says+path) {
		t.Errorf("%s\nwant %s%s", out, says, path)
	}
}

// TestRegionCommands_DamagedEntryOfTheLiving: the entry of a process that is at work is damaged. It counts
// for the living, so that its operations are allowed for, and all commands find the damage, until it has
// ended.
func TestRegionCommands_DamagedEntryOfTheLiving(t *testing.T) {
	path, r, _ := regionFile(t, 8)
	entries, err := r.Section(region.Own, region.OwnProcesses)
	if err != nil {
		t.Fatal(err)
	}
	const junk = 0xa5a5a5a5a5a5a5a5
	entries[0].Store(junk)
	hurt := asJSON[verification](t, verified(t, path, exitRed))
	if hurt.Alive != 1 || !hurt.Live || hurt.Dead != 0 || len(hurt.Damaged) != 1 {
		t.Errorf("%+v", hurt)
	}
	for _, command := range []string{"verify", "watch --count 1", "repair --dry-run", "repair"} {
		code, out, errOut := call(append(strings.Fields(command), path)...)
		const says = "its entry is damaged, and it lives; end it, then: samecycle repair "
		if code != exitRed || !strings.Contains(out, says+path) {
			t.Errorf("%s: %d\n%s%s", command, code, out, errOut)
		}
	}
	if got := entries[0].Load(); got != junk {
		t.Errorf("a repair has changed the entry of a process that lives to %#x", got)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := call("watch", "--count", "1", path); code != exitRed ||
		!strings.Contains(out, "and nobody's") {
		t.Errorf("watch: %d\n%s", code, out)
	}
	if code, out, errOut := call("repair", path); code != exitOK {
		t.Errorf("repair: %d\n%s%s", code, out, errOut)
	}
	verified(t, path, exitOK)
}

// TestVerify_AfterADeath says what to do about it, as long as there is something to do.
func TestVerify_AfterADeath(t *testing.T) {
	path, r, _ := regionFile(t, 8)
	killOne(t, path)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	code, out, _ := call("verify", path)
	if code != exitOK || !strings.Contains(out, "1 process died without closing it") ||
		!strings.Contains(out, "samecycle repair "+path+"\n") {
		t.Errorf("%d\n%s", code, out)
	}
	if v := asJSON[verification](t, verified(t, path, exitOK)); v.Dead != 1 || v.Alive != 0 || v.Live {
		t.Errorf("%+v", v)
	}
	if code, out, errOut := call("repair", path); code != exitOK {
		t.Fatalf("%d\n%s%s", code, out, errOut)
	}
	if code, out, _ := call("verify", path); code != exitOK || strings.Contains(out, "died") {
		t.Errorf("repaired: %d\n%s", code, out)
	}
}

// TestVerify_BesideADeath: those at work and those that died are told of, and all cells, with an element or
// with what one has left.
func TestVerify_BesideADeath(t *testing.T) {
	path, _, table := regionFile(t, 8)
	killOne(t, path)
	h, err := table.NewHandle(4)
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := h.Delete(1); !ok || err != nil {
		t.Fatal(ok, err)
	}
	code, out, errOut := call("verify", path)
	for _, want := range []string{"1 process at work: the check allows for",
		"1 process died without closing it", "clean, 2 elements in 32 cells"} {
		if code != exitOK || !strings.Contains(out, path+": "+want) {
			t.Errorf("verify says nothing of %q: %d\n%s%s", want, code, out, errOut)
		}
	}
}

func verified(t *testing.T, path string, want int) string {
	t.Helper()
	code, out, errOut := call("verify", "--json", path)
	if code != want {
		t.Errorf("status %d, want %d\n%s%s", code, want, out, errOut)
	}
	return out
}

// TestSteady_BehindThoseOfTheMoment: what lasts is found, however many findings of one look alone come before
// it; where they hide it all the same, the check says that it has ended early.
func TestSteady_BehindThoseOfTheMoment(t *testing.T) {
	for _, c := range []struct {
		before int
		there  bool // a finding that lasts
		want   int
		more   bool
	}{
		{0, false, 0, false}, {0, true, 1, false}, {mostFindings - 2, true, 1, false},
		{mostFindings - 1, true, 1, true}, {mostFindings, true, 1, false},
		{mostFindings - 1, false, 0, false}, {20 * mostFindings, true, 1, false},
		{1 << 20, true, 0, true}, {1 << 20, false, 0, true},
	} {
		look, most := int64(0), 0
		check := func(limit int) (all hopscotch.Findings) {
			look++
			most = max(most, limit)
			for i := range min(c.before, limit) {
				all = append(all, hopscotch.Finding{Cell: int64(i), Raw: hopscotch.Raw(look)})
			}
			if c.there && len(all) < limit {
				all = append(all, hopscotch.Finding{Invariant: "lasts"})
			}
			return all
		}
		found, more := steady(check)
		if len(found) != c.want || more != c.more || c.want == 1 && found[0].Invariant != "lasts" {
			t.Errorf("%+v: %d findings, more: %t", c, len(found), more)
		}
		if most > 1<<17 {
			t.Errorf("%+v: a look for %d findings", c, most)
		}
	}
}

// TestSteady_ThreeLooksInARow: what two of them have seen, and the third one not, was of the moment.
func TestSteady_ThreeLooksInARow(t *testing.T) {
	for _, c := range []struct {
		not  int // the look that does not see it
		want int
	}{{0, 1}, {1, 0}, {2, 0}, {3, 0}, {4, 1}} {
		look := 0
		found, more := steady(func(int) (all hopscotch.Findings) {
			if look++; look != c.not {
				all = append(all, hopscotch.Finding{Invariant: "seen"})
			}
			return all
		})
		if len(found) != c.want || more {
			t.Errorf("all looks but %d of %d have seen it: %d findings, more: %t", c.not, look,
				len(found), more)
		}
	}
}

// TestRegionCommands_DamagedEntryOfNobody: an entry of the process table that nobody has used yet is damaged.
func TestRegionCommands_DamagedEntryOfNobody(t *testing.T) {
	path, r, _ := regionFile(t, 8)
	entries, err := r.Section(region.Own, region.OwnProcesses)
	if err != nil {
		t.Fatal(err)
	}
	const last = region.Processes - 1
	entries[last*region.ProcessBytes/region.WordBytes].Store(0xa5a5a5a5a5a5a5a5)
	for _, command := range []string{"verify", "watch --count 1"} {
		code, out, errOut := call(append(strings.Fields(command), path)...)
		want := fmt.Sprintf("process %d of the table: its entry is damaged, and nobody's", last)
		if code != exitRed || !strings.Contains(out, want) {
			t.Errorf("%s: %d\n%s%s", command, code, out, errOut)
		}
	}
	says := fmt.Sprintf("process %d of the table: its entry is damaged, and nobody's: cleared\n", last)
	if code, out, errOut := call("repair", path); code != exitOK || !strings.Contains(out, says) {
		t.Errorf("repair: %d\n%s%s\nwant %s", code, out, errOut, says)
	}
	verified(t, path, exitOK)
}

// TestRegionCommands_DamageAroundTheTable: what no process writes is found outside of the table, too, and in
// the header by who has it open.
func TestRegionCommands_DamageAroundTheTable(t *testing.T) {
	path, r, _ := regionFile(t, 8)
	for offset, want := range map[uint64]string{
		region.ProcessBytes*3 + 40 + r.Layout().Offset(region.Own, region.OwnProcesses): "word 5 of entry 3",
		8 + r.Layout().Offset(region.Own, region.OwnBell):                               "word 1 of the bell",
	} {
		word, err := r.Word(offset)
		if err != nil {
			t.Fatal(err)
		}
		word.Store(5)
		for _, command := range []string{"verify", "watch --count 1", "repair --dry-run", "repair"} {
			code, out, errOut := call(append(strings.Fields(command), path)...)
			if code != exitRed || !strings.Contains(out, want) {
				t.Errorf("%s: %d\n%s%s", command, code, out, errOut)
			}
		}
		word.Store(0)
	}
	verified(t, path, exitOK)
	observed, err := region.Observe(path)
	if err != nil {
		t.Fatal(err)
	}
	defer observed.Close()
	r.Words()[0].Store(5)
	if found := aroundTable(observed); len(found) != 1 || !strings.Contains(found[0], "magic is 0x5") {
		t.Errorf("the header is written anew: %v", found)
	}
}

// TestRegionCommands_LookAtTheFileFirst: of a file that is no region its mode does not matter, and no command
// advises to change it; of a region it does.
func TestRegionCommands_LookAtTheFileFirst(t *testing.T) {
	dir := t.TempDir()
	path, r, _ := regionFile(t, 4)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		content []byte
		chmod   bool
	}{
		"text": {[]byte("# A page that is no region\n"), false}, "short": {[]byte("no"), false},
		"region": {text, true}, "empty": {nil, true},
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, c.content, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, 0o644); err != nil { // whatever the mask of the process is
			t.Fatal(err)
		}
		for _, args := range [][]string{{"verify", file}, {"dump", file}, {"watch", file, "--count", "1"},
			{"repair", file}, {"repair", file, "--dry-run"}} {
			code, out, says := call(args...)
			if code != exitRed || strings.Contains(out+says, "chmod") != c.chmod ||
				strings.Contains(out+says, "the file is something else") == c.chmod {
				t.Errorf("%v: %d %s%s", args, code, out, says)
			}
		}
	}
}
