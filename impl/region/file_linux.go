package region

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// canMap tells Heap that large regions are mapped.
const canMap = true

// Never follow a link, never block on a pipe, never leak the descriptor to a child.
const openFlags = unix.O_RDWR | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC

// Create makes a new region file, mode 0600, and maps it. Its space is reserved now, so that a full
// disk is an error here and not a fault later. Other processes can Open it from the moment at
// which the magic is stored, before that they get ErrUnfinished. All bytes after the header are
// zero. A creation that fails removes its file.
// Errors: ErrGeometry, ErrSize, ErrSystem (with fs.ErrExist when path exists already).
func Create(path string, l Layout) (*Region, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	size, err := addressable(path, l.Size())
	if err != nil {
		return nil, err
	}
	fd, err := retry(func() (int, error) {
		return unix.Open(path, openFlags|unix.O_CREAT|unix.O_EXCL, 0o600)
	})
	if err != nil {
		return nil, system("create", path, "open it if it exists, or choose another path", err)
	}
	defer unix.Close(fd)
	r := &Region{layout: l, file: path}
	if err := r.build(fd, size); err != nil {
		if gone := unix.Unlink(path); gone != nil {
			err = errors.Join(err, system("unlink", path, "remove it by hand", gone))
		}
		return nil, err
	}
	return r, nil
}

// build gives the new, empty file behind fd its space, mode and content.
func (r *Region) build(fd, size int) error {
	if err := unix.Fchmod(fd, 0o600); err != nil { // the umask may have taken bits away
		return system("chmod", r.file, "choose a file system with modes", err)
	}
	if err := reserve(fd, int64(size)); err != nil {
		return system("reserve space", r.file,
			fmt.Sprintf("make room for %d bytes, or choose fewer cells", size), err)
	}
	if err := r.mapFile(fd, size); err != nil {
		return err
	}
	r.publish()
	return nil
}

// Open maps an existing region file. A zero field of want accepts whatever the file has.
// Errors: ErrNotRegular, ErrOwner (not the effective user), ErrMode (bits for group or others),
// ErrUnfinished, ErrMagic, ErrVersion, ErrLayout, ErrHeader, ErrSize, ErrFault, ErrSystem (with
// fs.ErrNotExist when there is no such file).
func Open(path string, want Layout) (*Region, error) {
	fd, stat, err := openChecked(path)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	if err := checkSize(path, stat.Size); err != nil {
		return nil, err
	}
	size, err := addressable(path, uint64(stat.Size))
	if err != nil {
		return nil, err
	}
	r := &Region{file: path}
	if err := r.mapFile(fd, size); err != nil {
		return nil, err
	}
	if err := r.attach(fd, uint64(stat.Size), want); err != nil {
		return nil, errors.Join(err, unmap(path, r.mapped))
	}
	return r, nil
}

// attach copies and checks the header of the mapped file. The magic is loaded first: who sees it
// sees the rest, which was stored before it.
func (r *Region) attach(fd int, size uint64, want Layout) error {
	var h header
	err := r.Guard(func() {
		for i := range h {
			h[i] = r.words[i].Load()
		}
	})
	if err != nil {
		return err
	}
	if r.layout, err = h.check(r.file, size); err != nil {
		return err
	}
	if err := r.layout.accept(r.file, want); err != nil {
		return err
	}
	// A copy of a region may have holes, which would fault on a full disk.
	if err := fallocate(fd, int64(size)); err != nil && !unsupported(err) {
		return system("reserve space", r.file, "make room for the holes of the file", err)
	}
	return nil
}

// openChecked opens path if it is a regular file of the effective user that nobody else may use.
func openChecked(path string) (int, unix.Stat_t, error) {
	var stat unix.Stat_t
	fd, err := retry(func() (int, error) { return unix.Open(path, openFlags, 0) })
	switch {
	case errors.Is(err, unix.ELOOP):
		return -1, stat, notRegular(path, "a symbolic link (or behind too many)")
	case errors.Is(err, unix.EISDIR):
		return -1, stat, notRegular(path, "a directory")
	case errors.Is(err, unix.ENXIO):
		return -1, stat, notRegular(path, "a socket or device")
	case err != nil:
		return -1, stat, system("open", path, "create it, or check path and permissions", err)
	}
	if err := unix.Fstat(fd, &stat); err != nil {
		unix.Close(fd)
		return -1, stat, system("stat", path, "check the file system", err)
	}
	if err := checkStat(path, &stat, uint32(os.Geteuid())); err != nil {
		unix.Close(fd)
		return -1, stat, err
	}
	return fd, stat, nil
}

