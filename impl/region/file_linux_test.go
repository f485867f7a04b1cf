package region

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// The test binary runs itself as a second process: childVariable says what that one does.
const childVariable = "REGION_TEST_CHILD"

func TestMain(m *testing.M) {
	job, path, _ := strings.Cut(os.Getenv(childVariable), " ")
	switch job {
	case "":
		os.Exit(m.Run())
	case "answer":
		childAnswer(path)
	case "limited":
		childLimited(path)
	case "full":
		childFull(path)
	case "hold", "inherit", "attach", "create", "place", "race",
		"await", "silent":
		childProcess(job, path)
	}
	os.Exit(3)
}

// childAnswer reads 41 from one cell and writes 42 into another.
func childAnswer(path string) {
	r, err := Open(path, Layout{})
	if err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
	words, err := r.Section("toy", "cells")
	if err != nil || !words[0].CompareAndSwap(41, 40) {
		os.Exit(2)
	}
	words[9].Store(42)
	os.Exit(0)
}

// childLimited creates a region where files may not grow beyond a page.
func childLimited(path string) {
	signal.Ignore(unix.SIGXFSZ)
	if unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 4096, Max: 4096}) != nil {
		os.Exit(1)
	}
	_, err := Create(path, small)
	if !errors.Is(err, ErrSystem) || !errors.Is(err, unix.EFBIG) {
		os.Stderr.WriteString(err.Error())
		os.Exit(2)
	}
	// The length is there at once or not at all, and a write that ends early is not the whole of it.
	for name, c := range map[string]struct {
		reserve func(int, int64) error
		length  int64
	}{"reserve": {reserve, 0}, "zeros": {fillZeros, 4096}} {
		var stat unix.Stat_t
		f, err := os.CreateTemp(filepath.Dir(path), name)
		if err != nil {
			os.Exit(3)
		}
		err = c.reserve(int(f.Fd()), 8192)
		if unix.Fstat(int(f.Fd()), &stat) != nil || !errors.Is(err, unix.EFBIG) || stat.Size != c.length {
			fmt.Fprintf(os.Stderr, "%s: %v, %d bytes, want %d", name, err, stat.Size, c.length)
			os.Exit(4)
		}
	}
	// A name that is taken is told before room is asked for.
	other := path + "-taken"
	if os.WriteFile(other, nil, 0o600) != nil {
		os.Exit(5)
	}
	if _, err := Create(other, small); !errors.Is(err, fs.ErrExist) {
		os.Stderr.WriteString(err.Error())
		os.Exit(6)
	}
	os.Exit(0)
}

func runChild(t *testing.T, job, path string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), childVariable+"="+job+" "+path)
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("child %s: %v: %s", job, err, out)
	}
}

func mustCreate(t *testing.T) (string, *Region) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table")
	r, err := Create(path, small)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return path, r
}

