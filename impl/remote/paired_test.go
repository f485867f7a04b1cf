package remote

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/impl/slots"
	"github.com/samecycle/samecycle/internal/seam"
)

// system is what one side of a slot file in memory has in place of the operating system. The fields are for
// one goroutine.
type system struct {
	dead    bool            // what it says of the other side
	fail    error           // what it says instead, or nil
	asked   func()          // called ahead of each such answer, or nil
	longest time.Duration   // that a sleep really takes
	sleeps  []time.Duration // how long each sleep was to be at most; see longest
}

func (s *system) Sleep(_ *seam.Uint64, _ uint32, most seam.Duration) bool {
	s.sleeps = append(s.sleeps, most)
	time.Sleep(min(most, s.longest))
	return true
}

func (s *system) Wake(*seam.Uint64) {}

func (s *system) Lives(slots.Role) (bool, error) {
	if s.asked != nil {
		s.asked()
	}
	return !s.dead, s.fail
}

// pairedSlots is how many requests can be in flight between the two sides that paired makes.
const pairedSlots = 3

// paired is a service and a client of a slot file in memory. The client asks the system s.
func paired(t *testing.T, s *system, o DialOptions) (*slots.Service, *Client) {
	t.Helper()
	const line, head, state = 64, 256, 64
	file := slots.Options{Slots: pairedSlots, RequestBytes: slots.AreaMin, ResponseBytes: slots.AreaMin}
	const size = head + pairedSlots*(state+2*slots.AreaMin)
	memory := make([]byte, size+line)
	from := -uintptr(unsafe.Pointer(&memory[0])) % line
	memory = memory[from : from+size]
	service, err := slots.Over(memory, file, &system{})
	if err != nil {
		t.Fatal(err)
	}
	core, err := slots.OverClient(memory, file, s)
	if err != nil {
		t.Fatal(err)
	}
	return service, &Client{core: core, options: o, freed: make(chan struct{}, 1)}
}

// started is a call of one get. It does not wait for a slot.
func started(t *testing.T, c *Client) *Call {
	t.Helper()
	var b Batch
	b.Get([]byte("key"))
	call, err := c.claim(context.Background(), &b, time.Now().Add(c.options.Timeout))
	if call == nil || err != nil {
		t.Fatalf("no slot is free, or %v", err)
	}
	return call
}

// found is the answer of a service that has found an empty value.
func found(_, dst []byte) []byte { return appendHead(dst, StatusOK, 0) }

// served is a service's turn, in which it performs so many requests.
func served(t *testing.T, service *slots.Service, want int, perform slots.Perform) {
	t.Helper()
	if n, err := service.Turn(perform, 0); n != want || err != nil {
		t.Errorf("the service has performed %d requests, want %d: %v", n, want, err)
	}
}

