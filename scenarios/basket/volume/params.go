package volume

import (
	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/control"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/stress"
)

// params are the parameters of ageing, a word of package control as in a cache, in the region of a run whose
// recipe changes them. Each value that a client gives to a half is a number of its own. Whether it is odd
// says what is done: a basket is compacted only if both halves are.
type params struct {
	words region.Words // nil: the run has none
	last  uint64       // that the call has gone by: the first half, and above it the second; 0: none
	other bool         // another client has changed them since, ahead of what is decided by them
	at    uint64       // lookups of the watch until then
	raced bool         // the call has decided by some that were others by then
}

// The part of the region.
const (
	paramsEngine  = "pair"
	paramsSection = "words"
)

func paramsPart() region.Part {
	return region.Part{Engine: paramsEngine, Version: 1,
		Sections: []region.Section{{Name: paramsSection, Bytes: region.WordBytes}}}
}

// paramsOf are those of a region.
func (r recipe) paramsOf(all *region.Region) (p params, err error) {
	if r.tunes {
		p.words, err = all.Section(paramsEngine, paramsSection)
	}
	return p, err
}

// Fields of the word, and which of them a change is about.
var lowField, highField = control.First(0), control.Second(0)

const (
	bothHalves uint32 = iota
	lowHalf
	highHalf
	changes // how many there are
)

const (
	halfBits   = 32
	ownerShift = 19 // a value of a half is the owner of who sets it, and below it a serial number
)

// now are the two halves as they are.
func (p *params) now() uint64 {
	if p.words == nil {
		return 0
	}
	word := control.Read(p.words, 0)
	low, _ := lowField.Of(word)
	high, _ := highField.Of(word)
	return low | high<<halfBits
}

// changed are the halves of old with those that a change is about.
func changed(old uint64, half uint32, value uint64) uint64 {
	low, high := uint64(uint32(old)), old>>halfBits
	if half != highHalf {
		low = value
	}
	if half != lowHalf {
		high = value
	}
	return low | high<<halfBits
}

// change makes it.
func (p *params) change(half uint32, value uint64) {
	var all []control.Change
	if half != highHalf {
		all = append(all, control.Change{Field: lowField, Value: value})
	}
	if half != lowHalf {
		all = append(all, control.Change{Field: highField, Value: value})
	}
	control.Tune(p.words, all)
}

// tuning is asked ahead of each choice of a basket. Behind the load a watch lingers until somebody has
// changed what was loaded.
func (c *client) tuning() (t basket.Tuning) {
	p := &c.params
	c.decided()
	p.last = p.now()
	if other := func() bool { return p.now() != p.last }; c.watch != nil {
		c.watch.linger(lingerYields, other)
		p.other, p.at = other(), c.watch.lookups
	}
	t.Living, t.Gain = 1, 100
	if p.last&1 != 0 {
		t.Living = 100
	}
	if p.last>>halfBits&1 != 0 {
		t.Gain = 1
	}
	return t
}

// decided notes whether the parameters that were loaded last were others when they decided: whether a record
// of a basket was looked up since.
func (c *client) decided() {
	p := &c.params
	p.raced = p.raced || p.other && c.watch.lookups > p.at
	p.other = false
}

// tend makes room by the parameters. The result is what it has gone by last.
func (c *client) tend() (stress.Words, error) {
	c.params.last, c.params.other, c.params.raced = 0, false, false
	_, err := c.writer.Tend(noteStop)
	c.decided()
	return stress.Words{done, c.params.last}, err
}
