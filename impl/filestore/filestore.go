// Package filestore keeps in files the entries that a cache has no room for. It is a ready-made Store for
// Options.Overflow of impl/cache, and does not depend on a cache.
//
//	s, err := filestore.Open("/var/cache/app", filestore.Options{Bytes: 10 << 30})
//	c, err := cache.Open(path, cache.Options{Overflow: s})
//
// Each entry is a file of its own, which is written under another name and then renamed. So a process that
// is killed at any instruction leaves the old value or the new one, and any number of processes may use one
// folder. When the files take more of the disk than Options say, the oldest files are removed, but not the
// file that was just put. An entry whose time to live is over is no longer found; its file is removed
// together with the other files of its age. A file whose name is not one that a store gives is not counted,
// and not removed.
//
// The bound is for all processes together that use the folder. Each process adds up what it writes. It
// measures the folder when the sum would exceed the bound, or when it has written a sixteenth of the bound
// since it last measured. So the files take at most the bound, plus a sixteenth of it for each other process
// that writes, plus what is being written. There are also up to 256 folders.
//
// Entries expire by the calendar clock, because files outlive a restart of the host. If the file of an entry
// with an expiry time has a time in the future, because the clock was wrong, the entry is not found.
//
// Files are not synced: after the host has stopped, an entry may be lost. Each file has a checksum. A
// damaged file is an error of Get, never a wrong value. The folder has mode 0700 and must belong to the
// user. No symbolic link that leads out of the folder is followed.
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

// Each error of this package wraps one of these errors, or is one of the file system.
var (
	ErrFolder  = errors.New("folder cannot be used")
	ErrCorrupt = errors.New("file of an entry is damaged")
	ErrLarge   = errors.New("entry is too large")
	ErrClosed  = errors.New("store is closed: open it again")
)

// Options of a Store.
type Options struct {
	// Bytes is how many bytes of the disk the files may take together; 0 is 1 GiB. A small entry takes a
	// block of the file system, usually 4 KiB. All processes that use the folder should set the same number:
	// the smallest one decides. Each further process that writes may exceed it by a sixteenth, and by what
	// it is writing.
	Bytes uint64
}

// DefaultBytes is the value of Options.Bytes if that is 0.
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
	lowPart    = 10 // a tenth of the bound is freed when there is too much
	sharePart  = 16 // a store measures the folder when it has written a sixteenth of the bound
	blockBytes = 4096
	tempPrefix = "new-"
	tempOld    = time.Hour   // a file that was being written for so long was left by a killed process
	tempFull   = time.Minute // while the files take too much, one for so long
	aheadMost  = time.Minute // the clock of the file system may be ahead of that of the process by this
)

var table = crc32.MakeTable(crc32.Castagnoli)

// Store is a folder of entries. Any number of goroutines may call its methods at once. Open makes a store,
// and Close ends it.
type Store struct {
	root *os.Root
	most uint64
	name string // in the names of files that are being written; no other store has the same name

	mu      sync.Mutex
	closed  bool
	bytes   uint64 // space of all files, as far as this process knows
	written uint64 // bytes of files that were put since the folder was measured
	serial  uint64 // number of the last file that was begun
}

// rounded is the space of a file of so many bytes, in whole blocks.
func rounded(n uint64) uint64 { return (n + blockBytes - 1) / blockBytes * blockBytes }

// Open opens the folder, and makes it if it does not exist. It reads the sizes and times of all its files.
// Errors: ErrFolder; those of the file system.
func Open(folder string, o Options) (*Store, error) {
	if folder == "" {
		return nil, refuse(folder, "empty", "a path", "name the folder for the files of the store")
	}
	if err := os.MkdirAll(folder, folderMode); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	folder = filepath.Clean(folder) // a slash at the end would follow a symbolic link
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
	if err := s.sweep(""); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return s, nil
}

// Close ends the use of the folder. The files stay. Later calls return ErrClosed, and so does a second
// Close; Bytes returns what it returned before.
func (s *Store) Close() error {
	s.mu.Lock()
	second := s.closed
	s.closed = true
	s.mu.Unlock()
	if second {
		return s.failed(fs.ErrClosed)
	}
	return s.root.Close()
}

// nameOf is the file of a key. One level of folders is enough for some million files; two levels would be
// too many for some thousand.
func nameOf(key []byte) (folder, file string) {
	sum := sha256.Sum256(key)
	text := hex.EncodeToString(sum[:])
	return text[:2], text[:2] + "/" + text[2:]
}

// Put stores an entry with a time to live; 0 is for ever, and with a negative one the entry expires at once.
// It replaces the old value of the key. Errors: ErrLarge, if the entry takes more than Options.Bytes or 4
// GiB; ErrClosed; those of the file system, for example a full disk. After an error the key has its old
// value; but if the error came from making room for others, it has the new value.
func (s *Store) Put(key, value []byte, ttl time.Duration) error {
	if err := s.fits(headBytes + uint64(len(key)) + uint64(len(value))); err != nil {
		return err
	}
	folder, name := nameOf(key)
	if err := s.root.Mkdir(folder, folderMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return s.failed(err)
	}
	temp := s.temp(folder)
	takes, err := s.write(temp, packed(key, value, endAfter(ttl)))
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
		return s.sweep(name)
	}
	return nil
}

