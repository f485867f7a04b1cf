package volume

import (
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/control"
	"github.com/samecycle/samecycle/stress"
	"github.com/samecycle/samecycle/stress/stresstest"
)

func TestMain(m *testing.M) {
	stresstest.Main(m, func(name string) stress.Subject { return &subject{fault: faults[name].do} })
}

// needsDeath is the state whose race is one with a death.
const needsDeath = "P02LeaseOwnerDies"

func TestCampaign_Goroutines(t *testing.T) { stresstest.Goroutines(t, Subject(), 6, needsDeath) }

func TestCampaign_Processes(t *testing.T) { stresstest.Processes(t, Subject(), needsDeath) }

// some tells whether an operation is one of those with which something goes wrong.
func some(req stress.Words) bool { return req[1]%64 == 1 }

// wait returns when others have made some operations, or have none to make.
func (c *client) wait() {
	from := c.run[wordClock].Load()
	for start := time.Now(); c.run[wordClock].Load() < from+32 && time.Since(start) < time.Second/100; {
		time.Sleep(10 * time.Microsecond)
	}
}

// lease is one of the client's process, as it might renew it now.
func (c *client) lease() uint64 {
	return uint64(control.MakeLease(c.leases.Me, uint32(c.run[wordClock].Load())))
}

// faults are what faulty code would do, with a state in which it happens, and what the judge says of it.
var faults = map[string]struct {
	state, says string
	do          func(c *client, req stress.Words, res *stress.Words)
}{
	"a lease is taken without a comparison": {"P01LeaseTwo", "not linearizable",
		func(c *client, req stress.Words, res *stress.Words) {
			if kindOf(req) == kindHold && res[0] == 0 && some(req) {
				c.memory.leases[0].Store(c.lease())
				*res, c.has = stress.Words{1, 1<<wordRun | c.own()}, true
			}
		}},
	"a lease is taken though its owner lives": {"P02LeaseOwnerDies", "not linearizable",
		func(c *client, req stress.Words, res *stress.Words) {
			if old := c.memory.leases[0].Load(); kindOf(req) == kindHold && res[0] == 0 && some(req) &&
				c.memory.leases[0].CompareAndSwap(old, c.lease()) {
				*res, c.has = stress.Words{1, 1<<wordRun | c.own()}, true
			}
		}},
	"a vacant lease is refused": {"P01LeaseTwo", "not linearizable",
		func(c *client, req stress.Words, res *stress.Words) {
			if kindOf(req) == kindHold && res[0] == 1 && some(req) {
				c.leases.Leave()
				*res, c.has = stress.Words{0, 1<<wordRun | c.own()}, false
			}
		}},
	"a lease is renewed without a comparison": {"P03LeaseOwnerLate", "not linearizable",
		func(c *client, req stress.Words, res *stress.Words) {
			if kindOf(req) == kindHold && c.renews && res[0] == 0 {
				c.memory.leases[0].Store(c.lease())
				*res, c.has = stress.Words{1, 1<<wordRun | c.own()}, true
			}
		}},
	"an owner is not told": {"P03LeaseOwnerLate", "told: it has a lease",
		func(c *client, req stress.Words, res *stress.Words) {
			if res[0] == 1 && some(req) {
				res[0] = 0
			}
		}},
	"a lease is kept that there may not be": {"P04LeaseRunLowered", "few: it has a lease",
		func(c *client, req stress.Words, res *stress.Words) {
			if kindOf(req) == kindTurn && res[1] == 1<<wordRun|1 {
				c.leases.Leave()
				c.memory.leases[1].Store(c.lease())
				res[1] = 1<<wordRun | c.own()
			}
		}},
	"a process has two leases": {"P04LeaseRunLowered", "one: it has two leases",
		func(c *client, req stress.Words, res *stress.Words) {
			if kindOf(req) == kindTurn && res[1] == 2<<wordRun|1 {
				c.memory.leases[1].Store(c.lease())
				res[1] |= c.own()
			}
		}},
	"another number of leases is found": {"P04LeaseRunLowered", "not linearizable",
		func(c *client, req stress.Words, res *stress.Words) {
			if kindOf(req) == kindTurn && res[1]>>wordRun == 1 && some(req) {
				res[1] += 2 << wordRun
			}
		}},
	"a change of parameters is lost": {"P05TunePair", "not linearizable",
		func(c *client, req stress.Words, res *stress.Words) {
			if kindOf(req) == kindTune && fieldsOf(req) == fieldFirst && some(req) {
				c.params[0].Store(c.word)
			}
		}},
	"a pair is set in two stores": {"P05TunePair", "not linearizable",
		func(c *client, req stress.Words, res *stress.Words) {
			if kindOf(req) == kindTune && fieldsOf(req)&3 == 3 && req[1]%16 < 2 {
				c.params[0].Store(set(c.word, 0, fieldFirst, req[1]))
				c.wait()
				c.params[0].Store(set(c.word, 0, fieldFirst|fieldSecond, req[1]))
			}
		}},
	"the second word changes first": {"P05TunePair", "not linearizable",
		func(c *client, req stress.Words, res *stress.Words) {
			if kindOf(req) == kindTune && fieldsOf(req) == 7 && req[1]%16 < 2 {
				c.params[0].Store(c.word)
				c.wait()
				control.Tune(c.params, c.changes(req)[:2])
			}
		}},
	"a wish is heard twice": {"P09HandoverTwo", "not linearizable",
		func(c *client, req stress.Words, res *stress.Words) {
			if kindOf(req) == kindAsk && res[0] == 1 && some(req) {
				c.wish[0].Store(c.word)
			}
		}},
	"a wish is lost": {"P09HandoverTwo", "not linearizable",
		func(c *client, req stress.Words, res *stress.Words) {
			if kindOf(req) == kindWant && res[0] == 1 && some(req) {
				c.wish[0].Store(0)
			}
		}},
	"a wish holds for too short a time": {"P09HandoverTwo", "not linearizable",
		func(c *client, req stress.Words, res *stress.Words) {
			if kindOf(req) == kindAsk && res[0] == 1 && some(req) {
				res[0] = 0
			}
		}},
	"a writer is given up that nobody wants": {"P09HandoverTwo", "not linearizable",
		func(c *client, req stress.Words, res *stress.Words) {
			if kindOf(req) == kindAsk && c.word == 0 && some(req) {
				res[0] = 1
			}
		}},
	"a charge is lost": {"P06ChargeTwo", "sum: cell",
		func(c *client, req stress.Words, res *stress.Words) {
			if kindOf(req) == kindCharge && some(req) {
				id := c.identity(req[1], 0)
				c.level(3, c.column(id, 3)).Add(-c.unit())
			}
		}},
	"a level is too low": {"P06ChargeTwo", "level: ",
		func(c *client, req stress.Words, res *stress.Words) {
			if some(req) {
				res[0] = c.unit()
			}
		}},
	"an offence counts twice": {"P07MarkTwo", "of offence ",
		func(c *client, req stress.Words, res *stress.Words) {
			if some(req) {
				c.penalty(0, c.first(req)).Add(1)
			}
		}},
	"a caller is told of two offences": {"P07MarkTwo", "once: the caller was told",
		func(c *client, req stress.Words, res *stress.Words) {
			if some(req) {
				res[0] += 1 << bitsOfEnd
			}
		}},
	"a penalty becomes shorter": {"P07MarkTwo", "callers were told until",
		func(c *client, req stress.Words, res *stress.Words) {
			if some(req) {
				c.penalty(2, c.first(req)).Add(-(c.limits.Retry / 8 * 8))
			}
		}},
	"a penalty has no bound": {"P07MarkTwo", "bound: the penalty",
		func(c *client, req stress.Words, res *stress.Words) {
			if some(req) {
				res[0] |= endMost
			}
		}},
	"an offender is no suspect": {"P07MarkTwo", "and no suspect",
		func(c *client, req stress.Words, res *stress.Words) {
			if some(req) {
				res[0] &^= 255
			}
		}},
	"too much is admitted": {"P08TakeTwo", "admitted: unit",
		func(c *client, req stress.Words, res *stress.Words) {
			if some(req) {
				res[0] = 0
			}
		}},
	"what is admitted is not charged": {"P08TakeTwo", "sum: cell",
		func(c *client, req stress.Words, res *stress.Words) {
			if res[0]&255 == 0 && some(req) {
				c.level(1, c.first(req)).Add(-c.unit())
			}
		}},
	"it is refused where there is room": {"P08TakeTwo", "refused: ",
		func(c *client, req stress.Words, res *stress.Words) {
			if res[0]&255 == 0 && some(req) {
				res[0]++
			}
		}},
	"it is refused for too long": {"P08TakeTwo", "refused: for the time of",
		func(c *client, req stress.Words, res *stress.Words) {
			if res[0]&255 != 0 && some(req) {
				res[0] |= 255
			}
		}},
}

