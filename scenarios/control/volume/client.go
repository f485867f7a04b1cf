package volume

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"time"

	"github.com/samecycle/samecycle/impl/control"
	"github.com/samecycle/samecycle/impl/handover"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/stress"
)

// The words of an operation. Its number is the moment of the clock at which it began.
//
//	request         kind<<32 | fields of a change; number
//	result  turn    1 if it has a lease; run<<32 | a bit for each word that has its lease
//	        read    first word; second word
//	        charge  level behind the last call; 0
//	        judge   of each call 8 bits: offences<<5 | quarters of Limits.Retry until the end, rounded down
//	        take    of each call 8 bits: 0 if it was admitted, else units in whose time to ask again
//	        want    1 if somebody has said so; 0
//	        ask     1 if a writer is wanted; 0
//	extra           moment of its end, but for the sketch, << 8 | what was seen
const (
	wordKind  = 32
	wordRun   = 32
	extraSeen = 8
	bitsOfEnd = 5
	endMost   = 1<<bitsOfEnd - 1
)

func request(k kind, fields uint32, number uint64) stress.Words {
	return stress.Words{uint64(k)<<wordKind | uint64(fields), number}
}

func kindOf(w stress.Words) kind     { return kind(w[0] >> wordKind) }
func fieldsOf(w stress.Words) uint32 { return uint32(w[0]) }

// Bits of what After keeps.
const (
	seenLost    = 1 << iota // a vacant lease went to another one
	seenDead                // the lease was taken from a dead owner
	seenLate                // the lease was lost behind the turn's first look
	seenLowered             // the lease was renewed when there might not be so many
	seenOther               // another client has changed the same word, or has taken the same wish
)

// client is one actor of a run: a goroutine, or a process.
type client struct {
	*memory
	subject *subject
	number  uint32 // owner
	leases  control.Leases
	wishes  handover.Word
	has     bool // a lease, as it was told last
	random  *rand.Rand
	seen    uint64
	turn
	word uint64 // ahead of a change or a charge, or the wish that was seen
}

// turn is what a janitor has seen in one turn.
type turn struct {
	asked, dead bool // whether an owner lives, and one did not
	clock       bool // what time it is
	renews      bool // with the process's own lease in a word
	lowered     bool // and this word was one of those that there may not be
}

// newClient attaches a client to the words.
func newClient(s *subject, m *memory, owner uint32) *client {
	c := &client{memory: m, subject: s, number: owner, random: rand.New(rand.NewPCG(uint64(owner), 8))}
	me := m.region.Process()
	if me == 0 { // a goroutine
		me = region.MakeProcess(owner, owner)
	}
	c.leases = control.Leases{Words: m.leases, Me: me, Alive: c.alive, Clock: c.readClock}
	c.wishes = handover.Word{At: &m.wish[0], Most: m.lasts, Clock: c.wishClock}
	m.owner(owner, ownerProcess).Store(uint64(me))
	m.owner(owner, ownerSince).Store(m.tick())
	return c
}

// alive is what the system says of a process. Goroutines live.
func (c *client) alive(p region.Process) (bool, error) {
	lives, err := true, error(nil)
	if c.region.Process() != 0 {
		lives, err = c.region.Alive(p)
	}
	c.asked, c.dead = true, !lives && err == nil
	return lives, err
}

// own are the words that have a lease of the process, a bit for each.
func (c *client) own() (words uint64) {
	for i := range c.memory.leases {
		if control.Lease(c.memory.leases[i].Load()).Owner() == c.leases.Me {
			words |= 1 << i
		}
	}
	return words
}

// allowed is how many leases there may be.
func (c *client) allowed() int {
	if !c.runs {
		return c.recipe.leases
	}
	return int(c.params[0].Load() & (1<<31 - 1))
}

// lingerEvery is how many readings of the clock there are for each one that lingers.
const lingerEvery = 4

// readClock is the clock of the leases. The janitor lingers there until something has changed, ahead of the
// reading or behind it.
func (c *client) readClock() uint32 {
	own, now := c.own(), uint64(0)
	c.clock, c.renews = true, own != 0
	if c.random.IntN(lingerEvery) == 0 {
		if c.random.IntN(2) == 0 {
			now = c.run[wordClock].Load()
		}
		seen := c.look()
		for start := time.Now(); time.Since(start) < c.linger && c.look() == seen; {
		}
	}
	c.lowered = c.renews && bits.Len64(own) > c.allowed()
	if now == 0 {
		now = c.run[wordClock].Load()
	}
	return uint32(now)
}

// look is what may become another one while a janitor lingers: what it has and may have, or what there is for
// it to take.
func (c *client) look() [2]uint64 {
	if c.renews {
		return [2]uint64{c.own(), uint64(c.allowed())}
	}
	words := c.memory.leases
	return [2]uint64{words[0].Load(), words[len(words)-1].Load()}
}

func (*client) Begin(uint64) {}

