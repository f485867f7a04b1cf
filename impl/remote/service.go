package remote

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/samecycle/samecycle/impl/slots"
)

// Cache is what a service needs of the cache. *cache.Cache has it.
type Cache interface {
	Get(key, dst []byte) (value []byte, ok bool, err error)
	Set(key, value []byte) error
	SetTTL(key, value []byte, ttl time.Duration) error
	Delete(key []byte) (deleted bool, err error)
}

// Bounds and defaults of times.
const (
	DefaultIdle    = time.Second
	DefaultLook    = 100 * time.Millisecond
	DefaultTimeout = 5 * time.Second
	WaitMin        = time.Millisecond
	WaitMax        = 24 * time.Hour
)

// Options say how large a slot file is, who may use it, and how its service waits. The zero value suits small
// values and a client of the same user.
type Options struct {
	File slots.Options
	// Idle is the longest sleep of the service, WaitMin to WaitMax; a second if it is 0. Requests and the end
	// of the context wake it; behind such a sleep it looks whether the client has died.
	Idle time.Duration
}

// checkWait holds a time against the bounds.
func checkWait(field string, is time.Duration, do string) error {
	if is < WaitMin || is > WaitMax {
		return &slots.Error{Reason: ErrOptions, Field: "option " + field, Found: is.String(),
			Want: fmt.Sprintf("%v..%v", WaitMin, WaitMax), Do: do}
	}
	return nil
}

// Counts are what a service has done so far.
type Counts struct {
	slots.Counts
	Operations uint64 `json:"operations"`
	Refused    uint64 `json:"refused"`   // operations that ended with an error
	Malformed  uint64 `json:"malformed"` // requests that make no sense; nothing of them was done
}

// Service performs the requests of one client. Make one with Create, run it with Serve, end it with Close.
type Service struct {
	path    string
	core    *slots.Service
	idle    time.Duration
	serving sync.Mutex // held by Serve

	lock   sync.Mutex // of what follows
	counts Counts
	closed bool
}

// Create makes the slot file of a client, or takes the one that is there, and becomes its service. Errors:
// those of slots.Create; ErrOptions.
func Create(path string, o Options) (*Service, error) {
	if o.Idle == 0 {
		o.Idle = DefaultIdle
	}
	if err := checkWait("Idle", o.Idle, "choose how long the service sleeps at most"); err != nil {
		return nil, err
	}
	core, err := slots.Create(path, o.File)
	if err != nil {
		return nil, err
	}
	return &Service{path: path, core: core, idle: o.Idle}, nil
}

// Counts are those so far. Any goroutine may ask.
func (s *Service) Counts() Counts {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.counts
}

// Serve performs requests in the goroutine of its caller until the context ends, or Close is called; then it
// returns nil. Each client needs a Serve of its own, so none waits for another. Errors: ErrCorrupt when the
// client has truncated its file, which is then served no more; ErrSystem; ErrClosed.
func (s *Service) Serve(ctx context.Context, c Cache) error {
	s.serving.Lock()
	defer s.serving.Unlock()
	if s.over() {
		return fmt.Errorf("serve %s: %w", s.path, ErrClosed)
	}
	defer context.AfterFunc(ctx, func() { _ = s.ring() })()
	p := performer{cache: c, most: s.core.AnswerMax()}
	tidied := time.Now()
	for ctx.Err() == nil && !s.over() {
		n, err := s.core.Turn(p.perform, s.idle)
		if err == nil && n == 0 && time.Since(tidied) >= s.idle {
			err, tidied = s.core.Tidy(), time.Now()
		}
		s.note(p.counts)
		if err != nil {
			return fmt.Errorf("serve %s: %w", s.path, err)
		}
	}
	return nil
}

func (s *Service) note(c Counts) {
	c.Counts = s.core.Counts()
	s.lock.Lock()
	s.counts = c
	s.lock.Unlock()
}

func (s *Service) over() bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.closed
}

// ring ends a sleep of Serve.
func (s *Service) ring() error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.closed {
		return nil
	}
	return s.core.Ring()
}

// Close ends Serve, and gives up the file, which stays for the next service. Requests that nobody has taken
// wait for that one, or are withdrawn by the client. A second Close returns ErrClosed.
func (s *Service) Close() error {
	s.lock.Lock()
	was := s.closed
	s.closed = true
	s.lock.Unlock()
	if was {
		return fmt.Errorf("close %s: %w", s.path, ErrClosed)
	}
	err := s.core.Ring()
	s.serving.Lock()
	defer s.serving.Unlock()
	return errors.Join(err, s.core.Close())
}

// performer performs requests. Of a request it trusts nothing.
type performer struct {
	cache  Cache
	most   int // bytes of an answer
	counts Counts
}

// perform is a slots.Perform: dst has room for the longest answer.
func (p *performer) perform(request, dst []byte) []byte {
	if !sound(request) {
		p.counts.Malformed++
		return appendHead(dst, StatusMalformed, 0)
	}
	for len(request) > 0 {
		var o operation
		o, request, _ = next(request)
		dst = p.one(o, dst)
	}
	return dst
}

// one performs an operation and appends its result. One whose head does not fit any more is done, too: the
// client sees that results are missing.
func (p *performer) one(o operation, dst []byte) []byte {
	p.counts.Operations++
	ok, err := true, error(nil)
	head := len(dst)
	dst = appendHead(dst, StatusOK, 0)
	switch o.kind {
	case kindGet:
		dst, ok, err = p.cache.Get(o.key, dst)
	case kindSet:
		err = p.set(o)
	default:
		ok, err = p.cache.Delete(o.key)
	}
	n := len(dst) - head - resultBytes
	s := statusOf(err)
	switch {
	case s != StatusOK:
		p.counts.Refused++
		n = 0
	case !ok:
		s, n = StatusAbsent, 0
	case len(dst) > p.most:
		p.counts.Refused++
		s = StatusLong
	default:
		appendHead(dst[:head], StatusOK, n)
		return pad(dst, n)
	}
	return appendHead(dst[:head], s, n)
}

func (p *performer) set(o operation) error {
	switch o.ttl {
	case ttlDefault:
		return p.cache.Set(o.key, o.value)
	case ttlForever:
		return p.cache.SetTTL(o.key, o.value, 0)
	}
	return p.cache.SetTTL(o.key, o.value, time.Duration(o.ttl))
}
