package driver

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// The failures of a history, wrapped in what the explorer reports.
var (
	ErrIllegal = errors.New("history not linearizable")
	ErrUnknown = errors.New("history not judged")
)

// op is one operation of one actor. Times count the calls and returns of the execution from 1;
// returned is 0 while it is in flight.
type op struct {
	actor            int
	call             Call
	answer           Answer
	called, returned int
}

// record holds one execution's history. It is used again for each execution.
type record struct {
	ops   []op
	clock int
}

func (r *record) reset() { r.ops, r.clock = r.ops[:0], 0 }

// begin notes that the actor calls, and returns the operation's index for end.
func (r *record) begin(actor int, c Call) int {
	r.clock++
	r.ops = append(r.ops, op{actor: actor, call: c, called: r.clock})
	return len(r.ops) - 1
}

func (r *record) end(i int, a Answer) {
	r.clock++
	r.ops[i].answer, r.ops[i].returned = a, r.clock
}

// judge judges the histories of one program and remembers the verdicts: most executions of a
// program look alike to its clients. The key is the history itself, not a hash of it, so no
// collision can pass a bad history off as a good one.
type judge struct {
	initial map[uint32]cell
	names   names
	known   map[string]error
	key     []byte
}

func newJudge(initial map[uint32]cell, n names) *judge {
	return &judge{initial: initial, names: n, known: map[string]error{}}
}

// check returns nil only if the history is linearizable. An operation in flight is an error of the
// harness: actors end all that they begin, unless they die, and nobody is killed here.
func (j *judge) check(r *record) error {
	j.key = j.key[:0]
	for i := range r.ops {
		o := &r.ops[i]
		if o.returned <= o.called {
			return fmt.Errorf("%w: %v of actor %d has no return", ErrUnknown, j.names.call(o.call),
				o.actor+1)
		}
		j.key = append(j.key, byte(o.actor), byte(o.call.Kind), byte(o.called), byte(o.returned), 0)
		if o.answer.OK {
			j.key[len(j.key)-1] = 1
		}
		for _, v := range [...]uint32{o.call.Key, o.call.Old, o.call.Value, o.answer.Value} {
			j.key = binary.LittleEndian.AppendUint32(j.key, v)
		}
	}
	err, seen := j.known[string(j.key)]
	if !seen {
		err = j.judge(r.ops)
		j.known[string(j.key)] = err
	}
	return err
}

func (j *judge) judge(ops []op) error {
	v, key := decide(ops, j.initial)
	switch v {
	case linearizable:
		return nil
	case illegal:
		return &illegalError{key: key, initial: j.initial[key], history: j.names.table(ops),
			picture: j.names.picture(ops, key, j.initial[key])}
	}
	return fmt.Errorf("%w: key %d: out of time after %v", ErrUnknown, key, judgeTime)
}

// illegalError is a history that no order explains.
type illegalError struct {
	key     uint32
	initial cell
	history string
	picture []byte
}

func (e *illegalError) Error() string {
	return fmt.Sprintf("%v: key %d, initially %v: no order of its operations explains the answers",
		ErrIllegal, e.key, e.initial)
}

func (e *illegalError) Unwrap() error { return ErrIllegal }

func (e *illegalError) told() (string, []byte) { return e.history, e.picture }

// told is an error that knows what the clients saw: as text and, if it can be drawn, as a picture.
type told interface {
	error
	told() (history string, picture []byte)
}

// A row is a call of a history, as it is printed.
type row struct {
	actor            int
	call, answer     string
	called, returned int
}

// table prints a history.
func (n names) table(ops []op) string {
	var rows []row
	for _, o := range ops {
		rows = append(rows, row{o.actor, n.call(o.call), o.answer.text(o.call.Kind), o.called, o.returned})
	}
	return history(rows)
}

// history prints calls with one column per actor and one row per call or return.
func history(rows []row) string {
	actors, width, last := 0, len("actor 1"), 0
	for _, o := range rows {
		actors = max(actors, o.actor+1)
		width = max(width, len(o.call), len("-> "+o.answer))
		last = max(last, o.called, o.returned)
	}
	var b strings.Builder
	line := func(first string, text func(actor int) string) {
		fmt.Fprintf(&b, "%4s", first)
		for a := range actors {
			fmt.Fprintf(&b, " | %-*s", width, text(a))
		}
		b.WriteByte('\n')
	}
	line("time", func(a int) string { return fmt.Sprintf("actor %d", a+1) })
	line("----", func(int) string { return strings.Repeat("-", width) })
	for t := 1; t <= last; t++ {
		line(fmt.Sprint(t), func(a int) string { return moment(rows, a, t) })
	}
	return b.String()
}

// moment is what the actor's column shows at a time.
func moment(rows []row, actor, time int) string {
	for _, o := range rows {
		switch {
		case o.actor != actor:
		case o.called == time:
			return o.call
		case o.returned == time:
			return "-> " + o.answer
		case o.called < time && (time < o.returned || o.returned == 0):
			return "|"
		}
	}
	return ""
}