// TestCall_WhetherAServiceLivesIsNotKnown: a call that the system does not tell whether a service lives gives
// its slot up. A request that nobody had taken is withdrawn, the outcome of another one is unknown, and an
// answer that comes just then is taken. When the system is well again, all slots are free.
func TestCall_WhetherAServiceLivesIsNotKnown(t *testing.T) {
	s := &system{longest: time.Hour}
	service, c := paired(t, s, DialOptions{Look: WaitMin, Timeout: time.Hour})
	failed := func(err error, unknown bool) {
		t.Helper()
		if !errors.Is(err, slots.ErrSystem) || errors.Is(err, ErrUnknown) != unknown {
			t.Errorf("%v, want %v, and the outcome unknown: %v", err, slots.ErrSystem, unknown)
		}
	}
	for range pairedSlots + 1 {
		s.fail = slots.ErrSystem
		call := started(t, c)
		_, err := call.Wait(context.Background())
		failed(err, false)
		served(t, service, 0, found)

		call = started(t, c)
		served(t, service, 1, func(_, dst []byte) []byte {
			_, err = call.Wait(context.Background())
			return found(nil, dst)
		})
		failed(err, true)

		call = started(t, c)
		s.asked = func() { served(t, service, 1, found) }
		all, err := call.Wait(context.Background())
		if err != nil || len(all) != 1 || !all[0].OK {
			t.Errorf("answered just now: %+v, %v", all, err)
		}
		s.asked, s.fail = nil, nil
	}
	var calls []*Call
	for range pairedSlots {
		calls = append(calls, started(t, c))
	}
	served(t, service, pairedSlots, found)
	for _, call := range calls {
		if _, err := call.Wait(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

// TestStart_NoServiceIsToldAtOnce: after a call that has found no service, no other one waits for an answer
// until a service lives.
func TestStart_NoServiceIsToldAtOnce(t *testing.T) {
	s := &system{dead: true, longest: time.Hour}
	service, c := paired(t, s, DialOptions{Look: WaitMin, Timeout: time.Hour})
	for n := range 6 {
		if _, _, err := c.Get(context.Background(), []byte("key"), nil); !errors.Is(err, ErrNoService) {
			t.Errorf("call %d: %v, want %v", n, err, ErrNoService)
		}
		if len(s.sleeps) != 1 {
			t.Errorf("behind call %d there were sleeps of %v, want that of the first call", n, s.sleeps)
		}
	}
	s.dead = false
	call := started(t, c)
	served(t, service, 1, found)
	if _, err := call.Wait(context.Background()); err != nil {
		t.Errorf("of the next service: %v", err)
	}
}

// TestCall_SleepsWithinItsTime: a call without an answer sleeps no longer than what is left of its time,
// though it would look for the service much later.
func TestCall_SleepsWithinItsTime(t *testing.T) {
	const most = 20 * time.Millisecond
	for _, own := range []bool{false, true} {
		s, o := &system{longest: most}, DialOptions{Look: time.Hour, Timeout: most}
		ctx := context.Background()
		if own { // the context's time, and not that of the options
			o.Timeout = time.Hour
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, most)
			defer cancel()
		}
		_, c := paired(t, s, o)
		if _, _, err := c.Get(ctx, []byte("key"), nil); !errors.Is(err, ErrTimeout) {
			t.Errorf("with a deadline of its own %v: %v, want %v", own, err, ErrTimeout)
		}
		for _, d := range s.sleeps {
			if d > most {
				t.Errorf("with a deadline of its own %v: a sleep of up to %v, want at most %v", own, d, most)
			}
		}
	}
}

// TestStart_TooLargeFreesTheSlot: a request that does not fit leaves its slot, and whoever waits for one is
// told at once.
func TestStart_TooLargeFreesTheSlot(t *testing.T) {
	_, c := paired(t, &system{}, DialOptions{Look: time.Hour, Timeout: time.Hour})
	var b Batch
	b.Set([]byte("key"), make([]byte, slots.AreaMin))
	for range pairedSlots + 1 {
		if _, err := c.Start(context.Background(), &b); !errors.Is(err, ErrTooLarge) {
			t.Fatalf("%v, want %v", err, ErrTooLarge)
		}
		select {
		case <-c.freed:
		default:
			t.Error("who waits for a slot is not told")
		}
	}
}

// TestWait_BadAnswerTwice: a second Wait for an answer that makes no sense says the same, and does not touch
// the slot, which may be that of another call by then.
func TestWait_BadAnswerTwice(t *testing.T) {
	service, c := paired(t, &system{}, DialOptions{Look: time.Hour, Timeout: time.Hour})
	call := started(t, c)
	served(t, service, 1, func(_, dst []byte) []byte { return append(dst, 1, 2, 3) })
	all, first := call.Wait(context.Background())
	if !errors.Is(first, ErrCorrupt) || all != nil {
		t.Errorf("%v, %v, want %v", all, first, ErrCorrupt)
	}
	other := started(t, c)
	if all, err := call.Wait(context.Background()); fmt.Sprint(err) != fmt.Sprint(first) || all != nil {
		t.Errorf("then %v, %v, want %v", all, err, first)
	}
	served(t, service, 1, found)
	if _, err := other.Wait(context.Background()); err != nil {
		t.Error(err)
	}
}
