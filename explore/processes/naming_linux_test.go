//go:build explore

package processes

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes/processtest"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/internal/seam"
)

// all are the options of a complete search.
func all(kills int) explore.Options {
	return explore.Options{Preemptions: explore.Unbounded, Kills: kills, Reduce: true, MaxExecutions: 200_000}
}

// peaceful is how many classes of executions there are without a death. One creator gets the name. Each of
// the others finds it by opening, by looking, or by wanting it: three ways; an opener finds it or not. Those
// who find it take the entries after the first, in any order.
func (n Naming) peaceful() int {
	classes := 0
	ways := n.Creators // who gets the name
	for range n.Creators - 1 {
		ways *= 3
	}
	for found := range n.Openers + 1 { // binomial coefficients: there is one opener at most
		orders := 1
		for k := 2; k <= n.Creators-1+found; k++ {
			orders *= k
		}
		classes += ways * orders
	}
	return classes
}

// All preemptions, and any of those who come may die, or all.
func TestNaming_HoldsWithDeathsAtAnyTime(t *testing.T) {
	for _, n := range namings {
		n.Layout = small
		for kills := range n.Creators + n.Openers + 1 {
			rep, tally, err := n.Explore(n.name, all(kills))
			if err != nil {
				t.Fatal(err)
			}
			if rep.Failure != nil || !rep.Exhaustive {
				t.Fatalf("%v\n%s", rep.Failure, rep.Bound)
			}
			t.Logf("%s; %s", rep.Bound, tally)
			if want := uint64(n.peaceful()); kills == 0 && rep.Classes != want {
				t.Errorf("%s: %d classes without a death, want %d", n.name, rep.Classes, want)
			}
			if tally.Attached == 0 || tally.Late == 0 || (tally.Missed > 0) != (n.Openers > 0) ||
				(tally.Nameless > 0) != (kills >= n.Creators) {
				t.Errorf("%s, %d deaths: %+v", n.name, kills, tally)
			}
		}
	}
}

// A creator dies before it begins and after each step of its own that changes something: after the file is
// opened, after it has its space, after each word of the region, after the name.
func TestNaming_ACreatorDiesAtEachStep(t *testing.T) {
	f, p, err := Naming{Layout: small, Creators: 1}.prepare("ProcessNaming")
	if err != nil {
		t.Fatal(err)
	}
	var last explore.Step
	changed, died := map[string]bool{"nothing": true}, map[string]bool{}
	text := func() string {
		if last.Kind == hook.Begin {
			return "nothing"
		}
		return fmt.Sprintf("%v of %#x at %#x", last.Kind, last.New, last.Object)
	}
	start := p.Start
	p.Start = func(x *explore.Execution) []explore.Actor { last = explore.Step{}; return start(x) }
	p.Step = func(_ *explore.Execution, s explore.Step) error {
		switch {
		case s.Kind == hook.Kill:
			died[text()] = true
		case s.Kind.Access() && s.Old != s.New:
			last = s
			changed[text()] = true
		}
		return nil
	}
	o := all(1)
	o.Audit = -1
	rep, err := explore.Explore(p, o)
	if err != nil || rep.Failure != nil {
		t.Fatal(err, rep.Failure)
	}
	for at := range changed {
		if !died[at] {
			t.Errorf("no death after %s", at)
		}
	}
	// Nothing; two for the file; lock, number and state of the entry; the header; the name.
	r, err := region.Heap(small)
	if err != nil {
		t.Fatal(err)
	}
	want := 1 + 2 + 3 + 1
	header := small.Offset(region.Own, region.OwnProcesses) / region.WordBytes
	for _, w := range r.Words().Plain()[:header] {
		want += int(one(w != 0))
	}
	if len(changed) != want || f.counts.Nameless == 0 {
		t.Errorf("%d places, want %d; %+v", len(changed), want, f.counts)
	}
}

