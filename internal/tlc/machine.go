package tlc

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A JVM spends most of a small run on its own start, and on the compilation of TLC. So the runs of a folder
// share a machine: a JVM that runs TLC again and again, on a program of a few lines around TLC's own entry
// (driver/Runs.java). A run in a machine is judged by the same messages as one in a JVM of its own, and must
// come to the same counts. TLC was not written for that, and keeps some state in static fields. So:
//
//   - before each run the program takes from all names their places among the variables and definitions of
//     the last one, and before the first run it lets TLC meet the names of all modules of the folder;
//   - the set of fingerprints is TLC's one in memory: the one on disk spoils the files of later runs, above
//     all the graphs of liveness checks. The program looks whether that has happened, and then ends;
//   - a machine ends after a violation of liveness, which TLC notes in a static field;
//   - what a machine cannot judge (an error of any kind) is judged again in a JVM of its own.

//go:embed driver/Runs.java
var driverSource []byte

const (
	driverClass = "Runs"
	endMark     = "@!@!@SAMECYCLE-ENDED"
)

// memorySet has TLC keep its fingerprints in memory, in the set that sorts them for the least distance of two
// at the end: the other one compares each with each.
const memorySet = "-Dtlc2.tool.fp.FPSet.impl=tlc2.tool.fp.MemFPSet1"

// Family names the runs that share a machine: those of the modules of a folder, or of edited copies of them.
type Family struct {
	Folder string // empty: TLC orders strings as the runs come
	// Optimised says that the runs are long enough for TLC's translation by the optimising compiler.
	Optimised bool
}

// Machines runs jobs in machines that wait for the next one of their family. There are never more
// than runs at a time. For concurrent use.
type Machines struct {
	tool   *Tool
	driver string // folder of the machines' program; empty: each run gets a JVM of its own

	mu   sync.Mutex
	idle []*machine
}

// Machines prepares the program of the machines, for which a JDK is needed: with a Java that has no
// compiler each run gets a JVM of its own. Call Close at the end.
func (t *Tool) Machines(ctx context.Context) *Machines {
	dir, err := os.MkdirTemp("", "samecycle-tlc-")
	if err != nil {
		return &Machines{tool: t}
	}
	if t.compileDriver(ctx, dir) != nil {
		os.RemoveAll(dir)
		return &Machines{tool: t}
	}
	return &Machines{tool: t, driver: dir}
}

// Close ends the machines. No run may be under way.
func (s *Machines) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.idle {
		m.close()
	}
	s.idle = nil
	if s.driver != "" {
		os.RemoveAll(s.driver)
	}
}

// Run runs one job of a family and judges it, as Tool.Run does. Only one worker.
func (s *Machines) Run(ctx context.Context, job Job, family Family) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, fmt.Errorf("tlc: %s: stopped before it ran: %w", job.Config, err)
	}
	if s.driver == "" || job.Workers > 1 {
		return s.tool.Run(ctx, job)
	}
	m, err := s.take(family)
	if err != nil {
		return Result{}, err
	}
	result, err := judged(ctx, job, m.execute)
	switch {
	case err == nil && result.Outcome == Failed:
		m.close()
		return s.tool.Run(ctx, job)
	case err != nil, m.over, result.Outcome == Liveness, result.Outcome == TimedOut:
		m.close()
	default:
		s.mu.Lock()
		defer s.mu.Unlock()
		s.idle = append(s.idle, m)
	}
	return result, err
}

// take returns a machine of the family: one that waits, or a new one in the place of another one that waits.
func (s *Machines) take(family Family) (*machine, error) {
	s.mu.Lock()
	i := slices.IndexFunc(s.idle, func(m *machine) bool { return m.family == family })
	var taken *machine
	if len(s.idle) > 0 {
		taken = s.idle[max(i, 0)]
		s.idle = slices.Delete(s.idle, max(i, 0), max(i, 0)+1)
	}
	s.mu.Unlock()
	if i >= 0 {
		return taken, nil
	}
	if taken != nil {
		taken.close()
	}
	return s.tool.start(family, s.driver)
}

// compileDriver puts the program of a machine into dir. It needs the compiler of a JDK.
func (t *Tool) compileDriver(ctx context.Context, dir string) error {
	source := filepath.Join(dir, driverClass+".java")
	if err := os.WriteFile(source, driverSource, 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, t.Java, "-XX:TieredStopAtLevel=1",
		"--module", "jdk.compiler/com.sun.tools.javac.Main", "-cp", t.Jar, "-d", dir, source)
	ownGroup(cmd)
	cmd.WaitDelay = time.Second
	return cmd.Run()
}

