package explore

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"time"
)

// An Estimate says how many executions a search without the state cut has, from a sample drawn before the
// search.
type Estimate struct {
	Program    string
	Seed       uint64
	Samples    uint64  // executions drawn
	Executions float64 // estimated number of executions of the search, or of one of its shards
	StdErr     float64 // standard error of Executions
	Low, High  float64 // the middle half of the samples lies between
	Accesses   float64 // mean per drawn execution
	PerSecond  float64 // executions drawn per second
	Failure    *Failure
}

// String says the estimate and how reliable it is.
func (e Estimate) String() string {
	s := fmt.Sprintf("about %s executions, standard error %s (%d samples from seed %d, half of them "+
		"between %s and %s), %.0f accesses each", count(e.Executions), count(e.StdErr), e.Samples,
		e.Seed, count(e.Low), count(e.High), e.Accesses)
	if e.PerSecond > 0 {
		s += ", " + duration(e.seconds(0))
	}
	return s
}

// seconds is how long that many executions take. With a limit that is lower, it is the time for the limit; 0
// is no limit.
func (e Estimate) seconds(limit uint64) float64 {
	n := e.Executions
	if limit > 0 {
		n = min(n, float64(limit))
	}
	return n / e.PerSecond
}

// Limits says which of the two limits is likely to end the search before it is complete: a number
// of executions or a duration, 0 for none. It is empty if the search is likely to end within both.
func (e Estimate) Limits(executions uint64, time time.Duration) string {
	if e.PerSecond == 0 {
		return ""
	}
	seconds := e.seconds(executions)
	switch {
	case time > 0 && seconds > time.Seconds():
		return fmt.Sprintf("the limit of %v ends it before it is complete", time)
	case executions > 0 && e.Executions > float64(executions):
		return fmt.Sprintf("the limit of %d executions ends it before it is complete, after about %s",
			executions, duration(seconds))
	}
	return ""
}

// count renders a number of executions. It is exact while a person can read it at a glance.
func count(x float64) string {
	if x < 1e6 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.1e", x)
}

// duration renders seconds in the unit that suits.
func duration(seconds float64) string {
	switch {
	case seconds < 100:
		return fmt.Sprintf("%.1f s", seconds)
	case seconds < 2*3600:
		return fmt.Sprintf("%.0f min", seconds/60)
	case seconds < 48*3600:
		return fmt.Sprintf("%.0f h", seconds/3600)
	case seconds < 2*365*86400:
		return fmt.Sprintf("%.0f days", seconds/86400)
	}
	return fmt.Sprintf("%.2g years", seconds/(365*86400))
}

// EstimateSize draws executions of p within the bounds of o, and estimates how many there are. Each sample
// is the inverse of the probability with which the execution was drawn. Its mean is the number of
// executions, whatever the probabilities are; they only decide the variance. Knuth, Estimating the
// Efficiency of Backtrack Programs, 1975; Chen, Heuristic Sampling, 1992. A failure among the samples ends
// the estimate and is part of it. All shards of Options.Shards are taken to have equal shares.
// Options.Walks, Strategy and MaxExecutions have no effect on it; Seed has.
//
// Errors: ErrOptions for a search that is Stateful or Reduce. Such a search ends an execution at a state
// seen before, or leaves out equivalent executions, often all but one of billions. No sample can tell how
// many.
func EstimateSize(p Program, o Options, samples uint64) (Estimate, error) {
	if o.Stateful || o.Reduce {
		return Estimate{}, fmt.Errorf("%w: an estimate of a search that is Stateful or Reduce; "+
			"how many executions these leave out is not known before: search without an estimate",
			ErrOptions)
	}
	shards := float64(max(1, o.Shards))
	o.Strategy, o.Depth, o.MaxExecutions = Plain, 0, 0
	o.Shard, o.Shards, o.Checkpoint, o.Coverage, o.Solo = 0, 0, nil, nil, 0
	o.Walks = samples + measured
	o = o.withDefaults()
	if err := o.check(p); err != nil {
		return Estimate{}, err
	}
	e := newEngine(p, o)
	k := &sampler{Rand: rand.New(rand.NewPCG(o.Seed, k2))}
	e.walk = k
	began := time.Now()
	r, err := control(e, (*engine).search)
	if err != nil {
		return Estimate{}, err
	}
	est := Estimate{Program: p.Name, Seed: o.Seed, Samples: uint64(len(k.sizes)), Failure: r.Failure}
	if r.Executions > 0 {
		est.Accesses = float64(r.Steps) / float64(r.Executions)
		est.PerSecond = float64(r.Executions) / time.Since(began).Seconds()
	}
	for i := range k.sizes {
		k.sizes[i] /= shards
	}
	est.Executions, est.StdErr = meanAndError(k.sizes)
	if slices.Sort(k.sizes); len(k.sizes) > 0 {
		est.Low, est.High = k.sizes[len(k.sizes)/4], k.sizes[len(k.sizes)*3/4]
	}
	return est, nil
}

