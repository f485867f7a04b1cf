package explore_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/explore"
)

// stopAndGo searches a program with a checkpoint, in pieces of n executions each, and returns the
// report of the last piece, what the program counted, and the number of pieces.
func stopAndGo(t *testing.T, name string, o explore.Options, n uint64) (explore.Report, map[string]int, int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "search")
	for pieces := uint64(1); ; pieces++ {
		got := map[string]int{} // a new process knows nothing of the last one
		o.Checkpoint = &explore.Checkpoint{
			File: file,
			Save: func() ([]byte, error) { return json.Marshal(got) },
			Load: func(b []byte) error { clear(got); return json.Unmarshal(b, &got) },
		}
		o.MaxExecutions = n * pieces
		r := mustExplore(t, smallProgram(t, name).program(got, false), o)
		if r.Exhaustive || pieces > 5000 {
			return r, got, int(pieces)
		}
	}
}

// TestCheckpoint_SameTotals: a search that is stopped and resumed again and again counts exactly
// what one that is not stopped counts, also if it cuts states, and so does what the program counts
// by itself.
func TestCheckpoint_SameTotals(t *testing.T) {
	for _, name := range []string{"race2x2", "cas3x1", "late", "ctr2x6"} {
		for _, o := range []explore.Options{
			{Preemptions: explore.Unbounded}, {Preemptions: explore.Unbounded, Stateful: true},
			{Preemptions: 2, Kills: 1, Stateful: true}, {Preemptions: 1, Kills: 2},
			{Preemptions: 3, Shard: 1, Shards: 2},
		} {
			o = withoutAudit(o)
			want := map[string]int{}
			whole := mustExplore(t, smallProgram(t, name).program(want, false), o)
			for _, n := range []uint64{29, 100} {
				r, got, pieces := stopAndGo(t, name, o, n)
				if pieces < int(whole.Executions/n) {
					t.Errorf("%s: %d pieces of %d executions, but there are %d", name, pieces, n,
						whole.Executions)
				}
				r.Elapsed, whole.Elapsed = 0, 0
				if r.Stats != whole.Stats || r.Bound != whole.Bound {
					t.Errorf("%s %+v in pieces of %d:\n%+v %s\nwant\n%+v %s", name, o, n, r.Stats, r.Bound,
						whole.Stats, whole.Bound)
				}
				for k := range want {
					if got[k] != want[k] {
						t.Errorf("%s: outcome %s %d times, want %d", name, k, got[k], want[k])
					}
				}
			}
		}
	}
}

// TestCheckpoint_Finished: a finished search is not searched again, and one that fails after it
// was resumed finds what it would have found.
func TestCheckpoint_Finished(t *testing.T) {
	o := unbounded()
	o.Checkpoint = &explore.Checkpoint{File: filepath.Join(t.TempDir(), "search")}
	first := mustExplore(t, smallProgram(t, "cas3x1").program(nil, false), o)
	runs := map[string]int{}
	again := mustExplore(t, smallProgram(t, "cas3x1").program(runs, false), o)
	if again.Executions != first.Executions || !again.Exhaustive || len(runs) != 1 {
		t.Errorf("%d executions, want %d; %d outcomes were run again", again.Executions,
			first.Executions, len(runs))
	}
	want := mustExplore(t, smallProgram(t, "zig2x4").program(nil, true), unbounded())
	o.Checkpoint = &explore.Checkpoint{File: filepath.Join(t.TempDir(), "search"),
		Every: time.Nanosecond}
	o.MaxExecutions = 5
	mustExplore(t, smallProgram(t, "zig2x4").program(nil, true), o)
	o.MaxExecutions = 0
	r := mustExplore(t, smallProgram(t, "zig2x4").program(nil, true), o)
	if f := wantFailure(t, r, explore.Verdict); f.Token != want.Failure.Token ||
		r.Executions != want.Executions {
		t.Errorf("resumed: %s after %d executions, want %s after %d", f.Token, r.Executions,
			want.Failure.Token, want.Executions)
	}
}

