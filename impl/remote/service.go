package remote

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"path/filepath"
	"sync"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/slots"
)

// Cache has the methods of a cache that a service needs. *cache.Cache implements it.
type Cache interface {
	Get(key, dst []byte) (value []byte, ok bool, err error)
	Set(key, value []byte) error
	SetTTL(key, value []byte, ttl time.Duration) error
	Delete(key []byte) (deleted bool, err error)
}

// Quotas has further methods that a Cache may have. If it has them, the service enforces the limits of its
// client, as docs/quota.md says; otherwise there are no limits. *cache.Cache implements it. With
// cache.ActionWarn the client gets the value of a suspect, without the warning.
type Quotas interface {
	Ask(client uint64, key, dst []byte) (value []byte, a cache.Answer, err error)
	Admit(client uint64) (retryAfter time.Duration, err error)
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
	// Idle is the longest sleep of the service, WaitMin to WaitMax; 0 is a second. Requests and the end of
	// the context wake the service. After such a sleep it checks whether the client has died.
	Idle time.Duration
	// Client is the number by which quotas identify the client. 0 stands for a number that is computed from
	// the absolute path of the slot file. So two files are two clients, and a client keeps its number over
	// restarts of its service.
	Client uint64
	// OnError, if it is not nil, is called for each operation in which the cache failed because it is
	// damaged, or with an error that has no status of its own. The client gets no details of such an error.
	// The goroutine of Serve calls the function.
	OnError func(error)
}

// checkWait compares a time with the bounds.
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
	Refused    uint64 `json:"refused"`   // operations that ended with an error, or that quotas refused
	Held       uint64 `json:"held"`      // operations that quotas refused
	Malformed  uint64 `json:"malformed"` // malformed requests, of which nothing was done
}

// Service performs the requests of one client. Make one with Create, run it with Serve, end it with Close.
// The calls of one that is nil or zero return ErrClosed.
type Service struct {
	path    string
	core    *slots.Service
	idle    time.Duration
	client  uint64
	onError func(error)
	serving sync.Mutex // held by Serve

	lock   sync.Mutex // of what follows
	counts Counts
	end    context.CancelFunc // of the context of Serve; nil if it has not begun
	closed bool
	gone   bool // the file is given up
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
	client := o.Client
	if client == 0 {
		client = clientOf(path)
	}
	return &Service{path: path, core: core, idle: o.Idle, client: client, onError: o.OnError}, nil
}

// clientOf is the number of the client of a slot file.
func clientOf(path string) uint64 {
	if whole, err := filepath.Abs(path); err == nil { // else the path as it is tells it from others, too
		path = whole
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(path)) // a hash takes all
	return h.Sum64()
}

// created returns nil if Create has made the service, whether it is closed or not.
func (s *Service) created() error {
	if s == nil || s.core == nil {
		return neverCreated{}
	}
	return nil
}

// neverCreated is ErrClosed of a *Service that is nil or zero.
type neverCreated struct{}

func (neverCreated) Error() string {
	return "remote: service was never created: use what Create returns with a nil error"
}

func (neverCreated) Unwrap() error { return ErrClosed }

