package mutate

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/disk"
)

// stage is one round of judging: a search of all programs, or some of the package's tests.
type stage struct {
	search   *Search
	full     bool          // the bounds of samecycle check
	slow     bool          // of the tests: only the slow ones
	deep     bool          // one of deepStages
	living   bool          // for engines whose actors cannot die: then there is time for more switches
	explored *explored     // tests of the scenarios, with the explorer; for mutants in their files
	limit    time.Duration // for tests: the least limit; it is longer if they take long without a mutant
}

// stages are in the order of their cost. The tests that an engine registers come after them. The limits are
// a hundred times the time on an idle machine, so that a busy machine does not turn a verdict into unknown.
var stages = []stage{
	{search: &Search{}, limit: 4 * time.Minute},
	{limit: leastLimit},
	{search: &Search{Kills: 1, Executions: 200}, limit: 4 * time.Minute},
	{search: &Search{Preemptions: 1, Executions: 200}, limit: 4 * time.Minute},
	{search: &Search{Preemptions: 1, Kills: 1, Executions: 200}, limit: 4 * time.Minute},
	{slow: true, limit: leastLimit},
	{search: &Search{Drawn: drawn, Kills: 1, Executions: 100}, limit: 8 * time.Minute},
	{search: &Search{Drawn: drawn / 2, Preemptions: -1, Kills: 1, Walks: 25}, limit: 8 * time.Minute},
}

// drawn is the number of drawn programs that are searched; for most mutants a few of them are enough.
const drawn = 1000

// exploredLimit is how long the tests of another package may take.
const exploredLimit = 20 * time.Minute

// explored are tests of the scenarios that judge code which no program reaches. They have the files of that
// code, and of the code that it uses. In other files these tests would find nothing that the programs do not
// find.
type explored struct {
	catalog.MutationTests
	judge string // their name as a judge
}

// lastStages come after the tests that an engine registers.
var lastStages = []stage{
	{search: &Search{Preemptions: 3, Executions: 3000}, living: true, limit: 8 * time.Minute},
}

// quickStages is the number of stages that cost almost nothing. They kill three of four mutants.
const quickStages = 2

// deepStages are for survivors. They take seconds to minutes for each.
var deepStages = []stage{
	{search: &Search{Preemptions: 2, Kills: 1, Executions: 1000}, deep: true, limit: 20 * time.Minute},
	{search: &Search{Drawn: 8 * drawn, Preemptions: -1, Kills: 1, Walks: 200}, deep: true,
		limit: 40 * time.Minute},
	{search: &Search{}, deep: true, full: true, limit: 2 * time.Hour},
}

// isTests reports whether the stage runs the tests of the mutant's own package.
func (s stage) isTests() bool { return s.search == nil && s.explored == nil }

// bench runs the judging programs of one overlay.
type bench struct {
	overlay
	p      *Package
	places map[place]int
	cover  map[string]*coverage   // by stage
	slow   []string               // tests that take long
	names  []string               // of all tests
	took   map[bool]time.Duration // times of the slow tests, and of the others, without a mutant

	mu       sync.Mutex
	accepted map[stage]error // verdicts on the package without a mutant; nil: all were asked before
}

// subject is what a stage judges.
type subject struct {
	mutant  int    // number in the bench; 0 is none, or the one that was built in without a switch
	reached string // file that is created when its statement is reached
	first   int    // number of the first program to run
	place   place  // where it differs from the original
	alone   bool   // its place is not known
}

// coverage says which programs reach which places in the search of a stage. Up to its place a mutant behaves
// like the engine. So a search that does not reach the place without the mutant does not reach it with the
// mutant either.
type coverage struct {
	programs []string
	hits     [][]byte // by program
}

// reaching returns the programs whose searches reach the place.
func (c *coverage) reaching(at int) []string {
	var list []string
	for i, name := range c.programs {
		if at < len(c.hits[i]) && c.hits[i][at] != 0 {
			list = append(list, name)
		}
	}
	return list
}