func notRegular(path, found string) error {
	return &Error{Reason: ErrNotRegular, File: path, Field: "type", Found: found,
		Want: "a regular file", Do: "name the file itself"}
}

// kindNames are the kinds of file that are no region, and that are easily named by mistake.
var kindNames = map[uint32]string{
	unix.S_IFDIR: "a directory", unix.S_IFCHR: "a character device", unix.S_IFBLK: "a block device",
	unix.S_IFIFO: "a pipe", unix.S_IFSOCK: "a socket",
}

// checkStat judges what kind of file it is and whose.
func checkStat(path string, stat *unix.Stat_t, user uint32) error {
	if kind := stat.Mode & unix.S_IFMT; kind != unix.S_IFREG {
		name, known := kindNames[kind]
		if !known {
			name = fmt.Sprintf("%#o", kind)
		}
		return notRegular(path, name)
	}
	if stat.Uid != user {
		return &Error{Reason: ErrOwner, File: path, Field: "owner", Found: fmt.Sprint(stat.Uid),
			Want: fmt.Sprint(user), Do: "run as the owner, or create a region of your own"}
	}
	if mode := stat.Mode & 0o777; mode&0o077 != 0 {
		return &Error{Reason: ErrMode, File: path, Field: "mode", Found: fmt.Sprintf("%#o", mode),
			Want: "no bits for group and others",
			Do:   "if it is a region, make sure that nobody changed it, then chmod 600"}
	}
	return nil
}

// checkSize refuses files that cannot hold a header. A creator gives its file the whole size at
// once, before anything else, so an empty file is one whose creation has not got so far.
func checkSize(path string, size int64) error {
	if size >= headerBytes {
		return nil
	}
	e := &Error{Reason: ErrSize, File: path, Field: "file size", Found: fmt.Sprint(size),
		Want: fmt.Sprintf("at least %d", headerBytes), Do: doShort}
	if size == 0 {
		e.Reason, e.Do = ErrUnfinished, doRetry
	}
	return e
}

// Unlink removes the name of a region file; processes that have it mapped keep their memory. It
// also removes an unfinished or damaged region, but no file that begins with something other
// than a region's magic or zeros. Errors: ErrNotRegular, ErrOwner, ErrMode, ErrMagic, ErrSystem.
func Unlink(path string) error {
	fd, _, err := openChecked(path)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var b [WordBytes]byte
	n, err := retry(func() (int, error) { return unix.Pread(fd, b[:], 0) })
	if err != nil {
		return system("read", path, "remove it by hand", err)
	}
	var magic uint64
	for i, c := range b[:n] {
		magic |= uint64(c) << (8 * i)
	}
	if magic != 0 && magic != Magic {
		return &Error{Reason: ErrMagic, File: path, Field: "magic", Found: fmt.Sprintf("%#x", magic),
			Want: fmt.Sprintf("%#x", Magic), Do: "remove it by hand if you are sure"}
	}
	if err := unix.Unlink(path); err != nil {
		return system("unlink", path, "check the permissions of its folder", err)
	}
	return nil
}

// retry repeats a call that a signal interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}

// reserve makes the empty file size bytes long, all zero, with blocks behind all of them. The
// length comes first and at once: an opener never meets a length in between.
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

func fallocate(fd int, size int64) error {
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

// mapFile maps size bytes of fd, shared with every other process that does.
func (r *Region) mapFile(fd, size int) error {
	memory, err := unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return system("map", r.file, "check memory limits and the file system", err)
	}
	r.mapped = memory
	r.adopt(memory[:size&^(WordBytes-1)])
	return nil
}

// mapAnonymous is zeroed memory outside the Go heap, aligned to HugePage.
func (r *Region) mapAnonymous(size int) ([]byte, error) {
	memory, err := unix.Mmap(-1, 0, size+HugePage, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, system("map memory", "on the heap", "choose fewer cells", err)
	}
	r.mapped = memory
	usable := aligned(memory, HugePage)[:size]
	r.huge = HugeAsked
	if unix.Madvise(usable, unix.MADV_HUGEPAGE) != nil {
		r.huge = HugeRefused
	}
	return usable, nil
}

// unmap gives memory back to the system.
func unmap(file string, memory []byte) error {
	if err := unix.Munmap(memory); err != nil {
		return system("unmap", file, "this is a defect of the program: the mapping is not ours", err)
	}
	return nil
}
