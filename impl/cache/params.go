package cache

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/control"
	"github.com/samecycle/samecycle/impl/quota"
	"github.com/samecycle/samecycle/impl/region"
)

// Live parameters are numbers by which a cache works, and which any process may change while others work
// (Cache.Tune). They are words of the region. A process reads such a word where it needs the number, so a
// change is in force for all processes at once. There are two exceptions: a janitor that sleeps sees it when
// it wakes, which is within half a second, and Ask reads its limits once in 256 calls (asker.go). No death
// leaves half a change, since one compare-and-swap makes it. Where the bits of a parameter are is up to
// package control.

// paramsMost is how many words SectionParams has. Those that no row names are spare and stay zero.
const paramsMost = 32

// Parameter is a live parameter of a cache.
type Parameter struct {
	Name        string // by which Tune knows it, such as "ttl.default"
	Unit        string // of the numbers: "ms", "percent", "baskets", "records", "processes", "calls a second"
	Value       uint64 // that is in force
	Default     uint64 // that is in force as long as nobody has tuned the parameter
	Least, Most uint64 // bounds of the value; both may be had
	Meaning     string // what the number decides, as one sentence
	Tuned       bool   // somebody has chosen the value
	Damaged     bool   // the region has a value that is out of bounds: the default is in force
}

// Setting is a change of one live parameter, for TuneAll.
type Setting struct {
	Name  string
	Value uint64
}

// Errors of Tune and TuneAll, each of which is a TuneError.
var (
	ErrParameter = errors.New("no such live parameter")
	ErrValue     = errors.New("value of a live parameter unusable")
)

// TuneError tells which change was refused, and what to do about it.
type TuneError struct {
	Reason error // ErrParameter or ErrValue
	Name   string
	Found  string
	Want   string
	Do     string // what the reader of the message can do
}

// Error has the form: live parameter NAME is FOUND, want WANT: DO.
func (e *TuneError) Error() string {
	return fmt.Sprintf("live parameter %s is %s, want %s: %s", e.Name, e.Found, e.Want, e.Do)
}

// Unwrap gives the reason.
func (e *TuneError) Unwrap() error { return e.Reason }

// Indexes of the rows of parameterRows.
const (
	liveTTL = iota
	liveLiving
	liveGain
	liveEvery
	liveReserve
	liveRecords
	liveRun
	liveObject
	liveClient
	liveRetry
	liveShare                               // and those of the tiers below the top one
	liveAge   = liveShare + basket.TiersMax // the same
	lives     = liveAge + basket.TiersMax   // how many they are
)

// parameterRow is a row of the table: all that there is to say of a live parameter.
type parameterRow struct {
	name, unit, meaning string
	field               control.Field
	normal, least, most amount
}

// amount is a number that may depend on the geometry of the cache.
type amount func(l basket.Layout) uint64

// always is a number that does not.
func always(n uint64) amount { return func(basket.Layout) uint64 { return n } }

// Bounds of parameters that are no round numbers of something else.
const (
	ttlMost     = 100 * 365 * 24 * 3600 * 1000 // milliseconds: 100 years
	everyMost   = 60_000                       // milliseconds
	recordsMost = 1 << 20
)