// The canaries: a name that comes before the region, a name that is given again, or not at all, a region that
// is not finished, a file that is kept, and an entry that is not.
func TestNaming_WrongCreationsAreFound(t *testing.T) {
	made := func(wrong func(s region.System) region.System) maker {
		return func(m []byte, l region.Layout, s region.System) (*region.Region, error) {
			return region.Make(m, l, wrong(s))
		}
	}
	for name, c := range map[string]struct {
		naming Naming
		kills  int
		says   string
	}{
		"the name first":                {Naming{Creators: 2, Early: true}, 0, "has no region"},
		"the name first, and an opener": {Naming{Creators: 1, Openers: 1, Early: true}, 0, "has no region"},
		"the name first, and a death":   {Naming{Creators: 1, Early: true}, 1, "who comes later"},
		"a name that changes": {Naming{Creators: 2, Link: func(d *Folder, file int) bool {
			d.Named = uint64(file) + 1
			return true
		}}, 0, "has the region of file 2, and file 1 has the name"},
		"a name that nobody gets": {Naming{Creators: 1, Link: func(*Folder, int) bool { return true }}, 0,
			"has the region of file 1, and file 0 has the name"},
		"a header without magic": {Naming{Creators: 2, Make: func(m []byte, l region.Layout,
			s region.System) (*region.Region, error) {
			r, err := region.Make(m, l, s)
			if err == nil {
				r.Words()[0].Store(0)
			}
			return r, err
		}}, 0, "has no region"},
		"a creator that gives up": {Naming{Creators: 1, Make: func([]byte, region.Layout,
			region.System) (*region.Region, error) {
			return nil, fs.ErrNotExist
		}}, 0, "has no region"},
		"a lock that stays": {Naming{Creators: 2, Make: made(func(s region.System) region.System {
			return keeper{s}
		})}, 0, "keeps a file that has no name"},
		"a lock that nobody has": {Naming{Creators: 2, Make: made(func(s region.System) region.System {
			return loose{s}
		})}, 0, "counts as alive: false, want true"},
	} {
		c.naming.Layout = small
		rep, _, err := c.naming.Explore("ProcessNaming", all(c.kills))
		if err != nil || rep.Failure == nil || !strings.Contains(rep.Failure.Message, c.says) {
			t.Errorf("%s: %v, %v; want %q", name, err, rep.Failure, c.says)
		}
	}
}

// keeper never gives a lock up.
type keeper struct{ region.System }

func (keeper) Unlock(uint32) error { return nil }

// loose has locks that are nobody's.
type loose struct{ region.System }

func (loose) Lock(uint32) (bool, error) { return true, nil }

// The reduced search of two who come has the ends of the search of all executions, whoever dies.
func TestNaming_ReducedLosesNothing(t *testing.T) {
	for _, n := range []Naming{{Layout: small, Creators: 2}, {Layout: small, Creators: 1, Openers: 1}} {
		for kills := range 3 {
			o := explore.Options{Preemptions: explore.Unbounded, Kills: kills, Stateful: true}
			want, executions := n.ends(t, o)
			o.Stateful, o.Reduce = false, true
			got, fewer := n.ends(t, o)
			t.Logf("%d deaths: %d ends; %d executions, reduced %d", kills, len(got), executions, fewer)
			if !maps.Equal(want, got) || fewer >= executions {
				t.Errorf("%+v, %d deaths: %d ends of %d executions, reduced %d of %d", n, kills, len(want),
					executions, len(got), fewer)
			}
		}
	}
}

// ends are what the executions of a naming come to.
func (n Naming) ends(t *testing.T, o explore.Options) (map[string]bool, uint64) {
	t.Helper()
	f, p, err := n.prepare("ProcessNaming")
	if err != nil {
		t.Fatal(err)
	}
	return processtest.EndsIn(t, p, o, func(x *explore.Execution) string {
		text := fmt.Sprint(f.named())
		for i, c := range f.comers {
			if x.Gone(f.processes[i]) {
				text += " died"
				continue
			}
			text += fmt.Sprint(" ", c.region != nil, c.of, c.late, c.err)
		}
		if f.named() >= 0 {
			text += fmt.Sprint(f.files[f.named()].Words())
		}
		return text
	})
}