// collect runs the search of a stage without a mutant, and keeps which places each program reaches. If a
// judge refuses the engine, that is an error.
func (b *bench) collect(ctx context.Context, s stage) error {
	program, err := b.judge(ctx)
	if err != nil {
		return err
	}
	cmd := judging(ctx, b.p.Dir, program, append(s.search.flags(b.p.target.engine), "-cover")...)
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = disk.Printed(err, string(exit.Stderr))
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBaseline, err)
	}
	c := &coverage{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var l Line
		switch err := dec.Decode(&l); {
		case err != nil:
			return fmt.Errorf("%w: the judge's output ends early: %w", ErrBaseline, err)
		case l.Found != nil && l.Found.Verdict != "":
			return fmt.Errorf("%w: %s: %s", ErrBaseline, l.Found.Judge, l.Found.Why)
		case l.Found != nil:
			if b.cover == nil {
				b.cover = map[string]*coverage{}
			}
			b.cover[s.String()] = c
			return nil
		case l.Hits != nil:
			c.programs, c.hits = append(c.programs, l.At.Program), append(c.hits, l.Hits)
		}
	}
}

// try runs a stage.
func (b *bench) try(ctx context.Context, s stage, x subject) (Found, error) {
	if s.isTests() {
		return b.tryTests(ctx, s, x)
	}
	program, args, dir := "", []string(nil), b.p.Dir
	var err error
	switch {
	case s.search != nil:
		program, err = b.judge(ctx)
		args = append(s.search.flags(b.p.target.engine), "-first", strconv.Itoa(x.first))
		if c := b.cover[s.String()]; c != nil && !x.alone {
			reaching := c.reaching(b.places[x.place])
			if len(reaching) == 0 {
				return Found{}, nil
			}
			args = append(args, "-program", strings.Join(reaching, ","))
		}
		if s.full {
			args = append(args, "-full")
		}
	default:
		program, err = b.others(ctx, s.explored)
		args = testFlags(s, "-test.run="+s.explored.Run)
		dir = filepath.Join(b.root, filepath.FromSlash(s.explored.Folder))
	}
	if x.alone && errors.Is(err, errTests) {
		return Found{Verdict: Killed, Judge: "tests", Why: "they do not compile with it"}, nil
	}
	if err != nil {
		return Found{}, err
	}
	ran, err := b.run(ctx, s, x, dir, program, args)
	if err != nil {
		return Found{}, err
	}
	if s.search != nil {
		return scenarioVerdict([]byte(ran.out), ran.complaints, ran.err, ran.late), nil
	}
	f := testVerdict(ran.out+ran.complaints, ran.err, ran.late)
	if f.Judge == "tests" {
		f.Judge = s.explored.judge
	}
	return f, nil
}

// ran is what a judge printed, and how it ended.
type ran struct {
	out, complaints string
	err             error
	late            bool // its time was over
}

// run runs the program of a stage once. The error is that of ctx.
func (b *bench) run(ctx context.Context, s stage, x subject, dir, program string, args []string) (
	ran, error) {
	limited, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	cmd := judging(limited, dir, program, args...)
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), EnvMutant+"="+strconv.Itoa(x.mutant), EnvReached+"="+x.reached)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	ownGroup(cmd)
	err := cmd.Run()
	endGroup(cmd)
	return ran{out.String(), complaints.String(), err, limited.Err() != nil}, ctx.Err()
}

// testFlags returns the flags of a test binary. choice is the flag that chooses the tests.
func testFlags(s stage, choice string) []string {
	return []string{"-test.v", "-test.failfast", "-test.count=1",
		"-test.timeout=" + (2 * s.limit).String(), choice}
}

// flags returns the flags of the judge, for the engine of that name.
func (s *Search) flags(engine string) []string {
	args := []string{"-engine", engine, "-preemptions", strconv.Itoa(s.Preemptions),
		"-kills", strconv.Itoa(s.Kills), "-executions", strconv.FormatUint(s.Executions, 10)}
	if s.Walks > 0 {
		args = append(args, "-walks", strconv.FormatUint(s.Walks, 10))
	}
	if s.Drawn > 0 {
		args = append(args, "-drawn", strconv.Itoa(s.Drawn))
	}
	if s.Program != "" {
		args = append(args, "-program", s.Program)
	}
	return args
}

