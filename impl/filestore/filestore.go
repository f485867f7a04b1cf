// Package filestore keeps entries in files: those that a cache has no room for. It is the Store that
// impl/cache has at hand for Options.Overflow; it knows no cache.
//
//	s, err := filestore.Open("/var/cache/app", filestore.Options{Bytes: 10 << 30})
//	c, err := cache.Open(path, cache.Options{Overflow: s})
//
// Each entry is a file of its own, which is written under another name and renamed. So a process that is
// killed at any instruction leaves the old value or the new one, and any number of processes may use one
// folder. When the files take more of the disk than Options say, the oldest ones go. An entry whose time is
// over is not found any more, and its file goes with those of its age. A file that has no name of a store's
// is not counted, and stays.
//
// The bound is one for all processes that use the folder. Each adds up what it writes, and measures the
// folder when that would be too much, or a sixteenth of the bound since it measured last. So the files take
// at most the bound, and for each other process that writes a sixteenth of it, and what is being written.
// Besides the files there are up to 256 folders.
//
// Entries end by the calendar clock, since files outlive a start of the host. One with an end whose file is
// from a time that is yet to come, since that clock was wrong, is not found.
//
// Files are not synced: after the host has stopped an entry may be gone. Each file has a checksum, and one
// that is damaged is an error of Get, never a wrong value. The folder has mode 0700 and must belong to the
// user; no symbolic link that leads out of it is followed.
package filestore

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Each failure of this package wraps one of these, or is one of the file system.
var (
	ErrFolder  = errors.New("folder cannot be used")
	ErrCorrupt = errors.New("file of an entry is damaged")
	ErrLarge   = errors.New("entry is larger than the store may be")
	ErrClosed  = errors.New("store is closed: open it again")
)

// Options of a Store.
type Options struct {
	// Bytes is how many bytes of the disk the files may take together; 0 is 1 GiB. A small entry takes a
	// block of the file system, mostly 4 KiB. All processes that use the folder should say the same number:
	// the smallest one decides. Each further one that writes may exceed it by a sixteenth, and by what it is
	// writing.
	Bytes uint64
}

// DefaultBytes is Options.Bytes if that is 0.
const DefaultBytes = 1 << 30

// Layout of a file, all numbers little-endian:
//
//	bytes   what
//	0..7    magic, with the version of this layout
//	8..11   checksum (CRC-32C) of all that follows
//	12..15  length of the key
//	16..23  when the entry expires, in milliseconds since 1970; 0 is never
//	24..    key, value
const (
	magic      = "scfile01"
	headBytes  = 24
	fileMost   = 1 << 32 // bytes of a file that is read
	folderMode = 0o700
	fileMode   = 0o600
	lowPart    = 10 // a tenth is freed when there is too much
	sharePart  = 16 // a store measures the folder when it has written a sixteenth of what there may be
	blockBytes = 4096
	tempPrefix = "new-"
	tempOld    = time.Hour   // a file that was being written for so long is left by a process that was killed
	tempFull   = time.Minute // and where there is too much, one that was for so long
	aheadMost  = time.Minute // that the clock of the file system may be ahead of that of the process
)

var table = crc32.MakeTable(crc32.Castagnoli)

// Store is a folder of entries. Its methods may be called by all goroutines at once. Make one with Open, and
// end it with Close.
type Store struct {
	root *os.Root
	most uint64
	name string // in the names of files that are being written; that of no other store

	mu      sync.Mutex
	bytes   uint64 // that all files take, as far as this process knows
	written uint64 // bytes of files that were put since all were measured
	serial  uint64 // of the last file that was begun
}

// rounded is the space of so many bytes of a file, in whole blocks.
func rounded(n uint64) uint64 { return (n + blockBytes - 1) / blockBytes * blockBytes }

