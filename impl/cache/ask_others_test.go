package cache

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/quota"
)

// crowd are clients of one cache on a clock of the test: each asks for keys of the same kind, and sets what
// is not there, as a program does that loads it.
type crowd struct {
	t                     *testing.T
	c                     *Cache
	calls, served, hits   int // of the clients that are not attackers
	refused, attackServed int
}

const (
	crowdClients = 20
	crowdRate    = 100 // calls a second of each
	crowdKeys    = 9000
	crowdSeconds = 8
	attackRate   = 100_000 // calls a second
	attacker     = 1 << 60
)

// call is one call of a client.
func (w *crowd) call(client uint64, key []byte) {
	_, a, err := w.c.Ask(client, key, nil)
	if err == nil && a.State == Miss {
		err = w.c.Set(key, make([]byte, 100))
	}
	if err != nil {
		w.t.Fatal(err)
	}
	served := a.State == Hit || a.State == Miss
	if client == attacker {
		w.attackServed += int(countIf(served))
		return
	}
	w.calls++
	switch {
	case a.State == Hit:
		w.served, w.hits = w.served+1, w.hits+1
	case served:
		w.served++
	default:
		w.refused++
	}
}

// run lets all ask for some seconds of the clock of the test. The first half fills the cache, and the second
// half counts. attack is the n-th key that the attacker asks for, nil for no attack.
func (w *crowd) run(k *testClock, attack func(n int) []byte) {
	r := rand.New(rand.NewPCG(21, 22))
	zipf := rand.NewZipf(r, 1.2, 40, crowdKeys-1)
	n := 0
	for ms := range crowdSeconds * 1000 {
		if ms == crowdSeconds*500 {
			w.calls, w.served, w.hits, w.refused, w.attackServed = 0, 0, 0, 0, 0
		}
		k.ms.Add(1)
		for range attackRate / 1000 {
			if attack != nil && ms >= crowdSeconds*250 {
				w.call(attacker, attack(n))
				n++
			}
		}
		for range crowdClients * crowdRate / 1000 {
			w.call(1+r.Uint64N(crowdClients), fmt.Append(nil, "item ", zipf.Uint64()))
		}
	}
}

// crowdRun is a crowd behind its run.
func crowdRun(t *testing.T, q Quota, attack func(n int) []byte) *crowd {
	c, k := timed(t, askStart, Options{Quota: q})
	w := &crowd{t: t, c: c}
	w.run(k, attack)
	return w
}

// One client asks fifty times as often as all others together: for one key, for keys that nobody has asked
// for before, which it then sets, or for the keys that all want most. With quotas the others have at least
// nine tenths of the answers and of the hits that they have without it. Without quotas new keys push out what
// the others want: so the attack is one.
func TestAsk_OthersKeepTheirs(t *testing.T) {
	q := Quota{Client: 400, Object: 2000}
	alone := crowdRun(t, q, nil)
	if alone.refused > 0 || alone.hits < alone.calls/2 {
		t.Fatalf("without an attack: %d of %d calls are refused, %d hits", alone.refused, alone.calls,
			alone.hits)
	}
	for name, attack := range map[string]func(n int) []byte{
		"one key":      func(int) []byte { return []byte("mine") },
		"new keys":     func(n int) []byte { return fmt.Append(nil, "new ", n) },
		"wanted keys":  func(n int) []byte { return fmt.Append(nil, "item ", n%10) },
		"one of those": func(int) []byte { return []byte("item 0") },
	} {
		w := crowdRun(t, q, attack)
		t.Logf("%s: others are served %d of %d calls, alone %d of %d; hits %d, alone %d; the attacker is "+
			"served %d of %d", name, w.served, w.calls, alone.served, alone.calls, w.hits, alone.hits,
			w.attackServed, crowdSeconds/2*attackRate)
		if w.served*10 < alone.served*9 || w.hits*10 < alone.hits*9 {
			t.Errorf("%s: others are served %d of %d calls with %d hits; alone %d with %d", name, w.served,
				w.calls, w.hits, alone.served, alone.hits)
		}
		if most := 400*crowdSeconds/2 + 400; w.attackServed > most*11/10 {
			t.Errorf("%s: the attacker is served %d calls, want %d at most", name, w.attackServed, most)
		}
	}
	w := crowdRun(t, Quota{}, func(n int) []byte { return fmt.Append(nil, "new ", n) })
	t.Logf("new keys without quotas: hits %d, alone %d", w.hits, alone.hits)
	if w.hits*10 >= alone.hits*9 {
		t.Errorf("without quotas others have %d hits beside new keys, alone %d: the attack is none", w.hits,
			alone.hits)
	}
}