func TestFile_CreateThenTwoHandlesShare(t *testing.T) {
	path, a := mustCreate(t)
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o600 || uint64(info.Size()) != small.Size() {
		t.Fatalf("created %v of %d bytes, %v", info.Mode(), info.Size(), err)
	}
	b, err := Open(path, small)
	if err != nil {
		t.Fatal(err)
	}
	if !b.Layout().Equal(small) || b.File() != path || &a.Words()[0] == &b.Words()[0] {
		t.Errorf("second handle: %v %q", b.Layout(), b.File())
	}
	for i := headerWords; i < len(a.Words()); i++ {
		a.Words()[i].Store(uint64(i))
		if got := b.Words()[i].Add(1); got != uint64(i)+1 {
			t.Fatalf("word %d: %d", i, got)
		}
		if got := a.Words()[i].Load(); got != uint64(i)+1 {
			t.Fatalf("word %d comes back as %d", i, got)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if got := b.Words()[headerWords].Load(); got != headerWords+1 {
		t.Errorf("after the other handle was closed: %d", got)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

func TestFile_SpaceIsReserved(t *testing.T) {
	for name, reserve := range map[string]func(int, int64) error{
		"fallocate": reserve, "zeros": fillZeros,
	} {
		f, err := os.Create(filepath.Join(t.TempDir(), "f"))
		if err != nil {
			t.Fatal(err)
		}
		const size = 3<<20 + 64
		if err := reserve(int(f.Fd()), size); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var stat unix.Stat_t
		if err := unix.Fstat(int(f.Fd()), &stat); err != nil || stat.Size != size {
			t.Errorf("%s: %d bytes, %v", name, stat.Size, err)
		}
		if name == "fallocate" && stat.Blocks*512 < size {
			t.Errorf("%s: %d blocks behind %d bytes", name, stat.Blocks, size)
		}
		if b, err := os.ReadFile(f.Name()); err != nil || len(bytes.Trim(b, "\x00")) != 0 {
			t.Errorf("%s: content is not zero, %v", name, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestFile_NoRoomIsAnErrorAtCreation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	runChild(t, "limited", path)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the failed creation left its file: %v", err)
	}
}

func TestFile_SecondProcessWritesTheSameWords(t *testing.T) {
	path, r := mustCreate(t)
	words, err := r.Section("toy", "cells")
	if err != nil {
		t.Fatal(err)
	}
	words[0].Store(41)
	runChild(t, "answer", path)
	if words[0].Load() != 40 || words[9].Load() != 42 {
		t.Errorf("the child left %d and %d, want 40 and 42", words[0].Load(), words[9].Load())
	}
}

func TestFile_CreateRefusesWhatExists(t *testing.T) {
	path, _ := mustCreate(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(t.TempDir(), "nowhere"), link); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, link} {
		if _, err := Create(p, small); !errors.Is(err, ErrSystem) || !errors.Is(err, fs.ErrExist) {
			t.Errorf("create over %s: %v", p, err)
		}
	}
	if _, err := Open(path, Layout{}); err != nil {
		t.Errorf("the refused creation harmed the file: %v", err)
	}
}

func TestFile_OpenRefusesWhatIsNotAPrivateFile(t *testing.T) {
	path, r := mustCreate(t)
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	if err := errors.Join(os.Symlink(path, at("link")), unix.Mkfifo(at("pipe"), 0o600),
		os.WriteFile(at("open"), []byte("samecyc"), 0o600), os.Chmod(at("open"), 0o640),
		os.WriteFile(at("empty"), nil, 0o600),
		os.WriteFile(at("short"), make([]byte, headerLeast-1), 0o600),
		os.WriteFile(at("zeros"), make([]byte, headerBytes), 0o600),
		os.WriteFile(at("tiny"), []byte("same"), 0o600),
		os.WriteFile(at("alike"), bytes.Repeat([]byte("samecyc"), headerBytes), 0o600),
		os.WriteFile(at("text"), bytes.Repeat([]byte("text"), headerBytes), 0o600)); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		path         string
		open, unlink error
	}{
		{at("absent"), fs.ErrNotExist, fs.ErrNotExist},
		{folder, ErrNotRegular, ErrNotRegular},
		{at("link"), ErrNotRegular, ErrNotRegular},
		{at("pipe"), ErrNotRegular, ErrNotRegular},
		{at("open"), ErrMode, ErrMode},
		{at("text"), ErrMagic, ErrMagic},
		{at("tiny"), ErrSize, ErrMagic},
		{at("alike"), ErrMagic, ErrMagic},
		{at("empty"), ErrUnfinished, nil},
		{at("short"), ErrSize, nil},
		{at("zeros"), ErrUnfinished, nil},
		{path, nil, nil},
	}
	for _, c := range cases {
		if _, err := Open(c.path, Layout{}); !errors.Is(err, c.open) {
			t.Errorf("open %s: %v, want %v", c.path, err, c.open)
		}
		if err := Unlink(c.path); !errors.Is(err, c.unlink) {
			t.Errorf("unlink %s: %v, want %v", c.path, err, c.unlink)
		}
		_, err := os.Lstat(c.path)
		if gone := errors.Is(err, fs.ErrNotExist); gone != (c.unlink == nil || c.unlink == fs.ErrNotExist) {
			t.Errorf("%s after unlink: gone %v", c.path, gone)
		}
	}
	err := r.Guard(func() { r.Words()[headerWords].Store(1) })
	if err != nil || r.Words()[0].Load() != Magic {
		t.Errorf("the region that has lost its name has lost its memory, too: %v", err)
	}
}

// TestFile_EmptyPathIsSaid: who forgot to name a file is told so, not that a file is missing.
func TestFile_EmptyPathIsSaid(t *testing.T) {
	_, created, both := OpenOrCreate("", small)
	if created {
		t.Error("a region without a name was created")
	}
	for name, err := range map[string]error{
		"Create": failed(Create("", small)), "Open": failed(Open("", Layout{})), "OpenOrCreate": both,
		"Observe": failed(Observe("")), "Unlink": Unlink(""),
	} {
		if !errors.Is(err, ErrSystem) || !errors.Is(err, fs.ErrNotExist) ||
			!strings.HasPrefix(err.Error(), `region "": `) ||
			!strings.Contains(err.Error(), "the path is empty") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFile_StatIsJudged(t *testing.T) {
	cases := []struct {
		mode, owner uint32
		want        error
	}{
		{unix.S_IFREG | 0o600, 7, nil},
		{unix.S_IFREG | 0o400, 7, nil},
		{unix.S_IFREG | 0o600, 8, ErrOwner},
		{unix.S_IFREG | 0o600, 0, ErrOwner},
		{unix.S_IFREG | 0o666, 8, ErrOwner}, // whose it is comes first
		{unix.S_IFREG | 0o610, 7, ErrMode},
		{unix.S_IFREG | 0o604, 7, ErrMode},
		{unix.S_IFCHR | 0o600, 7, ErrNotRegular},
		{unix.S_IFDIR | 0o600, 7, ErrNotRegular},
	}
	for _, c := range cases {
		err := checkStat("f", &unix.Stat_t{Mode: c.mode, Uid: c.owner}, 7)
		if !errors.Is(err, c.want) {
			t.Errorf("mode %#o owner %d: %v, want %v", c.mode, c.owner, err, c.want)
		}
	}
}

// TestFile_EachModeIsJudged: no bit for group and others, and none of the others counts; nor may the owner be
// anybody but the user, be it root.
func TestFile_EachModeIsJudged(t *testing.T) {
	for mode := range uint32(0o10000) {
		err := checkStat("f", &unix.Stat_t{Mode: unix.S_IFREG | mode, Uid: 7}, 7)
		want := error(nil)
		if mode%0o100 != 0 {
			want = &Error{Reason: ErrMode, File: "f", Field: "mode", Found: fmt.Sprintf("0%o", mode%0o1000),
				Want: "no bits for group and others",
				Do:   "if it is a region, make sure that nobody changed it, then chmod 600"}
		}
		if !reflect.DeepEqual(err, want) {
			t.Errorf("mode %#o: %v, want %v", mode, err, want)
		}
	}
	names := map[uint32]string{1: "a pipe", 2: "a character device", 4: "a directory", 6: "a block device",
		12: "a socket"}
	for kind := range uint32(16) {
		want := &Error{Reason: ErrNotRegular, File: "f", Field: "type", Found: fmt.Sprintf("%#o", kind<<12),
			Want: "a regular file", Do: "name the file itself"}
		if name, known := names[kind]; known {
			want.Found = name
		}
		err := checkStat("f", &unix.Stat_t{Mode: kind<<12 | 0o600, Uid: 7}, 7)
		if kind == 8 && err != nil || kind != 8 && !reflect.DeepEqual(err, error(want)) {
			t.Errorf("kind %#o: %v, want %v", kind<<12, err, want)
		}
	}
	for _, owner := range []uint32{0, 1, 6, 8, 1<<31 | 7, math.MaxUint32} {
		for _, c := range [][2]uint32{{owner, 7}, {7, owner}} {
			err := checkStat("f", &unix.Stat_t{Mode: unix.S_IFREG | 0o600, Uid: c[0]}, c[1])
			want := &Error{Reason: ErrOwner, File: "f", Field: "owner", Found: fmt.Sprint(c[0]),
				Want: fmt.Sprint(c[1]), Do: "run as the owner, or create a region of your own"}
			if !reflect.DeepEqual(err, error(want)) {
				t.Errorf("%d opens what is of %d: %v, want %v", c[1], c[0], err, want)
			}
		}
	}
}

// TestFile_DamagedHeadersAreRefused damages real files: each bit of the header, each length up to
// a whole header, and the lengths around the right one.
func TestFile_DamagedHeadersAreRefused(t *testing.T) {
	path, r := mustCreate(t)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	refuse := func(what string, n int) {
		t.Helper()
		if h, err := Open(path, Layout{}); err == nil {
			t.Errorf("%s %d is accepted as %v", what, n, h.Layout())
		}
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	put := func(at int, b ...byte) {
		if _, err := f.WriteAt(b, int64(at)); err != nil {
			t.Fatal(err)
		}
	}
	for bit := range headerBytes * 8 {
		put(bit/8, good[bit/8]^1<<(bit%8))
		refuse("flipped bit", bit)
		put(bit/8, good[bit/8])
	}
	lengths := []int{len(good) - 1, len(good) + 1, len(good) * 2, 4096, 4352}
	for n := range headerBytes + 1 {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		if err := f.Truncate(int64(n)); err != nil {
			t.Fatal(err)
		}
		refuse("length", n)
		if err := f.Truncate(int64(len(good))); err != nil {
			t.Fatal(err)
		}
		put(0, good...)
	}
	put(0, binary.LittleEndian.AppendUint64(nil, 0)...)
	if _, err := Open(path, small); !errors.Is(err, ErrUnfinished) {
		t.Errorf("without magic: %v", err)
	}
	put(0, good...)
	if _, err := Open(path, asks("cells per half", 6)); !errors.Is(err, ErrLayout) {
		t.Errorf("other geometry: %v", err)
	}
	if h, err := Open(path, small); err != nil { // the canary: the undamaged file is accepted
		t.Error(err)
	} else if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestFile_OpenersDuringCreationSeeAllOrNothing races creation with opening.
func TestFile_OpenersDuringCreationSeeAllOrNothing(t *testing.T) {
	folder := t.TempDir()
	waited := 0
	for i := range 50 {
		path := filepath.Join(folder, string(rune('a'+i%26))+string(rune('a'+i/26)))
		created := make(chan error)
		go func() {
			r, err := Create(path, toy(1<<14, 32, 64, near))
			if err == nil {
				err = r.Close()
			}
			created <- err
		}()
		for {
			r, err := Open(path, toy(1<<14, 32, 64, near))
			if err == nil {
				if err := r.Close(); err != nil {
					t.Error(err)
				}
				break
			}
			waited++
			if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrUnfinished) {
				t.Errorf("during creation: %v", err)
				break
			}
		}
		if err := <-created; err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("openers came too early %d times", waited)
}

// TestLacksRoom: a byte of a hole more than there are free blocks is too much, and one less is not; who has
// no blocks has not said anything.
func TestLacksRoom(t *testing.T) {
	const block = 4096
	for _, c := range []struct {
		length, sectors int64
		blocks, free    uint64
		want            bool
	}{
		{8 * block, 8 * block / 512, 9, 0, false}, {8 * block, 9 * block / 512, 9, 0, false},
		{8 * block, 6 * block / 512, 9, 2, false}, {8 * block, 6 * block / 512, 9, 1, true},
		{8*block + 1, 6 * block / 512, 9, 2, true}, {8*block - 1, 6 * block / 512, 9, 2, false},
		{8*block - 1, 6 * block / 512, 9, 1, true}, {8 * block, 0, 0, 0, false}, {8 * block, 0, 1, 0, true},
		{1 << 40, 1<<31 - 8, 1 << 30, 1, false}, {1<<40 + 1, 1<<31 - 8, 1 << 30, 1, true},
		{1 << 50, 0, 1 << 40, 1 << 38, false},
	} {
		stat := unix.Stat_t{Blocks: c.sectors}
		disk := unix.Statfs_t{Blocks: c.blocks, Bavail: c.free, Bsize: block}
		if got := lacksRoom(c.length, &stat, &disk); got != c.want {
			t.Errorf("%+v: lacks room: %t", c, got)
		}
	}
	// The blocks are counted in another unit than that of a transfer, as by a file system of a program; and
	// so many are free that their bytes are more than 64 bits hold.
	for _, c := range []struct {
		disk unix.Statfs_t
		want bool
	}{
		{unix.Statfs_t{Blocks: 9, Bavail: 2, Bsize: 1 << 20, Frsize: block}, true},
		{unix.Statfs_t{Blocks: 9, Bavail: 3, Bsize: 1 << 20, Frsize: block}, false},
		{unix.Statfs_t{Blocks: 9, Bavail: 3, Bsize: 512, Frsize: block}, false},
		{unix.Statfs_t{Blocks: 1 << 60, Bavail: 1 << 60, Bsize: block, Frsize: block}, false},
		{unix.Statfs_t{Blocks: 1 << 60, Bavail: 1<<52 + 1, Bsize: block, Frsize: block}, false},
	} {
		if got := lacksRoom(3*block, &unix.Stat_t{}, &c.disk); got != c.want {
			t.Errorf("%+v: lacks room: %t", c.disk, got)
		}
	}
}
