package region

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"strconv"
	"unsafe"

	"github.com/samecycle/samecycle/internal/seam"
	"golang.org/x/sys/unix"
)

// canMap tells Heap that large regions are mapped.
const canMap = true

// Never follow a link, never block on a pipe, never leak the descriptor to a child, never get a terminal that
// is named by mistake.
const openFlags = unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC | unix.O_NOCTTY

// Open attaches to an existing region file. The region must have the parts, parameters and sections that want
// names, with the same numbers. If a number of want is zero, or if want does not name something, any value of
// the region is accepted. So nil accepts any region. An engine itself checks what it finds there, by the
// parameters. Errors: ErrNotRegular, ErrOwner (not the effective user), ErrMode (bits for group or others),
// ErrUnfinished, ErrMagic, ErrVersion, ErrLayout, ErrHeader, ErrSize, ErrFault, ErrProcesses (64 living
// processes have it), ErrSystem (with fs.ErrNotExist if there is no such file).
func Open(path string, want Layout) (*Region, error) {
	return openWithin(path, wanted{layout: want}, 0)
}

// openWithin is Open of a file that another process is about to finish: it waits for that, but no longer than
// bound.
func openWithin(path string, want wanted, bound seam.Duration) (*Region, error) {
	fd, size := noFile, int64(0)
	_, err := seam.Locked(FileName(), func() (there bool, err error) {
		fd, size, err = openChecked(path, path, openFlags|unix.O_RDWR)
		return err == nil, err
	})
	if err != nil {
		return nil, err
	}
	end := seam.Within(bound)
	// Where nothing can be mapped yet there is no word to wait for: its creator is at its first steps.
	for size == 0 && end.Left() > 0 {
		seam.Sleep(seam.PollFirst)
		var stat unix.Stat_t
		if err := unix.Fstat(fd, &stat); err != nil {
			break // what is wrong shows in what follows
		}
		size = stat.Size
	}
	return (&Region{file: path, fd: fd}).take(size, want, end.Left())
}

// OpenFile attaches to the region in an open file that another process has handed over (Share), such as a
// memory file. It does not keep f, which the caller closes. Errors: those of Open.
func OpenFile(f *os.File, want Layout) (*Region, error) {
	if f == nil {
		return nil, &Error{Reason: ErrClosed, Field: "file", Found: "nil", Want: "one that is open",
			Do: "hand on what Share gave"}
	}
	// A description of its own: what is inherited is that of the other process, with its lock.
	fd, size, err := openChecked(descriptorPath(int(f.Fd())), f.Name(),
		openFlags&^unix.O_NOFOLLOW|unix.O_RDWR)
	if err != nil {
		return nil, err
	}
	return (&Region{file: f.Name(), fd: fd}).take(size, wanted{layout: want}, 0)
}

// Observe maps a region file only to read it, without an entry in the process table. The memory is read-only,
// so a write to it is a fault. Errors: those of Open, except ErrProcesses.
func Observe(path string) (*Region, error) {
	fd, size, err := openChecked(path, path, openFlags|unix.O_RDONLY)
	if err != nil {
		return nil, err
	}
	return (&Region{file: path, fd: fd, readOnly: true}).take(size, wanted{}, 0)
}

// take maps and checks the file of the region's fd, and attaches to it. If another process is still making
// the region, it waits no longer than bound.
func (r *Region) take(size int64, want wanted, bound seam.Duration) (*Region, error) {
	err := r.enterFile(size, want, bound)
	switch {
	case err == nil:
		return r, nil
	case r.words == nil:
		return nil, errors.Join(err, r.closeFile())
	}
	return nil, errors.Join(err, r.Close())
}

func (r *Region) enterFile(length int64, want wanted, bound seam.Duration) error {
	if err := checkSize(r.file, length); err != nil {
		return err
	}
	size, err := addressable(r.file, uint64(length))
	if err != nil {
		return err
	}
	access := unix.PROT_READ | unix.PROT_WRITE
	if r.readOnly {
		access = unix.PROT_READ
	}
	if err := r.mapFile(size, access); err != nil {
		return err
	}
	if err := r.examineWithin(uint64(length), want, bound); err != nil || r.readOnly {
		return err
	}
	// A copy of a region may have holes, which would fault on a full disk.
	if err := fallocate(r.fd, length); err != nil && !unsupported(err) {
		return system("reserve space", r.file, "make room for the holes of the file", err)
	}
	var failed error
	if err := r.Guard(func() { failed = r.attach() }); err != nil {
		return err
	}
	return failed
}

// lacksRoom reports whether the file system says that it has no room for the holes of a file of that length.
// A file system without blocks, such as memory without a limit, says nothing about its room.
func lacksRoom(length int64, stat *unix.Stat_t, disk *unix.Statfs_t) bool {
	const sector = 512 // the unit of Blocks of a file
	holes := max(0, length-int64(stat.Blocks)*sector)
	unit := uint64(disk.Frsize) // of the numbers of blocks; that of a transfer may be another one
	if unit == 0 {
		unit = uint64(disk.Bsize)
	}
	over, free := bits.Mul64(disk.Bavail, unit)
	return disk.Blocks > 0 && over == 0 && uint64(holes) > free
}

