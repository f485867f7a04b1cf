package slots

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// descriptor is an open slot file with the lock of a role. The locks are those of open file descriptions
// (F_OFD_SETLK), one byte for a role: they end with the process, and two handles in one process exclude one
// another. The description has no second descriptor, which could outlive it.
type descriptor struct {
	futexes
	fd   int
	path string
}

// Never follow a link, never block on a pipe, never leak the descriptor to a child, never get a terminal.
const openFlags = unix.O_RDWR | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC | unix.O_NOCTTY

// Create makes the slot file of a client, or opens the one that is there, and becomes its service. The file
// appears in one step, so no client ever meets an unfinished one. An existing file must have been made with
// the same options. Requests that a dead service had taken are ended, and the client continues. Errors:
// ErrOptions; ErrFile (the file is of another kind, belongs to another user, or was made with other options);
// ErrBusy (it has a service); ErrSystem.
func Create(path string, o Options) (*Service, error) {
	o = o.complete()
	if err := o.check(); err != nil {
		return nil, err
	}
	d, err := createOrOpen(path, o)
	if err != nil {
		return nil, err
	}
	s, err := d.serve(o)
	if err != nil {
		return nil, errors.Join(err, d.close())
	}
	return s, nil
}

// attempts bounds how often Create tries again; each time somebody has made or removed the file in between.
const attempts = 10

func createOrOpen(path string, o Options) (d *descriptor, err error) {
	if path == "" {
		return nil, noPath()
	}
	for range attempts {
		d, err = openChecked(path, ownerIs(os.Geteuid(), doUnlink), isSlotFile, isPrivate, o.checkStat)
		if !errors.Is(err, unix.ENOENT) {
			return d, err
		}
		if d, err = createFile(path, o); !errors.Is(err, unix.EEXIST) {
			return d, err
		}
	}
	return nil, err
}

// serve maps the file and becomes its service.
func (d *descriptor) serve(o Options) (*Service, error) {
	m, err := d.mapFile(o.geometry())
	if err != nil {
		return nil, err
	}
	s := newService(m)
	if err := s.begin(ServiceRole, doAnew, s.inherit); err != nil {
		return nil, errors.Join(d.orDamage(err, o), s.unmap())
	}
	return s, nil
}

// orDamage is the error of a header. If other options would not help, because the header is damaged or of
// another version, it says so.
func (d *descriptor) orDamage(err error, o Options) error {
	var e *Error
	if !errors.As(err, &e) || e.Reason != ErrFile {
		return err
	}
	g, damage := d.served(int64(o.geometry().size()))
	if damage != nil {
		return damage
	}
	if g == o.geometry() { // it is in a word that follows from the geometry
		e.Do = doDamaged
	}
	return err
}

// served is the geometry in the header of a file for its service.
func (d *descriptor) served(length int64) (geometry, error) {
	g, err := d.geometry(length)
	var e *Error
	if errors.As(err, &e) {
		e.Do = doDamaged // what a client does would not help
	}
	return g, err
}

// begin takes the role, checks the header, and ends what the one before has left. do is what a person does
// about a header of something else.
func (m *mailbox) begin(r Role, do string, inherit func()) error {
	if err := m.file.peerLock(r); err != nil {
		return err
	}
	var bad error
	err := m.guard(func() {
		if bad = m.checkHeader(do); bad == nil {
			inherit()
		}
	})
	return errors.Join(err, bad)
}

const doFolder = "choose a folder in which this user can make files"

