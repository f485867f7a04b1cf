package scenarios

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/linearizability"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// Errors of a scenario's judges, besides ErrRejected and those of linearizability.
var (
	ErrStructure = errors.New("structural check failed")
	ErrContents  = errors.New("contents differ from the atomic map")
	ErrOperation = errors.New("operation failed")
	ErrLeftover  = errors.New("a newcomer could not finish what a dead actor left")
	ErrEntry     = errors.New("the process table is wrong about who is alive")
	ErrHanded    = errors.New("values handed out are not those that left the table")
)

// judgeTimeout bounds the judging of one history; one that needs longer is unknown, a failure.
const judgeTimeout = 10 * time.Second

// Options say how a program is explored.
type Options struct {
	Preemptions int // explore.Unbounded or a bound
	Kills       int
	Executions  uint64 // stop after so many, 0: no limit
	Stateless   bool   // do not cut revisited states
	// Walks > 0 draws so many random executions in place of the search; see explore.Options.
	Walks    uint64
	Strategy explore.Strategy
	Depth    int
	Seed     uint64
	// Guide, if not nil, decides the one execution of Walks 1; see explore.Options.
	Guide []byte
	// Shards > 1 searches part number Shard of so many; see explore.Options.
	Shard, Shards int
	// Coverage, if not nil, collects in which orders conflicting accesses were seen.
	Coverage *explore.Coverage
	// Solo and LockFree check progress; see explore.Options.
	Solo, LockFree int
	// Checkpoints, if not empty, is a folder with a file for each program and bound, from which its
	// search goes on; see explore.Checkpoint.
	Checkpoints string
	// Reduce runs one execution of each class with its own history; it needs no preemption bound.
	Reduce bool

	Context  context.Context
	Progress func(explore.Stats)

	// Apart makes each actor a process of its own: with its own mapping of the region at another
	// address, its own entry in the process table, and its own death, at any time from its first access
	// to its end. It needs linux.
	Apart bool

	// Fixes are the model's repairs; zero means all. A set that lacks one makes a model that the
	// engine does not follow: for the canaries of step validation.
	Fixes model.Fix
	// Misplaced, if not nil, alters each step before it is judged: for canaries, too.
	Misplaced func(*explore.Step)
}

// Report is what an exploration of one program found out.
type Report struct {
	explore.Report
	State     string            // operation state
	Validated uint64            // steps judged by the model; repeated prefixes are judged once
	Fired     map[string]uint64 // action -> accepted steps
	Marks     map[string]uint64 // operation state -> executions in which its race happened
	Histories linearizability.JudgeStats
	Outcomes  map[string]uint64 // what each operation returned -> executions
	Tokens    map[string]string // what each operation returned -> a token of one such execution
}

// run is one exploration.
type run struct {
	o        Options
	w        *world
	m        *model.Machine
	v        *validator
	actors   []explore.Actor
	judge    *linearizability.Judge
	rec      history.Recorder
	last     []history.Result // by actor: what its last operation returned
	handed   handed
	failed   error // of an operation
	marks    map[string]uint64
	outcomes map[string]uint64
	tokens   map[string]string
	text     []byte // memory of count
	deaths   int
	x        *explore.Execution
	seen     []uint64 // memory after the last step that was told
}

// Explore runs every interleaving of the program within the options on the engine and judges
// each. The report has a failure if a judge refused one. Errors say that nothing was explored.
func Explore(p model.Program, o Options) (Report, error) {
	r, program, err := prepare(p, o)
	if err != nil {
		return Report{}, err
	}
	rep, err := explore.Explore(program, r.options())
	return r.report(rep), err
}