// doOpen is what to do about a file that cannot be opened.
func doOpen(err error) string {
	switch {
	case errors.Is(err, unix.ENOENT):
		return "create it, or check the path"
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		return "run as its owner, and check the permissions of the file and its folders"
	}
	return "check the path and the file system"
}

// openChecked opens path if it is a regular file of the effective user that nobody else may use, and
// gives its length. file is its name in errors.
func openChecked(path, file string, flags int) (int, int64, error) {
	const nameIt = "name the file itself"
	if err := checkPath(path); err != nil {
		return noFile, 0, err
	}
	fd, err := retry(func() (int, error) { return unix.Open(path, flags, 0) })
	switch {
	case errors.Is(err, unix.ELOOP):
		return noFile, 0, notRegular(file, "a symbolic link (or behind too many)", nameIt)
	case errors.Is(err, unix.EISDIR):
		return noFile, 0, notRegular(file, "a directory", nameIt)
	case errors.Is(err, unix.ENXIO):
		return noFile, 0, notRegular(file, "a socket or device", nameIt)
	case err != nil:
		return noFile, 0, system("open", file, doOpen(err), err)
	}
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		unix.Close(fd)
		return noFile, 0, system("stat", file, "check the file system", err)
	}
	if err := checkStat(file, &stat, uint32(os.Geteuid())); err != nil {
		unix.Close(fd)
		return noFile, 0, err
	}
	return fd, stat.Size, nil
}

// checkPath refuses the empty path, for which the system would report a missing file.
func checkPath(path string) error {
	if path == "" {
		return system("find", `""`, "the path is empty: name a file", unix.ENOENT)
	}
	return nil
}

func notRegular(path, found, do string) error {
	return &Error{Reason: ErrNotRegular, File: path, Field: "type", Found: found,
		Want: "a regular file", Do: do}
}

// kindNames are the kinds of file that are no region, and that are easily named by mistake.
var kindNames = map[uint32]string{
	unix.S_IFDIR: "a directory", unix.S_IFCHR: "a character device", unix.S_IFBLK: "a block device",
	unix.S_IFIFO: "a pipe", unix.S_IFSOCK: "a socket",
}

// checkStat checks the kind of the file, and its owner.
func checkStat(path string, stat *unix.Stat_t, user uint32) error {
	if kind := stat.Mode & unix.S_IFMT; kind != unix.S_IFREG {
		name, known := kindNames[kind]
		if !known {
			name = fmt.Sprintf("%#o", kind)
		}
		return notRegular(path, name, "name the file itself")
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

// Unlink removes the name of a region file; processes that have it mapped keep their memory. It
// also removes an unfinished or damaged region, but no file that begins with something other
// than a region's magic or zeros. Errors: ErrNotRegular, ErrOwner, ErrMode, ErrMagic, ErrSystem.
func Unlink(path string) error {
	fd, _, err := openChecked(path, path, openFlags|unix.O_RDONLY)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var b [WordBytes]byte
	_, err = retry(func() (int, error) { return unix.Pread(fd, b[:], 0) })
	if err != nil {
		return system("read", path, "remove it by hand", err)
	}
	magic := binary.NativeEndian.Uint64(b[:]) // as a processor stores it, or zeros if there are fewer bytes
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

// gone says why the page at an offset of the mapped file is missing, and what to do about it.
func (r *Region) gone(offset uint64) string {
	var stat unix.Stat_t
	if r.fd == noFile || unix.Fstat(r.fd, &stat) != nil {
		return "whoever mapped the memory took it away: map it anew"
	}
	if uint64(stat.Size) <= offset {
		return "the file was truncated while in use: unlink it and create it anew"
	}
	return "its file system has no room for a hole of it, or cannot read it: make room, or see to the disk"
}

// withdraw returns mapped memory to the system, and keeps its addresses until nothing refers to r any more.
// So a use of a table of a closed region faults, instead of writing to a later mapping. 32-bit addresses are
// too few for this, so they are given back, too, if they cannot be kept. If goroutines still use r, zeros
// replace the memory; if the system cannot provide zeros, the memory stays mapped as it was.
func (r *Region) withdraw(mapped []byte) error {
	if strconv.IntSize == 32 {
		return unmap(r.file, mapped)
	}
	switch {
	case !r.inUse:
		_, err := unix.MmapPtr(-1, 0, unsafe.Pointer(unsafe.SliceData(mapped)), uintptr(len(mapped)),
			unix.PROT_NONE, unix.MAP_FIXED|unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
		if err != nil {
			return unmap(r.file, mapped)
		}
	case r.fd == noFile:
		_ = unix.Madvise(mapped, unix.MADV_DONTNEED) // refused for locked memory, which goes with the region
	default:
		_ = replace(mapped)
	}
	file := r.file
	seam.Cleanup(r, func(kept []byte) { _ = unmap(file, kept) }, mapped)
	return nil
}

// unmap gives memory back to the system, and its addresses.
func unmap(file string, memory []byte) error {
	if err := unix.Munmap(memory); err != nil {
		return system("unmap", file, "this is a defect of the program: the mapping is not ours", err)
	}
	return nil
}
