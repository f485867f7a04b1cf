package written

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/model/search/tla"
)

func machineNamed(t testing.TB, name string) *Machine {
	t.Helper()
	p, ok := ProgramByName(name)
	if !ok {
		t.Fatalf("no program %s", name)
	}
	return machineOf(t, p)
}

func TestNewRefuses(t *testing.T) {
	for name, spoil := range map[string]func(p *Program){
		"too many cells":   func(p *Program) { p.N = MaxCells + 1 },
		"window too wide":  func(p *Program) { p.W = p.N + 1 },
		"no record":        func(p *Program) { p.Records = 0 },
		"too many records": func(p *Program) { p.Records = MaxRecords + 1 },
		"nobody":           func(p *Program) { p.Ops = nil },
		"too many clients": func(p *Program) { p.Ops = make([][]Op, MaxClients+1) },
		"key 0":            func(p *Program) { p.Ops = [][]Op{{get(0)}} },
		"key 17":           func(p *Program) { p.Ops = [][]Op{{get(MaxKeys + 1)}} },
		"small value":      func(p *Program) { p.Ops = [][]Op{{add(1, smallestValue-1)}} },
		"value of a get":   func(p *Program) { p.Ops = [][]Op{{{OpGet, 1, 10}}} },
		"cell outside":     func(p *Program) { p.Memory = []Element{{4, 0, 1, 10}} },
		"unknown reading":  func(p *Program) { p.Readings = []Reading{"never"} },
		"all die":          func(p *Program) { p.Deaths = len(p.Ops) + 2 },
		"small in memory":  func(p *Program) { p.Memory = []Element{{0, 0, 1, 1}} },
	} {
		p, _ := ProgramByName("S02AddCollision")
		if _, err := New(p); err != nil {
			t.Fatal(err)
		}
		spoil(&p)
		if m, err := New(p); !errors.Is(err, ErrProgram) || m != nil {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
}

func TestProgramsAreOfTheCatalog(t *testing.T) {
	for _, p := range Programs() {
		if s, ok := register.StateByID(p.State); !ok || s.ID != p.State {
			t.Errorf("%s: the catalog has no state %s", p.Name, p.State)
		}
		if !strings.HasPrefix(p.Name, p.State) {
			t.Errorf("%s is a program of %s: let its name begin like the state's", p.Name, p.State)
		}
	}
}

var (
	reOperator = regexp.MustCompile(`^(\w+)(?:\(t\))? ==`)
	reGuard    = regexp.MustCompile(`^  /\\ At\(\w+, "(\w+)"\)$`)
)

// Every action of the modules is a program counter of the model under its name, and the other way.
func TestActionsAreTheSpecifications(t *testing.T) {
	modules, err := filepath.Glob(filepath.Join(specDir, "*.tla"))
	if err != nil || len(modules) == 0 {
		t.Fatalf("no modules: %v", err)
	}
	spec := map[string]bool{}
	for _, path := range modules {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		operator := ""
		for _, line := range strings.Split(string(text), "\n") {
			if m := reOperator.FindStringSubmatch(line); m != nil {
				operator = m[1]
			}
			if m := reGuard.FindStringSubmatch(line); m != nil {
				if m[1] != operator && m[1] != "Idle" && m[1] != "Return" {
					t.Errorf("%s: the guard of %s is %s", path, operator, m[1])
				}
				spec[operator] = true
			}
		}
	}
	ours := map[string]bool{}
	m := machineNamed(t, "S01AddEmpty")
	for pc := Idle; pc < pcCount; pc++ {
		for actor := 1; actor <= m.actors(); actor++ {
			ours[m.action(pc, actor).name] = true
		}
	}
	for name := range spec {
		if !ours[name] {
			t.Errorf("action %s of the modules is missing in the model", name)
		}
	}
	for name := range ours {
		if !spec[name] {
			t.Errorf("action %s of the model is missing in the modules", name)
		}
	}
}

// neverTaken are actions that no program takes: they are compared with nothing.
var neverTaken = map[string]string{
	"ServeYieldPush":   "nobody else is at the yielding base of a full window in S03AddFull's programs",
	"ServeYieldFollow": "nobody else is at the yielding base of a full window in S03AddFull's programs",
}

// Every other action is taken in some program of a state.
func TestEveryActionFires(t *testing.T) {
	fired := map[string]int64{}
	halves, _ := ProgramByName("S04AddCollisionEmpty")
	halves.Halves = 2
	for _, p := range append(ofStates(), halves) {
		x := Explore(t.Context(), machineOf(t, p), Options{Unchecked: true})
		for name, n := range x.Fired {
			fired[name] += n
		}
	}
	m := machineNamed(t, "S01AddEmpty")
	for pc := Idle; pc < pcCount; pc++ {
		for actor := 1; actor <= m.actors(); actor++ {
			name := m.action(pc, actor).name
			if why := neverTaken[name]; (why == "") != (fired[name] > 0) {
				t.Errorf("%s fires %d times; said to be never taken: %q", name, fired[name], why)
			}
		}
	}
}

// atRestAfter is a state at rest of a program that holds.
func atRestAfter(t *testing.T, m *Machine) State {
	t.Helper()
	var rest State
	Explore(t.Context(), m, Options{Visit: func(s *State) {
		if m.atRest(s) {
			rest = *s
		}
	}})
	if !m.atRest(&rest) {
		t.Fatal("the program does not come to rest")
	}
	return rest
}

// Each property holds of a good state, and is red once its own matter is spoilt.
func TestPropertiesCanFail(t *testing.T) {
	m := machineNamed(t, "S02AddCollision_Alone")
	rest := atRestAfter(t, m)
	spoilt := map[string]func(s *State){
		"TypeOK":        func(s *State) { s.free = s.free.With(0) },
		"NoPhantom":     func(s *State) { s.l[0] = local{pc: Return, i: 1, r: 77} },
		"NothingMissed": func(s *State) { s.l[0] = local{pc: Return, i: 1, r: Absent} },
		"OneWinner":     func(s *State) { s.l[0] = local{pc: Return, i: 1, r: Deleted} },
		"NothingLost":   func(s *State) { s.c[0].M = s.c[0].M.Without(1) },
		"NothingBack": func(s *State) {
			for i := range s.lin[:s.linN] {
				s.lin[i].v = None
			}
		},
		"KeysUnique":  func(s *State) { s.c[2].K = 1 },
		"ValueKept":   func(s *State) { s.tv[1].V++ },
		"Owned":       func(s *State) { s.c[1].O = 2 },
		"TakenExact":  func(s *State) { s.tv[0].M = s.tv[0].M.With(2) },
		"NothingLeft": func(s *State) { s.c[1].N++ },
		"StashBack":   func(s *State) { s.free = s.free.Without(2) },
		"Reclaimed":   func(s *State) { s.c[1].K = Lost },
	}
	for _, p := range Properties() {
		if bad := p.Bad(m, &rest); bad != "" {
			t.Errorf("%s of a good state: %s", p.Name, bad)
		}
		s := rest
		if spoilt[p.Name] == nil {
			t.Errorf("%s has no canary", p.Name)
			continue
		}
		if spoilt[p.Name](&s); p.Bad(m, &s) == "" {
			t.Errorf("%s holds of a spoilt state", p.Name)
		}
	}
}

// A service that starts its walk again for ever, one that stands still, and a client that waits for
// nobody: each is found, under the name that TLC has for it.
func TestHangsAreFound(t *testing.T) {
	for _, x := range []struct {
		name, program, property string
		hook                    func(m *Machine) func(action string, next *State)
	}{
		{"livelock", "S01AddEmpty", Terminates, func(m *Machine) func(string, *State) {
			return func(action string, next *State) {
				if l := &next.l[m.service()-1]; action == "ServeWalk" && l.pc != ServeWalk {
					*l = local{pc: ServeWalk, i: 1, kind: NewBase, j: 1, s: l.s}
				}
			}
		}},
		{"stutter", "S01AddEmpty", Terminates, func(m *Machine) func(string, *State) {
			return func(action string, next *State) {
				if l := &next.l[m.service()-1]; action == "ServeWalk" {
					*l = local{pc: ServeWalk, i: 1, kind: NewBase, j: 1, s: l.s}
				}
			}
		}},
		{"deadlock", "S15GetMany", Deadlock, func(*Machine) func(string, *State) {
			return func(action string, next *State) {
				if action == "SearchPop" {
					next.free = 0
				}
				if action == "SearchStash" {
					next.c[0] = Word0{F: BaseOp, S: 1, FL: Root, K: 1}
				}
			}
		}},
	} {
		m := machineNamed(t, x.program)
		m.hook = x.hook(m)
		r := Explore(t.Context(), m, Options{Properties: []Property{}})
		if r.Violation == nil || r.Violation.Property != x.property {
			t.Errorf("%s: want %s, got %v", x.name, x.property, r.Violation)
			continue
		}
		if m.hook = nil; Explore(t.Context(), m, Options{}).Violation != nil {
			t.Errorf("%s: %s is violated without the change", x.name, x.program)
		}
	}
}

// The text of a state is what the reader of TLC's text makes of it: canonical.
func TestTextIsCanonical(t *testing.T) {
	m := machineNamed(t, "S06AddCollisionGet")
	n := 0
	Explore(t.Context(), m, Options{Unchecked: true, Visit: func(s *State) {
		text := m.TLA(s)
		if got, err := tla.Canonical(text); got != text || err != nil {
			t.Fatalf("canonical is\n%s, not\n%s, %v", got, text, err)
		}
		n++
	}})
	if n < 1000 {
		t.Errorf("only %d states were read", n)
	}
}

// A counterexample is a path: each step is the actor's next one, and the last state is bad.
func TestCounterexampleIsAPath(t *testing.T) {
	m := machineNamed(t, "S06AddCollisionGet")
	x := Explore(t.Context(), m, Options{}).Violation
	if x == nil || len(x.Steps) < 2 || x.Steps[0].State != m.Initial() {
		t.Fatalf("no path: %v", x)
	}
	for i, st := range x.Steps[1:] {
		next, action, ok, err := m.Next(&x.Steps[i].State, st.Actor)
		if !ok || err != nil || action != st.Action || next != st.State {
			t.Errorf("step %d is not %s of actor %d", i+1, st.Action, st.Actor)
		}
	}
	p, _ := PropertyByName(x.Property)
	if p.Bad == nil || p.Bad(m, &x.Steps[len(x.Steps)-1].State) == "" {
		t.Errorf("%s holds of the last state", x.Property)
	}
	rows := strings.Split(strings.TrimSpace(x.String()), "\n")
	if len(rows) != len(x.Steps)+1 || !slices.Contains(strings.Fields(rows[1]), "completion") {
		t.Errorf("the table has %d rows for %d steps:\n%s", len(rows), len(x.Steps)-1, x)
	}
}