// first is the identity of the first call of an operation.
func (c *client) first(req stress.Words) uint32 {
	return c.identity(req[1]-c.run[wordFirst].Load(), 0) % c.width
}

// TestCanary_Goroutines: each fault is found, by the judge that is named.
func TestCanary_Goroutines(t *testing.T) {
	for name, x := range faults {
		r := stresstest.State(t, &subject{fault: x.do}, x.state, stress.Options{Threads: 6})
		stresstest.Found(t, name, r, x.says)
	}
}

// TestCanary_Processes: processes that are killed hide no fault of those who live.
func TestCanary_Processes(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT RUN: it takes half a minute; run the tests without -short")
	}
	for name, x := range faults {
		r := stresstest.State(t, Subject(), x.state, stress.Options{Processes: 4,
			Worker: stresstest.Worker(t, name)})
		stresstest.Found(t, name, r, x.says)
	}
}

// TestMarks_Alone: a client that is alone races with nobody.
func TestMarks_Alone(t *testing.T) {
	for _, state := range Subject().States() {
		r := stresstest.State(t, Subject(), state, stress.Options{Threads: 1})
		if text, _ := r.Verdict(); text != "mark not seen" {
			t.Errorf("%s: %d marks, %s", state, r.Marks, text)
		}
	}
}
