package control

import (
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/control"
	"github.com/samecycle/samecycle/impl/handover"
	"github.com/samecycle/samecycle/impl/quota"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/internal/seam"
	model "github.com/samecycle/samecycle/model/control"
)

// world is the words of one program, and its processes.
type world struct {
	harness.PlainWorld[call, answer]
	program
	memory
	sketch    *quota.Sketch
	processes []*explore.Process
	spoil     func(s explore.Step) // nil, or what a canary does behind a step
	charged   []call               // of the execution: charges that have returned
}

// newWorld builds the words of a program.
func newWorld(p program) (*world, error) {
	w := &world{program: p, memory: newMemory()}
	var err error
	w.sketch, err = quota.New(w.words[sketchAt:clockAt], quota.Layout{Width: width, Penalties: true})
	if err != nil {
		return nil, fmt.Errorf("program %s: %w", p.Name, err)
	}
	if err := limits.Check(); err != nil {
		return nil, fmt.Errorf("program %s: %w", p.Name, err)
	}
	for i := range p.Calls {
		w.processes = append(w.processes, &explore.Process{Name: fmt.Sprint(i + 1), ReadsDie: true,
			Mappings: []explore.Mapping{{At: w.at(0), Of: w.at(0), Size: region.WordBytes * wordsAll}}})
	}
	return w, nil
}

// Start puts the words back to where the program begins, and names them.
func (w *world) Start(x *explore.Execution, _ *history.Recorder[call, answer]) {
	for i := range w.words {
		w.set(i, 0)
	}
	w.charged = w.charged[:0]
	for i, l := range w.Leases {
		if l.Owner != 0 {
			w.set(leasesAt+i, uint64(control.MakeLease(process(l.Owner), uint32(l.At))))
		}
	}
	for i, p := range w.Params {
		w.set(paramsAt+i, wordOf(p))
	}
	w.set(wishAt, wordOfWish(w.Wish))
	for i := range w.Cells {
		if w.Full > 0 {
			w.set(cellAt(i+1), instant(w.Full))
		}
	}
	x.Region(w.at(0), region.WordBytes*wordsAll)
}

// Actor is a process that may die at any time, and others find out.
func (w *world) Actor(actor int) explore.Actor {
	return explore.Actor{Process: w.processes[actor-1]}
}

// leases are what an actor knows of the leases.
func (w *world) leases(actor int) *control.Leases {
	return &control.Leases{Words: w.words[leasesAt : leasesAt+len(w.Leases)], Me: process(uint8(actor)),
		Alive: w.leaseAsk, Clock: w.leaseClock}
}

// params are the words of live parameters.
func (w *world) params() region.Words { return w.words[paramsAt : paramsAt+model.MaxWords] }

// leaseAsk is the system's answer.
func (w *world) leaseAsk(p region.Process) (bool, error) {
	return seam.Locked(&w.words[livesAt], func() (bool, error) {
		n := p.Index()
		return n >= 1 && int(n) <= len(w.Calls) && w.raw(livesAt)>>n&1 == 0, nil
	})
}

// leaseClock is the clock of the host.
func (w *world) leaseClock() uint32 { return uint32(w.words[clockAt].Load()) }

// handover is what an actor knows of the handover.
func (w *world) handover() *handover.Word {
	return &handover.Word{At: &w.words[wishAt], Most: model.Lasts, Clock: w.wishClock}
}

// wishClock is the clock of the host.
func (w *world) wishClock() uint32 { return uint32(w.words[clockAt].Load()) }

// timePass lets time go by.
func (w *world) timePass(n uint8) { w.words[clockAt].Add(uint64(n)) }

// Perform makes one call of an actor.
func (w *world) Perform(_ *explore.Execution, actor int, _ uint64, c call) (answer, error) {
	a := answer{gave: true}
	switch c.op {
	case model.OpHold:
		a = w.hold(actor, c.n)
	case model.OpTurn:
		a = w.turn(actor)
	case model.OpLeave:
		w.leases(actor).Leave()
		a.Kind = model.Left
	case model.OpTick:
		w.timePass(c.n)
		a.Kind = model.Ticked
	case model.OpTune:
		if n := control.Tune(w.params(), changes(c)); n != len(changes(c)) {
			return a, fmt.Errorf("%v: change %d is not made", c, n)
		}
		a.Kind = model.Tuned
	case model.OpRead:
		p, ok := pairOf(control.Read(w.params(), int(c.n-1)))
		if !ok {
			return a, fmt.Errorf("%v: a parameter has a value and is not tuned", c)
		}
		a.Result = model.Result{Kind: model.Got, A: p.A, B: p.B}
	case model.OpWant, model.OpAsk:
		a = w.wish(c)
	default:
		return w.rate(c)
	}
	return a, nil
}

// changes are those of a call.
func changes(c call) (all []control.Change) {
	for i, p := range c.set[:c.words] {
		if p.A != 0 {
			all = append(all, control.Change{Field: control.First(i), Value: uint64(p.A)})
		}
		if p.B != 0 {
			all = append(all, control.Change{Field: control.Second(i), Value: uint64(p.B)})
		}
	}
	return all
}

