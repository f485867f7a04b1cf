package cachestorm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/remote"
)

// assignment is the task of a process, as JSON in its last argument.
type assignment struct {
	Region  string        `json:"region"` // file of the cache
	Board   string        `json:"board"`
	Slots   int           `json:"slots"`
	Threads int           `json:"threads"`
	Slot    int           `json:"slot"`
	Number  uint64        `json:"number"` // number of the process; each has a different one
	Keys    int           `json:"keys"`
	Seed    uint64        `json:"seed"`
	Janitor bool          `json:"janitor"`
	Remote  bool          `json:"remote,omitempty"` // each second process has no cache, but uses a service
	Tuner   bool          `json:"tuner,omitempty"`
	Wait    time.Duration `json:"wait,omitempty"`  // for which a call may wait for a writer
	Fault   string        `json:"fault,omitempty"` // for a test
	askers
}

// ErrAssignment means that a process was not started by a storm.
var ErrAssignment = errors.New("assignment of the process is refused: let samecycle cache storm start it")

// worker is a process of the storm.
type worker struct {
	assignment
	board *board
	cache *cache.Cache
	store *store // the store that the cache gives entries that leave for want of room
}

// Worker is the whole work of a process: it works in each round, and rests between rounds. Errors:
// ErrAssignment; those of the cache, unless all baskets or writers are in use.
func Worker(text string) error {
	w := &worker{}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&w.assignment); err != nil {
		return fmt.Errorf("%w: %w", ErrAssignment, err)
	}
	if w.Slot < 0 || w.Slot >= w.Slots || w.Keys < 1 || w.Number == 0 || len(w.HotKeys) == 0 ||
		len(w.ColdKeys) == 0 || len(w.HotClients) == 0 || len(w.ColdClients) == 0 {
		return fmt.Errorf("%w: %s", ErrAssignment, text)
	}
	var err error
	if w.board, err = openBoard(w.Board, w.Slots, w.Threads, false); err != nil {
		return err
	}
	parent := os.Getppid()
	go func() {
		for os.Getppid() == parent {
			time.Sleep(time.Second)
		}
		os.Exit(1) // the parent no longer needs it
	}()
	for {
		n, rest := w.board.round()
		switch {
		case n == roundQuit:
			return nil
		case n == 0 || w.board.slot(w.Slot, slotRested).Load() == n:
			time.Sleep(restPoll)
		case rest:
			w.board.slot(w.Slot, slotRested).Store(n)
		default:
			f := w.round
			if isClient(w.Remote, w.Slot) {
				f = w.remoteRound
			}
			if err := f(n); err != nil {
				return err
			}
			w.board.slot(w.Slot, slotRested).Store(n)
		}
	}
}

// restPoll is how long a process at rest sleeps between two looks at the board.
const restPoll = 200 * time.Microsecond

// round opens the cache, makes calls until the round has to end, and closes it.
//
// Close does not wait for functions of the user: what the janitor has taken out just before is told after
// it. So the round is over only when the janitor's goroutine has ended, too.
func (w *worker) round(n uint64) (err error) {
	goroutines := runtime.NumGoroutine()
	w.store = &store{board: w.board, slot: w.Slot, fault: w.Fault}
	o := cache.Options{NoJanitor: !w.Janitor, OnEvent: w.told, Quota: quotaOf(w.Slot), Overflow: w.store}
	if w.cache, err = cache.Attach(w.Region, o); err != nil {
		return err
	}
	end, threads := func() error { return nil }, w.Threads
	if w.Remote && w.Slot+1 < w.Slots {
		threads = 1 // more threads would leave a service little time
		if end, err = w.serve(n); err != nil {
			return errors.Join(err, w.cache.Close())
		}
	}
	w.board.slot(w.Slot, slotAtWork).Store(atWork(w.Number, n))
	var tuned error
	var tuning sync.WaitGroup
	if w.Tuner {
		tuning.Go(func() { tuned = w.tune(n) })
	}
	err = w.threads(n, threads, func(*client) {})
	tuning.Wait()
	if w.Fault == "hangs" {
		time.Sleep(time.Hour)
	}
	err = errors.Join(err, tuned, end(), w.stats(), w.cache.Close())
	for runtime.NumGoroutine() > goroutines {
		time.Sleep(restPoll)
	}
	return err
}

// threads runs so many threads until the round has to end.
func (w *worker) threads(n uint64, many int, set func(*client)) error {
	var all sync.WaitGroup
	failed := make([]error, many)
	for t := range many {
		all.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			x := &client{worker: w, thread: t, meter: newMeter(),
				random: rand.New(rand.NewPCG(w.Seed^w.Number<<8^uint64(t), n))}
			set(x)
			failed[t] = x.work()
		})
	}
	all.Wait()
	return errors.Join(failed...)
}