// meanAndError returns the mean of x and its standard error.
func meanAndError(x []float64) (mean, err float64) {
	n := float64(len(x))
	if n < 2 {
		return slices.Max(append(x, 0)), math.Inf(1)
	}
	unit := slices.Max(x) // squares of the numbers themselves could overflow
	for _, v := range x {
		mean += v / unit / n
	}
	sum := 0.0
	for _, v := range x {
		sum += (v/unit - mean) * (v/unit - mean)
	}
	return mean * unit, math.Sqrt(sum/(n-1)/n) * unit
}

// largestLog is the logarithm of the largest number of executions that a sample can say, about 10^300. A
// larger number counts as this one.
const largestLog = 690

// A sampler draws executions, and notes the probability of each. The first executions only measure how many
// accesses each actor makes, and are not samples.
type sampler struct {
	*rand.Rand
	lengths
	drawn   uint64
	log     float64 // of the inverse probability of the execution as drawn so far
	sizes   []float64
	weights [2 * MaxActors]float64
}

func (k *sampler) begin(*engine) { k.log = 0 }

func (k *sampler) step(*engine, *actor) {}

func (k *sampler) end(e *engine) {
	k.learn(e)
	if k.drawn++; k.drawn > measured {
		k.sizes = append(k.sizes, math.Exp(min(k.log, largestLog)))
	}
}

func (k *sampler) clause(*engine) string { return "drawn to estimate their number" }

func (k *sampler) data(opts uint64) int {
	n := bits.OnesCount64(opts)
	k.log += math.Log(float64(n))
	return nth(opts, k.IntN(n))
}

// pick draws an option with a probability close to its share of the executions, as far as that can be
// estimated.
func (k *sampler) pick(e *engine, a *actor, opts uint64) int {
	k.weigh(e, a, opts)
	sum := 0.0
	for m := opts; m != 0; m &= m - 1 {
		sum += k.weights[bits.TrailingZeros64(m)]
	}
	at, c := k.Float64()*sum, 0
	for m := opts; m != 0; m &= m - 1 {
		c = bits.TrailingZeros64(m)
		if at -= k.weights[c]; at < 0 {
			break
		}
	}
	k.log += math.Log(sum / k.weights[c])
	return c
}

// weigh estimates the shares. With n accesses left, of which r are a's, r of n orders start with a. One
// order in (n choose r) is left if a dies now. A bound on preemptions leaves one switch in n accesses for
// each preemption that is left.
func (k *sampler) weigh(e *engine, a *actor, opts uint64) {
	steps := opts & (1<<killBit - 1)
	n, others := 0.0, float64(bits.OnesCount64(steps)-1)
	for m := steps; m != 0; m &= m - 1 {
		n += k.left(e, bits.TrailingZeros64(m))
	}
	bounded := e.o.Preemptions >= 0
	stays := bounded && a != nil && steps>>uint(a.id)&1 == 1
	turn := min(0.5, float64(e.o.Preemptions-e.preempts)/n)
	for m := steps; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		switch {
		case stays && int32(i) == a.id && others > 0:
			k.weights[i] = 1 - turn
		case stays && others > 0:
			k.weights[i] = turn / others
		case bounded:
			k.weights[i] = 1 / (others + 1)
		default:
			k.weights[i] = k.left(e, i) / n
		}
		k.weights[i] *= 1 + float64(e.killsLeft*bits.OnesCount64(e.live))
	}
	for m := opts &^ (1<<killBit - 1); m != 0; m &= m - 1 {
		c := bits.TrailingZeros64(m)
		r := min(n, k.left(e, c-killBit))
		if bounded {
			k.weights[c] = max(leastDeath, math.Pow(1-r/(n+1), float64(e.o.Preemptions-e.preempts)))
		} else {
			k.weights[c] = max(leastDeath, math.Exp(lgamma(n-r+1)+lgamma(r+1)-lgamma(n+1)))
		}
	}
}

// leastDeath is the least probability of a death. A death that is drawn more rarely would spoil the mean.
const leastDeath = 1e-3

func lgamma(x float64) float64 { v, _ := math.Lgamma(x); return v }

// nth returns the number of the i-th bit that is set in m.
func nth(m uint64, i int) int {
	for ; i > 0; i-- {
		m &= m - 1
	}
	return bits.TrailingZeros64(m)
}
