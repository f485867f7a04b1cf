package basket

// The accesses of the code to the parameters of ageing.

// read: who ages loads the parameters, as often as it likes as long as it retires no basket.
func (p *pacer) read() {
	l := p.local()
	switch {
	case !p.x.Pair:
		p.no("what is loaded are not the parameters")
	case l.PC == ParamRead:
		p.step(func(x *stepper) { x.params(l) })
	case p.m.inTend(&p.s.State, p.a) && l.Retiring == 0 && (l.rests() || l.PC == ClientReturn):
		l.Pair = p.s.Pair
		p.put(l)
	default:
		p.at()
	}
}

// tuneLoad: the parameters are loaded for a change.
func (p *pacer) tuneLoad() {
	l := p.local()
	switch {
	case !p.x.Pair:
		p.no("what is loaded are not the parameters")
	case l.PC != TuneLoad:
		p.at()
	default:
		p.step(func(x *stepper) { x.params(l) })
	}
}

// tuneSwap: they are changed.
func (p *pacer) tuneSwap() {
	l := p.local()
	success := p.s.Pair == l.Pair
	switch {
	case !p.x.Pair:
		p.no("what is swapped are not the parameters")
	case l.PC != TuneSwap:
		p.at()
	case success != p.x.OK:
		p.no("the parameters are as the actor has loaded them: %v, the swap was made: %v", success, p.x.OK)
	default:
		p.step(func(x *stepper) { x.params(l) })
	}
}