// scenarioVerdict reads the output of the judge. A judge that ended by itself without a verdict has crashed
// because of the mutant, for example by a stack without end.
func scenarioVerdict(out []byte, complaints string, err error, late bool) Found {
	var at *Search
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var l Line
		if json.Unmarshal(lines.Bytes(), &l) != nil {
			continue
		}
		if l.Found != nil {
			return *l.Found
		}
		at = l.At
	}
	if late {
		return Found{Verdict: Unknown, Judge: "time", Search: at, Why: "time ran out"}
	}
	return crashed(complaints, err, Found{Search: at})
}

var reCrash = regexp.MustCompile(`(?m)^(panic: .*|fatal error: .*|runtime: goroutine stack exceeds.*)$`)

// reMachine matches messages that the machine has no memory, threads or space. They are no judgement on the
// mutant, because the next mutant could have had them as well. For a full disk it matches the form of
// package os; tests of the engine report full disks in other forms.
var reMachine = regexp.MustCompile(`(?m)^fatal error: (runtime: )?(out of memory|newosproc).*$|` +
	`\b(open|write|mkdir|copy_file_range|truncate|symlink|rename|fork/exec|mmap|pipe2?) ?[^:\n]*: ` +
	`(no space left on device|cannot allocate memory|resource temporarily unavailable)`)

// crashed returns the verdict on a program that ended in an unexpected way. Only a message of the Go runtime
// counts. A signal from outside says nothing about the mutant.
func crashed(complaints string, err error, f Found) Found {
	if why := reMachine.FindString(complaints); why != "" {
		f.Verdict, f.Judge, f.Why = Unknown, "machine", why
		return f
	}
	why := reCrash.FindString(complaints)
	if why == "" {
		f.Verdict, f.Judge, f.Why = Unknown, "judge", fmt.Sprint(err)
		return f
	}
	f.Verdict, f.Judge, f.Why = Killed, "crash", why
	return f
}

var (
	reFail = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)
	reRun  = regexp.MustCompile(`(?m)^=== RUN +(\S+)$`)
)

// testVerdict reads the output of the tests.
func testVerdict(out string, err error, late bool) Found {
	running := ""
	if all := reRun.FindAllStringSubmatch(out, -1); len(all) > 0 {
		running = all[len(all)-1][1]
	}
	var exit *exec.ExitError
	switch m := reFail.FindStringSubmatch(out); {
	case late:
		return Found{Verdict: Unknown, Judge: "time", Test: running, Why: "time ran out"}
	case err == nil:
		return Found{}
	case m != nil && errors.As(err, &exit) && !reMachine.MatchString(out):
		return Found{Verdict: Killed, Judge: "tests", Test: m[1], Why: reCrash.FindString(out)}
	}
	f := crashed(out, err, Found{Test: running})
	if f.Verdict == Killed {
		f.Judge = "tests"
	}
	return f
}

var reTook = regexp.MustCompile(`(?m)^--- PASS: (\S+) \((\d+\.\d+)s\)$`)

// slowTest is the least duration of a slow test.
const slowTest = time.Second / 10

// judging returns the command that runs a judge in a folder. Its standard input is a pipe: a mutant may
// mistake the number of that file for one of its own, and a mode that it then sets as root would otherwise
// remain on the device of standard input.
func judging(ctx context.Context, folder, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Stdin = folder, strings.NewReader("")
	return cmd
}

// measure runs all tests without a mutant, and notes which are slow.
func (b *bench) measure(ctx context.Context) error {
	program, err := b.tests(ctx)
	if err != nil {
		return err
	}
	cmd := judging(ctx, b.p.Dir, program, "-test.v", "-test.count=1")
	b.took = map[bool]time.Duration{}
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err() // an interrupted run says nothing
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBaseline, disk.Printed(fmt.Errorf("tests: %w", err), string(out)))
	}
	for _, m := range reTook.FindAllStringSubmatch(string(out), -1) {
		b.names = append(b.names, m[1])
		took, err := time.ParseDuration(m[2] + "s")
		if err != nil {
			return fmt.Errorf("%w: %s took %w", ErrBaseline, m[1], err)
		}
		slow := took >= slowTest
		b.took[slow] += took
		if slow {
			b.slow = append(b.slow, m[1])
		}
	}
	if len(b.slow) == 0 {
		b.slow = []string{"none"}
	}
	if len(b.names) == 0 {
		return fmt.Errorf("%w: no test has run", ErrBaseline)
	}
	return nil
}
