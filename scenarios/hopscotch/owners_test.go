//go:build explore

package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/model/hopscotch/owner"
)

// An ownerValidator follows an execution of the engine in the model of owner words, step by step: what
// an access does to who owns a descriptor, to its head, its decision, and to whether its home cell
// refers to it, must be what the action of the accessing function does there. All other accesses must
// leave these alone.
//
// What the engine does without an access (a call begins, returns, or sees that its operation is over;
// the answer who is dead, which the explorer gives) the model does right before the step that shows it,
// but for that answer: the engine asks right after it has read the owner word.
type ownerValidator struct {
	m     *owner.Machine
	w     *world
	names map[string]string // engine function -> action
	steps map[string]uint64 // action -> accepted steps

	list  []owner.Step
	alter func(*explore.Step) // a canary: what the engine does not do

	// As those of validator.
	trail     []ownersAfter
	at, fresh int

	start  owner.State
	actors []int // of the model, by actor of the explorer
}

type ownersAfter struct {
	step   explore.Step
	states []owner.State
}

// newOwnerValidator starts from the world's memory: actor i of the model owns descriptor i. Actors from
// seated+1 on have no handle yet.
func newOwnerValidator(w *world, actors, seated int) (*ownerValidator, error) {
	n, all := int(w.table.Layout().Descriptors), numbers(1, actors)
	m, err := owner.New(owner.Config{Name: w.program.Name, Actors: actors,
		Entries:     min(actors, owner.MaxEntries),
		Descriptors: n, Seated: numbers(1, seated), Callers: all, Reclaimers: all, Closers: all,
		Mortal: all, MaxLives: 1, MaxDeaths: actors, MaxOps: mostOps, MaxCall: mostOps})
	if err != nil {
		return nil, err
	}
	v := &ownerValidator{m: m, w: w, names: map[string]string{}, steps: map[string]uint64{},
		actors: all, start: m.Initial()}
	for _, a := range register.OwnerActions() {
		for _, f := range a.Functions {
			if a.Folder == "impl/hopscotch" {
				v.names[f] = a.Name
			}
		}
	}
	p := v.picture()
	v.start.Head, v.start.Target = p.head, p.target
	for i := range seated {
		v.start.Loc[i].Gen = p.head[i].Gen
	}
	if diff := v.differs(&v.start); diff != "" {
		return nil, fmt.Errorf("%w: before the first step memory differs: %s", harness.ErrRejected, diff)
	}
	return v, nil
}

// mostOps is how many operations an actor may begin: a descriptor of the model has so many generations.
const mostOps = 12

func numbers(from, to int) (all []int) {
	for i := from; i <= to; i++ {
		all = append(all, i)
	}
	return all
}

// begin is the start of an execution.
func (v *ownerValidator) begin() { v.at, v.fresh = 0, 0 }

func (v *ownerValidator) states() []owner.State {
	if v.at == 0 {
		return []owner.State{v.start}
	}
	return v.trail[v.at-1].states
}

// step judges one step, unless it and all before it are those of the execution before.
func (v *ownerValidator) step(s explore.Step) error {
	if v.fresh == 0 && v.at < len(v.trail) && v.trail[v.at].step == s {
		v.at++
		return nil
	}
	next, err := v.accept(s)
	if err != nil {
		return err
	}
	v.trail = append(v.trail[:v.at], ownersAfter{s, next})
	v.at++
	v.fresh++
	return nil
}

func (v *ownerValidator) reject(s explore.Step, why string) error {
	return fmt.Errorf("%w of owner words: step %d of actor %d, %s: %s", harness.ErrRejected, s.Index,
		s.Actor+1,
		s.Func, why)
}

// accept returns the states after the step.
func (v *ownerValidator) accept(s explore.Step) ([]owner.State, error) {
	a := v.actors[s.Actor]
	switch s.Kind {
	case hook.Choice:
		return v.states(), nil
	case hook.Kill:
		return v.take(s, a, v.states(), owner.CallCrash)
	case hook.Begin:
		back := v.returned(v.states(), a)
		if len(back) == 0 {
			return nil, v.reject(s, "a call begins, and the model is in the last one still")
		}
		return back, nil
	}
	name := s.Func[strings.LastIndexByte(s.Func, '.')+1:]
	action, known := v.names[name]
	unchanged := v.differs(&v.states()[0]) == ""
	switch {
	case !known && unchanged:
		return v.states(), nil
	case !known:
		return nil, v.reject(s, "it is no action of owner words, and changes them: "+
			v.differs(&v.states()[0]))
	case slices.Contains(helpings, action) && unchanged:
		return v.states(), nil // a compare-and-swap that failed, or changed what is left out here
	case slices.Contains(helpings, action):
		return v.take(s, a, v.states(), owner.TableHelp, owner.TableMeet, owner.TableTakeBack)
	}
	next, err := v.take(s, a, v.closure(v.states(), a, unseen), actionOf(action))
	next = slices.DeleteFunc(v.closure(next, a, asking), func(st owner.State) bool {
		return slices.Contains(asking, st.Loc[a-1].PC)
	})
	return next, err
}