// turn is a turn of a janitor that reads first how many leases there may be.
func (w *world) turn(actor int) answer {
	run, _ := control.First(0).Of(control.Read(w.params(), 0))
	return w.hold(actor, uint8(run))
}

// hold is a turn of a janitor.
func (w *world) hold(actor int, run uint8) answer {
	a := answer{gave: true, Result: model.Result{A: run}}
	a.from, a.dead = uint32(w.raw(clockAt)), w.raw(livesAt)
	if w.leases(actor).Hold(int(run), model.Still) {
		a.Kind = model.Held
	}
	a.to, a.died = uint32(w.raw(clockAt)), w.raw(livesAt)
	return a
}

// wish is a call of the handover.
func (w *world) wish(c call) answer {
	a := answer{gave: true}
	h := w.handover()
	a.from = uint32(w.raw(clockAt))
	switch {
	case c.op == model.OpWant && h.Want():
		a.Kind = model.Said
	case c.op == model.OpWant:
		a.Kind = model.Unsaid
	case h.Hear(h.Look()):
		a.Kind = model.Heard
	default:
		a.Kind = model.Quiet
	}
	a.to = uint32(w.raw(clockAt))
	return a
}

// rate is a call of the sketch. What it says in nanoseconds is a whole number of units.
func (w *world) rate(c call) (answer, error) {
	a := answer{gave: true}
	id, now := identities[c.n], instant(c.at)
	ok := true
	switch c.op {
	case model.OpCharge:
		a.Kind = model.LevelIs
		a.A, ok = units(w.sketch.Add(id, now, uint64(c.units), limits))
	case model.OpJudge:
		r := w.sketch.Judge(id, now, uint64(c.units), limits)
		if a.Kind = model.OK; r.Verdict != quota.OK {
			a.Kind, a.B = model.Suspected, uint8(r.Offences)
			a.A, ok = units(r.Retry)
			a.A += c.at
		}
	case model.OpTake:
		r := w.sketch.Take(id, now, uint64(c.units), limits)
		if a.Kind, a.A = model.Taken, c.units; r.Verdict != quota.OK {
			a.Kind = model.Denied
			a.A, ok = units(r.Retry)
		}
	}
	if !ok {
		return a, fmt.Errorf("%v: the answer is no whole number of units", c)
	}
	if a.Kind != model.Denied {
		w.charged = append(w.charged, c)
	}
	return a, nil
}

// Observe notes a death, which the system knows.
func (w *world) Observe(s explore.Step) {
	if w.spoil != nil {
		w.spoil(s)
	}
	if s.Kind == hook.Kill {
		w.set(livesAt, w.raw(livesAt)|1<<(s.Actor+1))
	}
}

// Finish wants each charge that has returned in all rows, and the words of leases to be those of processes
// that wanted one.
func (w *world) Finish(*explore.Execution, int) error {
	for cell := uint8(1); cell <= w.Cells; cell++ {
		level, ok := levelOf(w.raw(cellAt(cell)))
		for _, from := range w.charged {
			var n uint8
			for _, c := range w.charged {
				if c.at >= from.at && has(c.n, cell) {
					n += c.units
				}
			}
			if least := from.at + min(n, 2*model.Burst); !ok || n > 0 && level < least {
				return fmt.Errorf("%w: level %d is %d, charges come to %d", errLost, cell, level, least)
			}
		}
	}
	return nil
}

// has tells whether an identity has a cell.
func has(id, cell uint8) bool {
	for row := uint8(1); row <= model.Rows; row++ {
		if model.CellOf(id, row) == cell {
			return true
		}
	}
	return false
}

// ObjectName names a word.
func (w *world) ObjectName(object uint64) string {
	at := int(object << 16 >> 16)
	if object>>48 == 0 && at%region.WordBytes == 0 && at/region.WordBytes < wordsAll {
		return placeName(at / region.WordBytes)
	}
	return fmt.Sprintf("object %#x", object)
}

// Tell says what a step did to its word.
func (w *world) Tell(s explore.Step) string {
	return harness.Told(s, w.ObjectName(s.Object), func(v uint64) string { return w.text(s.Object, v) })
}

// text is the value of a word for a person.
func (w *world) text(object, v uint64) string {
	i := int(object<<16>>16) / region.WordBytes
	switch {
	case i < paramsAt:
		return control.Lease(v).String()
	case i < sketchAt:
		p, _ := pairOf(v)
		return fmt.Sprintf("%+v", p)
	case i == wishAt:
		m, _ := wishOf(v)
		return fmt.Sprintf("%+v", m)
	case i >= clockAt:
		return fmt.Sprint(v)
	case (i-sketchAt)%2 == 1:
		p, _ := penaltyOf(v)
		return fmt.Sprintf("%+v", p)
	}
	n, _ := levelOf(v)
	return fmt.Sprint(n)
}