// Open opens the folder, and makes it if it is not there. It looks at all its files. Errors: ErrFolder; those
// of the file system.
func Open(folder string, o Options) (*Store, error) {
	if folder == "" {
		return nil, refuse(folder, "empty", "a path", "name the folder for the files of the store")
	}
	if err := os.MkdirAll(folder, folderMode); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	folder = filepath.Clean(folder) // a slash at the end would lead through a symbolic link
	if err := usable(folder); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	s := &Store{root: root, most: o.Bytes, name: rand.Text()}
	if o.Bytes == 0 {
		s.most = DefaultBytes
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.sweep(); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return s, nil
}

// Close ends the use of the folder. The files stay. Calls after it return ErrClosed.
func (s *Store) Close() error { return s.root.Close() }

// nameOf is the file of a key: two levels of folders would be too much for some thousand files, and one is
// enough for some million.
func nameOf(key []byte) (folder, file string) {
	sum := sha256.Sum256(key)
	text := hex.EncodeToString(sum[:])
	return text[:2], text[:2] + "/" + text[2:]
}

// Put keeps an entry for so long, 0 is for ever, and with less it is over at once. What the key had is
// replaced. Errors: ErrLarge; ErrClosed; those of the file system, such as one that is full; then the key has
// what it had, or, where it is an error of making room for others, what it was given.
func (s *Store) Put(key, value []byte, ttl time.Duration) error {
	if size := rounded(uint64(headBytes + len(key) + len(value))); size > s.most {
		return fmt.Errorf("store of %d bytes, entry that takes %d: %w: use more Options.Bytes", s.most, size,
			ErrLarge)
	}
	var expires uint64
	if ttl != 0 {
		expires = uint64(max(time.Now().Add(ttl).UnixMilli(), 1))
	}
	folder, name := nameOf(key)
	if err := s.root.Mkdir(folder, folderMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return s.failed(err)
	}
	temp := s.temp(folder)
	takes, err := s.write(temp, packed(key, value, expires))
	if err != nil {
		return s.failed(errors.Join(err, ignoreAbsent(s.root.Remove(temp))))
	}
	before := s.takes(name)
	if err := s.root.Rename(temp, name); err != nil {
		return s.failed(errors.Join(err, ignoreAbsent(s.root.Remove(temp))))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes += takes - min(before, takes+s.bytes)
	if s.written += takes; s.bytes > s.most || s.written >= s.most/sharePart {
		return s.sweep()
	}
	return nil
}

// temp is a name under which no other entry is written. The number of a process would not do: two processes
// in two containers may have the same.
func (s *Store) temp(folder string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	return fmt.Sprintf("%s/%s%s-%d", folder, tempPrefix, s.name, s.serial)
}

// write makes a file that is not there, and says how much it takes.
func (s *Store) write(name string, content []byte) (takes uint64, err error) {
	f, err := s.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fileMode)
	if err != nil {
		return 0, err
	}
	if _, err = f.Write(content); err == nil {
		var info fs.FileInfo
		if info, err = f.Stat(); err == nil {
			takes = space(info)
		}
	}
	return takes, errors.Join(err, f.Close())
}

// takes is how much a file takes, 0 if it is not there.
func (s *Store) takes(name string) uint64 {
	info, err := s.root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return space(info)
}

// failed is an error of the file system, nil for none. One of a store that is closed says that, and not which
// of its files was needed.
func (s *Store) failed(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrClosed):
		return fmt.Errorf("%s: %w", s.root.Name(), ErrClosed)
	}
	return fmt.Errorf("store: %w", err)
}

// ignoreAbsent is nil for a file that is not there.
func ignoreAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// packed is the content of a file.
func packed(key, value []byte, expires uint64) []byte {
	b := make([]byte, headBytes, headBytes+len(key)+len(value))
	copy(b, magic)
	binary.LittleEndian.PutUint32(b[12:], uint32(len(key)))
	binary.LittleEndian.PutUint64(b[16:], expires)
	b = append(append(b, key...), value...)
	binary.LittleEndian.PutUint32(b[8:], crc32.Checksum(b[12:], table))
	return b
}

// unpacked is the value of the key in the content of a file, and whether its time ends. ok is false if it is
// of another key, or over.
func unpacked(b, key []byte) (value []byte, ends, ok bool, err error) {
	if len(b) < headBytes || string(b[:8]) != magic ||
		binary.LittleEndian.Uint32(b[8:]) != crc32.Checksum(b[12:], table) {
		return nil, false, false, ErrCorrupt
	}
	n := uint64(binary.LittleEndian.Uint32(b[12:]))
	if n > uint64(len(b)-headBytes) {
		return nil, false, false, ErrCorrupt
	}
	expires := binary.LittleEndian.Uint64(b[16:])
	body := b[headBytes:]
	if string(body[:n]) != string(key) || expires != 0 && expires <= uint64(time.Now().UnixMilli()) {
		return nil, false, false, nil
	}
	return body[n:], expires != 0, true, nil
}