// Counts returns the counts so far. Any goroutine may call it.
func (s *Service) Counts() Counts {
	if s.created() != nil {
		return Counts{}
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.counts
}

// Serve performs requests in the goroutine of its caller until the context ends, or Close is called; then it
// returns nil. For a tenth of a second it continues with the requests that it has taken. Operations that have
// not begun by then are not done, and each has the error ErrClosed. So only the operation that is running,
// which is one call of the cache, can delay Serve for longer.
//
// Each client needs a Serve of its own, so no client waits for another. Errors: ErrCorrupt if the client has
// truncated its file, which is then not served any more; ErrSystem; ErrClosed; ErrServing if another Serve of
// s is running.
func (s *Service) Serve(ctx context.Context, c Cache) error {
	if err := s.created(); err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	if !s.serving.TryLock() { // by another Serve, or by Close
		return fmt.Errorf("serve %s: %w", s.path, s.served())
	}
	defer s.serving.Unlock()
	ctx, end := context.WithCancel(ctx)
	defer end()
	if !s.begin(end) {
		return fmt.Errorf("serve %s: %w", s.path, ErrClosed)
	}
	ended := make(chan struct{})
	defer close(ended)
	defer context.AfterFunc(ctx, func() { s.ringUntil(ended) })()
	p := performer{ctx: ctx, cache: c, most: s.core.AnswerMax(), client: s.client, onError: s.onError,
		counts: s.Counts()}
	p.quotas, _ = c.(Quotas)
	tidied := time.Now()
	for ctx.Err() == nil {
		begun := time.Now()
		n, err := s.core.Turn(p.perform, s.idle)
		took := time.Since(begun) // with requests the turn has not slept
		if err == nil && n == 0 && time.Since(tidied) >= s.idle {
			err, tidied = s.core.Tidy(), time.Now()
		}
		s.note(p.counts)
		if err != nil {
			return fmt.Errorf("serve %s: %w", s.path, err)
		}
		pause(ctx, p.rest(took))
	}
	return nil
}

// pause waits for so long, or until the context ends.
func pause(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// served is the reason why the service cannot run, or nil.
func (s *Service) served() error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.closed {
		return ErrClosed
	}
	return ErrServing
}

func (s *Service) note(c Counts) {
	c.Counts = s.core.Counts()
	s.lock.Lock()
	s.counts = c
	s.lock.Unlock()
}

// begin keeps the function by which Close ends Serve, unless the service is closed.
func (s *Service) begin(end context.CancelFunc) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.end = end
	return !s.closed
}

// ringEvery is the time between two rings that are to end Serve.
const ringEvery = 10 * time.Millisecond

// ringUntil ends the sleeps of Serve until ended is closed. One ring is not enough, because the bell is in a
// file of the client, which can undo the ring before Serve sleeps.
func (s *Service) ringUntil(ended <-chan struct{}) {
	for s.ring() {
		select {
		case <-ended:
			return
		case <-time.After(ringEvery):
		}
	}
}

// ring ends a sleep of Serve, and reports whether ringing again makes sense.
func (s *Service) ring() bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return !s.gone && s.core.Ring() == nil // else the file is damaged, as Serve will see
}

// Close ends Serve, and gives up the file, which stays for the next service. Requests that are not yet taken
// wait for that service, or their client withdraws them. A second Close returns ErrClosed.
func (s *Service) Close() error {
	if err := s.created(); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	s.lock.Lock()
	was := s.closed
	s.closed = true
	if s.end != nil {
		s.end()
	}
	s.lock.Unlock()
	if was {
		return fmt.Errorf("close %s: %w", s.path, ErrClosed)
	}
	s.serving.Lock()
	defer s.serving.Unlock()
	s.lock.Lock()
	defer s.lock.Unlock()
	s.gone = true
	return s.core.Close()
}

// performer performs requests. It trusts nothing in a request.
type performer struct {
	ctx     context.Context // of the service
	until   time.Time       // operations may begin until then, after the end of the context; zero before that
	cache   Cache
	quotas  Quotas // nil: the cache has none
	client  uint64
	most    int // bytes of an answer
	counts  Counts
	onError func(error)   // or nil
	wait    time.Duration // how long the client was told to wait in this turn, or 0
	// Operations of this turn; a request that is refused as a whole is one.
	turn struct{ all, refused int }
}

// How long a service rests after its client has called too often.
const (
	restTold = 16 * time.Millisecond // longest rest because of the time that the client was told
	restPart = 10                    // factor for the time that the refusals took
	restMost = time.Second
)

// rest is how long the service does not look at the slots of a client that called too often in a turn that
// took so long: for as long as the client was told to wait, up to restTold; and for longer if it sent very
// many operations that were refused. So a client that does not wait takes less than a tenth of a processor
// from others.
func (p *performer) rest(took time.Duration) time.Duration {
	all, refused := p.turn.all, p.turn.refused
	d := min(p.wait, restTold)
	if p.wait > 0 && refused > 0 {
		d = max(d, min(restPart*time.Duration(float64(took)*float64(refused)/float64(all)), restMost))
	}
	p.wait, p.turn.all, p.turn.refused = 0, 0, 0
	return d
}

