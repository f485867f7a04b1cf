package evidence

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence/closure"
)

// Reason says why a cell has no fresh record, and the status that follows.
type Reason struct {
	Status Status
	Text   string // may have several lines; the first one is enough to act on
}

// RunLink runs one link over its states, and saves the records. Every state ends with a record of this run,
// or with a Reason in the returned map.
//
// A panic makes each state without a record fail, and an error makes it unknown. That is recorded, too, so
// an older green record does not outlive a run that broke down. If a tool is missing, or ctx ends, older
// records are not changed. The error means that a record could not be written; if that is known before the
// run, the link is not run.
func RunLink(ctx context.Context, r Runner, env Env, states []catalog.State,
	progress Progress) (map[string]Reason, error) {
	reasons := map[string]Reason{}
	if ctx.Err() != nil {
		for _, s := range states {
			reasons[s.ID] = reasonFor(ctx, ctx.Err())
		}
		return reasons, nil
	}
	if err := writable(env, r.Link(), states); err != nil {
		for _, s := range states {
			reasons[s.ID] = Reason{NotRun, err.Error()}
		}
		return reasons, err
	}
	if env.Tree == nil {
		env.Tree = closure.Open(env.Root)
	}
	bases, err := basesOf(ctx, r, env)
	if err != nil {
		for _, s := range states {
			reasons[s.ID] = Reason{Unknown, err.Error()}
		}
		return reasons, nil
	}
	k := newKeeper(env, r.Link(), bases, states)
	env.Save = k.save
	records, runErr := runGuarded(ctx, r, env, states, progress)
	for _, rec := range records {
		_ = k.save(rec) // the keeper remembers why it refused a record
	}
	var all []error
	for _, s := range states {
		if k.saved[s.ID] {
			continue
		}
		why := reasonFor(ctx, runErr)
		if refused := k.refused[s.ID]; refused != nil {
			why = Reason{Unknown, refused.Error()}
		}
		reasons[s.ID] = why
		if why.Status != NotRun {
			all = append(all, k.broken(s.ID, why, "samecycle check --link "+r.Link()))
		}
	}
	dropUnused(env.Root, env.Engine.Name, r.Link())
	return reasons, errors.Join(all...)
}

// basesOf returns, before the judgement begins, what the verdict on each state that the link covers depends
// on. So a file that changes during the judgement makes the record stale.
func basesOf(ctx context.Context, r Runner, env Env) (map[string]Basis, error) {
	scope, err := r.Scope(env)
	if err != nil {
		return nil, err
	}
	covered, err := r.Covers(env)
	if err != nil {
		return nil, err
	}
	lists := map[string]closure.List{}
	var shared closure.List
	for _, state := range covered {
		list, err := env.Tree.Of(ctx, scope, state)
		if err != nil {
			return nil, err
		}
		lists[state] = list
		if shared == nil {
			shared = maps.Clone(list)
		}
		maps.DeleteFunc(shared, func(name, hash string) bool { return list[name] != hash })
	}
	bases := map[string]Basis{}
	for state, list := range lists {
		bases[state] = BasisOf(list, shared)
	}
	return bases, nil
}

// writable reports whether the records of a run can be written. If not, the run does not begin.
func writable(env Env, link string, states []catalog.State) error {
	for _, s := range states {
		if err := Writable(Path(env.Root, env.Engine.Name, link, s.ID)); err != nil {
			return err
		}
	}
	return nil
}

func reasonFor(ctx context.Context, err error) Reason {
	var p *panicError
	switch {
	case errors.As(err, &p):
		return Reason{Fail, p.Error()}
	case ctx.Err() != nil:
		return Reason{NotRun, "stopped before it was judged"}
	case err == nil:
		return Reason{Unknown, "the runner returned no record"}
	case errors.Is(err, ErrNotRun):
		return Reason{NotRun, err.Error()}
	}
	return Reason{Unknown, err.Error()}
}

// keeper saves the records of one link's run. Its maps are read only after the run.
type keeper struct {
	root, engine, link string
	bases              map[string]Basis
	asked              map[string]bool

	mu      sync.Mutex
	saved   map[string]bool
	refused map[string]error
}

func newKeeper(env Env, link string, bases map[string]Basis, states []catalog.State) *keeper {
	k := &keeper{root: env.Root, engine: env.Engine.Name, link: link, bases: bases,
		asked: map[string]bool{}, saved: map[string]bool{}, refused: map[string]error{}}
	for _, s := range states {
		k.asked[s.ID] = true
	}
	return k
}

func (k *keeper) save(r Record) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r.Link == "" {
		r.Link = k.link
	}
	if r.Engine == "" {
		r.Engine = k.engine
	}
	r.Inputs = k.bases[r.State]
	if r.Engine != k.engine || r.Link != k.link || !k.asked[r.State] {
		return fmt.Errorf("%w: nobody asked the link %s of %s for %s/%s/%s", ErrRecord, k.link, k.engine,
			r.Engine, r.Link, r.State)
	}
	if err := r.Save(k.root); err != nil {
		k.saved[r.State], k.refused[r.State] = false, err
		return err
	}
	k.saved[r.State] = true
	delete(k.refused, r.State)
	return nil
}

// broken records a run that broke down.
func (k *keeper) broken(state string, why Reason, command string) error {
	r := Record{Engine: k.engine, Link: k.link, State: state, Status: why.Status, Command: command,
		Bound: "the run broke down", Inputs: k.bases[state], Detail: strings.Split(why.Text, "\n")}
	return r.Save(k.root)
}

// panicError is a panic of a runner, with its stack.
type panicError struct {
	value any
	stack string
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

func runGuarded(ctx context.Context, r Runner, env Env, states []catalog.State,
	progress Progress) (records []Record, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &panicError{v, cleanStack(string(debug.Stack()))}
		}
	}()
	return r.Run(ctx, env, states, progress)
}

var (
	reAddresses = regexp.MustCompile(`\(0x[^)]*\)|\(\{0x.*\}?\)| \+0x[0-9a-f]+|0x[0-9a-f]+`)
	reFolders   = regexp.MustCompile(`^\s+.*/([^/]+/[^/]+\.go:\d+)`)
)

// cleanStack returns the frames of a stack from the panic down to the runner, without addresses and folders,
// because these differ from run to run and from machine to machine.
func cleanStack(stack string) string {
	lines := strings.Split(strings.TrimSpace(stack), "\n")
	var out []string
	for i, l := range lines {
		switch {
		case strings.HasPrefix(l, "panic(") && i+1 < len(lines):
			out = nil
			lines[i+1] = ""
			continue
		case strings.Contains(l, "evidence.runGuarded("):
			return strings.Join(out, "\n")
		case l == "":
			continue
		}
		l = reFolders.ReplaceAllString(l, "    $1")
		out = append(out, reAddresses.ReplaceAllString(l, ""))
	}
	return strings.Join(out, "\n")
}
