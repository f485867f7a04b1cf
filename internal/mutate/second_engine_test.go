package mutate

import (
	"testing"

	"github.com/samecycle/samecycle/internal/catalog/shardmap/mutants"
)

// second is an engine without deaths, with judges that are tests of other packages than its scenarios.
func second(t *testing.T) *Engine {
	t.Helper()
	e, err := NewEngine("shardmap", mutants.Mutation(), Programs{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// testsIn is the stage of the registered tests of a folder.
func testsIn(t *testing.T, e *Engine, folder string) []stage {
	t.Helper()
	for _, s := range e.stages {
		if s.explored != nil && s.explored.Folder == folder {
			return []stage{s}
		}
	}
	t.Fatalf("no tests of %s judge", folder)
	return nil
}

// The programs, the tests of the package, those of the package in the build with the explorer, and those at
// full speed each kill what they are for.
func TestRun_CanariesOfASecondEngine(t *testing.T) {
	e := second(t)
	const volume = "scenarios/shardmap/volume"
	judgeCanaries(t, e, []canary{
		{name: "steps.go:Lock.readEnter#2 drop-operand", change: "return (1)",
			stages: e.stages[:1], verdict: Killed, judge: "step validation"},
		{name: "map.go:New#3 relation", change: "o.Shards < 1 && o.Shards > MaxShards", stages: e.stages[1:2],
			verdict: Killed, judge: "tests"},
		{name: "cleanup.go:inOrder#1 other-variable", change: "fmt.Sprint(b), fmt.Sprint(b)",
			stages: testsIn(t, e, e.Code().Dir), verdict: Killed, judge: "tests of impl/shardmap"},
		{name: "map.go:Map.Put#6 drop-statement", change: "- \t\ts.entries[key] = entry",
			stages: testsIn(t, e, volume), verdict: Killed, judge: "tests of " + volume},
		{name: "cleanup.go:Map.FullCleanup#2 swap-apart", change: "defer m.cleanupLeave()",
			stages: e.stages[:1], verdict: Survived}, // two checks that no program comes to fail
	})
}