func prepare(p model.Program, o Options) (*run, explore.Program, error) {
	if err := requireExplored(); err != nil {
		return nil, explore.Program{}, err
	}
	w, err := newWorldOf(p, o.Apart)
	if err != nil {
		return nil, explore.Program{}, err
	}
	cfg := p.Config(o.Kills)
	if o.Fixes != 0 {
		cfg.Fixes = o.Fixes
	}
	m, err := model.New(cfg)
	if err != nil {
		return nil, explore.Program{}, err
	}
	initial := map[uint32]uint32{}
	for _, b := range p.Memory {
		initial[uint32(b.K)] = uint32(b.V)
	}
	r := &run{
		o: o, w: w, m: m, v: newValidator(m, w),
		judge: linearizability.NewJudge(judgeTimeout, initial),
		last:  make([]history.Result, len(p.Ops)),
		marks: map[string]uint64{}, outcomes: map[string]uint64{}, tokens: map[string]string{},
	}
	for i := range p.Ops {
		r.judge.Clients = append(r.judge.Clients, fmt.Sprintf("actor %d", i+1))
	}
	for i := range model.MaxKeys { // behind the actors, as handed.history numbers them
		r.judge.Clients = append(r.judge.Clients, fmt.Sprintf("eviction %d", i+1))
	}
	r.actors = r.cast()
	r.rec.Mark = func(bits uint64) { r.x.Mark(bits) }
	return r, explore.Program{Name: tokenName(p, o.Apart), Start: r.start, Step: r.step, Finish: r.finish,
		Tell: r.tell}, nil
}

func (r *run) options() explore.Options {
	return explore.Options{
		Preemptions: r.o.Preemptions, Kills: r.o.Kills, Sites: true,
		Stateful: !r.o.Stateless && r.o.Walks == 0 && !r.o.Reduce,
		Reduce:   r.o.Reduce, Histories: r.o.Reduce,
		Walks: r.o.Walks, Guide: r.o.Guide, Strategy: r.o.Strategy, Depth: r.o.Depth, Seed: r.o.Seed,
		Shard: r.o.Shard, Shards: r.o.Shards, Checkpoint: r.checkpoint(),
		Coverage: r.o.Coverage, Solo: r.o.Solo, LockFree: r.o.LockFree,
		SpinLimit:     max(explore.DefaultSpinLimit, r.o.LockFree+1),
		MaxExecutions: r.o.Executions, Context: r.o.Context, Progress: r.o.Progress,
	}
}

func (r *run) report(rep explore.Report) Report {
	rep.Program = r.w.program.Name
	return Report{
		Report: rep, State: r.w.program.State, Validated: r.v.steps, Fired: r.v.fired,
		Marks: r.marks, Histories: r.judge.Stats(), Outcomes: r.outcomes,
		Tokens: r.tokens,
	}
}

func (r *run) start(x *explore.Execution) []explore.Actor {
	r.begin(x)
	r.v.start()
	if r.w.apart != nil {
		r.w.apart.x = x
	}
	return r.actors
}

// begin puts back what an execution changes, but for the validator.
func (r *run) begin(x *explore.Execution) {
	r.x = x
	r.w.start()
	x.Region(r.w.base(), r.w.bytes())
	r.rec.Reset()
	clear(r.last)
	r.handed.reset(len(r.last))
	r.failed, r.deaths = nil, 0
}

// cast are the actors of every execution.
func (r *run) cast() []explore.Actor {
	actors := make([]explore.Actor, len(r.w.program.Ops))
	for i, ops := range r.w.program.Ops {
		actors[i] = explore.Actor{
			Name:  fmt.Sprintf("%d: %v", i+1, ops),
			Body:  func() { r.client(i+1, ops, r.w.perform) },
			Alone: alone(ops),
		}
		if r.w.apart != nil {
			actors[i].Process = r.w.apart.processes[i]
		}
	}
	return actors
}

// performer runs one operation of an actor on the engine and says what the client saw.
type performer func(t int, op model.Op) (history.Result, error)

// client is the program of one actor.
func (r *run) client(t int, ops []model.Op, perform performer) {
	for _, op := range ops {
		r.x.Begin()
		id := r.rec.Call(t-1, request(op))
		r.handed.call(t, id, op)
		res, err := perform(t, op)
		if err != nil {
			r.failed = fmt.Errorf("%w: actor %d %v: %w", ErrOperation, t, op, err)
			return
		}
		r.handed.take(r, t, res)
		r.last[t-1] = res
		r.rec.Return(id, res)
	}
}

func (r *run) step(_ *explore.Execution, s explore.Step) error {
	still := leaves(s)
	if r.o.Misplaced != nil {
		moved := s
		r.o.Misplaced(&moved)
		s = moved
	}
	if s.Kind == hook.Kill {
		r.rec.Kill(s.Actor)
		r.deaths++
	}
	repeated, err := r.v.step(s, r.last[s.Actor])
	if err != nil || repeated || still {
		return err
	}
	return structure(r.w.table, true)
}

