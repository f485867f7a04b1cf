//go:build explore

package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

// grace is how long an interrupted process may take to report.
const grace = 20 * time.Second

// exploreProcesses runs the shards of a search of so many programs in processes of this program and adds them
// up.
func exploreProcesses(ctx context.Context, r exploreRequest, programs int) (report, error) {
	shards := make([][]exploration, r.Processes)
	errs := make([]error, r.Processes)
	var wg sync.WaitGroup
	for i := range r.Processes {
		wg.Go(func() {
			shards[i], errs[i] = r.process(ctx, i)
			if errs[i] == nil {
				r.Say("process %d of %d has ended", i+1, r.Processes)
			}
		})
	}
	r.Progress(fmt.Sprintf("%d processes search %s", r.Processes, r.subjectName()), 0)
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return report{}, err
	}
	all, err := merge(shards, r.Bound)
	if ctx.Err() != nil && len(all) == 0 {
		return report{}, context.Cause(ctx) // nobody came to anything
	}
	return explored(r, all, programs), err
}

// subjectName is what a user calls that which is searched.
func (r exploreRequest) subjectName() string { return cmp.Or(r.Program, r.State.ID) }

// process searches one shard in a process of its own. It is interrupted when ctx is done, and only
// then: it does not belong to the group that a terminal interrupts.
func (r exploreRequest) process(ctx context.Context, shard int) ([]exploration, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("shard %d: the program's own file is not known: %w", shard, err)
	}
	cmd := exec.CommandContext(ctx, self, "explore", r.subjectName(), "--json", "--stateless",
		"--bound", strconv.Itoa(r.Bound), "--kills", strconv.Itoa(r.Kills),
		"--executions", strconv.Itoa(r.Executions), "--time", r.Time.String(),
		"--seed", strconv.FormatUint(r.Seed, 10),
		"--shard", fmt.Sprintf("%d/%d", shard, r.Processes))
	if r.Exact {
		cmd.Args = append(cmd.Args, "--exact")
	}
	if r.Apart {
		cmd.Args = append(cmd.Args, "--apart")
	}
	if r.Checkpoint != "" {
		cmd.Args = append(cmd.Args, "--checkpoint", r.Checkpoint)
	}
	if r.Root != "" {
		cmd.Args = append(cmd.Args, "--root", r.Root)
	}
	cmd.SysProcAttr = ownGroup()
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = grace
	var out bytes.Buffer
	errOut := saying{begun: func() { r.Say("process %d of %d searches", shard+1, r.Processes) }}
	cmd.Stdout, cmd.Stderr = &out, &errOut
	failed := cmd.Run() // red, or interrupted, is a result
	var all []exploration
	if err := json.Unmarshal(out.Bytes(), &all); err != nil {
		if ctx.Err() != nil && !errOut.said {
			return nil, nil // interrupted before it could listen: it has done nothing
		}
		return nil, fmt.Errorf("shard %d gave no result (%v, %v); it said:\n%s", shard, failed, err,
			errOut.text.String())
	}
	return all, nil
}

// saying keeps what a process says, and tells when it begins to: it can be interrupted from then on.
type saying struct {
	text  bytes.Buffer // no part of it: io.Copy would go past Write
	begun func()
	said  bool
}

func (s *saying) Write(text []byte) (int, error) {
	if !s.said {
		s.said = true
		s.begun()
	}
	return s.text.Write(text)
}

// merge adds up the shards' results, program by program. A program that some shard did not come
// to, because it was interrupted, is unfinished.
func merge(shards [][]exploration, bound int) ([]exploration, error) {
	var all []exploration
	at := map[string]int{}
	seen := map[string]int{}
	for _, shard := range shards {
		for _, e := range shard {
			seen[e.Program]++
			if i, known := at[e.Program]; known {
				all[i].add(e)
				continue
			}
			at[e.Program] = len(all)
			all = append(all, e)
		}
	}
	for i := range all {
		e := &all[i]
		p, ok := programNamed(e.Program)
		if !ok {
			return nil, fmt.Errorf("a shard searched %s, which is no program of this build", e.Program)
		}
		e.Exhaustive = e.Exhaustive && seen[e.Program] == len(shards)
		e.size(p)
		switch {
		case e.Failure != nil || !e.Exhaustive:
			e.Covered = aPart
		default:
			e.Covered = within(bound)
		}
		e.Bound = fmt.Sprintf("%d shards together: %s", len(shards), e.Covered)
	}
	return all, nil
}

// add adds another shard's result to e. Different histories do not add up, for shards share some:
// the result has the most of any shard.
func (e *exploration) add(o exploration) {
	e.Exhaustive = e.Exhaustive && o.Exhaustive
	e.Executions += o.Executions
	e.Complete += o.Complete
	e.Pruned += o.Pruned
	e.Killed += o.Killed
	e.Steps += o.Steps
	e.Validated += o.Validated
	e.MaxSteps = max(e.MaxSteps, o.MaxSteps)
	e.LongestGap = max(e.LongestGap, o.LongestGap)
	e.Histories = max(e.Histories, o.Histories)
	for k, n := range o.Marks {
		e.Marks[k] += n
	}
	for k, n := range o.Outcomes {
		if e.Outcomes[k] += n; e.Tokens[k] == "" {
			e.Tokens[k] = o.Tokens[k]
		}
	}
	if e.Failure == nil {
		e.Failure = o.Failure
	}
	if e.Estimate != nil && o.Estimate != nil { // each is of a shard, and all are of the same samples
		e.Estimate.Executions += o.Estimate.Executions
		e.Estimate.StdErr += o.Estimate.StdErr
		e.Estimate.Low += o.Estimate.Low
		e.Estimate.High += o.Estimate.High
	}
}
