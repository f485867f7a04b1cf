//go:build explore

package processes

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes/processtest"
	"github.com/samecycle/samecycle/internal/hook"
)

func TestMain(m *testing.M) {
	processtest.Main(m, func(program, file string, process int, in io.Reader, out io.Writer) error {
		s, ok := Named(append(Creations(small), counting()), program)
		if !ok {
			return fmt.Errorf("no program %s", program)
		}
		return s.Serve(file, process, in, out)
	})
}

// creations are the tokens of one execution of each kind of creation: who died, who made the region, and
// what the others came to.
func creations(t *testing.T) map[string]string {
	t.Helper()
	f, p, err := Creation{Layout: small}.prepare()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	p.Finish = func(x *explore.Execution) error {
		kind := ""
		for i, c := range f.comers {
			switch {
			case x.Gone(f.processes[i]):
				kind += " died"
			case c.made:
				kind += " made it"
			case c.region == nil:
				kind += " too early"
			default:
				kind += fmt.Sprintf(" attached as %v", c.region.Process())
			}
		}
		if all[kind] == "" {
			all[kind] = x.Token()
		}
		return f.finish(x)
	}
	rep, err := explore.Explore(p, explore.Options{Preemptions: explore.Unbounded, Kills: 2, Reduce: true,
		Audit: -1})
	if err != nil || rep.Failure != nil {
		t.Fatal(err, rep.Failure)
	}
	return all
}

// Several creators of one region, any of which may be killed, are the same as real processes that come to one
// name: who creates the file, each step of each, and each word at the end.
func TestEnact_RealCreatorsDoTheSame(t *testing.T) {
	deaths, peaceful, stops, n := 0, 0, 0, 0
	for kind, token := range creations(t) {
		file := filepath.Join(t.TempDir(), "region")
		done, err := Creation{Layout: small}.Real(token, file, processtest.Command(t, creationName, file))
		if err != nil {
			t.Errorf("%s (%s): %v", kind, token, err)
		}
		deaths += int(one(done.Deaths > 0))
		peaceful += int(one(done.Deaths == 0))
		stops += done.Stops
		n += done.Accesses
	}
	t.Logf("%d executions with deaths, %d without, %d stops, %d accesses", deaths, peaceful, stops, n)
	if deaths < 20 || peaceful < 9 || stops < 40 {
		t.Errorf("%d executions with deaths, %d without, %d stops: too few", deaths, peaceful, stops)
	}
}

// The canaries: processes that make the region in another way, a token of another execution, and a file
// that has another word, or that is there at all, differ from the replay.
func TestEnact_ADifferentCreationIsFound(t *testing.T) {
	var token string
	for kind, one := range creations(t) {
		if strings.HasPrefix(kind, " made it attached as") {
			token = one
		}
	}
	for name, c := range map[string]struct {
		spoil func(e *Enactment)
		want  string
	}{
		"nothing": {func(*Enactment) {}, ""},
		"name": {func(e *Enactment) {
			took := func(s explore.Step) bool { return s.Kind == hook.TryLock }
			e.Steps[slices.IndexFunc(e.Steps, took)].OK = false
		}, "made a TryLock at offset 0x1000000000000"},
		"value": {func(e *Enactment) {
			version := func(s explore.Step) bool { return s.Object == 8 }
			e.Steps[slices.IndexFunc(e.Steps, version)].New ^= 1
		}, "made a Store at offset 0x8"},
		"word": {func(e *Enactment) { e.Words[1]++ }, "at the end the word at offset 0x8"},
		"file": {func(e *Enactment) { e.Absent = true }, "there is a region, and none in the replay"},
	} {
		file := filepath.Join(t.TempDir(), "region")
		e, err := Creation{Layout: small}.enactment(token, file)
		if err != nil {
			t.Fatal(err)
		}
		e.Command = processtest.Command(t, creationName, file)
		c.spoil(&e)
		_, err = e.Run()
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, ErrDiffers) ||
			!strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v; want a difference: %q", name, err, c.want)
		}
	}
}

// A child that is stopped is, by the word of the system, and goes on where it was.
func TestChild_IsStopped(t *testing.T) {
	file := filepath.Join(t.TempDir(), "region")
	c, err := start(processtest.Command(t, creationName, file)(0))
	if err != nil {
		t.Fatal(err)
	}
	defer c.end()
	for i := range 3 {
		if _, err := c.tell(order{}); err != nil {
			t.Fatal(err)
		}
		if err := c.stop(); err != nil {
			t.Fatal(err)
		}
		if stopped, err := c.stopped(); !stopped || err != nil {
			t.Errorf("not stopped after step %d (%v)", i, err)
		}
	}
	if err := c.wake(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(stopping); ; {
		stopped, err := c.stopped()
		if !stopped && err == nil {
			return
		}
		if err != nil || time.Now().After(end) {
			t.Fatalf("still stopped (%v)", err)
		}
	}
}
