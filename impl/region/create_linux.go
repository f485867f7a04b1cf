package region

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/samecycle/samecycle/internal/seam"
	"golang.org/x/sys/unix"
)

// Creating a region. The file is built without a name, and gets its name in the last step. So no other
// process ever meets an unfinished region. If several processes create one name, one of them succeeds. A
// creator that is killed at any step leaves nothing. Only if the file system has no files without a name, the
// region is built in place under its name.

// creation is one region while it is being made.
type creation struct {
	r     *Region
	size  int
	named bool // the file has its name already
}

// Create makes a new region file, mode 0600, and attaches to it. Its space is reserved now, so a full disk is
// an error here and not a fault later. Other processes see the region when it is finished; on a file system
// without unnamed files they get ErrUnfinished before that. All bytes after the header are zero, except the
// entry of this process in the process table. A creation that fails leaves no file. Nor does a creation that
// is killed, except on a file system without unnamed files: there it leaves a file for Unlink. Errors:
// ErrGeometry, ErrSize, ErrSystem (with fs.ErrExist if path exists already).
func Create(path string, l Layout) (*Region, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	c, err := newCreation(path, l)
	if err != nil {
		return nil, err
	}
	if named(path) { // before space is taken that nobody will use
		return nil, exists(path, unix.EEXIST)
	}
	if err := c.openUnseen(); err != nil {
		return c.createInPlace()
	}
	for _, step := range append(c.steps(), c.link) {
		err := step()
		if err == nil {
			continue
		}
		err = errors.Join(err, c.abandon())
		if errors.Is(err, errNoLink) {
			return c.createInPlace()
		}
		return nil, err
	}
	return c.r, nil
}

// named looks whether there is a file of that name.
func named(path string) bool {
	there, _ := seam.Locked(FileName(), func() (bool, error) {
		_, err := os.Lstat(path)
		return err == nil, nil
	})
	return there
}

// errNoLink says that an unnamed file cannot get a name here.
var errNoLink = errors.New("no name for a file without one")

func newCreation(file string, l Layout) (*creation, error) {
	if err := l.check(file); err != nil {
		return nil, err
	}
	size, err := addressable(file, l.Size())
	if err != nil {
		return nil, err
	}
	c := &creation{r: &Region{file: file, fd: noFile}, size: size}
	c.r.settle(l)
	return c, nil
}

func exists(path string, err error) error {
	return system("create", path, "open it if it exists, or choose another path", err)
}

// openUnseen opens a file without a name in the folder of the path.
func (c *creation) openUnseen() (err error) {
	c.r.fd, err = retry(func() (int, error) {
		return unix.Open(filepath.Dir(c.r.file), unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	})
	if err != nil {
		c.r.fd = noFile
	}
	return err
}

// steps give the new, empty file its mode, space and content. The magic is the last word.
func (c *creation) steps() []func() error {
	return []func() error{c.mode, c.reserve, c.mapAll, c.r.attach,
		func() error { c.r.publish(); return nil }}
}

// stepsInPlace also tell those who have met the file before that it is finished.
func (c *creation) stepsInPlace() []func() error {
	return append(c.steps(), func() error { c.r.Wake(&c.r.words[wordMagic]); return nil })
}

func (c *creation) mode() error {
	if err := unix.Fchmod(c.r.fd, 0o600); err != nil { // the umask may have taken bits away
		return system("chmod", c.r.file, "choose a file system with modes", err)
	}
	return nil
}

func (c *creation) reserve() error {
	c.r.huge = takeHuge(c.r.fd, c.size)
	if err := reserve(c.r.fd, int64(c.size)); err != nil {
		return system("reserve space", c.r.file,
			fmt.Sprintf("make room for %d bytes, or choose a smaller layout", c.size), err)
	}
	return nil
}

func (c *creation) mapAll() error { return c.r.mapFile(c.size, unix.PROT_READ|unix.PROT_WRITE) }

// link gives the file its name, if nobody else has taken it.
func (c *creation) link() error {
	_, err := seam.TryLock(FileName(), func() (bool, error) {
		_, err := retry(func() (int, error) {
			return 0, unix.Linkat(unix.AT_FDCWD, descriptorPath(c.r.fd), unix.AT_FDCWD, c.r.file,
				unix.AT_SYMLINK_FOLLOW)
		})
		return err == nil, err
	})
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EEXIST):
		return exists(c.r.file, err)
	}
	return fmt.Errorf("%w: %w", errNoLink, err)
}

// descriptorPath names an open file of this process.
func descriptorPath(fd int) string { return fmt.Sprintf("/proc/self/fd/%d", fd) }

// createInPlace makes the region under its name from the start.
func (c *creation) createInPlace() (*Region, error) {
	path := c.r.file
	c.r = &Region{layout: c.r.layout, spans: c.r.spans, file: path, fd: noFile}
	fd, err := retry(func() (int, error) {
		return unix.Open(path, openFlags|unix.O_RDWR|unix.O_CREAT|unix.O_EXCL, 0o600)
	})
	if err != nil {
		if !errors.Is(err, unix.EEXIST) {
			return nil, system("create", path, "make its folder first, one that can be written, or choose "+
				"another path", err)
		}
		return nil, exists(path, err)
	}
	c.r.fd, c.named = fd, true
	for _, step := range c.stepsInPlace() {
		if err := step(); err != nil {
			return nil, errors.Join(err, c.abandon())
		}
	}
	return c.r, nil
}

