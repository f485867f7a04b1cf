//go:build explore

package scenarios

import (
	"reflect"
	"testing"

	"github.com/samecycle/samecycle/explore"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// A search of the engine that is stopped and resumed reports exactly what one reports that is not
// stopped: counts, judged steps, histories, outcomes and tokens.
func TestCheckpoint_SameReport(t *testing.T) {
	p, _ := model.ProgramByName("S05AddEmptyGet")
	for _, o := range []Options{
		{Preemptions: explore.Unbounded, Kills: 1}, {Preemptions: 2, Stateless: true},
	} {
		whole, err := Explore(p, o)
		if err != nil || !whole.Exhaustive {
			t.Fatal(err, whole.Bound)
		}
		o.Checkpoints = t.TempDir()
		for pieces := uint64(1); ; pieces++ {
			o.Executions = 50 * pieces
			rep, err := Explore(p, o)
			if err != nil || rep.Failure != nil {
				t.Fatal(err, rep.Failure)
			}
			if !rep.Exhaustive {
				continue
			}
			if pieces < 2 {
				t.Errorf("%d pieces", pieces)
			}
			rep.Elapsed, whole.Elapsed = 0, 0
			if !reflect.DeepEqual(rep, whole) {
				t.Errorf("in %d pieces\n%+v\nwant\n%+v", pieces, rep, whole)
			}
			break
		}
	}
}
