package basket

import (
	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/control"
	"github.com/samecycle/samecycle/impl/region"
	model "github.com/samecycle/samecycle/model/basket"
)

// The parameters of ageing are a word of package control, as in a cache: each half of the pair is a field of
// it. What a half stands for:
//
//	half            1        2
//	one tier:
//	first  Living   1 %      100 %   what lives in the store is always more than that, or less
//	second Gain     100 %    1 %     no gain is enough, or each one is
//	tiers:
//	first  Share 0  1 %      100 %   each basket of the tier is too many, or none
//	second Share 1  1 %      100 %
//
// So a basket that retires is compacted only if both halves are 2.
type params struct {
	words region.Words // one
	last  model.Pair   // that the call in progress has gone by

	// Of canaries: two loads are made of one; what a call has loaded is used by the next one; two changes are
	// made of one; a change does not compare; what the halves stand for is exchanged.
	torn, kept, halves, blind, other bool
}

// Fields of the word.
var lowField, highField = control.First(0), control.Second(0)

// pairOf is the pair of a word.
func pairOf(word uint64) model.Pair {
	low, _ := lowField.Of(word)
	high, _ := highField.Of(word)
	return model.Pair{Low: uint8(low), High: uint8(high)}
}

// wordOfPair is the word of a pair.
func wordOfPair(p model.Pair) uint64 {
	return highField.In(lowField.In(0, uint64(p.Low)), uint64(p.High))
}

// read is the pair that a call goes by.
func (p *params) read() model.Pair {
	if p.kept && p.last != (model.Pair{}) {
		return p.last
	}
	p.last = pairOf(control.Read(p.words, 0))
	if p.torn {
		p.last.Low = pairOf(control.Read(p.words, 0)).Low
	}
	return p.last
}

// change changes the halves that are not 0.
func (p *params) change(to model.Pair) {
	var changes []control.Change
	if to.Low != 0 {
		changes = append(changes, control.Change{Field: lowField, Value: uint64(to.Low)})
	}
	if to.High != 0 {
		changes = append(changes, control.Change{Field: highField, Value: uint64(to.High)})
	}
	switch {
	case p.halves:
		for _, c := range changes {
			control.Tune(p.words, []control.Change{c})
		}
	case p.blind:
		p.words[0].Store(wordOfPair(pairOf(control.Read(p.words, 0)).Changed(to)))
	default:
		control.Tune(p.words, changes)
	}
}

// percent is what a half stands for.
func percent(half uint8) uint32 {
	if half == 1 {
		return 1
	}
	return 100
}

// tuning is that of a writer whose calls want so many free baskets.
func (p *params) tuning(tiers bool, free int) (t basket.Tuning) {
	pair := p.read()
	if p.other {
		pair = model.Pair{Low: 3 - pair.Low, High: pair.High}
	}
	t.Reserve = free
	if tiers {
		t.Share[0], t.Share[1] = percent(pair.Low), percent(pair.High)
		t.Reserve = 1 // which is free, so that none retires
		return t
	}
	t.Living, t.Gain = percent(pair.Low), percent(3-pair.High)
	return t
}