// returned are the states after the return of the actor's call, if it can have returned.
func (v *ownerValidator) returned(from []owner.State, a int) []owner.State {
	return slices.DeleteFunc(v.closure(from, a, returning), func(st owner.State) bool {
		pc := st.Loc[a-1].PC
		return pc != owner.Ready && pc != owner.Over && pc != owner.ProcessLock // is not there, or not yet
	})
}

// helpings are the steps of helpers, which change a descriptor's decision or its home cell or neither.
var helpings = []string{"TableHelp", "TableMeet", "TableTakeBack"}

// The steps without an access: those of whoever returns from a call and is about to begin the next, and
// those ahead of an access. Who is dead is asked right behind one; nothing else can be done then.
var (
	returning = []owner.Action{owner.TableOver, owner.CallReturn}
	asking    = []owner.Action{owner.ProcessState, owner.ProcessLocked}
	unseen    = []owner.Action{owner.TableOver, owner.CallReclaim, owner.CallClose, owner.ProcessLock,
		owner.ProcessPublish, owner.ProcessWithdraw, owner.ProcessUnlock}
)

func actionOf(name string) owner.Action { return owner.Action(slices.Index(owner.Actions(), name)) }

// closure adds to the states those that actor a reaches from them by the actions.
func (v *ownerValidator) closure(from []owner.State, a int, by []owner.Action) []owner.State {
	all := slices.Clone(from)
	for i := 0; i < len(all); i++ {
		v.list = v.m.Steps(&all[i], a, v.list[:0])
		for _, x := range v.list {
			if slices.Contains(by, x.Action) && !slices.Contains(all, x.Next) {
				all = append(all, x.Next)
			}
		}
	}
	return all
}

// meetWithin counts the TableMeet of an actor in the midst of its own operation.
const meetWithin = "TableMeet within"

// take makes a step of actor a from each state that allows it, and keeps what agrees with memory.
func (v *ownerValidator) take(s explore.Step, a int, from []owner.State,
	actions ...owner.Action) ([]owner.State, error) {
	var all []owner.State
	var made string
	why := ""
	for i := range from {
		was := &from[i]
		v.list = v.m.Steps(was, a, v.list[:0])
		for _, x := range v.list {
			if !slices.Contains(actions, x.Action) {
				continue
			}
			if w := v.refuses(s, x, was); w != "" {
				why = w
			} else if !slices.Contains(all, x.Next) {
				all, made = append(all, x.Next), x.Action.String()
				if l := &was.Loc[a-1]; x.Action == owner.TableMeet && l.PC == owner.TableHelp &&
					was.Cell[l.I-1] != 0 {
					made = meetWithin
				}
			}
		}
	}
	if len(all) > 0 {
		v.steps[made]++
		return all, nil
	}
	if why == "" {
		why = fmt.Sprintf("the model is about to make %v, not %v", from[len(from)-1].Loc[a-1].PC, actions)
	}
	return nil, v.reject(s, why)
}

// refuses says why a step of the model is not that of the engine.
func (v *ownerValidator) refuses(s explore.Step, x owner.Step, was *owner.State) string {
	kind, index, ok := v.touches(x, was)
	if word := uint64(index) * region.WordBytes; ok && s.Object != word {
		return fmt.Sprintf("the access is to offset %#x, that of %v to %#x", s.Object, x.Action, word)
	}
	if ok && s.Kind != kind {
		return fmt.Sprintf("the access is a %v, that of %v a %v", kindOf(s.Kind), x.Action, kindOf(kind))
	}
	for _, p := range owner.Properties() {
		if p.State != nil && !p.State(v.m, &x.Next) || p.Step != nil && !p.Step(v.m, was, &x.Next) {
			return "afterwards it violates " + p.Name
		}
	}
	if diff := v.differs(&x.Next); diff != "" {
		return fmt.Sprintf("after %v %s", x.Action, diff)
	}
	return ""
}

