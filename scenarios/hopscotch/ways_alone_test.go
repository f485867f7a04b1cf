//go:build explore

package scenarios

import (
	"errors"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// What a get, an update or a ticket claims to need of a table that nobody else is at work on, in accesses
// that are steps of the specification: those that only bring a cell into the cache come on top, readTouch
// at most. A home is two, and a match one more; a member that does not match is one, one that does is
// three. Who proves that a half with members has not the key, or changes a member or has a ticket of it,
// looks at the version at last. An update swaps.
const (
	readHome = 2
	readLast = 1
	swap     = 1
)

// aloneAt is the claim for the key of the shape. One that is at the base of half 1 is looked for there
// first.
func (s *shape) aloneAt(kind model.OpKind) int {
	_, offset, there := s.place()
	all := 0
	if there && kind == model.OpUpdate {
		all += swap
	}
	if there && offset == 0 {
		return all + readHome + 1
	}
	for h := range s.buckets {
		all += readHome
		for o, k := range s.buckets[h] {
			switch {
			case o == 0 || k == 0:
			case k == wayKey && kind != model.OpGet:
				return all + readMember + readLast
			case k == wayKey:
				return all + readMember
			default:
				all++
			}
		}
		if s.buckets[h][1] != 0 || s.buckets[h][2] != 0 {
			all += readLast
		}
	}
	return all
}

// A get, an update or a ticket that nobody disturbs makes no more accesses than it claims for the place of
// its key.
func TestWays_Alone(t *testing.T) {
	for _, s := range shapes() {
		for _, op := range wayOps {
			p := s.program("alone", []model.Op{op})
			_, r, err := prepare(p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			start, step, steps, touches := r.Program.Start, r.Program.Step, 0, 0
			r.Program.Start = func(x *explore.Execution) []explore.Actor { // twice, to see that it can be
				steps, touches = 0, 0
				return start(x)
			}
			r.Program.Step = func(x *explore.Execution, e explore.Step) error {
				switch name := stepName(e); {
				case name == "searchTouch":
					touches++
				case e.Kind.Access():
					steps++
				}
				return step(x, e)
			}
			rep, err := explore.Explore(r.Program, r.Options)
			if err != nil || rep.Failure != nil || rep.Executions != 1 {
				t.Fatal(p.Name, err, rep.Failure, rep.Executions)
			}
			if want := s.aloneAt(op.Op); steps > want || touches > readTouch {
				t.Errorf("%s: %v: %d accesses and %d touches, claims %d and %d", p.Name, op, steps, touches,
					want, readTouch)
			}
		}
	}
}

// From each state that others leave a get, an update or a ticket alone comes to its end within so many
// accesses.
func TestWays_NeedNobody(t *testing.T) {
	each(t, func(s *shape, x meanwhile, op model.Op) (Report, error) {
		p := s.program(x.name, []model.Op{op}, x.ops)
		return s.explored(p, Options{Solo: 300}, map[string]int{})
	})
}

// A model without one of these repairs refuses the engine where an operation goes the way that the
// repair is about.
func TestWays_TellProtocolsApart(t *testing.T) {
	get, update, ticket := wayOps[0], wayOps[1], wayOps[2]
	for _, c := range []struct {
		fix         model.Fix
		shape, what string
		op          model.Op
	}{
		{model.FixVersionCheck, "base of 1", "update", get},
		{model.FixFrozenValue, "absent, bases", "come", get},
		{model.FixMemberBase, "nearest of 1, base", "update", update},
		{model.FixPhase, "nearest of 0, base", "usurp", get},
		{model.FixStashedMember, "base of 0, base", "add", get},
		{model.FixHelp, "nearest of 0, base", "usurp", update},
		{model.FixVersionCheck, "base of 1", "update", ticket},
		{model.FixMemberBase, "nearest of 1, base", "update", ticket},
		{model.FixStashedMember, "base of 0, base", "add", ticket},
		{model.FixHelp, "nearest of 0, base", "usurp", ticket},
	} {
		for _, s := range shapes() {
			for _, x := range s.meanwhile() {
				if s.name != c.shape || x.name != c.what {
					continue
				}
				p := s.program(x.name, []model.Op{c.op}, x.ops)
				o := Options{Preemptions: 2, Fixes: model.AllFixes &^ c.fix}
				_, err := s.explored(p, o, map[string]int{})
				if !errors.Is(err, harness.ErrRejected) {
					t.Errorf("%s: without repair %#x: %v, want %v", p.Name, c.fix, err, harness.ErrRejected)
				}
			}
		}
	}
}

// A program that has lost its way is found out: the key is not where the shape has it.
func TestWays_KeyIsInItsPlace(t *testing.T) {
	here, there := shapeOf("here", bucket(1, 2), bucket()), shapeOf("there", bucket(), bucket(1, 2))
	p := here.program("alone", wayOps[:1])
	if _, err := here.explored(p, Options{}, map[string]int{}); err != nil {
		t.Error(err)
	}
	if _, err := there.explored(p, Options{}, map[string]int{}); !errors.Is(err, errWay) {
		t.Errorf("%v, want %v", err, errWay)
	}
}
