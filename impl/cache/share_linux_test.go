package cache

import "testing"

// The writers of the dead are free for others, until somebody needs them and also before: else a cache whose
// processes were killed would have none to spare for ever.
func TestShare_WritersOfTheDeadAreFree(t *testing.T) {
	path := cacheFile(t)
	j := byHand(open(t, path, inFile(32)))
	set(t, j.Cache, "k", "v")
	free := func(want int) {
		t.Helper()
		if all, free := j.freeWriters(); free != all-want || all < 4 {
			t.Errorf("%d of %d writers are free, want all but %d", free, all, want)
		}
	}
	all, _ := j.freeWriters()
	for range all {
		other := startChild(t, path, 32)
		if got := other.ask("set a 1"); got != "set" {
			t.Fatal(got)
		}
		free(2)
		other.kill()
		other.wait()
		free(1)
	}
	if used := j.store.Stats().Writers; used != all {
		t.Errorf("the dead have %d entries, want %d: the test needs more deaths", used, all)
	}
	hoard(t, open(t, path, Options{Writers: handlesMax, NoJanitor: true, hashBits: 32}), 2)
	if j.share(); j.writers.made.Load() != 1 {
		t.Error("a writer is given up though those of the dead are free")
	}
}