// abandon takes back what a failed creation has made.
func (c *creation) abandon() error {
	var err error
	if c.named {
		if gone := unix.Unlink(c.r.file); gone != nil {
			err = system("unlink", c.r.file, "remove it by hand", gone)
		}
	}
	if c.r.words != nil {
		return errors.Join(err, c.r.Close())
	}
	return errors.Join(err, c.r.closeFile())
}

// attempts bounds how often OpenOrCreate tries again. Each attempt fails because another process has created
// or removed the file in between.
const attempts = 100

// CreationBound is how long OpenOrCreate waits for another process that is making the region.
const CreationBound = seam.Second

// OpenOrCreate opens the region at path, or creates it if there is none, and reports whether it created it.
// If any number of processes call it at once, one creates the region, and the others attach to it. An
// existing region must have exactly the parts of l, with the same numbers. Errors: those of Open and Create.
//
// On a file system without unnamed files it may meet a region that is not finished, and waits for it, but no
// longer than CreationBound. ErrUnfinished means that the creator has died, or needs longer. Progress: that
// of Await. On file systems with unnamed files, which nearly all have, nobody waits.
func OpenOrCreate(path string, l Layout) (r *Region, created bool, err error) {
	if err := l.check(path); err != nil {
		return nil, false, err
	}
	end, waited := seam.Within(CreationBound), false
	for range attempts {
		r, err = openWithin(path, wanted{l.complete(), true}, end.Left())
		switch {
		case errors.Is(err, ErrUnfinished) && !waited:
			waited = true // The creation may have failed and its file be gone.
			continue
		case !errors.Is(err, fs.ErrNotExist):
			return r, false, err
		}
		if r, err = Create(path, l); !errors.Is(err, fs.ErrExist) {
			return r, err == nil, err
		}
	}
	return nil, false, err
}

// Memory makes a region in a memory file, which has no path and ends with the last process that has it open.
// name is for people: it is shown in lists of open files. The file can neither shrink nor grow, so its pages
// cannot disappear while a process uses it. Share gives it to another process. Its space is reserved now.
// Errors: ErrGeometry, ErrSize, ErrSystem.
func Memory(name string, l Layout) (*Region, error) {
	c, err := newCreation("memory file "+name, l)
	if err != nil {
		return nil, err
	}
	if c.r.fd, err = unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING); err != nil {
		return nil, system("create", c.r.file, "choose a shorter name, or a region file", err)
	}
	for _, step := range append(c.steps(), c.seal) {
		if err := step(); err != nil {
			return nil, errors.Join(err, c.abandon())
		}
	}
	return c.r, nil
}

// seal fixes the length of a memory file.
func (c *creation) seal() error {
	_, err := unix.FcntlInt(uintptr(c.r.fd), unix.F_ADD_SEALS,
		unix.F_SEAL_GROW|unix.F_SEAL_SHRINK|unix.F_SEAL_SEAL)
	if err != nil {
		return system("seal", c.r.file, "use a region file", err)
	}
	return nil
}

// Share opens the file of the region once more, to be given to another process, for example in the ExtraFiles
// of a command. That process calls OpenFile. The caller closes the file. Whether this process counts as alive
// does not depend on it. Errors: ErrClosed, ErrNotRegular for a region on the heap, ErrSystem.
func (r *Region) Share() (*os.File, error) {
	switch {
	case r.words == nil:
		return nil, r.closed()
	case r.fd == noFile:
		return nil, notRegular("", "memory of this process", "create a file or a memory file")
	}
	fd, err := retry(func() (int, error) {
		return unix.Open(descriptorPath(r.fd), unix.O_RDWR|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, system("open again", r.file, "check that /proc is mounted", err)
	}
	return os.NewFile(uintptr(fd), r.file), nil
}

// reserve makes the empty file size bytes long, all zero, with blocks for all of them. The length is set
// first and in one step, so a process that opens the file never meets a length in between.
func reserve(fd int, size int64) error {
	if _, err := retry(func() (int, error) { return 0, unix.Ftruncate(fd, size) }); err != nil {
		return err
	}
	err := fallocate(fd, size)
	if unsupported(err) {
		return fillZeros(fd, size)
	}
	return err
}

// fallocate reserves blocks for the first size bytes. If there is not enough room, it does not try: a
// reservation takes all the room that there is before it fails, so other users of the disk would have none in
// the meantime, and some systems keep what it has taken.
func fallocate(fd int, size int64) error {
	var stat unix.Stat_t
	var disk unix.Statfs_t
	if unix.Fstat(fd, &stat) == nil && unix.Fstatfs(fd, &disk) == nil && lacksRoom(size, &stat, &disk) {
		return unix.ENOSPC
	}
	_, err := retry(func() (int, error) { return 0, unix.Fallocate(fd, 0, 0, size) })
	return err
}

func unsupported(err error) bool {
	return errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS)
}

// fillZeros reserves space on file systems that have no fallocate.
func fillZeros(fd int, size int64) error {
	zeros := make([]byte, min(size, 1<<20))
	for at := int64(0); at < size; {
		n, err := retry(func() (int, error) {
			return unix.Pwrite(fd, zeros[:min(int64(len(zeros)), size-at)], at)
		})
		if err != nil {
			return err
		}
		at += int64(n)
	}
	return nil
}