// createFile makes a file without a name, with its mode, group, space and header, and then gives it its name.
func createFile(path string, o Options) (*descriptor, error) {
	fd, err := retry(func() (int, error) {
		return unix.Open(filepath.Dir(path), unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	})
	if err != nil {
		return nil, system("create", path, adviceOn(err, doFolder, "make its folder first, on a local file "+
			"system that has files without a name, such as a tmpfs"), err)
	}
	d := &descriptor{fd: fd, path: path}
	if err := d.fill(o); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

func (d *descriptor) fill(o Options) error {
	if o.Shared {
		if err := unix.Fchown(d.fd, -1, o.Group); err != nil {
			return system("chown", d.path,
				fmt.Sprintf("choose a group that this user is in; %d is none", o.Group), err)
		}
	}
	if err := unix.Fchmod(d.fd, o.mode()); err != nil { // the umask may have taken bits away
		return system("chmod", d.path, "choose a file system with modes", err)
	}
	size := int64(o.geometry().size())
	_, err := retry(func() (int, error) { return 0, unix.Ftruncate(d.fd, size) })
	if err == nil {
		_, err = retry(func() (int, error) { return 0, unix.Fallocate(d.fd, 0, 0, size) })
	}
	if err != nil && !errors.Is(err, unix.EOPNOTSUPP) {
		return system("reserve space", d.path,
			fmt.Sprintf("make room for %d bytes, or choose fewer or smaller slots", size), err)
	}
	m, err := d.mapFile(o.geometry())
	if err != nil {
		return err
	}
	if err := m.guard(func() { m.fixed = m.header() }); err != nil {
		return errors.Join(err, m.unmap())
	}
	if err := m.unmap(); err != nil {
		return err
	}
	_, err = retry(func() (int, error) {
		return 0, unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", d.fd), unix.AT_FDCWD, d.path,
			unix.AT_SYMLINK_FOLLOW)
	})
	if err != nil {
		do := adviceOn(err, doFolder, "check its folder, and that /proc is mounted")
		return system("name", d.path, do, err)
	}
	return nil
}

// Dial opens the slot file of this client, and frees the slots that a dead client left there. The service
// need not be running. owner is the number of the user that must own the file. Errors: ErrFile, ErrBusy (it
// has a client), ErrSystem (with fs.ErrNotExist if there is no such file), ErrCorrupt.
func Dial(path string, owner int) (*Client, error) {
	d, err := openChecked(path, ownerIs(owner, "name the user of the service as the owner, or another file"),
		isPrivate)
	if err != nil {
		return nil, err
	}
	c, err := d.dial()
	if err != nil {
		return nil, errors.Join(err, d.close())
	}
	return c, nil
}

// dial becomes the client of the file. Its size is that of the header, which the service wrote.
func (d *descriptor) dial() (*Client, error) {
	var stat unix.Stat_t
	if err := unix.Fstat(d.fd, &stat); err != nil {
		return nil, system("stat", d.path, "check the file system", err)
	}
	g, err := d.geometry(stat.Size)
	if err != nil {
		return nil, err
	}
	m, err := d.mapFile(g)
	if err != nil {
		return nil, err
	}
	c := &Client{m}
	if err := c.begin(ClientRole, "let the service create it anew", c.inherit); err != nil {
		return nil, errors.Join(err, c.unmap())
	}
	return c, nil
}

// geometry reads the geometry from the header.
func (d *descriptor) geometry(length int64) (geometry, error) {
	var head [headerBytes]byte
	n, err := retry(func() (int, error) { return unix.Pread(d.fd, head[:], 0) })
	if err != nil || n < headerBytes {
		return geometry{}, &Error{Reason: ErrFile, File: d.path, Field: "size", Found: fmt.Sprint(length),
			Want: fmt.Sprintf("at least %d bytes", headerBytes), Do: "name the file that the service created",
			Cause: err}
	}
	return headerIn(d.path, head[:], uint64(length))
}

// mapFile maps the file, which must be as long as the geometry says.
func (d *descriptor) mapFile(g geometry) (mailbox, error) {
	memory, err := unix.Mmap(d.fd, 0, int(g.size()), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return mailbox{}, system("map", d.path, "check memory limits and the file system", err)
	}
	m := over(memory, g, d)
	m.file, m.path = d, d.path
	return m, nil
}

// Close gives up the role and the file. Every other use must have ended before. Errors: ErrClosed, ErrSystem.
func (m *mailbox) Close() error {
	if m.memory == nil {
		return &Error{Reason: ErrClosed, File: m.path, Field: "slot file", Found: "closed", Want: "open",
			Do: "close it once"}
	}
	if m.file == nil {
		m.memory = nil
		return nil
	}
	return errors.Join(m.unmap(), m.file.close())
}

func (m *mailbox) unmap() error {
	memory := m.memory
	m.memory = nil
	if err := unix.Munmap(memory); err != nil {
		return system("unmap", m.path, "this is a defect of the program: the mapping is not ours", err)
	}
	return nil
}

func (d *descriptor) close() error {
	if err := unix.Close(d.fd); err != nil {
		return system("close", d.path, "check the file system", err)
	}
	return nil
}

const doLock = "put the slot file on a local file system that has locks of open file descriptions"

func lockOf(r Role) unix.Flock_t {
	at := int64(offsetService)
	if r == ClientRole {
		at = offsetClient
	}
	return unix.Flock_t{Type: unix.F_WRLCK, Start: at, Len: 1}
}

// peerLock takes the lock of a role.
func (d *descriptor) peerLock(r Role) error {
	l := lockOf(r)
	_, err := retry(func() (int, error) { return 0, unix.FcntlFlock(uintptr(d.fd), unix.F_OFD_SETLK, &l) })
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EACCES):
		return &Error{Reason: ErrBusy, File: d.path, Field: r.String(), Found: "another process, or handle",
			Want: "nobody", Do: "end that one first; a slot file has one " + r.String() + " at a time"}
	}
	return system("lock", d.path, doLock, err)
}

