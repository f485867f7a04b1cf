package tlc

import (
	"fmt"
	"os"

	"github.com/samecycle/samecycle/internal/disk"
)

// blameSpace says that a run without a judgement had no space, if that is so: full is why, as far as it was
// seen while the files of the run were there. TLC says it of the states only: a standard module that it could
// not unpack is to it one that does not parse.
func (r *Result) blameSpace(full error) {
	if r.Outcome != Failed {
		return
	}
	if said := disk.Said(r.Message); full == nil && said != nil {
		full = fmt.Errorf("%s: %w", os.TempDir(), said) // it has tidied up
	}
	if full != nil {
		r.Resources, r.Message = true, disk.Advice("TLC", full, "TMPDIR")
	}
}
