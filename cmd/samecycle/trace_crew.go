package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/internal/seam"
	"github.com/samecycle/samecycle/internal/trace"
	"github.com/samecycle/samecycle/internal/trace/ours"
	"github.com/samecycle/samecycle/internal/trace/picture"
	"github.com/samecycle/samecycle/internal/trace/policy"
	"github.com/samecycle/samecycle/internal/trace/replay"
	"github.com/spf13/cobra"
)

// traceWorkerCommand is what trace starts its processes with.
const traceWorkerCommand = "trace-worker"

func traceWorker() *cobra.Command {
	return &cobra.Command{Use: traceWorkerCommand + " ASSIGNMENT", Hidden: true,
		Args:  oneArgument("ASSIGNMENT"),
		Short: "One process of a trace in several",
		RunE: func(_ *cobra.Command, args []string) error {
			return failed(ours.Worker(args[0], os.Stdin, os.Stdout))
		}}
}

// crewReport is the result of a trace in several processes.
type crewReport struct {
	Trace      tracePart `json:"trace"`
	Processes  int       `json:"processes"`
	KillEvery  string    `json:"kill_every"`
	Kills      int       `json:"kills"`
	Passes     int       `json:"passes"`
	Seconds    float64   `json:"seconds"`
	Region     uint64    `json:"region_bytes"`
	Basket     uint32    `json:"basket_bytes"`
	Again      uint64    `json:"requests_made_again"`
	Refused    uint64    `json:"objects_refused"`
	Busy       uint64    `json:"sets_without_room"`
	Longest    float64   `json:"longest_call_ms"`
	Objects    int       `json:"objects_in_the_end"`
	Held       uint64    `json:"bytes_in_the_end"`
	Faults     []string  `json:"faults"`
	Verdict    string    `json:"verdict"`
	Incomplete string    `json:"incomplete,omitempty"`
}

// checkCrew refuses what does not go together with processes, and takes one size.
func (f *traceFlags) checkCrew() error {
	if !f.given("processes") {
		if f.given("kill-every") || f.given("duration") {
			return errors.New("--kill-every and --duration are for --processes: add it, or leave them out")
		}
		return nil
	}
	switch {
	case f.outside("processes", f.processes, crewMost):
		return fmt.Errorf("--processes %d: use 1 to %d", f.processes, crewMost)
	case f.killEvery != 0 && f.killEvery < killLeast:
		return fmt.Errorf("--kill-every %v: use %v or more, or 0 for no deaths", f.killEvery, killLeast)
	case f.duration < 0:
		return fmt.Errorf("--duration %v: use a duration like 10s, or 0 for the trace once", f.duration)
	case len(f.files) > 1:
		return errors.New("--processes replays one trace: name one file")
	case len(f.sizes) > 1:
		return errors.New("--processes has one cache: give --size once")
	case f.svg != "":
		return errors.New("--svg draws several sizes, and --processes has one: leave one out")
	}
	f.wanted = f.wanted[len(f.wanted)-1:]
	return nil
}

// Bounds of the flags.
const (
	crewMost  = 64
	killLeast = 10 * time.Millisecond
)

// traceCrew replays one trace in several processes.
func (a *app) traceCrew(ctx context.Context, f traceFlags) error {
	p := newProgress(a.err)
	defer p.close()
	name := ""
	if len(f.files) > 0 {
		name = f.files[0]
	}
	t, err := f.requestsOf(ctx, name, p.update)
	if err != nil {
		return failed(err)
	}
	sizes, err := f.sizesFor(t)
	if err != nil {
		return failed(err)
	}
	program, remove := "", func() {}
	defer func() { remove() }()
	begun := time.Now()
	r, err := ours.Crew(ctx, t, sizes[0], ours.CrewOptions{Processes: f.processes, KillEvery: f.killEvery,
		Duration: f.duration, Basket: f.basketBytes, Policy: f.policy,
		Folder: sharedFolder(), Progress: p.update,
		Prepare: func() (err error) {
			if program, remove, err = a.workerProgram(ctx, p); err != nil {
				remove = func() {}
			}
			begun = time.Now()
			return err
		},
		Command: func(assignment string) *exec.Cmd {
			cmd := exec.Command(program, traceWorkerCommand, assignment)
			cmd.SysProcAttr, cmd.Env = ownGroup(), ofParent()
			return cmd
		}})
	took := time.Since(begun)
	if errors.Is(err, ours.ErrProcesses) {
		return lineError("--processes %d: %w", f.processes, err)
	}
	if err != nil {
		return failed(err)
	}
	p.update("the same requests through LRU", 1)
	out := f.crewReport(t, sizes[0], r, took)
	if ctx.Err() != nil {
		out.Incomplete = context.Cause(ctx).Error()
		if out.Verdict == "PASS" {
			out.Verdict = "INCOMPLETE"
		}
	}
	p.close()
	return a.deliver(report{Red: out.Verdict != "PASS", Data: out,
		Text: func(w io.Writer) error { writeCrew(w, out); return nil }}, nil)
}