// A client without a limit makes its own keys suspects, for all. The keys that it does not ask for remain
// what they are, since the counts are by key: but for those that share all cells by chance, one in 10^9 here.
func TestAsk_NobodyIsASuspectForOthers(t *testing.T) {
	k := new(testClock)
	k.ms.Store(askStart)
	c := open(t, "", Options{Bytes: 16 << 20, NoJanitor: true, Clock: k.now, Quota: Quota{Object: 100}})
	const keys = 500
	for i := range keys {
		set(t, c, fmt.Sprint("theirs ", i), "v")
	}
	for i := range 4 {
		set(t, c, fmt.Sprint("mine ", i), "v")
		overLimit(t, c, attacker, fmt.Sprint("mine ", i))
	}
	for ms := range 5000 {
		k.ms.Add(1)
		for i := range 4 {
			if _, _, err := c.Ask(attacker, fmt.Append(nil, "mine ", i), nil); err != nil {
				t.Fatal(err)
			}
		}
		askFor(t, c, 1, fmt.Sprint("theirs ", ms%keys), Hit)
	}
	all, err := c.Suspects()
	if err != nil || len(all) != 4 {
		t.Errorf("suspects: %v, %v", all, err)
	}
	if p := quota.Covered(c.objects.Layout().Width, 4) * keys; p > 1e-6 {
		t.Errorf("one of the keys is a suspect by chance with a probability of %g", p)
	}
	askFor(t, c, 2, "mine 0", Denied)
}

// K1: a suspect stays one until its time is over, however many new keys are asked for meanwhile. The counts
// take no more memory then; what degrades is that others may be taken for suspects, too.
func TestReportK1_FloodOfNewKeys(t *testing.T) {
	c, k := timed(t, askStart, Options{Quota: Quota{Object: 100, Retry: time.Minute}})
	set(t, c, "hot", "v")
	a := overLimit(t, c, 1, "hot")
	if a.State != Suspect || a.RetryAfter < time.Minute {
		t.Fatalf("%+v", a)
	}
	size := c.region.Size()
	cells := c.objects.Layout().Words()
	var n [64]byte
	for i := range 10 * cells {
		if _, _, err := c.Ask(uint64(i), fmt.Appendf(n[:0], "new %d", i), nil); err != nil {
			t.Fatal(err)
		}
	}
	if now := askFor(t, c, 1, "hot", Suspect); now.RetryAfter < a.RetryAfter {
		t.Errorf("after the flood: %+v, before %+v", now, a)
	}
	k.ms.Add(a.RetryAfter.Milliseconds() - 1)
	askFor(t, c, 1, "hot", Suspect)
	k.ms.Add((64 * time.Minute).Milliseconds())
	askFor(t, c, 1, "hot", Hit)
	if now := c.region.Size(); now != size {
		t.Errorf("the region had %d bytes, and has %d", size, now)
	}
}

