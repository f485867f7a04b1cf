package scenarios

import (
	"fmt"
	"strconv"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/internal/seam"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// What the judges of the table complain of, besides harness.harness.ErrRejected and the errors of
// linearizability.
const (
	ErrStructure = harness.Complaint("structural check failed")
	ErrContents  = harness.Complaint("contents differ from the atomic map")
	ErrLeftover  = harness.Complaint("a newcomer could not finish what a dead actor left")
	ErrEntry     = harness.Complaint("the process table is wrong about who is alive")
	ErrHanded    = harness.Complaint("values handed out are not those that left the table")
)

// judgeTimeout bounds the judging of one history; one that needs longer is unknown, a failure.
const judgeTimeout = 10 * time.Second

// Options say how a program is explored. Fixes is a model.Fix: a set of repairs that lacks one makes a model
// that the engine does not follow.
type Options = harness.Options

// Report is what an exploration of one program found out.
type Report = harness.Report

// run is one exploration.
type run struct {
	o        Options
	w        *world
	m        *model.Machine
	v        *validator
	actors   []explore.Actor
	judge    *mapmodel.Judge
	rec      mapmodel.Recorder
	last     []mapmodel.Result // by actor: what its last operation returned
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

// open makes a program ready for one search of the harness.
func open(p model.Program, o Options) (*harness.Prepared, error) {
	r, program, err := prepare(p, o)
	if err != nil {
		return nil, err
	}
	return &harness.Prepared{Program: program, Options: r.options(), Report: r.report, Steps: r.steps}, nil
}

func prepare(p model.Program, o Options) (*run, explore.Program, error) {
	if !seam.Explored {
		return nil, explore.Program{}, harness.ErrPlain
	}
	w, err := newWorldOf(p, o.Apart)
	if err != nil {
		return nil, explore.Program{}, err
	}
	cfg := p.Config(o.Kills)
	if fixes, ok := o.Fixes.(model.Fix); ok && fixes != 0 {
		cfg.Fixes = fixes
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
		judge: mapmodel.NewJudge(judgeTimeout, initial),
		last:  make([]mapmodel.Result, len(p.Ops)),
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
	return r, explore.Program{Name: harness.TokenName(p.Name, o.Apart), Start: r.start, Step: r.step,
		Finish: r.finish,
		Tell:   r.tell}, nil
}

func (r *run) options() explore.Options {
	o := r.o.Explorer()
	o.Checkpoint = r.checkpoint()
	return o
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
type performer func(t int, op model.Op) (mapmodel.Result, error)

// client is the program of one actor.
func (r *run) client(t int, ops []model.Op, perform performer) {
	for _, op := range ops {
		r.x.Begin()
		id := r.rec.Call(t-1, request(op))
		r.handed.call(t, id, op)
		res, err := perform(t, op)
		if err != nil {
			r.failed = fmt.Errorf("%w: actor %d %v: %w", harness.ErrOperation, t, op, err)
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
			harness.ErrRejected)
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

func (r *run) count(x *explore.Execution, s *model.State, h mapmodel.History) {
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
func appendOutcome(text []byte, h mapmodel.History) []byte {
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
