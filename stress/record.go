package stress

import "fmt"

// recordWords is the size of a record.
const recordWords = 10

// The words of a record. A record exists when its first word is not zero; that word is stored last
// of those that are known at the call, before the call is made. The moment of the return is
// stored last of all: an operation without one was in flight when its client died.
//
//	word     an operation                  a note of it       a slow operation
//	kind     recordOperation               recordNote         recordSlow
//	request  request, two words            the note           its nanoseconds, what its thread ran
//	result   result, two words
//	call     moment of the call
//	return   moment of the return
//	start    nanoseconds of the system's clock
//	spent    nanoseconds, count
//	extra    the engine's own
const (
	atKind    = 0
	atRequest = 1
	atResult  = 3
	atCall    = 5
	atReturn  = 6
	atStart   = 7
	atSpent   = 8
	atExtra   = 9
)

// Kinds of records.
const (
	recordOperation = 1 + iota
	recordNote
	recordSlow
)

const countBits = 16

// logbook is the log of one client, written by that client only.
type logbook struct {
	words shared
	next  int // record
}

// room tells whether one more operation fits, whatever comes of it.
func (l *logbook) room() bool { return l.next+roundRoom <= logRoom }

func (l *logbook) at(i int) shared { return l.words[i*recordWords : (i+1)*recordWords] }

func (m shared) put(at int, w Words) {
	m[at].Store(w[0])
	m[at+1].Store(w[1])
}

func (m shared) get(at int) Words { return Words{m[at].Load(), m[at+1].Load()} }

// call writes what is known before the call.
func (l *logbook) call(req Words, now func() int64) shared {
	r := l.at(l.next)
	l.next++
	r.put(atRequest, req)
	r[atCall].Store(uint64(now()))
	r[atKind].Store(recordOperation)
	return r
}

// note writes what the operation that is about to return hands over.
func (l *logbook) note(w Words) {
	r := l.at(l.next)
	l.next++
	r.put(atRequest, w)
	r[atKind].Store(recordNote)
}

// slow writes where the time of a slow operation went.
func (l *logbook) slow(s slowness) {
	r := l.at(l.next)
	l.next++
	r.put(atRequest, Words{uint64(s.spent), uint64(s.ran)})
	r[atKind].Store(recordSlow)
}

// effort is what an operation has cost.
type effort struct {
	start int64 // nanoseconds of the system's monotonic clock
	spent int64 // nanoseconds
	count uint32
}

// finish writes what came of the operation, the moment of the return last.
func finish(r shared, res Words, e effort, extra uint64, now func() int64) {
	r.put(atResult, res)
	r[atStart].Store(uint64(e.start))
	r[atSpent].Store(uint64(e.spent)<<countBits | uint64(min(e.count, 1<<countBits-1)))
	r[atExtra].Store(extra)
	r[atReturn].Store(uint64(now()))
}

// slowness says how long a slow operation took, and how long its thread ran since a reading of its
// clock that was made at most readingEvery operations before: not less than in the operation.
type slowness struct{ spent, ran int64 }

// read returns what a log holds, and empties it. Its client is at rest or dead.
func (l *logbook) read(owner uint32) ([]Event, []slowness, error) {
	var events []Event
	var slow []slowness
	for i := 0; i < logRoom; i++ {
		r := l.at(i)
		kind := r[atKind].Load()
		if kind == 0 {
			l.words[:i*recordWords].wipe()
			// A client that died after it took its moment has left a part of a record.
			r.wipe()
			l.next = 0
			return events, slow, nil
		}
		switch {
		case kind == recordSlow:
			w := r.get(atRequest)
			slow = append(slow, slowness{int64(w[0]), int64(w[1])})
		case kind == recordNote && len(events) > 0:
			last := &events[len(events)-1]
			last.Notes = append(last.Notes, r.get(atRequest))
		case kind == recordOperation:
			events = append(events, readEvent(r, owner, i))
		default:
			return nil, nil, fmt.Errorf("record %d of client %d has the kind %d, which nobody writes",
				i, owner, kind)
		}
	}
	return nil, nil, fmt.Errorf("the log of client %d has no end", owner)
}

func readEvent(r shared, owner uint32, i int) Event {
	e := Event{ID: uint64(owner)<<32 | uint64(i+1), Owner: owner, Request: r.get(atRequest),
		Call: int64(r[atCall].Load()), Return: int64(r[atReturn].Load())}
	if e.Return == 0 {
		e.Pending = true
		return e
	}
	spent := r[atSpent].Load()
	e.Result, e.Extra = r.get(atResult), r[atExtra].Load()
	e.effort = effort{int64(r[atStart].Load()), int64(spent >> countBits), uint32(spent) & (1<<countBits - 1)}
	return e
}
