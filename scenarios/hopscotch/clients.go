package scenarios

import (
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// What the harness asks of a world while the clients of a program run.

// Start puts back what an execution changes.
func (w *world) Start(x *explore.Execution, rec *mapmodel.Recorder) {
	w.x, w.rec = x, rec
	w.rewind()
	x.Region(w.base(), w.bytes())
	w.handed.reset(len(w.handles))
	if w.apart != nil {
		w.apart.x = x
	}
}

// Actor has the name of an actor, its process, and its claim.
func (w *world) Actor(t int) explore.Actor {
	ops := w.program.Ops[t-1]
	a := explore.Actor{Name: fmt.Sprintf("%d: %v", t, ops), Alone: alone(ops)}
	if w.apart != nil {
		a.Process = w.apart.processes[t-1]
	}
	return a
}

// Perform makes one operation of an actor, and books what its client was handed.
func (w *world) Perform(_ *explore.Execution, t int, id uint64, q mapmodel.Request) (mapmodel.Result, error) {
	op := operation(q)
	w.handed.call(t, id, op)
	res, err := w.by(t, op)
	if err == nil {
		w.handed.take(w, t, res)
	}
	return res, err
}

// Observe has nothing to note: all that clients see they are handed.
func (*world) Observe(explore.Step) {}

// History is h with the evictions, which no client asked for.
func (w *world) History(h mapmodel.History) mapmodel.History { return w.handed.history(w, h) }

// request is an operation of the model as the client calls it; keys are the model's.
func request(op model.Op) mapmodel.Request {
	return mapmodel.Request{Kind: requests[op.Op], Key: uint32(op.K), Value: uint32(op.V)}
}

// operation is the operation of the model that a client calls.
func operation(q mapmodel.Request) model.Op {
	return model.Op{Op: operationKinds[q.Kind], K: uint8(q.Key), V: uint8(q.Value)}
}