// parameterRows is the table of live parameters. To add one, add its index above and its row here, with a
// field that no other row has. A field is never given to another parameter.
var parameterRows = [lives]parameterRow{
	liveTTL: {"ttl.default", "ms", "for how long an entry is found that is set without a time of its own " +
		"by a process without Options.TTL; 0 is for ever",
		control.Alone(0), always(0), always(0), always(ttlMost)},
	liveLiving: {"compact.living", "percent", "while less than that of all records lives, room is made by " +
		"compacting baskets, and nothing leaves",
		control.First(1), always(basket.DefaultLiving), always(1), always(99)},
	liveGain: {"compact.gain", "percent", "a basket is compacted only if more than that of it is gained; " +
		"with 100 none is",
		control.Second(1), always(basket.DefaultGain), always(1), always(100)},
	liveEvery: {"janitor.every", "ms", "time between two turns of the janitor of a process",
		control.Alone(2), always(uint64(tickEvery / time.Millisecond)), always(5), always(everyMost)},
	liveReserve: {"janitor.reserve", "baskets", "free baskets that janitors, and calls that set, see to",
		control.Alone(3), normalReserve, always(1), mostReserve},
	liveRecords: {"janitor.records", "records", "records over which a janitor walks in one turn at most",
		control.Alone(4), always(tendRecords * tendMost), always(tendRecords), always(recordsMost)},
	liveRun: {"janitor.run", "processes", "processes whose janitors make room and take back what the dead " +
		"had, at the same time; with 0 calls that set do all of it",
		control.Alone(5), always(1), always(0), always(janitorsMost)},
	liveObject: {"quota.object", "calls a second", "how often one key may be asked for (Ask) before it " +
		"becomes a suspect; 0 is no limit",
		control.Alone(16), always(0), always(0), always(quota.RateMax)},
	liveClient: {"quota.client", "calls a second", "how often one client may ask (Ask); 0 is no limit",
		control.Alone(17), always(0), always(0), always(quota.RateMax)},
	liveRetry: {"quota.retry", "ms", "for how long the first offence makes a key a suspect; each further " +
		"one doubles it, up to 64 times and an hour",
		control.Alone(18), always(retryNormal), always(1), always(retryMost)},
	liveShare:     tierShare(0, control.First(6)),
	liveShare + 1: tierShare(1, control.Second(6)),
	liveShare + 2: tierShare(2, control.First(7)),
	liveShare + 3: tierShare(3, control.Second(7)),
	liveShare + 4: tierShare(4, control.First(8)),
	liveShare + 5: tierShare(5, control.Second(8)),
	liveShare + 6: tierShare(6, control.First(9)),
	liveShare + 7: tierShare(7, control.Second(9)),
	liveAge:       tierAge(0, control.Alone(20)),
	liveAge + 1:   tierAge(1, control.Alone(21)),
	liveAge + 2:   tierAge(2, control.Alone(22)),
	liveAge + 3:   tierAge(3, control.Alone(23)),
	liveAge + 4:   tierAge(4, control.Alone(24)),
	liveAge + 5:   tierAge(5, control.Alone(25)),
	liveAge + 6:   tierAge(6, control.Alone(26)),
	liveAge + 7:   tierAge(7, control.Alone(27)),
}

// tierShare and tierAge are the rows of a tier, which a cache has only if it has that tier.
func tierShare(tier int, f control.Field) parameterRow {
	return parameterRow{fmt.Sprintf("tier.%d.share", tier), "percent", "so much of the cache the tier may " +
		"have, before its oldest entries go down or leave; 0 is what the policy chooses",
		f, always(0), always(0), always(100)}
}

func tierAge(tier int, f control.Field) parameterRow {
	return parameterRow{fmt.Sprintf("tier.%d.age", tier), "ms", "entries that are older go down, or leave " +
		"if the tier is the last one and they were not used; 0 is any age",
		f, always(0), always(0), mostAge(tier)}
}

// mostAge is the bound of the age of a tier: 0 if the policy does not look at it.
func mostAge(tier int) amount {
	return func(l basket.Layout) uint64 {
		if tinyLFU, _ := basket.NameOf(TinyLFU{}.Name()); tier == 0 && l.Policy == tinyLFU {
			return 0
		}
		return ttlMost
	}
}

// normalReserve is the reserve that a basket.Writer has by itself.
func normalReserve(l basket.Layout) uint64 { return uint64(basket.ReserveOf(l)) }

// mostReserve is half of the baskets.
func mostReserve(l basket.Layout) uint64 { return uint64(max(l.Baskets/2, 1)) }

