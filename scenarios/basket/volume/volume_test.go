package volume

import (
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/stress"
	"github.com/samecycle/samecycle/stress/stresstest"
)

func TestMain(m *testing.M) {
	stresstest.Main(m, func(name string) stress.Subject { return liar(name) })
}

// needDeaths are the states whose race is a death.
var needDeaths = []string{"C10OpenOwnerDies", "C11RetireOwnerDies"}

func TestCampaign_Goroutines(t *testing.T) { stresstest.Goroutines(t, Subject(), 4, needDeaths...) }

func TestCampaign_Processes(t *testing.T) { stresstest.Processes(t, Subject(), needDeaths...) }

// liar is a subject of which each client lies now and then about what it has seen, or has been told.
func liar(name string) *subject {
	lie, ok := lies[name]
	if !ok {
		return &subject{}
	}
	n, last := 0, map[uint32]uint64{}
	return &subject{lie: func(req stress.Words, res *stress.Words, notes *[]stress.Words) {
		if n++; n > 500 && lie(req, res, notes, last) {
			n = 0
		}
		if kindOf(req) == kindGet && res[1] != 0 {
			last[keyOf(req)] = res[1]
		}
	}}
}

// lie changes what a client says, which has found last before; false: this operation is of no use for that.
type lie func(req stress.Words, res *stress.Words, notes *[]stress.Words, last map[uint32]uint64) bool

const halfMask = 1<<halfBits - 1

// lies are by their names.
var lies = map[string]lie{
	"alien": func(req stress.Words, res *stress.Words, _ *[]stress.Words, _ map[uint32]uint64) bool {
		if kindOf(req) != kindGet || res[1] == 0 {
			return false
		}
		res[1]++
		return true
	},
	"silent": func(_ stress.Words, _ *stress.Words, notes *[]stress.Words, _ map[uint32]uint64) bool {
		if len(*notes) == 0 || reasonOf((*notes)[0]) != basket.ReasonEvicted {
			return false
		}
		*notes = (*notes)[1:]
		return true
	},
	"twice": func(_ stress.Words, _ *stress.Words, notes *[]stress.Words, _ map[uint32]uint64) bool {
		if len(*notes) == 0 {
			return false
		}
		*notes = append(*notes, (*notes)[0])
		return true
	},
	"old": func(req stress.Words, res *stress.Words, _ *[]stress.Words, last map[uint32]uint64) bool {
		old := last[keyOf(req)]
		if kindOf(req) != kindGet || old == 0 || old == res[1] {
			return false
		}
		res[1] = old
		return true
	},
	"mark": func(req stress.Words, res *stress.Words, _ *[]stress.Words, _ map[uint32]uint64) bool {
		if kindOf(req) != kindGet || res[1] == 0 {
			return false
		}
		res[0] ^= resultSuspect
		return true
	},
	"pair": func(req stress.Words, res *stress.Words, _ *[]stress.Words, last map[uint32]uint64) bool {
		const key = 1 << 20 // for the parameters that were gone by before
		old := last[key]
		if kindOf(req) != kindTend || res[1] == 0 {
			return false
		}
		last[key] = res[1]
		if old&halfMask == res[1]&halfMask || old == 0 {
			return false
		}
		res[1] = res[1]&^halfMask | old&halfMask // torn
		return true
	},
	"taken": func(req stress.Words, res *stress.Words, _ *[]stress.Words, _ map[uint32]uint64) bool {
		if kindOf(req) != kindSet || res[1] == 0 {
			return false
		}
		res[1] = 0
		return true
	},
}

// found are what the judges say of each lie.
var found = map[string][]string{
	"alien":  {"which was never set"},
	"silent": {"and nobody was told"},
	"twice":  {"was told 2 times"},
	"old":    {"linearizable", "was gone in an earlier round"},
	"taken":  {"linearizable"},
	"mark":   {"linearizable"},
	"pair":   {"linearizable"},
}

// stateOf is that in whose run the lie is told.
func stateOf(lie string) string {
	switch lie {
	case "mark":
		return "C19SuspectSet"
	case "pair":
		return "C20ParameterChange"
	}
	return "C01GetReuse"
}

// TestCanary_Lies: each lie is found, by the judge that is named.
func TestCanary_Lies(t *testing.T) {
	for name, says := range found {
		s := liar(name)
		inner := s.lie
		gate := make(chan struct{}, 1) // goroutines share the subject
		s.lie = func(req stress.Words, res *stress.Words, notes *[]stress.Words) {
			gate <- struct{}{}
			inner(req, res, notes)
			<-gate
		}
		r := stresstest.State(t, s, stateOf(name), stress.Options{Threads: 4})
		stresstest.Found(t, name, r, says...)
	}
}

// TestCanary_Processes: processes that are killed hide no lie of those who live.
func TestCanary_Processes(t *testing.T) {
	for name, says := range found {
		if name == "silent" { // a death may hide some of that
			continue
		}
		r := stresstest.State(t, Subject(), stateOf(name), stress.Options{Processes: 3,
			Worker: stresstest.Worker(t, name)})
		stresstest.Found(t, name, r, says...)
	}
}

// TestSameOldest: the mark of C06 needs one basket in one life of it, and a second client that claims it.
func TestSameOldest(t *testing.T) {
	seen := func(basket, sequence, more uint64) uint64 {
		return seenOldest | more | basket<<lastAt | sequence<<lifeAt
	}
	claimed := seen(3, 7, seenTaken)
	for name, c := range map[string]struct {
		a, b uint64
		want bool
	}{
		"the same":              {seen(3, 7, 0), claimed, true},
		"another basket":        {seen(2, 7, 0), claimed, false},
		"another life":          {seen(3, 6, 0), claimed, false},
		"nobody claims it":      {seen(3, 7, 0), seen(3, 7, 0), false},
		"the first claims it":   {claimed, seen(3, 7, 0), false},
		"the first saw nothing": {0, claimed, false},
	} {
		if sameOldest(c.a, c.b) != c.want {
			t.Errorf("%s: %v, want %v", name, !c.want, c.want)
		}
	}
}
