package main

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/newengine"
)

// TestNewEngine_SaysWhatIsNext: a person is told the files, where the engine is entered, and the commands to
// run next.
func TestNewEngine_SaysWhatIsNext(t *testing.T) {
	var b strings.Builder
	err := newEngineReport(newengine.Engine{Name: "ring", Letter: "R",
		Files: []string{"impl/ring/ring.go", "x"}, Edited: []string{"list.go"}}).Text(&b)
	const want = `the engine ring, whose states begin with R, has these files:
  impl/ring/ring.go
  x
it is entered in list.go
next, to see that its chain of evidence is green:
  make build
  bin/samecycle check --engine ring
  go test ./internal/lint
then change it as docs/add-an-engine.md says
`
	if b.String() != want || err != nil {
		t.Errorf("%v\n%s\nwant\n%s", err, b.String(), want)
	}
}