// params are the live parameters of a cache.
type params struct {
	words region.Words
	rows  [lives]struct{ normal, least, most uint64 } // for the geometry of the cache
	tiers int
}

// has reports whether the cache has parameter i: one of a tier that there is, whose bounds leave a choice.
func (p *params) has(i int) bool {
	return i < liveShare || (i-liveShare)%basket.TiersMax < p.tiers && p.rows[i].most > 0
}

// init finds the words.
func (p *params) init(words region.Words, l basket.Layout) {
	p.words, p.tiers = words, int(max(l.Tiers, 1))
	for i, r := range parameterRows {
		p.rows[i].normal, p.rows[i].least, p.rows[i].most = r.normal(l), r.least(l), r.most(l)
	}
}

// word loads the word in which parameter i is.
func (p *params) word(i int) uint64 { return control.Read(p.words, parameterRows[i].field.Word) }

// value is the value of parameter i that is in force.
func (p *params) value(i int) uint64 {
	return p.valueOf(i, p.word(i))
}

// valueOf is that by its word.
func (p *params) valueOf(i int, word uint64) uint64 {
	row := &p.rows[i] // each Set asks, so nothing more is made of it than a number
	if v, tuned := parameterRows[i].field.Of(word); tuned && v >= row.least && v <= row.most {
		return v
	}
	return row.normal
}

// in is parameter i, as its word says, without the words for a person.
func (p *params) in(i int, word uint64) Parameter {
	row := p.rows[i]
	x := Parameter{Value: row.normal, Default: row.normal, Least: row.least, Most: row.most}
	value, tuned := parameterRows[i].field.Of(word)
	switch {
	case tuned && value >= row.least && value <= row.most:
		x.Value, x.Tuned = value, true
	case tuned || value != 0:
		x.Damaged = true
	}
	return x
}

// all are all parameters, those of one word as they were at one instant.
func (p *params) all() []Parameter {
	all := make([]Parameter, 0, lives)
	var read [paramsMost]bool
	var words [paramsMost]uint64
	for i, r := range parameterRows {
		if !p.has(i) {
			continue
		}
		if n := r.field.Word; !read[n] {
			read[n], words[n] = true, p.word(i)
		}
		x := p.in(i, words[r.field.Word])
		x.Name, x.Unit, x.Meaning = r.name, r.unit, r.meaning
		all = append(all, x)
	}
	return all
}

// damage are the parameters whose words nobody can have written.
func (p *params) damage() (found []error) {
	for _, x := range p.all() {
		if x.Damaged {
			found = append(found, fmt.Errorf("live parameter %s is out of bounds, want %d..%d %s: "+
				"tune it anew", x.Name, x.Least, x.Most, x.Unit))
		}
	}
	return found
}

// tuning is what a writer asks for. Numbers of one word are of one load: both of a compaction, and the shares
// of two tiers. So baskets go down by shares that were set together.
func (p *params) tuning() basket.Tuning {
	compact := p.word(liveLiving)
	t := basket.Tuning{Living: uint32(p.valueOf(liveLiving, compact)),
		Gain: uint32(p.valueOf(liveGain, compact)), Reserve: int(p.value(liveReserve))}
	shares, word := uint64(0), -1
	for i := range p.tiers {
		if w := parameterRows[liveShare+i].field.Word; w != word {
			shares, word = p.word(liveShare+i), w
		}
		t.Share[i], t.Ages[i] = uint32(p.valueOf(liveShare+i, shares)), p.value(liveAge+i)
	}
	return t
}