// Lives implements System: it asks for the lock of the role.
func (d *descriptor) Lives(r Role) (bool, error) {
	l := lockOf(r)
	_, err := retry(func() (int, error) { return 0, unix.FcntlFlock(uintptr(d.fd), unix.F_OFD_GETLK, &l) })
	if err != nil {
		return false, system("ask for a lock", d.path, doLock, err)
	}
	return l.Type != unix.F_UNLCK, nil
}

func noPath() error {
	return system("find", `""`, "the path is empty: name a file", unix.ENOENT)
}

// openChecked opens a file that passes the checks.
func openChecked(path string, checks ...func(*descriptor, *unix.Stat_t) error) (*descriptor, error) {
	if path == "" {
		return nil, noPath()
	}
	fd, err := retry(func() (int, error) { return unix.Open(path, openFlags, 0) })
	switch kind := kindBy(err); {
	case kind != "":
		return nil, &Error{Reason: ErrFile, File: path, Field: "type", Found: kind, Want: "a regular file",
			Do: "name the slot file itself", Cause: err}
	case errors.Is(err, unix.ENOENT):
		return nil, system("open", path, "start the service, which creates it, or check the path", err)
	case err != nil:
		const rights = "run as its owner or in its group, and check the folders"
		return nil, system("open", path, adviceOn(err, rights, "check the path and its folders"), err)
	}
	d := &descriptor{fd: fd, path: path}
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return nil, errors.Join(system("stat", path, "check the file system", err), d.close())
	}
	for _, check := range checks {
		if err := check(d, &stat); err != nil {
			return nil, errors.Join(err, d.close())
		}
	}
	return d, nil
}

// adviceOn is what a person does about a path that the system has refused: rights is for one who may not use
// it, and otherwise for all that has no advice of its own.
func adviceOn(err error, rights, otherwise string) string {
	const files, room = "close files, or raise the limit of open files", "make room on the file system"
	for _, x := range []struct {
		cause unix.Errno
		do    string
	}{{unix.EACCES, rights}, {unix.EPERM, rights}, {unix.EMFILE, files + " of this process"},
		{unix.ENFILE, files + " of the system"}, {unix.ENAMETOOLONG, "use a shorter path"},
		{unix.ENOSPC, room}, {unix.EDQUOT, room}, {unix.EROFS, "choose a file system that can be written"}} {
		if errors.Is(err, x.cause) {
			return x.do
		}
	}
	return otherwise
}

// kindBy is the kind of a file that the system does not open for that reason; "" for another reason.
func kindBy(err error) string {
	switch {
	case errors.Is(err, unix.ELOOP):
		return "a link"
	case errors.Is(err, unix.EISDIR):
		return kindOf(unix.S_IFDIR)
	case errors.Is(err, unix.ENXIO):
		return "a socket or a device"
	}
	return ""
}

