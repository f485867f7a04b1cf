package evidence

import (
	"strings"
	"testing"
)

// TestMatrix_StaleSaysWhy: a stale cell has what has changed below the matrix, also when all states have it.
// If that is more than one file, it says who names them all.
func TestMatrix_StaleSaysWhy(t *testing.T) {
	root := newRoot(t)
	save(t, root, green(t, root, s01))
	save(t, root, green(t, root, s02))
	put(t, root, "spec/A.tla", "another text")
	for _, want := range []string{
		"STALE spec all 2 states\n  spec/A.tla has changed since the judgement; run: ",
		"STALE spec all 2 states\n  spec/A.tla has changed, and 1 more of what it rests on (samecycle " +
			"states --why CELL names all) since the judgement; run: ",
	} {
		part := matrixOf(root, bothCovered).Keep(func(link, state string) bool {
			return link == "spec" && (state == s01 || state == s02)
		})
		var b strings.Builder
		err := part.Render(&b, RenderOptions{Width: 200})
		if err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%v, without %q:\n%s", err, want, b.String())
		}
		put(t, root, "spec/B.tla", "a file that was not there")
	}
}
