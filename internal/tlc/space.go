package tlc

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// spaceWanted is more than any file that TLC unpacks, so that the space which a truncated one of them
// leaves is none.
const spaceWanted = 1 << 18

// noSpace is why a file in the folder cannot be written; nil if it can.
func noSpace(folder string) error {
	f, err := os.CreateTemp(folder, "samecycle-space-")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, spaceWanted))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// blameSpace says that a run without a judgement had no space, if that is so. TLC says it of the states only:
// a standard module that it could not unpack is to it one that does not parse.
func (r *Result) blameSpace(full error) {
	if r.Outcome != Failed {
		return
	}
	if full == nil && strings.Contains(r.Message, "No space left on device") {
		full = fmt.Errorf("%s: no space left on device", os.TempDir()) // TLC has tidied up
	}
	if full != nil {
		r.Resources = true
		r.Message = fmt.Sprintf("TLC had no space for its temporary files: %v; free some, or set TMPDIR to "+
			"a folder that has more", full)
	}
}
