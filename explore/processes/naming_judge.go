package processes

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/region"
)

// The judge of a naming: one region at most, which is whole for all who see it; a name unless all creators
// have died; nobody who lives keeps a file that did not get it.

func (f *naming) finish(x *explore.Execution) error {
	if counts := f.counts; x.Again() {
		defer func() { f.counts = counts }()
	}
	all := 0
	for i, c := range f.comers {
		if err := f.came(i, c); err != nil {
			return err
		}
		living := !x.Gone(f.processes[i])
		all += int(one(living && c.region != nil))
		f.counts.Late += int(one(living && c.late))
		f.counts.Missed += int(one(living && errors.Is(c.err, fs.ErrNotExist)))
	}
	f.counts.Attached += int(one(all == len(f.comers)))
	if f.folder.Named == 0 { // no creator lives, for that one would have the region of a file with a name
		f.counts.Nameless++
		return nil
	}
	return f.later()
}

// named is the file that has the name, -1 for none.
func (f *naming) named() int { return int(f.folder.Named) - 1 }

// came is what one process has to say: it has the region that has the name, or, an opener, found none, and
// keeps no other.
func (f *naming) came(i int, c *namer) error {
	name := f.processes[i].Name
	if c.region != nil && c.of != f.named() {
		return fmt.Errorf("%w: %s has the region of file %d, and file %d has the name", ErrCreation, name,
			c.of+1, f.folder.Named)
	}
	if f.x.Gone(f.processes[i]) {
		return nil
	}
	if c.region == nil && (i < f.Creators || !errors.Is(c.err, fs.ErrNotExist)) {
		return fmt.Errorf("%w: %s has no region: %w", ErrCreation, name, c.err)
	}
	if i < f.Creators && i != f.named() && f.folder.locks[i] != (Locks{}) {
		return fmt.Errorf("%w: %s keeps a file that has no name", ErrCreation, name)
	}
	return nil
}

// later lets one more process come when all is over: where there is the name there is a whole region, and
// it knows who lives.
func (f *naming) later() error {
	file := f.named()
	r, err := region.Attach(f.files[file].View(0), f.Layout, f.system(file, len(f.processes)))
	if err != nil {
		return fmt.Errorf("%w: who comes later: %w", ErrCreation, err)
	}
	var all []attached
	for i, c := range f.comers {
		if c.region != nil {
			all = append(all, attached{f.processes[i].Name, c.region.Process(), !f.x.Gone(f.processes[i])})
		}
	}
	return errors.Join(known(r, all), r.Close())
}

// String is one line for a person.
func (t NamingTally) String() string {
	return fmt.Sprintf("%d times all attached, %d times one made a region and found the name taken, "+
		"%d times an opener found no name, %d times all creators died before there was one",
		t.Attached, t.Late, t.Missed, t.Nameless)
}

// Missing is what has not happened in a search in which all may die; "" if all has. Whether there is an
// opener to find no name depends on the program.
func (t NamingTally) Missing() string {
	switch 0 {
	case t.Attached:
		return "nowhere do all attach"
	case t.Late:
		return "nobody finds the name taken"
	case t.Nameless:
		return "nowhere do all creators die before there is a name"
	}
	return ""
}
