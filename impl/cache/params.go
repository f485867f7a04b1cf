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

// Live parameters are numbers that control a cache, and that any process may change while others work
// (Cache.Tune). They are words of the region. A process reads such a word whenever it needs the number, so a
// change is in force for all processes at once. There are two exceptions: a janitor that sleeps sees the
// change when it wakes, which is within half a second, and Ask reads its limits once in 256 calls (asker.go).
// One compare-and-swap makes a change, so no death leaves half of one. Package control knows where the bits
// of a parameter are.

// paramsMost is the number of words of SectionParams. Words that no row names are spare, and stay zero.
const paramsMost = 32

// Parameter is a live parameter of a cache.
type Parameter struct {
	Name        string // the name for Tune, such as "ttl.default"
	Unit        string // of the value: "ms", "percent", "baskets", "records", "processes", "calls a second"
	Value       uint64 // the value in force
	Default     uint64 // the value in force as long as nobody has tuned the parameter
	Least, Most uint64 // bounds of the value, both inclusive
	Meaning     string // what the number decides, as one sentence
	Tuned       bool   // somebody has tuned the parameter to the value
	Damaged     bool   // the value in the region is out of bounds, and the default is in force
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

// TuneError says which change was refused, and what to do about it.
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

// Unwrap returns the reason.
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
	liveShare                               // of the top tier; those of the other tiers follow
	liveAge   = liveShare + basket.TiersMax // the same
	lives     = liveAge + basket.TiersMax   // the number of all rows
)

// parameterRow is a row of the table: everything that defines a live parameter.
type parameterRow struct {
	name, unit, meaning string
	field               control.Field
	normal, least, most amount
}

// amount is a number that may depend on the geometry of the cache.
type amount func(l basket.Layout) uint64

// always is a number that does not depend on it.
func always(n uint64) amount { return func(basket.Layout) uint64 { return n } }

// Bounds of parameters that do not follow from another constant.
const (
	ttlMost     = 100 * 365 * 24 * 3600 * 1000 // milliseconds: 100 years
	everyMost   = 60_000                       // milliseconds
	recordsMost = 1 << 20
)