// leaves reports whether memory is after the step as it was before it: what was found in its structure
// then would be found again.
func leaves(s explore.Step) bool {
	return s.Kind.Access() && !s.Kind.Sync() && (!s.OK || s.Old == s.New)
}

// finish judges an execution whose actors have all ended or died.
func (r *run) finish(x *explore.Execution) error {
	if r.failed != nil {
		return r.failed
	}
	states := r.ends(x)
	if len(states) == 0 {
		return fmt.Errorf("%w: at the end no state of the model agrees with what the clients saw",
			ErrRejected)
	}
	h, err := r.rec.History()
	if err != nil {
		return err
	}
	if err := r.judge.Check(r.handed.history(r, h)); err != nil {
		return err
	}
	if err := r.contents(&states[0]); err != nil {
		return err
	}
	if err := r.handed.check(r, &states[0]); err != nil {
		return err
	}
	if r.v.fresh > 0 { // else it is a repetition, to see that it runs the same way twice
		r.count(x, &states[0], h)
	}
	if r.w.apart != nil {
		if err := r.w.apart.check(r.w.region); err != nil {
			return err
		}
	}
	if r.deaths == 0 {
		return structure(r.w.table, false)
	}
	return r.recover()
}

// ends are the states of the model that agree with what the clients saw when all is over.
func (r *run) ends(x *explore.Execution) []model.State {
	var all []model.State
	for _, s := range r.v.states() {
		agrees := true
		for t := 1; t <= r.m.Actors(); t++ {
			if x.Killed(t - 1) {
				continue
			}
			s = r.v.returned(&s, t)
			agrees = agrees && s.Finished(t) && sameResult(s.Out(t), r.last[t-1]) == ""
		}
		if agrees {
			all = append(all, s)
		}
	}
	return all
}

// contents reads every key of the model through the table.
func (r *run) contents(s *model.State) error {
	for k, want := range s.Map() {
		if k == 0 {
			continue
		}
		got, found, err := r.w.get(r.w.table, r.w.keys[k])
		if err != nil || found != (want != 0) || found && got != uint32(want) {
			return fmt.Errorf("%w: key %d reads (%d, %t, %v), the map has %d",
				ErrContents, k, got, found, err, want)
		}
	}
	return nil
}

func (r *run) count(x *explore.Execution, s *model.State, h history.History) {
	for _, mark := range s.Marks() {
		r.marks[mark]++
	}
	r.text = appendOutcome(r.text[:0], h)
	text := string(r.text)
	if r.outcomes[text]++; r.outcomes[text] == 1 {
		r.tokens[text] = x.Token()
	}
}

// appendOutcome appends what each operation returned, by client: who called first is no part of it.
func appendOutcome(text []byte, h history.History) []byte {
	for client, left := 0, len(h); left > 0; client++ {
		for i := range h {
			op := &h[i]
			if op.Client != client {
				continue
			}
			if left--; len(text) > 0 {
				text = append(text, ", "...)
			}
			text = append(strconv.AppendInt(text, int64(client)+1, 10), ' ')
			text = append(op.Request.Append(text), ": "...)
			if op.Pending {
				text = append(text, "killed"...)
			} else {
				text = op.Result.Append(text)
			}
		}
	}
	return text
}

// recover lets a newcomer finish what the dead left, and reclaim what is lost.
func (r *run) recover() error {
	if err := r.w.newcomer.RestoreAll(); err != nil {
		return fmt.Errorf("%w: %w", ErrLeftover, err)
	}
	if err := structure(r.w.table, false); err != nil {
		return fmt.Errorf("%w: %w", ErrLeftover, err)
	}
	if err := r.w.newcomer.CropAll(nil); err != nil {
		return fmt.Errorf("%w: %w", ErrLeftover, err)
	}
	if n := hopscotch.Measure(r.w.table); n.Lost != 0 || n.Held != 0 {
		return fmt.Errorf("%w: after a crop %d cells are lost and %d held", ErrLeftover, n.Lost, n.Held)
	}
	return structure(r.w.table, false)
}