// endMost is how long a service that must end continues with requests that it has taken.
const endMost = 100 * time.Millisecond

// late reports whether the service must end and has continued for long enough.
func (p *performer) late() bool {
	if p.ctx.Err() == nil {
		return false
	}
	now := time.Now()
	if p.until.IsZero() {
		p.until = now.Add(endMost)
	}
	return now.After(p.until)
}

// perform is a slots.Perform: dst has room for the longest answer. The results of all operations fit into it,
// or nothing is done.
func (p *performer) perform(request, dst []byte) []byte {
	left, ok := sound(request)
	if fit := min(OpsMax, p.most/resultBytes); !ok || left > fit {
		p.counts.Malformed++
		p.charge()
		if !ok {
			fit = 0
		}
		return appendHead(dst, StatusMalformed, fit)
	}
	for len(request) > 0 {
		var o operation
		o, request, _ = next(request)
		left--
		dst = p.one(o, dst, p.most-left*resultBytes)
	}
	return dst
}

// charge counts an operation for a client whose request is refused as a whole, because reading the request
// takes processor time, too.
func (p *performer) charge() {
	if p.quotas == nil {
		return
	}
	p.turn.all++
	p.turn.refused++
	if retry, err := p.quotas.Admit(p.client); err == nil { // else the next operation says so
		p.wait = max(p.wait, retry)
	}
}

// one performs an operation and appends its result. The value may reach up to most; the room after that is
// for the results of the following operations.
func (p *performer) one(o operation, dst []byte, most int) []byte {
	if p.late() {
		p.counts.Refused++
		return appendHead(dst, StatusClosed, 0)
	}
	p.counts.Operations++
	p.turn.all++
	head := len(dst)
	dst, ok, held, err := p.call(o, appendHead(dst, StatusOK, 0))
	n := len(dst) - head - resultBytes
	s := statusOf(err)
	if p.onError != nil && (s == StatusDamaged || s == StatusFailed) {
		p.onError(err)
	}
	switch {
	case s != StatusOK:
		p.counts.Refused++
		n = 0
	case held.status != StatusOK:
		p.counts.Refused++
		p.counts.Held++
		p.turn.refused++
		if held.status == StatusClient {
			p.wait = held.retry
		}
		s, n = held.status, int(min((held.retry+time.Millisecond-1)/time.Millisecond, math.MaxInt32))
	case !ok:
		s, n = StatusAbsent, 0
	case len(dst) > most:
		p.counts.Refused++
		s = StatusLong
	default:
		appendHead(dst[:head], StatusOK, n)
		return pad(dst, n)
	}
	return appendHead(dst[:head], s, n)
}

// holding says why quotas refuse an operation, and for how long; its status is StatusOK if they do not.
type holding struct {
	status Status
	retry  time.Duration
}

// call makes the call of an operation, or returns why the client has to wait. A get appends its value.
func (p *performer) call(o operation, dst []byte) (_ []byte, ok bool, held holding, err error) {
	switch {
	case p.quotas == nil && o.kind == kindGet:
		dst, ok, err = p.cache.Get(o.key, dst)
		return dst, ok, held, err
	case o.kind == kindGet:
		var a cache.Answer
		dst, a, err = p.quotas.Ask(p.client, o.key, dst)
		return dst, a.Found, heldBy(a), err
	case p.quotas != nil:
		if held.retry, err = p.quotas.Admit(p.client); held.retry != 0 || err != nil {
			held.status = StatusClient
			return dst, false, held, err
		}
	}
	if o.kind == kindSet {
		return dst, true, held, p.set(o)
	}
	ok, err = p.cache.Delete(o.key)
	return dst, ok, held, err
}

// heldBy is the holding that follows from an answer of Ask.
func heldBy(a cache.Answer) holding {
	switch {
	case a.Found || a.Warned || a.State == cache.Miss:
		return holding{}
	case a.ByClient:
		return holding{StatusClient, a.RetryAfter}
	case a.State == cache.Denied:
		return holding{StatusDenied, a.RetryAfter}
	}
	return holding{StatusSuspect, a.RetryAfter}
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
