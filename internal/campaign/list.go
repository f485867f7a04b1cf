package campaign

import "github.com/samecycle/samecycle/internal/evidence/closure"

// All lists the campaigns in the order in which they are shown.
var All = []Campaign{
	{"storm", "kills processes of one cache", "results/cache/storm.json", "make storm",
		closure.Scope{Packages: []string{"internal/cachestorm"}}},
	{"hostile-cache", "overwrites words of a cache", "results/cache/hostile.json", "make hostile-cache",
		closure.Scope{Packages: []string{"internal/cachestorm/hostile"}}},
	{"hostile-slots", "overwrites words of a client's slot file", "results/cache/hostile-slots.json",
		"make hostile-slots", closure.Scope{Packages: []string{"internal/cachestorm/hostileslots"}}},
	{"stress", "kills processes of one hash map", "results/hopscotch/stress.json", "make stress",
		closure.Scope{Packages: []string{"scenarios/hopscotch/volume"}}},
	{"churn", "deletes and adds in a hash map that is nearly full", "results/hopscotch/churn.json",
		"make churn", closure.Scope{Packages: []string{"impl/hopscotch"},
			Files: []string{"impl/hopscotch/churn*_test.go"}}},
	{"spec-large", "runs the large programs of the specification", "results/hopscotch/spec/large.json",
		"make spec-large", closure.Scope{Files: []string{"spec/tla/hopscotch/*.tla"}}},

	mutants("cache", "impl/cache"),
	mutants("basket", "impl/basket", "impl/quota"),
	mutants("hopscotch", "impl/hopscotch"),
	mutants("shardmap", "impl/shardmap"),
	mutants("slots", "impl/slots"),
	mutants("control", "impl/control", "impl/handover"),

	{"fuzz", "gives odd input to whatever reads some", "results/fuzz.md", "make fuzz",
		closure.Scope{Packages: []string{"explore", "harness", "impl/hopscotch", "linearizability",
			"internal/tlc", "scenarios/hopscotch"}, Files: []string{"fuzz/*_test.go"}}},
	{"goker", "explores tests with known faults", "results/bench/goker.md", "make goker",
		closure.Scope{Packages: []string{"foreign"}, Files: []string{"bench/goker/*.go"}}},
	{"racetests", "explores the tests of Go's race detector", "results/bench/racetests.md", "make racetests",
		closure.Scope{Packages: []string{"foreign"}, Files: []string{"bench/racetests/*.go"}}},
	{"modules", "explores the tests of other people's modules", "results/bench/modules.json", "make modules",
		closure.Scope{Packages: []string{"foreign"}, Files: []string{"bench/modules/*.go"}}},
	{"rivals", "compares the explorer with others", "results/bench/rivals.md", "make rivals",
		closure.Scope{Packages: []string{"explore"}, Files: []string{"bench/rivals/*.go"}}},
	{"policies", "hit ratios of the policies", "results/cache/policies.json", "make bench-ratio",
		closure.Scope{Packages: []string{"impl/cache", "internal/trace/ours"},
			Files: []string{"bench/ratio/*.go"}}},
	{"bench-cache", "times of the cache beside others", "results/cache/bench.json", "make bench-cache",
		closure.Scope{Packages: []string{"impl/cache"}, Files: []string{"bench/caches/*.go"}}},
	{"bench", "times of the hash map beside others", "results/bench/README.md", "make bench",
		closure.Scope{Packages: []string{"impl/hopscotch"}, Files: []string{"bench/*.go"}}},
	{"bench-shardmap", "times of the sharded map beside others", "results/shardmap/bench/figures.json",
		"make bench-shardmap", closure.Scope{Packages: []string{"impl/shardmap"},
			Files: []string{"bench/sharded/*.go"}}},
	{"bench-slots", "times of calls by slots beside others", "results/slots/bench/figures.json",
		"make bench-slots", closure.Scope{Packages: []string{"impl/remote"},
			Files: []string{"bench/slots/*.go"}}},
}

// mutants is the campaign of the faults seeded into the packages of an engine. The tests of these packages
// are judges, too.
func mutants(engine string, packages ...string) Campaign {
	s := closure.Scope{Packages: packages}
	for _, p := range packages {
		s.Files = append(s.Files, p+"/*_test.go")
	}
	return Campaign{"mutants-" + engine, "seeds faults into " + packages[0],
		"results/" + engine + "/mutants.json", "make mutants", s}
}
