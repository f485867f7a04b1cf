package explore

import "fmt"

// Progress claims are checked at each step, in every schedule that is searched.
//
// Lock freedom means that some operation always ends. For finite executions it is a bound on the accesses of
// all actors together between the ends of two operations (Options.LockFree); a loop without progress exceeds
// every bound. Wait freedom means that each operation ends within a bounded number of its own accesses
// (Actor.Always). A death ends no operation.

func (o Options) checkClaims(p Program) error {
	switch {
	case o.Solo < 0 || o.LockFree < 0 || o.Solo > maxClaim || o.LockFree > maxClaim:
		return fmt.Errorf("%w: Solo is %d, LockFree is %d; use 0 to %d", ErrOptions, o.Solo, o.LockFree,
			maxClaim)
	case o.LockFree >= o.SpinLimit:
		return fmt.Errorf("%w: LockFree is %d, SpinLimit %d; an actor that waits would be set aside "+
			"before it is noticed: use a larger SpinLimit", ErrOptions, o.LockFree, o.SpinLimit)
	case o.Solo > 0 && o.Checkpoint != nil:
		return fmt.Errorf("%w: Solo with Checkpoint, which does not save what was probed; leave one out",
			ErrOptions)
	}
	return nil
}

// maxClaim bounds Solo and LockFree.
const maxClaim = 1 << 20

// claims checks the claims at an access of a.
func (e *engine) claims(a *actor) {
	a.operation++
	e.sinceEnd++
	if e.solo != nil {
		e.soloStep()
	}
	if a.always > 0 && a.operation > a.always {
		e.overlong(a)
	}
	if e.o.LockFree > 0 && e.sinceEnd > e.o.LockFree {
		e.fail(&Failure{Kind: NotLockFree, Message: fmt.Sprintf("no operation ended within %d accesses; "+
			"the last one was of %s", e.o.LockFree, a.name)})
	}
}

func (e *engine) overlong(a *actor) {
	e.fail(&Failure{Kind: NotWaitFree, Message: fmt.Sprintf("an operation of %s claims to end within "+
		"%d accesses of its own, and makes more", a.name, a.always)})
}

// operationEnds notes that a's operation has ended, if it made an access.
func (e *engine) operationEnds(a *actor) {
	if a.operation > 0 {
		e.gap()
		a.operation, e.sinceEnd = 0, 0
	}
}

// gap records the number of accesses since an operation ended.
func (e *engine) gap() { e.stats.LongestGap = max(e.stats.LongestGap, e.sinceEnd) }

// yields checks the claims at a Yield that finds nothing changed, which means that its actor waits.
func (e *engine) yields(a *actor) {
	if e.o.LockFree > 0 {
		e.fail(&Failure{Kind: NotLockFree, Message: fmt.Sprintf("%s yields until somebody else has done "+
			"something", a.name)})
	}
}
