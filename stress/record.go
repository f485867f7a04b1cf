package stress

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/history"
)

// recordWords is the size of a record: one cache line.
const recordWords = 8

// The words of a record. A record exists when its first word is not zero; that word is stored last
// of those that are known at the call, before the call is made. The moment of the return is
// stored last of all: an operation without one was in flight when its client died.
//
//	word     an operation                  something that left       a slow operation
//	kind     history.Kind, from 1          recordLeft                recordSlow
//	element  key, value                    key or 0, value
//	result   outcome, value                                          what its thread ran, nanoseconds
//	call     moment of the call
//	return   moment of the return
//	start    nanoseconds of the system's clock
//	spent    nanoseconds, installations                              its nanoseconds
//	marks    states, bucket of a member
const (
	atKind = iota
	atElement
	atResult
	atCall
	atReturn
	atStart
	atSpent
	atMarks
)

// Kinds of records that are no operations.
const (
	recordLeft = 64 + iota
	recordSlow
)

const (
	installBits = 16
	markBits    = 32
)

// logbook is the log of one client, written by that client only.
type logbook struct {
	words region.Words
	next  int // record
}

// room tells whether one more operation fits, whatever comes of it.
func (l *logbook) room() bool { return l.next+roundRoom <= logRoom }

func (l *logbook) at(i int) region.Words { return l.words[i*recordWords : (i+1)*recordWords] }

// call writes what is known before the call.
func (l *logbook) call(req history.Request, now func() int64) region.Words {
	r := l.at(l.next)
	l.next++
	r[atElement].Store(uint64(req.Key)<<32 | uint64(req.Value))
	r[atCall].Store(uint64(now()))
	r[atKind].Store(uint64(req.Kind))
	return r
}

// left writes an element that left by the operation that is about to return. An operation that
// hands over more than a record has room for is a defect of the table.
func (l *logbook) left(key, value uint32) {
	r := l.at(l.next)
	l.next++
	r[atElement].Store(uint64(key)<<32 | uint64(value))
	r[atKind].Store(recordLeft)
}

// slow writes where the time of a slow operation went.
func (l *logbook) slow(s slowness) {
	r := l.at(l.next)
	l.next++
	r[atResult].Store(uint64(s.ran))
	r[atSpent].Store(uint64(s.spent))
	r[atKind].Store(recordSlow)
}

// effort is what an operation has cost.
type effort struct {
	start    int64 // nanoseconds of the system's monotonic clock
	spent    int64 // nanoseconds
	installs uint32
}

// finish writes what came of the operation, the moment of the return last.
func finish(r region.Words, res history.Result, e effort, m marking, now func() int64) {
	r[atResult].Store(uint64(res.Outcome)<<32 | uint64(res.Value))
	r[atStart].Store(uint64(e.start))
	r[atSpent].Store(uint64(e.spent)<<installBits | uint64(min(e.installs, 1<<installBits-1)))
	r[atMarks].Store(uint64(m.states) | uint64(m.bucket)<<markBits)
	r[atReturn].Store(uint64(now()))
}

// slowness says how long a slow operation took, and how long its thread ran since a reading of its
// clock that was made at most readingEvery operations before: not less than in the operation.
type slowness struct{ spent, ran int64 }

// event is an operation as it is read from a log.
type event struct {
	history.Op
	effort
	marking
	left []leaving
}

// leaving is an element that left by an operation; key 0 if it had been deleted before.
type leaving struct{ key, value uint32 }

// read returns what a log holds, and empties it. Its client is at rest or dead.
func (l *logbook) read(client int) ([]event, []slowness, error) {
	var events []event
	var slow []slowness
	for i := 0; i < logRoom; i++ {
		r := l.at(i)
		kind := r[atKind].Load()
		if kind == 0 {
			clear(l.words[:i*recordWords].Plain())
			// A client that died after it took its moment has left a part of a record.
			clear(r.Plain())
			l.next = 0
			return events, slow, nil
		}
		switch {
		case kind == recordSlow:
			slow = append(slow, slowness{int64(r[atSpent].Load()), int64(r[atResult].Load())})
		case kind == recordLeft && len(events) > 0:
			last := &events[len(events)-1]
			e := r[atElement].Load()
			last.left = append(last.left, leaving{uint32(e >> 32), uint32(e)})
		case kind < recordLeft && history.Kind(kind).Known():
			events = append(events, readEvent(r, client, i))
		default:
			return nil, nil, fmt.Errorf("record %d of client %d has the kind %d, which nobody writes",
				i, client, kind)
		}
	}
	return nil, nil, fmt.Errorf("the log of client %d has no end", client)
}

func readEvent(r region.Words, client, i int) event {
	element, result := r[atElement].Load(), r[atResult].Load()
	spent, marks := r[atSpent].Load(), r[atMarks].Load()
	e := event{
		Op: history.Op{ID: uint64(client)<<32 | uint64(i+1), Client: client,
			Request: history.Request{Kind: history.Kind(r[atKind].Load()), Key: uint32(element >> 32)},
			Call:    int64(r[atCall].Load()), Return: int64(r[atReturn].Load())},
		effort: effort{int64(r[atStart].Load()), int64(spent >> installBits),
			uint32(spent) & (1<<installBits - 1)},
		marking: marking{uint32(marks), uint32(marks >> markBits)},
	}
	if e.Kind.HasValue() {
		e.Value = uint32(element)
	}
	if e.Return == 0 {
		e.Pending, e.Return = true, history.Forever
		e.effort, e.marking = effort{}, marking{}
		return e
	}
	e.Result = history.Result{Outcome: history.Outcome(result >> 32)}
	if e.Result.Outcome.HasValue() {
		e.Result.Value = uint32(result)
	}
	return e
}
