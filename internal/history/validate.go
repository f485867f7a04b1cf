package history

import (
	"errors"
	"fmt"
	"slices"
)

// MaxClients bounds the client numbers, so that a damaged file cannot ask for a table of a billion
// columns.
const MaxClients = 1 << 16

// What makes a history unfit to be judged. None of these says anything about the object: each is a
// fault of the recording.
var (
	ErrBadClient        = errors.New("client number out of range")
	ErrBadTime          = errors.New("time out of range")
	ErrDuplicateID      = errors.New("operation id used twice")
	ErrNoReturn         = errors.New("call without return")
	ErrUnmatchedReturn  = errors.New("return without call")
	ErrReturnBeforeCall = errors.New("return before its call")
	ErrReversed         = errors.New("interval reversed")
	ErrOverlap          = errors.New("client has two operations at once")
	ErrPendingResult    = errors.New("pending operation with a result")
)

// Validate returns nil if the history may be judged, and otherwise an error that wraps one of the
// sentinels above and names the operation. It allocates nothing for histories of up to 32
// operations that it accepts.
func (h History[Q, R]) Validate() error {
	for i := range h {
		if err := h[i].validate(); err != nil {
			return fmt.Errorf("%w: operation %d: %s", err, h[i].ID, h[i])
		}
	}
	if len(h) <= 32 {
		return h.validatePairs()
	}
	return h.validateMany()
}

// Validator is a request that can tell what no client may ask, and what cannot answer it. A request
// without these methods may be anything, and any result may answer it.
type Validator[R Value] interface {
	Validate() error               // of the request alone
	ValidateResult(result R) error // of what came back; not called for a pending operation
}

// validate looks at one operation alone.
func (o *Op[Q, R]) validate() error {
	var none R
	request, choosy := any(&o.Request).(Validator[R])
	if choosy {
		if err := request.Validate(); err != nil {
			return err
		}
	}
	switch {
	case o.Client < 0 || o.Client >= MaxClients:
		return ErrBadClient
	case o.Call < 1 || o.Call == Forever:
		return ErrBadTime
	case o.Pending && o.Result != none:
		return ErrPendingResult
	case o.Pending && o.Return != Forever, !o.Pending && o.Return == Forever:
		return ErrBadTime
	case o.Return == 0:
		return ErrNoReturn
	case o.Return < o.Call:
		return ErrReversed
	case choosy && !o.Pending:
		return request.ValidateResult(o.Result)
	}
	return nil
}

// validatePairs compares each operation with each other one: for short histories this is faster
// than a map, and allocates nothing.
func (h History[Q, R]) validatePairs() error {
	for i := range h {
		for j := range i {
			a, b := &h[j], &h[i]
			if a.ID == b.ID {
				return duplicate(a, b)
			}
			if a.Client == b.Client && a.Call <= b.Return && b.Call <= a.Return {
				return overlap(a, b)
			}
		}
	}
	return nil
}

func (h History[Q, R]) validateMany() error {
	byID := make(map[uint64]*Op[Q, R], len(h))
	order := make([]*Op[Q, R], len(h))
	for i := range h {
		op := &h[i]
		if other := byID[op.ID]; other != nil {
			return duplicate(other, op)
		}
		byID[op.ID], order[i] = op, op
	}
	slices.SortStableFunc(order, func(a, b *Op[Q, R]) int { return compare(a.Call, b.Call) })
	last := make(map[int]*Op[Q, R])
	for _, op := range order {
		if before := last[op.Client]; before != nil && op.Call <= before.Return {
			return overlap(before, op)
		}
		last[op.Client] = op
	}
	return nil
}

func duplicate[Q, R Value](a, b *Op[Q, R]) error {
	return fmt.Errorf("%w: id %d: %s; %s", ErrDuplicateID, a.ID, *a, *b)
}

func overlap[Q, R Value](a, b *Op[Q, R]) error {
	return fmt.Errorf("%w: operations %d and %d: %s; %s", ErrOverlap, a.ID, b.ID, *a, *b)
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