// fits refuses a file of so many bytes if the store has no room for it, or if no Get would read it.
func (s *Store) fits(size uint64) error {
	switch {
	case size > fileMost:
		return fmt.Errorf("file of %d bytes, want %d at most: %w: divide the value", size, uint64(fileMost),
			ErrLarge)
	case rounded(size) > s.most:
		return fmt.Errorf("store of %d bytes, entry that takes %d: %w: use more Options.Bytes", s.most,
			rounded(size), ErrLarge)
	}
	return nil
}

// endAfter is the instant of expiry, for its file, of an entry that is put now with that time to live. It is
// rounded up, so the entry does not expire early.
func endAfter(ttl time.Duration) uint64 {
	switch {
	case ttl == 0:
		return 0
	case ttl < 0:
		return 1
	}
	return uint64(max(time.Now().Add(ttl).Add(time.Millisecond-1).UnixMilli(), 1))
}

// temp is a name under which no other entry is written. The number of a process would not be enough: two
// processes in two containers may have the same number.
func (s *Store) temp(folder string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	return fmt.Sprintf("%s/%s%s-%d", folder, tempPrefix, s.name, s.serial)
}

// write makes a new file, and returns the space that it takes.
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

// takes returns the space that a file takes, or 0 if it does not exist.
func (s *Store) takes(name string) uint64 {
	info, err := s.root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return space(info)
}

// failed makes an error of the file system an error of this package; nil stays nil. It adds the name of the
// folder, because the system knows only the name within the folder. If the store is closed, the error says
// so, and does not name the file.
func (s *Store) failed(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrClosed):
		return fmt.Errorf("%s: %w", s.root.Name(), ErrClosed)
	}
	return fmt.Errorf("store %s: %w", s.root.Name(), err)
}

// damaged is the error of a file that is not the file of an entry.
func (s *Store) damaged(name string) error {
	return fmt.Errorf("%s: %w: delete the key", filepath.Join(s.root.Name(), name), ErrCorrupt)
}

// ignoreAbsent returns nil if the error is that a file does not exist.
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

// unpacked returns the value of the key from the content of a file, and whether it has an expiry time. ok is
// false if the file is of another key, or has expired.
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

// Get appends the value of the key to dst, and reports whether the key is there. Errors: ErrCorrupt,
// ErrClosed; those of the file system.
func (s *Store) Get(key, dst []byte) (value []byte, ok bool, err error) {
	_, name := nameOf(key)
	info, err := s.root.Lstat(name)
	if err == nil && info.Size() > fileMost {
		return dst, false, s.damaged(name)
	}
	future := err == nil && isAhead(info.ModTime())
	b, err := s.root.ReadFile(name)
	if err != nil {
		return dst, false, s.failed(ignoreAbsent(err))
	}
	found, ends, ok, err := unpacked(b, key)
	if err != nil {
		return dst, false, s.damaged(name)
	}
	if !ok || ends && future {
		return dst, false, nil
	}
	return append(dst, found...), true, nil
}

// isAhead reports whether a file has a time in the future, which means that the calendar clock was wrong
// when it was written. The right expiry time of such an entry is unknown, so an entry with an expiry time
// counts as expired. Such a file counts as the oldest one, because otherwise all files that are written from
// now on would be older.
func isAhead(written time.Time) bool { return time.Until(written) > aheadMost }

// Delete removes the key. It does not matter whether the key is there. Errors: ErrClosed; those of the file
// system.
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

// Bytes is how many bytes of the disk the files take together, as far as this process knows: the result of
// its last measurement of the folder, and its own changes since then. Other processes change the number,
// too.
func (s *Store) Bytes() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

// file is a file that a sweep has found.
type file struct {
	name string
	size uint64 // space that it takes
	at   time.Time
}

// ownFolders and ownFiles match the names that nameOf and temp give.
var (
	ownFolders = regexp.MustCompile(`^(\.|[0-9a-f]{2})$`)
	ownFiles   = regexp.MustCompile(`^[0-9a-f]{2}/([0-9a-f]{62}|` + tempPrefix + `[0-9A-Z]+-[0-9]+)$`)
)

// measure adds up the files, and removes what killed processes have left. all are the entries; one with a
// time in the future gets the zero time, so it counts as the oldest. temps are files under temporary names.
// Any other file in the folder does not belong to the store. The caller holds the lock.
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

// sweep measures the files. If they take too much, it first removes files that were being written for long,
// and then the oldest entries until there is room again. The file that was just put counts as the youngest
// one, because the times of files are coarse. The youngest one is removed only if the files take too much
// even without all others. The caller holds the lock.
func (s *Store) sweep(put string) error {
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
	slices.SortFunc(all, func(a, b file) int {
		switch put {
		case a.name:
			return 1
		case b.name:
			return -1
		}
		return a.at.Compare(b.at)
	})
	for i, x := range all {
		enough := s.most - s.most/lowPart
		if i == len(all)-1 {
			enough = s.most
		}
		if s.bytes <= enough {
			break
		}
		if err := s.remove(x); err != nil {
			return err
		}
	}
	return nil
}

// remove removes a file that was measured. The caller holds the lock.
func (s *Store) remove(x file) error {
	if err := ignoreAbsent(s.root.Remove(x.name)); err != nil {
		return s.failed(err)
	}
	s.bytes -= x.size
	return nil
}

// refuse is the error of a folder that must not be used.
func refuse(folder, found, want, do string) error {
	return fmt.Errorf("%w: %s is %s, want %s: %s", ErrFolder, strconv.Quote(folder), found, want, do)
}

// linked is the error of a path that is a symbolic link, and not a folder.
func linked(path string) error {
	return refuse(path, "a symbolic link", "a folder", "name the folder that it leads to")
}
