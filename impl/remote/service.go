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

// Cache is what a service needs of the cache. *cache.Cache has it.
type Cache interface {
	Get(key, dst []byte) (value []byte, ok bool, err error)
	Set(key, value []byte) error
	SetTTL(key, value []byte, ttl time.Duration) error
	Delete(key []byte) (deleted bool, err error)
}

// Quotas is what a Cache may have besides: then a service holds its client to the limits, as docs/quota.md
// says, and otherwise not. *cache.Cache has it. With cache.ActionWarn the client is answered as if there were
// no limit for the key, without the warning.
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
	// Idle is the longest sleep of the service, WaitMin to WaitMax; a second if it is 0. Requests and the end
	// of the context wake it; behind such a sleep it looks whether the client has died.
	Idle time.Duration
	// Client is the number by which quotas know the client. 0 is a number made from the absolute path of the
	// slot file: so two files are two clients, and a client stays the same one over restarts of its service.
	Client uint64
	// OnError, if it is not nil, is told of each operation that the cache has failed in: since it is damaged,
	// or with an error that has no status of its own. The client is told no more than that. The function is
	// called by the goroutine of Serve.
	OnError func(error)
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
	Refused    uint64 `json:"refused"`   // operations that ended with an error, also for the sake of quotas
	Held       uint64 `json:"held"`      // those of them that were refused for the sake of quotas
	Malformed  uint64 `json:"malformed"` // requests that make no sense as a whole; nothing was done
}

// Service performs the requests of one client. Make one with Create, run it with Serve, end it with Close.
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

// Counts are those so far. Any goroutine may ask.
func (s *Service) Counts() Counts {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.counts
}

// Serve performs requests in the goroutine of its caller until the context ends, or Close is called; then it
// returns nil. It goes on with the requests that it has taken for a tenth of a second. Operations that have
// not begun by then are not done: each has the error ErrClosed. So only the operation that is under way,
// which is one call of the cache, can keep Serve for longer.
//
// Each client needs a Serve of its own, so none waits for another. Errors: ErrCorrupt when the client has
// truncated its file, which is then served no more; ErrSystem; ErrClosed; ErrServing while another Serve of s
// is under way.
func (s *Service) Serve(ctx context.Context, c Cache) error {
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

// served is why the service cannot be served.
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

// ringUntil ends the sleeps of Serve until that has ended. One ring would do, were the bell not in a file of
// the client, who can take the ring back before Serve sleeps.
func (s *Service) ringUntil(ended <-chan struct{}) {
	for s.ring() {
		select {
		case <-ended:
			return
		case <-time.After(ringEvery):
		}
	}
}

// ring ends a sleep of Serve, and reports whether there may be more of them.
func (s *Service) ring() bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return !s.gone && s.core.Ring() == nil // else the file is damaged, as Serve will see
}

// Close ends Serve, and gives up the file, which stays for the next service. Requests that nobody has taken
// wait for that one, or are withdrawn by the client. A second Close returns ErrClosed.
func (s *Service) Close() error {
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

// performer performs requests. Of a request it trusts nothing.
type performer struct {
	ctx     context.Context // of the service
	until   time.Time       // that operations go on behind the end of the context; zero ahead of that
	cache   Cache
	quotas  Quotas // nil: the cache has none
	client  uint64
	most    int // bytes of an answer
	counts  Counts
	onError func(error)   // or nil
	wait    time.Duration // that the client was told in this turn since it calls too often; 0 if it was not
	// Operations of this turn; a request that is refused as a whole is one.
	turn struct{ all, refused int }
}

// The rest of a service whose client calls too often.
const (
	restTold = 16 * time.Millisecond // of what the client was told to wait for
	restPart = 10                    // times as long as the service has refused operations
	restMost = time.Second
)

// rest is for how long the service looks away from a client that called too often in a turn that took so
// long: for as long as it was told to wait, up to restTold, and for longer if it sent very many operations
// that were refused. So one that hammers all the same takes less than a tenth of a processor from others.
func (p *performer) rest(took time.Duration) time.Duration {
	all, refused := p.turn.all, p.turn.refused
	d := min(p.wait, restTold)
	if p.wait > 0 && refused > 0 {
		d = max(d, min(restPart*time.Duration(float64(took)*float64(refused)/float64(all)), restMost))
	}
	p.wait, p.turn.all, p.turn.refused = 0, 0, 0
	return d
}

// endMost is for how long a service that is to end goes on with what it has taken.
const endMost = 100 * time.Millisecond

// late reports whether the service is to end, and has gone on for long enough.
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

// charge takes an operation from the rate of a client whose request is refused as a whole: reading it takes a
// processor, too.
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

// one performs an operation and appends its result, whose value may go up to most: what is behind that is for
// the results of the operations that follow.
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

// holding is why quotas keep an operation from being done, StatusOK if they do not, and for how long.
type holding struct {
	status Status
	retry  time.Duration
}

// call makes the call of an operation, or says why the client has to wait. A get appends its value.
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

// heldBy is what an answer keeps back.
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