// workerProgram is the program of the processes: this one, or the one that ships if this has the explorer.
func (a *app) workerProgram(ctx context.Context, p *progress) (path string, remove func(), err error) {
	if !seam.Explored {
		path, err = os.Executable()
		return path, func() {}, err
	}
	root, err := a.repository()
	if err != nil {
		return "", nil, err
	}
	p.line("building the program that ships, without the explorer")
	p.update("building the program that ships", 0)
	return plainProgram(ctx, root)
}

// sharedFolder is where files lie in memory, if there is such a folder, else that for temporary files. A test
// has another one.
var sharedFolder = func() string {
	const folder = "/dev/shm"
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		return folder
	}
	return os.TempDir()
}

// crewReport is what is printed.
func (f traceFlags) crewReport(t *trace.Trace, size uint64, r *ours.CrewReport,
	took time.Duration) crewReport {
	own := replay.Result{Cache: ours.Name, Capacity: size, Requests: r.Requests, Hits: r.Hits,
		Bytes: r.Bytes, HitBytes: r.HitBytes, Complete: r.Complete}
	out := crewReport{Processes: f.processes, KillEvery: f.killEvery.String(), Kills: r.Kills,
		Passes: r.Passes, Seconds: took.Seconds(), Region: r.Cache.Bytes, Basket: r.Cache.BasketBytes,
		Again: r.Again, Refused: r.Refused, Busy: r.Busy, Longest: float64(r.Longest) / 1e6,
		Objects: r.Objects, Held: r.Held, Faults: listed(r.Faults), Verdict: "PASS"}
	if len(r.Faults) > 0 {
		out.Verdict = "FAIL"
	}
	out.Trace = *f.part(t, []uint64{size}, []replay.Result{own, repeated(t, size, r.Requests)})
	return out
}

// repeated is what LRU makes of so many requests, for which the trace comes again and again.
func repeated(t *trace.Trace, size, requests uint64) replay.Result {
	lru := policy.NewLRU(size)
	r := replay.Result{Cache: exactLRU, Capacity: size, Requests: requests, Complete: true}
	for i := range requests {
		object := t.Requests[i%uint64(len(t.Requests))]
		n := t.Sizes[object]
		r.Bytes += uint64(n)
		if lru.Access(uint64(object), n) {
			r.Hits++
			r.HitBytes += uint64(n)
		}
	}
	return r
}

// writeCrew prints the result for a person.
func writeCrew(w io.Writer, r crewReport) {
	part := r.Trace
	requests := part.Sizes[0].Caches[0].Requests
	writeTraceHead(w, part)
	deaths := "; none is killed"
	if r.KillEvery != "0s" {
		deaths = fmt.Sprintf(", and one more, which is killed every %s: %s", r.KillEvery,
			plural.Of(r.Kills, "time"))
	}
	fmt.Fprintf(w, "  %s on one file of %s with baskets of %s%s\n", plural.Of(r.Processes, "process"),
		picture.Bytes(r.Region), picture.Bytes(uint64(r.Basket)), deaths)
	fmt.Fprintf(w, "  %s in %.1f s, the trace %s\n", counted(requests, "request"), r.Seconds,
		plural.Of(r.Passes, "time"))
	part.Requests = int(requests)
	writeTraceRows(w, part)
	fmt.Fprintf(w, "\n  longest call of a process that was not killed: %.2f ms, pauses of the machine "+
		"included\n", r.Longest)
	fmt.Fprintf(w, "  %s of parts in which a process was killed, made again by others\n",
		counted(r.Again, "request"))
	if r.Refused > 0 {
		fmt.Fprintf(w, "  %s larger than a basket (--basket)\n", counted(r.Refused, "object"))
	}
	if r.Busy > 0 {
		fmt.Fprintf(w, "  %s without room, all baskets or writers being in use\n", counted(r.Busy, "set"))
	}
	fmt.Fprintf(w, "  in the end: %s of %s, each value compared; structure checked\n",
		counted(r.Objects, "object"), picture.Bytes(r.Held))
	for _, fault := range r.Faults {
		fmt.Fprintln(w, "FAULT:", fault)
	}
	if r.Incomplete != "" {
		fmt.Fprintf(w, "INCOMPLETE: %s\n", r.Incomplete)
	}
	fmt.Fprintf(w, "verdict: %s\n", r.Verdict)
}