// H4: a given clock that was years ahead, and is put right, locks no client and no key out for these years,
// nor lets it have more than its rate.
func TestReportH4_RatesOfAClockThatGoesBack(t *testing.T) {
	ahead := time.Date(2036, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	c, k := timed(t, ahead, Options{Readers: 1, Quota: Quota{Client: 10, Object: 50}})
	set(t, c, "k", "v")
	ask := func(client uint64) (a Answer) {
		t.Helper()
		_, a, err := c.Ask(client, []byte("k"), nil)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	for client := range uint64(20) {
		for range 12 {
			ask(client)
		}
	}
	if a := ask(1); a.State != Denied || !a.ByClient {
		t.Fatalf("before the clock goes back: %+v", a)
	}
	k.ms.Store(ahead - 10*365*24*3600*1000)
	const most = 2 * time.Minute // the longest penalty by these limits is one of 64 s
	waited := time.Duration(0)
	for a := ask(1); a.State != Hit; a = ask(1) {
		if waited += a.RetryAfter; waited > most {
			t.Fatalf("after the clock went back: %+v, in all %v", a, waited)
		}
		k.ms.Add(a.RetryAfter.Milliseconds() + 1)
	}
	served := 0
	for range 100 {
		if ask(1).State == Hit {
			served++
		}
	}
	if served < 5 || served > 20 {
		t.Errorf("of 100 calls %d were served, at 10 a second", served)
	}
}

// A suspect whose entry has expired meanwhile is a miss when it has calmed down, and counts as one.
func TestAsk_SuspectThatHasExpired(t *testing.T) {
	c, k := timed(t, askStart, Options{Quota: perKey})
	setTTL(t, c, "hot", 10*time.Second)
	overLimit(t, c, 1, "hot")
	if !marked(t, c, "hot") {
		t.Error("the record has no mark")
	}
	k.ms.Add(10_001)
	before := statsOf(t, c)
	askFor(t, c, 1, "hot", Miss)
	if d := statsOf(t, c).Minus(before.Counts); d.Hits != 0 || d.Misses != 1 || d.Suspects+d.Denied != 0 {
		t.Errorf("the call counts as %+v", d)
	}
}

// A call that finds a mark whose penalty is over counts for itself, against that key.
func TestAsk_FindsAPenaltyOver(t *testing.T) {
	c, _ := timed(t, 1_000_000, Options{Quota: Quota{Object: 10, Burst: 500 * time.Millisecond}})
	l := quota.Limits{Rate: 10, Burst: 5, Retry: uint64(time.Second), Deny: 3}
	q := &inquiry{}
	const id = 12345
	for n := range uint64(5) {
		if r := q.judge(c, id, true, true); r != (quota.Ruling{}) {
			t.Errorf("call %d: %+v", n, r)
		}
		if level := c.objects.Level(id, c.instant(), l); level != (n+1)*uint64(time.Second)/10 {
			t.Errorf("behind %d calls the level is %d", n+1, level)
		}
	}
	if r := q.judge(c, id, true, true); r.Verdict != quota.Suspect || r.Offences != 1 {
		t.Errorf("above the limit: %+v", r)
	}
	level := c.objects.Level(id, c.instant(), l)
	if r := q.judge(c, id, true, true); r.Verdict != quota.Suspect || r.Offences != 1 ||
		c.objects.Level(id, c.instant(), l) != level {
		t.Errorf("a suspect that is looked at: %+v, or it is charged", r)
	}
}

// A key that is asked for on and on, and then by nobody for as long as was told last, is a hit again; and a
// millisecond before it may be a suspect still. The list of suspects tells the same.
func TestAsk_WhoWaitsIsServed(t *testing.T) {
	random := rand.New(rand.NewPCG(36, 2))
	suspects, early := 0, 0
	for range 600 {
		object := 1 + random.IntN(30) // so low that each call is a sample
		burst := time.Duration(1+random.IntN(50)) * 100 * time.Millisecond
		c, k := timed(t, 1_000_000_000, Options{Quota: Quota{Object: uint64(object), Burst: burst,
			Retry: time.Duration(1+random.IntN(2000)) * time.Millisecond, Action: ActionWarn}})
		set(t, c, "k", "v")
		var a Answer
		var err error
		for range 1 + random.IntN(200) {
			k.ms.Add(random.Int64N(2000 / int64(object)))
			if _, a, err = c.Ask(1, []byte("k"), nil); err != nil {
				t.Fatal(err)
			}
		}
		if a.State != Suspect {
			continue
		}
		suspects++
		all, err := c.Suspects()
		if err != nil || len(all) != 1 || all[0].RetryAfter != a.RetryAfter {
			t.Fatalf("%+v, %v, want %v", all, err, a.RetryAfter)
		}
		wait := (a.RetryAfter + time.Millisecond - 1) / time.Millisecond
		k.ms.Add(int64(wait) - 1)
		if r, err := c.lookUp([]byte("k")); err != nil || r.Verdict != quota.OK {
			early++
		}
		k.ms.Add(1)
		askFor(t, c, 1, "k", Hit)
	}
	if suspects < 50 || early == 0 {
		t.Errorf("%d suspects, %d of them until the last millisecond", suspects, early)
	}
}

// A bucket drains as package quota lets it: in whole nanoseconds, rounded up.
func TestDrains_RoundsUp(t *testing.T) {
	for _, x := range []struct{ units, rate, want uint64 }{
		{0, 5, 0}, {1, 1, 1e9}, {4, 2, 2e9}, {3, 7, 428_571_429}, {1, 1e9, 1}, {3, 1e9, 3},
		{1, 2e9, 1}, {2, 2e9, 1},
	} {
		if n := drains(x.units, quota.Limits{Rate: x.rate}); n != x.want {
			t.Errorf("%d units at %d a second drain in %d ns, want %d", x.units, x.rate, n, x.want)
		}
	}
}

// Who is told to wait, and calls in the middle of a millisecond, is served when it has waited: the clock
// counts whole ones. So it is for a client, and for a key.
func TestAsk_WaitsInFull(t *testing.T) {
	random := rand.New(rand.NewPCG(36, 5))
	told := [2]int{}
	for range 300 {
		at := time.UnixMilli(askStart)
		rate := 50 + random.IntN(1000)
		q := Quota{Client: uint64(rate), Burst: 50 * time.Millisecond}
		of := random.IntN(2)
		if of == 1 {
			q = Quota{Object: uint64(rate), Burst: 50 * time.Millisecond, Retry: time.Millisecond}
		}
		clock := func() time.Time { return at }
		c := open(t, "", Options{Bytes: BytesMin, NoJanitor: true, Quota: q, Clock: clock})
		for range 400 {
			at = at.Add(time.Duration(random.IntN(300)) * time.Microsecond)
			_, a, err := c.Ask(7, []byte("k"), nil)
			if err != nil {
				t.Fatal(err)
			}
			if a.State == Miss {
				continue
			}
			told[of]++
			at = at.Add(a.RetryAfter)
			if _, again, err := c.Ask(7, []byte("k"), nil); again.State != Miss || err != nil {
				t.Fatalf("%+v: %+v, and behind that wait %+v, %v", q, a, again, err)
			}
		}
	}
	if told[0] < 100 || told[1] < 100 {
		t.Errorf("%d waits are told: the test needs some", told)
	}
}