// find is the row of a name.
func (p *params) find(name string) (int, error) {
	var names []string
	found := "unknown"
	for i, r := range parameterRows {
		if !p.has(i) {
			if r.name == name && p.rows[i].most == 0 {
				found = "one that the policy of this cache does not look at"
			}
			continue
		}
		if r.name == name {
			return i, nil
		}
		names = append(names, r.name)
	}
	e := &TuneError{Reason: ErrParameter, Name: fmt.Sprintf("%.*q", nameMost, name), Found: found,
		Want: "one of " + strings.Join(names, ", "), Do: "choose a name of this list"}
	if near := nearest(strings.ToLower(name), names); len(near) > 0 {
		e.Want, e.Do = "one that the cache has", "did you mean "+strings.Join(near, " or ")+"?"
	}
	return 0, e
}

// check judges settings, and finds their rows.
func (p *params) check(settings []Setting) ([]int, error) {
	var rows []int
	for _, s := range settings {
		i, err := p.find(s.Name)
		if err != nil {
			return nil, err
		}
		row := p.rows[i]
		bad := func(want, do string) *TuneError {
			return &TuneError{ErrValue, s.Name, fmt.Sprint(s.Value), want, do}
		}
		switch {
		case slices.Contains(rows, i):
			return nil, bad("one value for each name", "leave one of the two out")
		case s.Value < row.least || s.Value > row.most:
			return nil, bad(fmt.Sprintf("%d..%d %s", row.least, row.most, parameterRows[i].unit),
				"choose a value within the bounds")
		}
		rows = append(rows, i)
	}
	return rows, nil
}

// tune makes the settings, which check accepts: for each word that one of them is in, one compare-and-swap.
func (p *params) tune(settings []Setting, rows []int) error {
	changes := make([]control.Change, len(rows))
	for i, row := range rows {
		changes[i] = control.Change{Field: parameterRows[row].field, Value: settings[i].Value}
	}
	if n := control.Tune(p.words, changes); n < len(changes) {
		return fmt.Errorf("live parameter %s: %w", settings[n].Name, tried(triesMost))
	}
	return nil
}

// Parameters are the live parameters of the cache, in the order in which they are documented. Those that must
// be consistent, such as compact.living and compact.gain, are of one instant. It is nil if the cache is
// closed, or if others have all handles. Progress: wait-free, but for the wait for a handle of this process.
func (c *Cache) Parameters() []Parameter {
	s, err := c.reading()
	if err != nil {
		return nil
	}
	defer s.give(0)
	return c.params.all()
}

// Tune gives a live parameter another value, for all processes that have the cache, and for those to come. It
// is in force at once; a janitor that sleeps goes by it within half a second. What the parameter was before
// is lost; if two processes tune one parameter at once, one of the values stays. A process that is killed in
// the call has made the change or not.
//
// Errors: a *TuneError with ErrParameter for a name that the cache does not have, which says what names are
// similar, or with ErrValue for a value out of bounds, which names the bounds: then all is as before;
// ErrClosed; ErrBusy. Progress: lock-free.
func (c *Cache) Tune(name string, value uint64) error { return c.TuneAll(Setting{name, value}) }

// TuneAll is Tune for some parameters. All settings are checked before any is made. Those whose parameters
// must be consistent are made at one instant; others one after the other, so that a process which is killed
// in the call has made the first of them, or all. Errors and progress: those of Tune, and ErrValue for a name
// that is there twice.
func (c *Cache) TuneAll(settings ...Setting) error {
	if c == nil || c.readers == nil { // the bounds are those of a cache
		return fmt.Errorf("tune: %w", neverOpened{})
	}
	rows, err := c.params.check(settings)
	if err != nil {
		return failed("tune", err)
	}
	s, err := c.reading()
	if err != nil {
		return failed("tune", err)
	}
	err = c.params.tune(settings, rows)
	s.give(0)
	if err != nil {
		return failed("tune", err)
	}
	return nil
}

// ttl is for how long an entry of this process is found that is set without a time of its own. The caller has
// a handle.
func (c *Cache) ttl() time.Duration {
	if c.options.TTL != 0 {
		return c.options.TTL
	}
	return time.Duration(c.params.value(liveTTL)) * time.Millisecond
}