// machine is one JVM that runs jobs of one family, one at a time.
type machine struct {
	family     Family
	cmd        *exec.Cmd
	kill       context.CancelFunc
	jobs       io.WriteCloser
	output     *bufio.Reader
	complaints *limitedBuffer
	work       string
	runs       int
	cpu        time.Duration // of all runs so far
	over       bool          // it can take no more jobs
}

// start starts a machine whose program is in driver.
func (t *Tool) start(family Family, driver string) (*machine, error) {
	if err := t.verifyJar(); err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "samecycle-tlc-")
	if err != nil {
		return nil, fmt.Errorf("tlc: no temporary folder: %w", err)
	}
	args := t.javaArguments(work, DefaultMemoryMB, 1, family.Optimised)
	args = append(args, memorySet, "-cp", t.Jar+string(os.PathListSeparator)+driver, driverClass, endMark)
	if family.Folder != "" {
		folder, err := filepath.Abs(family.Folder)
		if err != nil {
			return nil, fmt.Errorf("tlc: %s: %w", family.Folder, err)
		}
		args = append(args, folder)
	}
	ctx, kill := context.WithCancel(context.Background())
	m := &machine{family: family, kill: kill, work: work, complaints: &limitedBuffer{left: 1 << 16},
		cmd: exec.CommandContext(ctx, t.Java, args...)}
	m.cmd.Dir = work
	ownGroup(m.cmd)
	m.cmd.WaitDelay = 5 * time.Second
	m.cmd.Stderr = m.complaints
	m.jobs, err = m.cmd.StdinPipe()
	if err == nil {
		var out io.ReadCloser
		if out, err = m.cmd.StdoutPipe(); err == nil {
			m.output = bufio.NewReader(out)
			err = m.cmd.Start()
		}
	}
	if err != nil {
		kill()
		os.RemoveAll(work)
		return nil, fmt.Errorf("tlc: %s could not be started: %w", t.Java, err)
	}
	return m, nil
}

// close ends the machine, in the middle of a run, too.
func (m *machine) close() {
	m.jobs.Close()
	m.kill()
	_ = m.cmd.Wait()
	os.RemoveAll(m.work)
}

// execute runs one job, feeds its output to the parser, and returns the exit status. A JVM that
// ends in the middle, by itself or with ctx, is over; its own status is the run's then.
func (m *machine) execute(ctx context.Context, job Job) (*parser, int, error) {
	dir, err := filepath.Abs(job.Dir)
	if err != nil {
		return nil, 0, fmt.Errorf("tlc: %s: %w", job.Dir, err)
	}
	m.runs++
	meta := filepath.Join(m.work, "meta"+strconv.Itoa(m.runs))
	defer os.RemoveAll(meta)
	if job, err = job.placed(m.work); err != nil {
		return nil, 0, err
	}
	if job.Text == "" {
		job.Config = filepath.Join(dir, job.Config)
	}
	job.Module = filepath.Join(dir, job.Module)
	defer context.AfterFunc(ctx, m.kill)()
	p := &parser{progress: job.Progress}
	_, err = io.WriteString(m.jobs, strings.Join(tlcArguments(job, meta), "\t")+"\n")
	for err == nil {
		var line string
		line, err = m.output.ReadString('\n')
		if status, cpu, ended := endOfRun(line); ended {
			p.cpu, m.cpu = cpu-m.cpu, cpu
			p.close()
			return p, status, nil
		}
		_, _ = p.Write([]byte(line))
	}
	m.over = true
	m.kill()
	_ = m.cmd.Wait()
	p.close()
	p.complaints = m.complaints.String()
	if s := m.cmd.ProcessState; s != nil {
		p.cpu = s.UserTime() + s.SystemTime() - m.cpu
	}
	return p, m.cmd.ProcessState.ExitCode(), nil
}

// endOfRun reads the line that ends a run.
func endOfRun(line string) (status int, cpu time.Duration, ended bool) {
	rest, ended := strings.CutPrefix(line, endMark+" ")
	if !ended {
		return 0, 0, false
	}
	var ms int64
	_, err := fmt.Sscan(rest, &status, &ms)
	return status, time.Duration(ms) * time.Millisecond, err == nil
}

// limitedBuffer keeps the first bytes, and can be read while it is written.
type limitedBuffer struct {
	mu   sync.Mutex
	text strings.Builder
	left int
}

func (b *limitedBuffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	keep := min(len(text), b.left)
	b.left -= keep
	b.text.Write(text[:keep])
	return len(text), nil
}

func (b *limitedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