// kindOf is the kind of a file that is no regular one and can be opened.
func kindOf(mode uint32) string {
	switch mode & unix.S_IFMT {
	case unix.S_IFDIR:
		return "a directory"
	case unix.S_IFIFO:
		return "a FIFO"
	}
	return "a device"
}

// doUnlink is what the service does about a file of somebody else.
const doUnlink = "another user has put it there: unlink it if it has no client, or run as that user"

// ownerIs wants a regular file of that user. do is what a person does about a file of another one.
func ownerIs(user int, do string) func(*descriptor, *unix.Stat_t) error {
	return func(d *descriptor, stat *unix.Stat_t) error {
		switch {
		case stat.Mode&unix.S_IFMT != unix.S_IFREG:
			return &Error{Reason: ErrFile, File: d.path, Field: "type",
				Found: kindOf(stat.Mode), Want: "a regular file", Do: "name the slot file itself"}
		case int(stat.Uid) != user:
			return &Error{Reason: ErrFile, File: d.path, Field: "owner", Found: fmt.Sprint(stat.Uid),
				Want: fmt.Sprint(user), Do: do}
		}
		return nil
	}
}

// isPrivate wants a file for nobody beside its owner and group.
func isPrivate(d *descriptor, stat *unix.Stat_t) error {
	if stat.Mode&0o007 == 0 {
		return nil
	}
	return &Error{Reason: ErrFile, File: d.path, Field: "mode", Found: fmt.Sprintf("%#o", stat.Mode&0o777),
		Want: "no bits for others", Do: "unlink it, and let the service create it anew"}
}

// isSlotFile wants a file that begins as a slot file does. It comes ahead of all advice to unlink the file:
// somebody may have named another one by mistake.
func isSlotFile(d *descriptor, stat *unix.Stat_t) error {
	var head [wordBytes]byte
	n, err := retry(func() (int, error) { return unix.Pread(d.fd, head[:], 0) })
	if magic := binary.NativeEndian.Uint64(head[:]); magic != Magic {
		e := &Error{Reason: ErrFile, File: d.path, Field: "magic", Found: fmt.Sprintf("%#x", magic),
			Want: fmt.Sprintf("%#x", uint64(Magic)),
			Do:   "the file is something else, such as a cache or a text: choose another path", Cause: err}
		if n < wordBytes {
			e.Field, e.Found, e.Want = "size", fmt.Sprint(stat.Size), fmt.Sprintf("at least %d", headerBytes)
		}
		return e
	}
	return nil
}

// doAnew is what a person does about a file that was made with other options.
const doAnew = "serve it with the options that it was made with, or unlink it if it has no client"

// checkStat wants the mode, group and size of a file that was made with these options.
func (o Options) checkStat(d *descriptor, stat *unix.Stat_t) error {
	switch size := o.geometry().size(); {
	case stat.Mode&0o777 != o.mode():
		return &Error{Reason: ErrFile, File: d.path, Field: "mode",
			Found: fmt.Sprintf("%#o", stat.Mode&0o777), Want: fmt.Sprintf("%#o", o.mode()), Do: doAnew}
	case o.Shared && int(stat.Gid) != o.Group:
		return &Error{Reason: ErrFile, File: d.path, Field: "group", Found: fmt.Sprint(stat.Gid),
			Want: fmt.Sprint(o.Group), Do: doAnew}
	case uint64(stat.Size) != size:
		if _, err := d.served(stat.Size); err != nil {
			return err
		}
		return &Error{Reason: ErrFile, File: d.path, Field: "size", Found: fmt.Sprint(stat.Size),
			Want: fmt.Sprint(size), Do: doAnew}
	}
	return nil
}

// system says which call the system refused.
func system(call, path, do string, err error) error {
	return &Error{Reason: ErrSystem, File: path, Call: call, Do: do, Cause: err}
}

// retry repeats a call that a signal interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}

var _ System = (*descriptor)(nil)