// Get appends the value of the key to dst, and reports whether it is there. Errors: ErrCorrupt, ErrClosed;
// those of the file system.
func (s *Store) Get(key, dst []byte) (value []byte, ok bool, err error) {
	_, name := nameOf(key)
	info, err := s.root.Lstat(name)
	if err == nil && info.Size() > fileMost {
		return dst, false, fmt.Errorf("%s: %w: delete the key", name, ErrCorrupt)
	}
	future := err == nil && isAhead(info.ModTime())
	b, err := s.root.ReadFile(name)
	if err != nil {
		return dst, false, s.failed(ignoreAbsent(err))
	}
	found, ends, ok, err := unpacked(b, key)
	if err != nil {
		return dst, false, fmt.Errorf("%s: %w: delete the key", name, err)
	}
	if !ok || ends && future {
		return dst, false, nil
	}
	return append(dst, found...), true, nil
}

// isAhead reports whether a file was written at a time that is yet to come: when the calendar clock was
// wrong. When its entry ends by the right clock nobody knows, so one with an end is taken to be over; and it
// is taken to be the oldest one, since all that are written from now on would be older else.
func isAhead(written time.Time) bool { return time.Until(written) > aheadMost }

// Delete removes the key, whether it is there or not. Errors: ErrClosed; those of the file system.
func (s *Store) Delete(key []byte) error {
	_, name := nameOf(key)
	size := s.takes(name)
	if err := s.root.Remove(name); err != nil {
		return s.failed(ignoreAbsent(err))
	}
	s.mu.Lock()
	s.bytes -= min(s.bytes, size)
	s.mu.Unlock()
	return nil
}

// Bytes is how many bytes of the disk the files take together, as far as this process knows. Others change
// it, too: it is what was true when this process measured the folder last, and what it has changed since.
func (s *Store) Bytes() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

// file is one of a sweep.
type file struct {
	name string
	size uint64 // that it takes
	at   time.Time
}

// ownFolders and ownFiles are the names that nameOf and temp give.
var (
	ownFolders = regexp.MustCompile(`^(\.|[0-9a-f]{2})$`)
	ownFiles   = regexp.MustCompile(`^[0-9a-f]{2}/([0-9a-f]{62}|` + tempPrefix + `[0-9A-Z]+-[0-9]+)$`)
)

// measure adds up the files, and removes what killed processes have left. all are the entries, those that are
// ahead of the time as the oldest ones, and temps what is being written, or was. What else somebody keeps in
// the folder is nothing of the store's. The lock is held.
func (s *Store) measure() (all, temps []file, err error) {
	s.bytes, s.written = 0, 0
	err = fs.WalkDir(s.root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // another process has removed it
		case err != nil:
			return err
		case d.IsDir() && !ownFolders.MatchString(path):
			return fs.SkipDir
		case d.IsDir() || !ownFiles.MatchString(path):
			return nil
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return ignoreAbsent(err)
		}
		x := file{path, space(info), info.ModTime()}
		switch temp := strings.HasPrefix(d.Name(), tempPrefix); {
		case temp && time.Since(x.at).Abs() > tempOld:
			return ignoreAbsent(s.root.Remove(path))
		case temp:
			temps = append(temps, x)
		case isAhead(x.at):
			x.at = time.Time{}
			fallthrough
		default:
			all = append(all, x)
		}
		s.bytes += x.size
		return nil
	})
	if err != nil {
		return nil, nil, s.failed(err)
	}
	return all, temps, nil
}

// sweep measures the files. If they take too much, it removes what has been written for long, and then the
// oldest entries until there is room again. The lock is held.
func (s *Store) sweep() error {
	all, temps, err := s.measure()
	if err != nil || s.bytes <= s.most {
		return err
	}
	for _, x := range temps {
		if time.Since(x.at).Abs() > tempFull {
			if err := s.remove(x); err != nil {
				return err
			}
		}
	}
	slices.SortFunc(all, func(a, b file) int { return a.at.Compare(b.at) })
	for _, x := range all {
		if s.bytes <= s.most-s.most/lowPart {
			break
		}
		if err := s.remove(x); err != nil {
			return err
		}
	}
	return nil
}

// remove removes a file that was measured. The lock is held.
func (s *Store) remove(x file) error {
	if err := ignoreAbsent(s.root.Remove(x.name)); err != nil {
		return s.failed(err)
	}
	s.bytes -= x.size
	return nil
}

// refuse is the error of a folder that is not to be used.
func refuse(folder, found, want, do string) error {
	return fmt.Errorf("%w: %s is %s, want %s: %s", ErrFolder, strconv.Quote(folder), found, want, do)
}

// linked is the error of a path that leads to a folder, and is none.
func linked(path string) error {
	return refuse(path, "a symbolic link", "a folder", "name the folder that it leads to")
}