// touches is how a step accesses which word of memory; of helpers that shows in what they change.
func (v *ownerValidator) touches(x owner.Step, was *owner.State) (kind hook.Kind, index int, ok bool) {
	l := was.Loc[x.Actor-1]
	i := int(l.I)
	switch x.Action {
	case owner.OwnerTake, owner.OwnerTakeOver, owner.OwnerFree, owner.OwnerBack:
		return hook.CompareAndSwap, v.w.desc(i) + hopscotch.DescriptorOwner, true
	case owner.OwnerRead:
		return hook.Load, v.w.desc(i) + hopscotch.DescriptorOwner, true
	case owner.OwnerHead:
		return hook.Load, v.w.desc(i) + hopscotch.DescriptorHead, true
	case owner.OwnerRetire:
		return hook.Store, v.w.desc(i) + hopscotch.DescriptorHead, true
	case owner.TableFill:
		return hook.Store, v.w.desc(int(l.D)) + hopscotch.DescriptorHead, true
	case owner.OwnerTarget:
		return hook.Load, v.w.desc(i) + hopscotch.DescriptorTarget, true
	case owner.TableTarget:
		return hook.Store, v.w.desc(i) + hopscotch.DescriptorTarget, true
	case owner.OwnerHome:
		return hook.Load, v.home(i), true
	case owner.TableInstall:
		return hook.CompareAndSwap, v.home(i), true
	}
	return 0, 0, false
}

// home is the index in memory of the home cell that descriptor i names.
func (v *ownerValidator) home(i int) int {
	head := v.head(i)
	return v.w.cell(int(head.Half()), int(head.Home()))
}

// head is that of descriptor i of the model.
func (v *ownerValidator) head(i int) hopscotch.Head {
	return hopscotch.Head(v.w.memory[v.w.desc(i)+hopscotch.DescriptorHead])
}

// ownerPicture is what memory has of the model's variables. Of an owner word it is the number: nobody
// here has two lives, and who is dead the explorer says.
type ownerPicture struct {
	owner  [owner.MaxDescriptors]uint8
	head   [owner.MaxDescriptors]owner.Head
	target [owner.MaxDescriptors]owner.Target
	cell   [owner.MaxDescriptors]uint8
}

var ownerKinds = map[hopscotch.Kind]owner.Kind{
	hopscotch.KindNone: owner.None, hopscotch.KindNew: owner.Stays, hopscotch.KindAdd: owner.Stays,
	hopscotch.KindMove: owner.Stays, hopscotch.KindReplace: owner.Leaves, hopscotch.KindDrop: owner.Leaves,
	hopscotch.KindLift: owner.Leaves, hopscotch.KindClear: owner.Leaves,
}

var ownerStatuses = map[hopscotch.Status]owner.Status{
	hopscotch.StatusUndecided: owner.Undecided, hopscotch.StatusCommitted: owner.Committed,
	hopscotch.StatusAborted: owner.Aborted, hopscotch.StatusFull: owner.Full,
}

func (v *ownerValidator) picture() (p ownerPicture) {
	refs := v.w.table.RefLayout()
	for i := range int(v.w.table.Layout().Descriptors) {
		at := v.w.memory[v.w.desc(i+1):]
		head, target := v.head(i+1), hopscotch.Target(at[hopscotch.DescriptorTarget])
		p.owner[i] = uint8(hopscotch.Owner(at[hopscotch.DescriptorOwner]).Number())
		p.head[i] = owner.Head{Gen: uint8(head.Generation()), Kind: ownerKinds[head.Kind()]}
		p.target[i] = owner.Target{Gen: uint8(target.Generation()), St: ownerStatuses[target.Status()]}
		home := hopscotch.Word0(v.w.memory[v.home(i+1)])
		form := home.Form()
		if (form == hopscotch.FormClaimed || form == hopscotch.FormOperating) &&
			home.Ref() == refs.Make(uint32(i), head.Generation()) {
			p.cell[i] = p.head[i].Gen
		}
	}
	return p
}

