package volume

import (
	"time"

	"github.com/samecycle/samecycle/impl/quota"
)

// kind is what a client does in one operation.
type kind uint8

const (
	kindHold   kind = iota // a turn of a janitor that may have any lease
	kindTurn               // the same, behind a look at how many leases there may be
	kindLeave              // gives up what the process has
	kindTune               // changes live parameters
	kindRead               // loads the words of live parameters, the second one first
	kindCharge             // charges an identity
	kindJudge              // the same, and says whether it is a suspect
	kindTake               // takes a unit of an identity if its bucket has room
	kindWant               // says that a writer is wanted
	kindAsk                // asks whether one is wanted
	kinds
)

func (k kind) String() string {
	return [...]string{"Hold", "Turn", "Leave", "Tune", "Read", "Charge", "Judge", "Take",
		"Want", "Ask"}[k]
}

// Fields that a change of live parameters names.
const (
	fieldFirst  = 1 << iota // of the first word
	fieldSecond             // of the first word
	fieldAlone              // the second word
)

// recipe makes the race of a state likely.
type recipe struct {
	leases int           // words
	still  uint32        // begins and ends of operations for which an owner of a lease may stand still
	linger time.Duration // how long who reads the clock or sees a wish lingers, or a caller of rates waits
	fields []uint32      // what changes of live parameters name, each as often as the others
	runs   bool          // a change says how many leases there may be, 1 or 2
	lasts  uint32        // begins and ends of operations for which a wish holds

	width  uint32 // of the sketch
	share  bool   // there are two identities, which share a cell; else each one has cells of its own
	each   uint64 // operations for each identity of its own, a call of each
	full   uint64 // units in all cells at the beginning of a round
	late   uint64 // nanoseconds by which a caller may have read the clock too early
	limits quota.Limits

	mix [kinds]uint32 // how often each kind comes
}

// never is a time for which nobody stands still.
const never = 1 << 31

// second is one in nanoseconds.
const second = 1_000_000_000

// Limits of the states of the sketch. A charge drains in a whole number of nanoseconds, and no round fills a
// cell up to its bound: so the level of each is the sum of its charges, to the nanosecond. Those of the marks
// let each later charge of an identity make its penalty longer.
var (
	limitsCharge = quota.Limits{Rate: second / 1000, Burst: 1 << 20, Retry: quota.RetryMin}
	limitsMark   = quota.Limits{Rate: 400, Burst: 6, Retry: 2 * quota.RetryMin}
	limitsTake   = quota.Limits{Rate: 400, Burst: 32, Retry: quota.RetryMin}
)

// recipes are by the number of the state.
var recipes = map[int]recipe{
	1: {leases: 1, still: never, linger: 50 * time.Microsecond,
		mix: [kinds]uint32{kindHold: 4, kindLeave: 3}},
	2: {leases: 1, still: never, linger: 20 * time.Microsecond,
		mix: [kinds]uint32{kindHold: 60, kindLeave: 1}},
	3: {leases: 1, still: 64, linger: 200 * time.Microsecond,
		mix: [kinds]uint32{kindHold: 30, kindLeave: 1}},
	4: {leases: 2, still: never, linger: 50 * time.Microsecond, fields: []uint32{fieldFirst}, runs: true,
		mix: [kinds]uint32{kindTurn: 8, kindTune: 4, kindLeave: 1}},
	5: {fields: []uint32{fieldFirst, fieldSecond, fieldFirst | fieldSecond, fieldAlone,
		fieldFirst | fieldSecond | fieldAlone}, mix: [kinds]uint32{kindTune: 2, kindRead: 1}},
	6: {width: quota.WidthMin, share: true, full: 1, late: second / 1000, limits: limitsCharge,
		linger: 10 * time.Microsecond, mix: [kinds]uint32{kindCharge: 1}},
	7: {width: quota.WidthMax, each: 6, full: 6, limits: limitsMark, linger: 10 * time.Microsecond,
		mix: [kinds]uint32{kindJudge: 1}},
	8: {width: quota.WidthMax, each: 6, full: 31, limits: limitsTake, linger: 10 * time.Microsecond,
		mix: [kinds]uint32{kindTake: 1}},
	9: {lasts: 64, linger: 20 * time.Microsecond, mix: [kinds]uint32{kindWant: 2, kindAsk: 3}},
}

// unit is the time in nanoseconds in which one unit drains.
func (r *recipe) unit() uint64 { return second / r.limits.Rate }

// calls is how many calls of the sketch an operation makes. A call takes less time than it takes to note it,
// so otherwise the clients would seldom meet in one, or die in one.
const calls = 8

// identity is the number of the identity of a call, by the number of its operation in the round.
func (r *recipe) identity(number uint64, call int) uint32 {
	if r.share {
		return uint32(number % 2)
	}
	return uint32(number/r.each)*calls + uint32(call)
}

// spent reports whether the operations before have used all identities. Then there is nothing to do.
func (r *recipe) spent(number uint64) bool { return !r.share && number/r.each >= uint64(r.width)/calls }

// column is where a row has the cell of an identity. Two that share a cell do so in the first row.
func (r *recipe) column(identity uint32, row int) uint32 {
	if r.share && row == 0 {
		return 0
	}
	return identity
}

// hash has the columns of an identity.
func (r *recipe) hash(identity uint32) (id uint64) {
	for row := range quota.Depth {
		id |= uint64(r.column(identity, row)) << (16 * row)
	}
	return id
}

// units is what a call asks for.
func (r *recipe) units(number uint64) uint64 {
	if r.share {
		return 1 + number/2%4
	}
	return 1
}

// lag is by how much the caller has read the clock too early.
func (r *recipe) lag(number uint64) uint64 { return number / 8 % 4 * r.late / 4 }