// kinds are the tokens of one execution of each kind: who died, who has the region, and as whom.
func (n Naming) kinds(t *testing.T, program string) map[string]string {
	t.Helper()
	f, p, err := n.prepare(program)
	if err != nil {
		t.Fatal(err)
	}
	tokens := map[string]string{}
	p.Finish = func(x *explore.Execution) error {
		kind := fmt.Sprint("name of ", f.folder.Named)
		for i, c := range f.comers {
			switch {
			case x.Gone(f.processes[i]):
				kind += " died"
			case c.region == nil:
				kind += " missed"
			default:
				kind += fmt.Sprintf(" attached as %v late %v", c.region.Process(), c.late)
			}
		}
		if tokens[kind] == "" {
			tokens[kind] = x.Token()
		}
		return f.finish(x)
	}
	o := all(2)
	o.Audit = -1
	rep, err := explore.Explore(p, o)
	if err != nil || rep.Failure != nil {
		t.Fatal(err, rep.Failure)
	}
	return tokens
}

// needUnnamed skips the test where the file system of temporary files has no files without a name.
func needUnnamed(t *testing.T) {
	t.Helper()
	const unnamed = 0o20000000 | syscall.O_DIRECTORY // O_TMPFILE, which package syscall does not name
	fd, err := syscall.Open(t.TempDir(), unnamed|syscall.O_RDWR, 0o600)
	if err != nil {
		t.Skipf("NOT RUN: files without a name are missing (%v); set TMPDIR to a folder on a tmpfs", err)
	}
	syscall.Close(fd)
}

// Real processes that call the engine's own OpenOrCreate and Open make the same steps, of one another and of
// the name, whoever of them is killed; and in the folder is the region, or nothing.
func TestNaming_TheEngineDoesTheSame(t *testing.T) {
	needUnnamed(t)
	for _, n := range namings {
		n.Layout = small
		s, ok := Named(Creations(small), n.name)
		if !ok {
			t.Fatalf("%s is no search", n.name)
		}
		deaths, peaceful := 0, 0
		for kind, token := range n.kinds(t, n.name) {
			folder := t.TempDir()
			file := filepath.Join(folder, "region")
			done, err := s.Real(token, file, processtest.Command(t, n.name, file))
			if err != nil {
				t.Fatalf("%s (%s): %v", kind, token, err)
			}
			left, err := os.ReadDir(folder)
			if want := int(one(done.Words > 0)); err != nil || len(left) != want {
				t.Errorf("%s: %v are left in the folder, want %d (%v)", kind, left, want, err)
			}
			deaths += int(one(done.Deaths > 0))
			peaceful += int(one(done.Deaths == 0))
		}
		t.Logf("%s: %d executions with deaths, %d without", n.name, deaths, peaceful)
		if deaths < 20 || peaceful < 10 {
			t.Errorf("%s: %d executions with deaths, %d without: too few", n.name, deaths, peaceful)
		}
	}
}

// The canary: an engine that does otherwise than what is explored, here one that gives the name first,
// differs from the replay.
func TestNaming_AnotherEngineIsFound(t *testing.T) {
	needUnnamed(t)
	// The one execution without a death, in which nobody switches.
	tokens := Naming{Layout: small, Creators: 1}.kinds(t, "ProcessNaming")
	token := tokens["name of 1 attached as 0@1 late false"]
	for _, early := range []bool{false, true} {
		file := filepath.Join(t.TempDir(), "region")
		n := Naming{Layout: small, Creators: 1, Early: early}
		e, err := n.enactment("ProcessNaming", token, file)
		if err != nil {
			t.Fatal(err)
		}
		e.Command = processtest.Command(t, "ProcessNaming", file)
		if _, err := e.Run(); errors.Is(err, ErrDiffers) != early || err != nil && !early {
			t.Errorf("the name first %v: %v", early, err)
		}
	}
}

// What the engine asks of the names of files is no step for those who come to a region that is there, and is
// one here.
func TestChild_LooksForTheName(t *testing.T) {
	for _, quiet := range []bool{false, true} {
		p := &player{quiet: quiet, done: make(chan answer), threads: map[int]*thread{}}
		body := func() { seam.Locked(region.FileName(), func() (bool, error) { return true, nil }) }
		p.maps = []span{{0, ^uintptr(0), 0}}
		a := p.step(order{}, body)
		if found := a.Event.Kind == hook.Load; !a.Ended || found == quiet {
			t.Errorf("quiet %v: %+v", quiet, a)
		}
		hook.Active = nil
	}
}