// differs says what of the model's memory is not the engine's, "" if nothing.
func (v *ownerValidator) differs(s *owner.State) string {
	p := v.picture()
	for i := range int(v.w.table.Layout().Descriptors) {
		switch {
		case s.Owner[i].N != p.owner[i]:
			return fmt.Sprintf("descriptor %d has owner %d, the model's %d", i+1, p.owner[i], s.Owner[i].N)
		case s.Head[i] != p.head[i]:
			return fmt.Sprintf("descriptor %d has head %v, the model's %v", i+1, p.head[i], s.Head[i])
		case s.Target[i] != p.target[i]:
			return fmt.Sprintf("descriptor %d has target %v, the model's %v", i+1, p.target[i], s.Target[i])
		case s.Cell[i] != p.cell[i]:
			return fmt.Sprintf("home cell of descriptor %d refers to operation %d, the model's to %d", i+1,
				p.cell[i], s.Cell[i])
		}
	}
	return ""
}

// alone lets actor a of the model go on by itself, and keeps the states with that program counter that
// agree with memory. It makes no operation of its own and meets nobody.
func (v *ownerValidator) alone(from []owner.State, a int, pc owner.Action) (all []owner.State) {
	var by []owner.Action
	for i := range owner.Actions() {
		switch x := owner.Action(i); x {
		case owner.TableFill, owner.TableMeet, owner.CallCrash:
		default:
			by = append(by, x)
		}
	}
	for _, s := range v.closure(from, a, by) {
		if s.Loc[a-1].PC == pc && v.differs(&s) == "" {
			all = append(all, s)
		}
	}
	return all
}

// follow lets the model make a step.
func (c *reclaiming) follow(s explore.Step) error {
	if c.v == nil {
		return nil
	}
	if c.v.alter != nil {
		c.v.alter(&s)
	}
	return c.v.step(s)
}

// owners lets the model reclaim what is left as the engine has, and compares what was handed over, and
// what living clients were told of their own operations.
func (c *reclaiming) owners(x *explore.Execution) error {
	a, rest := len(c.told)+1, owner.CallReturn
	if x.Killed(a - 1) {
		a, rest = a+1, owner.Over
	}
	states := c.v.alone(c.v.states(), a, rest)
	if len(states) == 0 {
		return fmt.Errorf("%w of owner words: the last reclaim leaves another memory", harness.ErrRejected)
	}
	for i := range c.told {
		if states = c.v.returned(states, i+1); len(states) == 0 {
			return fmt.Errorf("%w of owner words: actor %d has ended, and the model is in a call still",
				harness.ErrRejected, i+1)
		}
	}
	why := ""
	for _, s := range states {
		if why = c.sameHanded(x, &s); why == "" {
			return nil
		}
	}
	return fmt.Errorf("%w of owner words: %s", harness.ErrRejected, why)
}

// sameHanded says what the model has handed over that the engine has not, or told. What a reclaimer was
// handed that died before its call returned nobody knows here.
func (c *reclaiming) sameHanded(x *explore.Execution, s *owner.State) string {
	died := x.Killed(len(c.told))
	for i := range c.told {
		died = died || x.Killed(i) && c.inside[i]
		told := 0
		for _, y := range s.Known {
			told += oneIf(y.Value != 0 && int(y.By.N) == i+1)
		}
		if !x.Killed(i) && told != c.left[i] {
			return fmt.Sprintf("%d values left by operations of actor %d, the model's by %d", c.left[i],
				i+1, told)
		}
	}
	certain, doubtful := map[uint32]int{}, map[uint32]int{}
	for _, r := range c.got {
		certain[r.Descriptor+1] += oneIf(r.Leaves && r.Certain)
		doubtful[r.Descriptor+1] += oneIf(r.Leaves && !r.Certain)
	}
	for d := 1; d <= len(c.told)+1; d++ {
		sure, unsure := s.Certain.Of(d)-certain[uint32(d)], s.Doubtful.Of(d)-doubtful[uint32(d)]
		if sure < 0 || unsure < 0 || !died && sure+unsure > 0 {
			return fmt.Sprintf("of descriptor %d the model has handed over %d values more for certain, "+
				"%d more in doubt", d, sure, unsure)
		}
	}
	return ""
}

// count adds the accepted steps.
func (v *ownerValidator) count(to map[string]uint64) {
	for action, n := range v.steps {
		to[action] += n
	}
}

// want sees to it that each of the actions was accepted somewhere.
func want(t *testing.T, steps map[string]uint64, actions ...string) {
	t.Helper()
	t.Log(steps)
	for _, a := range actions {
		if steps[a] == 0 {
			t.Errorf("no step was a %s", a)
		}
	}
}