// stats checks whether the cache has counted the entries that its store was given.
func (w *worker) stats() error {
	before := w.store.done.Load()
	x, err := w.cache.Stats()
	if errors.Is(err, cache.ErrBusy) {
		return nil
	}
	if w.Fault == "miscounts" {
		x.Overflowed += 2
	}
	if err == nil && w.store.wrong(before, x, w.Janitor) {
		err = fmt.Errorf("store: Stats has %d entries and %d errors, and the store was given %d to %d",
			x.Overflowed, x.OverflowErrors, before, w.store.begun.Load())
	}
	return err
}

// told journals an event.
func (w *worker) told(e cache.Event) {
	key := keyNumber(e.Key)
	number, whole, _ := numberOf(e.Value, key, nil)
	switch w.Fault {
	case "silent":
		return
	case "twice":
		w.board.tell(w.Slot, uint8(e.Reason), key, number, whole)
	}
	w.board.tell(w.Slot, uint8(e.Reason), max(key, 0), number, whole && key >= 0)
}

// client makes the calls of one thread.
type client struct {
	*worker
	remote  *remote.Client // used instead of the cache; nil: none
	thread  int
	cold    int64 // when it asks next for a cold key or as a cold client
	allowed int64 // nanoseconds for which the present call may wait for its service, or for a writer
	meter   *meter
	random  *rand.Rand
	value   []byte
	other   []byte
	got     []byte
	scratch []byte
	begun   int64 // begin of the present call
	calls   int
	old     []byte // for a fault: a value that was set once
	oldKey  int
}

// work makes calls until the round is to end.
func (x *client) work() error {
	for {
		if _, rest := x.board.round(); rest {
			return nil
		}
		if x.calls++; x.calls%64 == 0 {
			runtime.Gosched() // so the janitor runs, too
		}
		if x.board.slot(x.Slot, slotCalls+x.thread).Load() > paceFrom {
			time.Sleep(pace) // otherwise a long round fills the journal, and deaths meet no call
		}
		step := x.step
		if x.remote != nil {
			step = x.stepRemote
		}
		switch err := step(); {
		case errors.Is(err, cache.ErrNoRoom) || errors.Is(err, cache.ErrBusy):
			x.board.slot(x.Slot, slotBusy).Add(1)
		case err != nil:
			return fmt.Errorf("process %d: %w", x.Number, err)
		}
	}
}

// A thread becomes slower when its journal has so many calls of the round.
const (
	paceFrom = callRoom / 3
	pace     = 100 * time.Microsecond
)

// begin journals a call. If the journal is full, it waits a moment and returns nil.
func (x *client) begin(k kind, key int, value uint64, life time.Duration) call {
	x.begun, x.allowed = x.meter.before(), int64(x.Wait)
	e := x.board.claim(x.Slot, x.thread, newCall{k, key, value, x.begun, int64(life)})
	if e == nil {
		x.board.slot(x.Slot, slotRefused).Add(1)
		time.Sleep(restPoll)
	}
	return e
}

// end journals the answer, and how long the call took.
func (x *client) end(e call, k kind, seen, found uint64) {
	if x.Fault == "slow" && x.calls%512 == 0 {
		time.Sleep(30 * time.Millisecond)
	}
	x.spent(k)
	e.end(x.board, seen, found)
}

// spent checks how long the call took. A call with several entries has ended with the first one.
func (x *client) spent(k kind) {
	begun := x.begun
	x.begun = 0
	if begun == 0 {
		return
	}
	spent, slow, is := x.meter.behind(k, begun)
	if is {
		slow.allowed, slow.nth = x.allowed, int64(x.calls)
		x.board.slow(x.Slot, slow)
	}
	for longest := x.board.slot(x.Slot, slotLongest); ; {
		old := longest.Load()
		if uint64(spent) <= old || longest.CompareAndSwap(old, uint64(spent)) {
			return
		}
	}
}

// fresh sets x.value to a new value for the key.
func (x *client) fresh(key int) (number uint64) {
	number = uint64(x.Slot+1)<<valueShift | x.board.slot(x.Slot, slotValue).Add(1)
	x.value = appendValue(x.value[:0], number, key)
	return number
}

// pick chooses a key. Some keys are chosen more often than others.
func (x *client) pick() int {
	u := x.random.Float64()
	return int(u * u * float64(x.Keys))
}