// parameterRows is the table of live parameters. To add one, add its index above and its row here, with a
// field that no other row has. A field is never given to another parameter.
var parameterRows = [lives]parameterRow{
	liveTTL: {"ttl.default", "ms", "time to live of an entry that is set without one, by a process " +
		"without Options.TTL; 0 means for ever",
		control.Alone(0), always(0), always(0), always(ttlMost)},
	liveLiving: {"compact.living", "percent", "while less than this part of all records is live, baskets " +
		"are compacted to make room, and no entry leaves",
		control.First(1), always(basket.DefaultLiving), always(1), always(99)},
	liveGain: {"compact.gain", "percent", "a basket is compacted only if this frees more than this part " +
		"of it; with 100 no basket is compacted",
		control.Second(1), always(basket.DefaultGain), always(1), always(100)},
	liveEvery: {"janitor.every", "ms", "time between two turns of the janitor of a process",
		control.Alone(2), always(uint64(tickEvery / time.Millisecond)), always(5), always(everyMost)},
	liveReserve: {"janitor.reserve", "baskets", "number of free baskets that the janitors, and the calls " +
		"that set values, keep ready",
		control.Alone(3), normalReserve, always(1), mostReserve},
	liveRecords: {"janitor.records", "records", "most records that a janitor visits in one turn",
		control.Alone(4), always(tendRecords * tendMost), always(tendRecords), always(recordsMost)},
	liveRun: {"janitor.run", "processes", "number of processes whose janitors make room, and take back " +
		"what dead processes held, at the same time; with 0 the calls that set values do all of this",
		control.Alone(5), always(1), always(0), always(janitorsMost)},
	liveObject: {"quota.object", "calls a second", "how often one key may be asked for (Ask) before it " +
		"becomes a suspect; 0 means no limit",
		control.Alone(16), always(0), always(0), always(quota.RateMax)},
	liveClient: {"quota.client", "calls a second", "how often one client may ask (Ask); 0 means no limit",
		control.Alone(17), always(0), always(0), always(quota.RateMax)},
	liveRetry: {"quota.retry", "ms", "time for which the first offence makes a key a suspect; each " +
		"further offence doubles it, up to 64 times and at most an hour",
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

// tierShare and tierAge are the rows of a tier. A cache without this tier does not have them.
func tierShare(tier int, f control.Field) parameterRow {
	return parameterRow{fmt.Sprintf("tier.%d.share", tier), "percent", "part of the cache that the tier " +
		"may have before its oldest entries move down or leave; 0 lets the policy choose",
		f, always(0), always(0), always(100)}
}

func tierAge(tier int, f control.Field) parameterRow {
	return parameterRow{fmt.Sprintf("tier.%d.age", tier), "ms", "entries that are older move down; in " +
		"the last tier they leave unless they were used; 0 means no limit",
		f, always(0), always(0), mostAge(tier)}
}

// mostAge is the upper bound of the age of a tier. It is 0 if the policy does not use the age.
func mostAge(tier int) amount {
	return func(l basket.Layout) uint64 {
		if tinyLFU, _ := basket.NameOf(TinyLFU{}.Name()); tier == 0 && l.Policy == tinyLFU {
			return 0
		}
		return ttlMost
	}
}

// normalReserve is the default reserve of a basket.Writer.
func normalReserve(l basket.Layout) uint64 { return uint64(basket.ReserveOf(l)) }

// mostReserve is half of the baskets.
func mostReserve(l basket.Layout) uint64 { return uint64(max(l.Baskets/2, 1)) }

// params are the live parameters of a cache.
type params struct {
	words region.Words
	rows  [lives]struct{ normal, least, most uint64 } // for the geometry of the cache
	tiers int
}

// has reports whether the cache has parameter i. A parameter of a tier exists only if the tier does, and if
// its bounds allow more than one value.
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

// word loads the word that contains parameter i.
func (p *params) word(i int) uint64 { return control.Read(p.words, parameterRows[i].field.Word) }

// value is the value in force of parameter i.
func (p *params) value(i int) uint64 {
	return p.valueOf(i, p.word(i))
}

// valueOf is the value in force of parameter i according to its word.
func (p *params) valueOf(i int, word uint64) uint64 {
	row := &p.rows[i] // each Set calls this, so it computes only the number
	if v, tuned := parameterRows[i].field.Of(word); tuned && v >= row.least && v <= row.most {
		return v
	}
	return row.normal
}

// in is parameter i according to its word, without its name, unit and meaning.
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

// all returns all parameters. Those that share a word are read at one instant.
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

// damage lists the parameters whose words contain a value that no process writes.
func (p *params) damage() (found []error) {
	for _, x := range p.all() {
		if x.Damaged {
			found = append(found, fmt.Errorf("live parameter %s is out of bounds, want %d..%d %s: "+
				"tune it anew", x.Name, x.Least, x.Most, x.Unit))
		}
	}
	return found
}

// tuning returns the parameters of a writer. Numbers that share a word come from one load: both numbers of
// compaction, and the shares of two tiers. So baskets move down by shares that were set together.
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

// find returns the row of a name.
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

// check verifies settings, and returns their rows.
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

// tune makes settings that check has accepted, with one compare-and-swap for each word that they change.
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

// Parameters returns the live parameters of the cache, in the order in which they are documented. Parameters
// that must be consistent, such as compact.living and compact.gain, are read at one instant. The result is
// nil if the cache is closed, or if other processes have all handles. Progress: wait-free, except for the
// wait for a handle of this process.
func (c *Cache) Parameters() []Parameter {
	s, err := c.reading()
	if err != nil {
		return nil
	}
	defer s.give(0)
	return c.params.all()
}

// Tune gives a live parameter another value, for all processes that have the cache open and for those that
// open it later. The value is in force at once; a janitor that sleeps follows it within half a second, and
// Ask and Admit within 256 calls. The previous value is lost. If two processes tune one parameter at once,
// one of the values stays. A process that is killed in the call has made the change or not.
//
// Errors: a *TuneError with ErrParameter for a name that the cache does not have, which suggests similar
// names; a *TuneError with ErrValue for a value out of bounds, which names the bounds; ErrClosed; ErrBusy.
// After a *TuneError nothing has changed. Progress: lock-free.
func (c *Cache) Tune(name string, value uint64) error { return c.TuneAll(Setting{name, value}) }

// TuneAll tunes several parameters. It checks all settings before it makes any. Settings whose parameters
// must be consistent are made at one instant. Others are made one after the other, so a process that is
// killed in the call has made none, some of the first, or all of them. Errors and progress: those of Tune,
// and ErrValue for a name that occurs twice.
func (c *Cache) TuneAll(settings ...Setting) error {
	if c == nil || c.readers == nil { // the bounds are those of a cache
		return fmt.Errorf("tune: %w", neverOpened{})
	}
	rows, err := c.params.check(settings)
	if err != nil {
		return failed("tune", c.refusal(err))
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

// ttl is the time to live of an entry that this process sets without a time of its own. The caller must have
// a handle.
func (c *Cache) ttl() time.Duration {
	if c.options.TTL != 0 {
		return c.options.TTL
	}
	return time.Duration(c.params.value(liveTTL)) * time.Millisecond
}
