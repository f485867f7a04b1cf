package harness

import (
	"fmt"
	"strconv"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/linearizability"
)

// World is one program's objects of the shipping code. All its methods but Perform are called while no actor
// runs.
type World[Q, R history.Value] interface {
	// Start restores everything to the beginning of the program, and names the words that actors share by
	// Execution.Region. If parts of an operation take effect at instants of their own, the world may record
	// them as operations of further clients, whose numbers follow those of the actors.
	Start(x *explore.Execution, rec *history.Recorder[Q, R])

	// Actor returns what the explorer must know about an actor besides its operations: its process, its claim
	// how many accesses it needs alone, and its name, if the name is not to be its operations.
	Actor(actor int) explore.Actor

	// Perform makes one operation of an actor (numbered from 1), and returns what the client saw. id is the
	// number of the operation in the history. An error ends the search.
	Perform(x *explore.Execution, actor int, id uint64, op Q) (R, error)

	// Observe is called with each step, before the step is judged.
	Observe(s explore.Step)

	// Step judges the objects after a step that changed something and was not judged before. An error ends
	// the search.
	Step(s explore.Step) error

	// History adds to the history of an execution the operations that only the world knows.
	History(h history.History[Q, R]) history.History[Q, R]

	// Finish judges the objects at the end of an execution in which so many actors died.
	Finish(x *explore.Execution, deaths int) error

	// ObjectName names the word of a step's object.
	ObjectName(object uint64) string

	// Tell describes what a step read and changed, in the engine's words; "" if there is nothing to say.
	Tell(s explore.Step) string
}

// Judge gives the verdict on the history of an execution.
type Judge[Q, R history.Value] interface {
	Check(h history.History[Q, R]) error
	Stats() linearizability.JudgeStats
	Keep() linearizability.Kept
	Resume(linearizability.Kept)
}

// Setup is a program with its world, its model, and its judges.
type Setup[Q, R history.Value] struct {
	Name  string // of the program
	Token string // its name in tokens
	State string // that it is about
	Ops   [][]Q  // of each actor

	World World[Q, R]
	Model Trace[R] // nil: there is no model to follow
	Judge Judge[Q, R]

	// Identity tells programs of one name apart in checkpoints.
	Identity string
}

// Trace follows an execution in the model. [NewTrace] makes one.
type Trace[R history.Value] interface {
	Start()
	Step(s explore.Step, last R) (repeated bool, err error)
	End(killed func(actor int) bool, last []R) error
	Marks() map[string]uint64 // how often each race came about
	New() bool                // the execution has steps that the one before had not
	Steps() []StepLine
	Judged() (steps uint64, fired map[string]uint64)
	Resume(steps uint64, fired, marks map[string]uint64)
}

// run is one exploration.
type run[Q, R history.Value] struct {
	Setup[Q, R]
	o        Options
	rec      history.Recorder[Q, R]
	last     []R // by actor: what its last operation returned
	failed   error
	outcomes map[string]uint64
	tokens   map[string]string
	text     []byte // memory of count
	deaths   int
	x        *explore.Execution
}

// Prepare makes a program ready for one search.
func Prepare[Q, R history.Value](s Setup[Q, R], o Options) *Prepared {
	r := &run[Q, R]{Setup: s, o: o, last: make([]R, len(s.Ops)), outcomes: map[string]uint64{},
		tokens: map[string]string{}}
	r.rec.Mark = func(bits uint64) { r.x.Mark(bits) }
	actors := r.cast()
	p := explore.Program{Name: s.Token, Step: r.step, Finish: r.finish,
		Start: func(x *explore.Execution) []explore.Actor {
			r.begin(x)
			if r.Model != nil {
				r.Model.Start()
			}
			return actors
		},
		Tell: func(_ *explore.Execution, step explore.Step) string { return s.World.Tell(step) }}
	options := o.Explorer()
	options.Checkpoint = r.checkpoint()
	return &Prepared{Program: p, Options: options, Report: r.report, Steps: r.steps}
}

func (r *run[Q, R]) steps() []StepLine {
	if r.Model == nil {
		return nil
	}
	return r.Model.Steps()
}

func (r *run[Q, R]) report(rep explore.Report) Report {
	rep.Program = r.Name
	out := Report{Report: rep, State: r.State, Marks: map[string]uint64{}, Histories: r.Judge.Stats(),
		Outcomes: r.outcomes, Tokens: r.tokens}
	if r.Model != nil {
		out.Validated, out.Fired = r.Model.Judged()
		out.Marks = r.Model.Marks()
	}
	return out
}

// begin puts back what an execution changes, but for the trace of the model.
func (r *run[Q, R]) begin(x *explore.Execution) {
	r.x = x
	r.rec.Reset()
	r.World.Start(x, &r.rec)
	clear(r.last)
	r.failed, r.deaths = nil, 0
}

// cast are the actors of every execution.
func (r *run[Q, R]) cast() []explore.Actor {
	actors := make([]explore.Actor, len(r.Ops))
	for i, ops := range r.Ops {
		actors[i] = r.World.Actor(i + 1)
		if actors[i].Name == "" {
			actors[i].Name = fmt.Sprintf("%d: %v", i+1, ops)
		}
		actors[i].Body = func() { r.client(i+1, ops) }
	}
	return actors
}

// client is the program of one actor.
func (r *run[Q, R]) client(actor int, ops []Q) {
	for _, op := range ops {
		r.x.Begin()
		id := r.rec.Call(actor-1, op)
		res, err := r.World.Perform(r.x, actor, id, op)
		if err != nil {
			r.failed = fmt.Errorf("%w: actor %d %v: %w", ErrOperation, actor, op, err)
			return
		}
		r.last[actor-1] = res
		r.rec.Return(id, res)
	}
}

func (r *run[Q, R]) step(_ *explore.Execution, s explore.Step) error {
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
	r.World.Observe(s)
	if r.Model != nil {
		if repeated, err := r.Model.Step(s, r.last[s.Actor]); err != nil || repeated {
			return err
		}
	}
	if still {
		return nil
	}
	return r.World.Step(s)
}

// leaves reports whether the step left memory as it was. Checking its structure would then give the same
// result as before.
func leaves(s explore.Step) bool {
	return s.Kind.Access() && !s.Kind.Sync() && (!s.OK || s.Old == s.New)
}

// finish judges an execution whose actors have all ended or died.
func (r *run[Q, R]) finish(x *explore.Execution) error {
	if r.failed != nil {
		return r.failed
	}
	if r.Model != nil {
		if err := r.Model.End(x.Killed, r.last); err != nil {
			return err
		}
	}
	h, err := r.rec.History()
	if err != nil {
		return err
	}
	if err := r.Judge.Check(r.World.History(h)); err != nil {
		return err
	}
	if r.fresh(x) {
		r.count(x, h)
	}
	return r.World.Finish(x, r.deaths)
}

// fresh reports whether the execution is new, and not a repetition that checks for nondeterminism.
func (r *run[Q, R]) fresh(x *explore.Execution) bool {
	if r.Model == nil {
		return !x.Again()
	}
	return r.Model.New()
}

func (r *run[Q, R]) count(x *explore.Execution, h history.History[Q, R]) {
	r.text = appendOutcome(r.text[:0], h)
	text := string(r.text)
	if r.outcomes[text]++; r.outcomes[text] == 1 {
		r.tokens[text] = x.Token()
	}
}

// appendOutcome appends what each operation returned, client by client. The order of calls of different
// clients is no part of it.
func appendOutcome[Q, R history.Value](text []byte, h history.History[Q, R]) []byte {
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
