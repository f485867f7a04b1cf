package volume

import "time"

// kind is what a client does in one operation.
type kind uint8

const (
	kindSwap kind = iota // puts a value into a register; waits until the service has answered, or died
	kindGet              // reads a register; the same
	kindTry              // as swap, and gives up soon
	kinds
)

func (k kind) String() string { return [...]string{"Swap", "Get", "Try"}[k] }

// recipe makes the race of a state likely.
type recipe struct {
	slots  int           // of a file
	idle   time.Duration // longest sleep of a service, behind which it asks whether its client lives
	work   time.Duration // for which a service lingers at most as it performs a request
	short  time.Duration // after which a try gives up, at most
	linger time.Duration // for which a service lingers as it asks whether its client lives
	mix    [kinds]uint32 // how often each kind comes, beside 1 for each
}

// asleep is a sleep that nothing but a wake-up ends in a run.
const asleep = time.Hour

// recipes are by the number of the state.
var recipes = map[int]recipe{
	1: {slots: 2, idle: asleep, work: 60 * time.Microsecond, short: 80 * time.Microsecond,
		mix: [kinds]uint32{kindTry: 12, kindSwap: 2}},
	2: {slots: 1, idle: asleep, work: 100 * time.Microsecond, short: time.Millisecond,
		mix: [kinds]uint32{kindSwap: 12}},
	3: {slots: 1, idle: asleep, work: 100 * time.Microsecond, short: time.Millisecond,
		mix: [kinds]uint32{kindSwap: 12, kindTry: 2}},
	4: {slots: 1, idle: asleep, work: time.Microsecond, short: time.Millisecond,
		mix: [kinds]uint32{kindSwap: 8, kindGet: 8}},
	5: {slots: 1, idle: time.Millisecond, work: 20 * time.Microsecond, short: time.Millisecond,
		linger: 300 * time.Millisecond, mix: [kinds]uint32{kindSwap: 12, kindTry: 4}},
}

const (
	// lookEvery is how long a client sleeps before it asks whether its service lives.
	lookEvery = 2 * time.Millisecond
	// patience is how long it waits for a service that lives. More is a fault.
	patience = 10 * time.Second
)