// Next draws an operation.
func (c *client) Next(rng *rand.Rand) stress.Words {
	k := kind(stress.Draw(rng, c.mix[:]))
	fields := uint32(0)
	if k == kindTune {
		fields = c.fields[rng.IntN(len(c.fields))]
	}
	return request(k, fields, c.tick())
}

// watched is the word of which it is told whether another client has changed it.
func (c *client) watched(req stress.Words) uint64 {
	switch kindOf(req) {
	case kindTune:
		if fieldsOf(req)&(fieldFirst|fieldSecond) != 0 {
			return c.params[0].Load()
		}
	case kindCharge:
		return c.level(1, c.column(c.identity(req[1], 0), 1)).Load()
	}
	return 0
}

// Before looks at the word that is to be changed.
func (c *client) Before(req stress.Words) {
	if c.width > 0 {
		c.meet()
	}
	c.seen, c.word = 0, c.watched(req)
	c.owner(c.number, ownerBusy).Store(1)
}

// meet returns when another client is about to call, too, or after some time.
func (c *client) meet() {
	met := &c.run[wordMet]
	if n := met.Add(1); n%2 != 0 {
		for start := time.Now(); time.Since(start) < c.linger && met.Load() == n; {
		}
	}
}

// After looks again. Whoever else has changed the word has done so within the interval of the operation.
func (c *client) After(req, _ stress.Words, _ []stress.Words) stress.Seen {
	c.owner(c.number, ownerBusy).Store(0)
	now := c.watched(req)
	switch kindOf(req) {
	case kindTune:
		if now != set(c.word, 0, fieldsOf(req), c.value(req[1])) {
			c.seen |= seenOther
		}
	case kindCharge:
		if now > c.word+calls*c.units(req[1])*c.unit() {
			c.seen |= seenOther
		}
	}
	if c.width == 0 { // the sketch has a clock of its own, and its operations are numbered one by one
		c.seen |= c.tick() << extraSeen
	}
	return stress.Seen{Extra: c.seen}
}

// value is what a change sets.
func (r *recipe) value(number uint64) uint64 {
	if r.runs {
		return 1 + min(number%4, 1)
	}
	return number
}

// Call makes the operation.
func (c *client) Call(req stress.Words) (res stress.Words, notes []stress.Words, err error) {
	switch k := kindOf(req); k {
	case kindHold:
		res = c.hold(c.recipe.leases)
	case kindTurn:
		run, _ := control.First(0).Of(control.Read(c.params, 0))
		res = c.hold(int(run))
	case kindLeave:
		c.leases.Leave()
		c.has = false
		res = stress.Words{0, c.own()}
	case kindTune:
		all := c.changes(req)
		if n := control.Tune(c.params, all); n != len(all) {
			err = fmt.Errorf("change %d of %d is not made: %d tries found that another one was quicker", n,
				len(all), control.TriesMost)
		}
	case kindRead:
		second := control.Read(c.params, 1)
		res = stress.Words{control.Read(c.params, 0), second}
	case kindWant:
		res = c.want()
	case kindAsk:
		res = c.ask()
	default:
		res = c.rate(k, req[1])
	}
	if c.subject.fault != nil {
		c.subject.fault(c, req, &res)
	}
	return res, nil, err
}

// hold is a turn of a janitor.
func (c *client) hold(run int) (res stress.Words) {
	had := c.has
	c.turn = turn{}
	if c.has = c.leases.Hold(run, c.still); c.has {
		res[0] = 1
	}
	res[1] = uint64(run)<<wordRun | c.own()
	switch {
	case c.has && c.dead:
		c.seen |= seenDead
	case c.has && c.lowered:
		c.seen |= seenLowered
	case !c.has && c.renews:
		c.seen |= seenLate
	case !c.has && !had && c.clock && !c.asked:
		c.seen |= seenLost
	}
	return res
}

// changes are those of a request.
func (c *client) changes(req stress.Words) (all []control.Change) {
	for i, f := range []control.Field{control.First(0), control.Second(0), control.Alone(1)} {
		if fieldsOf(req)>>i&1 != 0 {
			all = append(all, control.Change{Field: f, Value: c.value(req[1])})
		}
	}
	return all
}

// rate is some calls of the sketch, one behind the other.
func (c *client) rate(k kind, number uint64) (res stress.Words) {
	first := c.run[wordFirst].Load()
	if c.spent(number - first) {
		return res
	}
	for i := range calls {
		id, units := c.hash(c.identity(number-first, i)), c.units(number)
		now := c.run[wordInstant].Load() - c.lag(number)
		switch k {
		case kindCharge:
			res[0] = c.sketch.Add(id, now, units, c.limits)
		case kindJudge:
			r := c.sketch.Judge(id, now, units, c.limits)
			res[0] |= (uint64(r.Offences)<<bitsOfEnd | min(r.Retry/(c.limits.Retry/4), endMost)) << (8 * i)
		case kindTake:
			r := c.sketch.Take(id, now, units, c.limits)
			res[0] |= min((r.Retry+c.unit()-1)/c.unit(), 255) << (8 * i)
		}
	}
	return res
}
