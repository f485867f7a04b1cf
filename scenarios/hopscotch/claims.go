package scenarios

import model "github.com/samecycle/samecycle/model/hopscotch"

// How many accesses a get claims to need at most when it runs alone. It looks at two cells first, the home
// in half 1 and its nearest member. In each half it reads the version and the base word; at most the words
// of one descriptor and its head again; the version again; each member's word, value and word again; and at
// last the version. Changes that others made before it ran alone can make it start over in each half, but
// only once, because nothing changes any more.
const (
	readDescriptor = 7
	readMember     = 3
	readHalf       = 2 + readDescriptor + 1 + (model.ProgramWindow-1)*readMember + 1
	readTouch      = 2
	getAlone       = readTouch + 2*model.Halves*readHalf
)

// alone is the claim of an actor with these operations; 0 if only the common limit holds.
func alone(ops []model.Op) int {
	for _, op := range ops {
		if op.Op != model.OpGet {
			return 0
		}
	}
	return getAlone
}
