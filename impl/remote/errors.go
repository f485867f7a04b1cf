package remote

import (
	"errors"
	"fmt"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/slots"
)

// Each error of this package wraps one of these errors. If the file is at fault, it wraps an error of package
// slots.
var (
	// ErrTimeout: the service did not take the request in time, and the request was withdrawn; or the context
	// had ended before the call, and nothing was sent. The request was not done, and will not be.
	ErrTimeout = errors.New("request not done: its time was over before the service took it")
	// ErrUnknown: the service had taken the request when the time was over, or when the service died.
	ErrUnknown = errors.New("outcome unknown: the request may take effect, once, or never")
	// ErrNoService: no service has the slot file open. The request was not done, and will not be.
	ErrNoService = errors.New("request not done: no service has the slot file open; start it and call again")
	// ErrNoSlot: all slots were in use during the whole call. The request was not done.
	ErrNoSlot = errors.New("request not done: no slot was free: wait for calls, or create the file " +
		"with more slots")
	// ErrServing: Serve was called while another Serve of the same Service was running.
	ErrServing = errors.New("another Serve of this service is under way: make a service for each client")
	// ErrRequest: the batch cannot be sent, or the service does not understand it. It was not done.
	ErrRequest = errors.New("request malformed, and not done")

	// ErrSuspect, ErrDenied: quotas refuse the operation, which was not done. The error is a *Held, which
	// says for how long. ErrSuspect: all clients together ask for the key too often.
	ErrSuspect = errors.New("operation not done: the key is asked for too often")
	// ErrDenied: the key has three offences or more; or this client calls too often.
	ErrDenied = errors.New("operation not done: denied")

	ErrTooLarge = slots.ErrTooLarge // a key, value, request or answer does not fit; it was not done
	ErrBusy     = slots.ErrBusy     // the cache has nothing free for the call at present; it was not done
	ErrCorrupt  = slots.ErrCorrupt  // the slot file or the cache is damaged
	ErrClosed   = slots.ErrClosed   // the client or the cache is closed, or the service ends
	ErrOptions  = slots.ErrOptions  // an option is out of bounds
)

// Held is the error of an operation that quotas refuse. It wraps ErrSuspect or ErrDenied.
type Held struct {
	Err        error         // ErrSuspect, ErrDenied
	RetryAfter time.Duration // after it the client is served, if others ask less; whole milliseconds
	ByClient   bool          // this client calls too often, whatever it asks for
}

// Error says why the operation was refused, and when to try again.
func (h *Held) Error() string {
	why := ""
	switch {
	case h.ByClient:
		why = ": this client calls too often"
	case errors.Is(h.Err, ErrDenied):
		why = ": the key was asked for too often again and again"
	}
	return fmt.Sprintf("%v%s: try again after %v", h.Err, why, h.RetryAfter)
}

// Unwrap is ErrSuspect or ErrDenied.
func (h *Held) Unwrap() error { return h.Err }

// Status says what happened to one operation, in the answer of the service.
type Status uint32

// The statuses. Those from StatusKey on are errors.
const (
	StatusOK        Status = iota // found, set, or deleted
	StatusAbsent                  // the key was not there
	StatusKey                     // the key is longer than the cache allows: not done
	StatusTooLarge                // the value does not fit into the cache: not done, the key keeps its value
	StatusLong                    // the value does not fit into what is left of the response area
	StatusBusy                    // the cache has no room or handle at present: not done
	StatusDamaged                 // the cache is damaged
	StatusMalformed               // the request is malformed or has too many operations: none was done
	StatusClosed                  // the service is ending, or has closed the cache: not done
	StatusFailed                  // the cache failed in another way: it may have taken effect
	StatusSuspect                 // the key is asked for too often: not done; the length is ms to wait
	StatusDenied                  // the same, after three offences of the key
	StatusClient                  // the client calls too often: not done; the length is ms to wait
)

// err is the error of a status; n is the length in its result, and most the largest value of a request with
// one get (Client.ValueMax).
func (s Status) err(n uint32, most int) error {
	switch s {
	case StatusOK, StatusAbsent:
		return nil
	case StatusKey:
		return fmt.Errorf("%w: the key is longer than %d bytes: shorten it", ErrTooLarge, cache.KeyMax)
	case StatusTooLarge:
		return fmt.Errorf("%w: the value does not fit into a basket of the cache: store less, or raise "+
			"cache.Options.BasketBytes", ErrTooLarge)
	case StatusLong:
		if int64(n) > int64(most) {
			return fmt.Errorf("%w: the value has %d bytes, and a response area has room for a value of at "+
				"most %d: create the file with larger response areas", ErrTooLarge, n, most)
		}
		return fmt.Errorf("%w: the value has %d bytes, and the response area has no room left: get it "+
			"by a request of its own, or create the file with larger response areas", ErrTooLarge, n)
	case StatusBusy:
		return fmt.Errorf("%w: the cache has no room or handle for the call at present: try again", ErrBusy)
	case StatusDamaged:
		return fmt.Errorf("%w: the service says so of the cache: let it create the cache anew", ErrCorrupt)
	case StatusMalformed:
		if n > 0 {
			return tooMany(int(n))
		}
		return fmt.Errorf("%w: use a client of the same version as the service", ErrRequest)
	case StatusClosed:
		return fmt.Errorf("%w: the service ends, or has closed the cache: call again, or start it", ErrClosed)
	case StatusSuspect:
		return &Held{ErrSuspect, time.Duration(n) * time.Millisecond, false}
	case StatusDenied, StatusClient:
		return &Held{ErrDenied, time.Duration(n) * time.Millisecond, s == StatusClient}
	case StatusFailed:
		return fmt.Errorf("%w: the cache failed: see what the service prints", ErrUnknown)
	}
	return fmt.Errorf("%w: the answer has the status %d, which there is none of", ErrCorrupt, s)
}

// tooMany is the error of a request with more operations than OpsMax, or than the response area has room for
// results.
func tooMany(fit int) error {
	if fit >= OpsMax {
		return fmt.Errorf("%w: more than %d operations: send several requests", ErrTooLarge, OpsMax)
	}
	return fmt.Errorf("%w: the response area has room for the results of at most %d operations: send "+
		"several requests, or create the file with larger response areas", ErrTooLarge, fit)
}

// statusOf is the status of an error of the cache.
func statusOf(err error) Status {
	for _, known := range []struct {
		err error
		s   Status
	}{{nil, StatusOK}, {cache.ErrKey, StatusKey}, {cache.ErrTooLarge, StatusTooLarge},
		{cache.ErrNoRoom, StatusBusy}, {cache.ErrBusy, StatusBusy}, {cache.ErrCorrupt, StatusDamaged},
		{cache.ErrClosed, StatusClosed}} {
		if errors.Is(err, known.err) {
			return known.s
		}
	}
	return StatusFailed
}