// TestCheckpoint_Refusals: a file that does not belong to the search is an error that says what to do. The
// file is not changed.
func TestCheckpoint_Refusals(t *testing.T) {
	file := filepath.Join(t.TempDir(), "search")
	search := func(name string, o explore.Options, identity string) error {
		o.MaxExecutions = 9
		o.Checkpoint = &explore.Checkpoint{File: file, Identity: identity}
		_, err := explore.Explore(smallProgram(t, name).program(nil, false), o)
		return err
	}
	if err := search("ctr2x6", unbounded(), "build 1"); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	kills := killing(1)
	flip := func(at int) []byte {
		b := append([]byte(nil), good...)
		b[at] ^= 4
		return b
	}
	for _, c := range []struct {
		what, program, identity string
		o                       explore.Options
		text                    []byte
		want                    string
	}{
		{"program", "ctr3x3", "build 1", unbounded(), good, "belongs to the search of ctr2x6"},
		{"options", "ctr2x6", "build 1", kills, good, "name another file, or search as then"},
		{"build", "ctr2x6", "build 2", unbounded(), good, "another build of the program"},
		{"empty", "ctr2x6", "build 1", unbounded(), nil, "name another file or delete it"},
		{"foreign", "ctr2x6", "build 1", unbounded(), []byte("hello\n"), "is no checkpoint of a search"},
		{"version", "ctr2x6", "build 1", unbounded(), flip(28), "one of another version"},
		{"cut", "ctr2x6", "build 1", unbounded(), good[:len(good)-1], "damaged"},
		{"very short", "ctr2x6", "build 1", unbounded(), good[:40], "damaged"},
		{"a bit", "ctr2x6", "build 1", unbounded(), flip(len(good) - 30), "delete it to start afresh"},
		{"a bit of the sum", "ctr2x6", "build 1", unbounded(), flip(35), "delete it to start afresh"},
	} {
		if err := os.WriteFile(file, c.text, 0o600); err != nil {
			t.Fatal(err)
		}
		err := search(c.program, c.o, c.identity)
		if !errors.Is(err, explore.ErrCheckpoint) || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
		if left, _ := os.ReadFile(file); string(left) != string(c.text) {
			t.Errorf("%s: the file was changed", c.what)
		}
	}
	if err := os.WriteFile(file, good, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := search("ctr2x6", unbounded(), "build 1"); err != nil {
		t.Errorf("the good file: %v", err)
	}
	file = filepath.Join(t.TempDir(), "no", "such", "folder")
	if err := search("ctr2x6", unbounded(), ""); !errors.Is(err, explore.ErrCheckpoint) ||
		!strings.Contains(err.Error(), "cannot be written") {
		t.Errorf("no folder: %v", err)
	}
}

// TestCheckpoint_OtherProgram: a program that does something else under the same name is noticed when its
// last execution is run again.
func TestCheckpoint_OtherProgram(t *testing.T) {
	o := unbounded()
	o.MaxExecutions = 100
	o.Checkpoint = &explore.Checkpoint{File: filepath.Join(t.TempDir(), "search")}
	mustExplore(t, smallProgram(t, "ctr2x6").program(nil, false), o)
	p := smallProgram(t, "ctr2x3").program(nil, false)
	p.Name = "ctr2x6"
	o.MaxExecutions = 0
	if r := mustExplore(t, p, o); r.Failure == nil {
		t.Error("another program goes on from the checkpoint")
	}
}

// TestCheckpoint_Races: a search for races does not continue from a search without one.
func TestCheckpoint_Races(t *testing.T) {
	file := filepath.Join(t.TempDir(), "saved")
	p := simple("saved", func() {}, func() {}, func() {})
	for _, races := range []bool{false, true} {
		o := unbounded()
		o.Races, o.Checkpoint = races, &explore.Checkpoint{File: file}
		_, err := explore.Explore(p, o)
		if refused := err != nil; refused != races {
			t.Errorf("races %t: %v", races, err)
		}
	}
}
