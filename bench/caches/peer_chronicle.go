//go:build !no_chronicle

package caches

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

var _ = register(kind{name: "Chronicle Map", unbounded: true, solo: true, batched: true, make: newChronicle,
	version: chronicleVersion, about: "a map of Java in a file in memory, which other processes may map; " +
		"called in a process of Java, many keys at a time, and timed there; it does not evict"})

//go:embed java/pom.xml java/src
var chronicleSource embed.FS

// chronicleFlags let the library reach what a JDK of today keeps to itself, and it is not to call home.
var chronicleFlags = strings.Fields("-Dchronicle.analytics.disable=true -XX:+UseSerialGC -Xmx1g " +
	"--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED --add-exports=java.base/sun.nio.ch=ALL-UNNAMED " +
	"--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED " +
	"--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED " +
	"--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED " +
	"--add-opens=java.base/java.lang.reflect=ALL-UNNAMED --add-opens=java.base/java.io=ALL-UNNAMED " +
	"--add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED " +
	"--add-opens=java.base/sun.nio.ch=ALL-UNNAMED")

// chronicleStore is a process of Java that has the map.
type chronicleStore struct {
	mu     sync.Mutex
	server *exec.Cmd
	in     *bufio.Writer
	pipe   io.Closer
	out    *bufio.Reader
	dir    string
	value  int
	err    error
}

// chronicleBuilt is the folder in which Maven has built the program, made once for each version of it.
var chronicleBuilt = sync.OnceValues(func() (string, error) {
	for _, tool := range []string{"mvn", "java"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", fmt.Errorf("Chronicle Map needs java and mvn, install them: %w", err)
		}
	}
	sum := fnv.New64a()
	err := fs.WalkDir(chronicleSource, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := chronicleSource.ReadFile(path)
		_, _ = sum.Write(text) // which has no error
		return err
	})
	if err != nil {
		return "", err
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("samecycle-chronicle-%d-%x", os.Getuid(), sum.Sum64()))
	target := filepath.Join(dir, "java", "target")
	if _, err := os.Stat(filepath.Join(target, "lib")); err == nil {
		return target, nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := os.CopyFS(dir, chronicleSource); err != nil {
		return "", err
	}
	cmd := exec.Command("mvn", "--quiet", "--batch-mode", "package")
	cmd.Dir = filepath.Join(dir, "java")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", errors.Join(fmt.Errorf("mvn package: %w: %.400s", err, bytes.TrimSpace(text)),
			os.RemoveAll(dir))
	}
	return target, nil
})

// chronicleVersion is that of the library.
func chronicleVersion() string {
	target, err := chronicleBuilt()
	if err != nil {
		return ""
	}
	jars, err := filepath.Glob(filepath.Join(target, "lib", "chronicle-map-*.jar"))
	if err != nil || len(jars) == 0 {
		return ""
	}
	return strings.TrimSuffix(filepath.Base(jars[0]), ".jar")
}

// newChronicle starts the process, and waits until it has the map.
func newChronicle(r room) (store, error) {
	target, err := chronicleBuilt()
	if err != nil {
		return nil, err
	}
	s := &chronicleStore{value: r.value}
	if s.dir, err = scratch("chronicle"); err != nil {
		return nil, err
	}
	args := append([]string{}, chronicleFlags...)
	args = append(args, "-cp", filepath.Join(target, "classes")+":"+filepath.Join(target, "lib", "*"),
		"Chronicle", filepath.Join(s.dir, "map"), strconv.Itoa(r.key), strconv.Itoa(r.value),
		strconv.Itoa(r.entries))
	s.server = exec.Command("java", args...)
	in, errIn := s.server.StdinPipe()
	out, errOut := s.server.StdoutPipe()
	if err := errors.Join(errIn, errOut, s.server.Start()); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.dir))
	}
	s.in, s.pipe, s.out = bufio.NewWriter(in), in, bufio.NewReader(out)
	if _, err := s.out.ReadByte(); err != nil {
		return nil, errors.Join(fmt.Errorf("Chronicle Map does not start: %w", err), s.close())
	}
	return s, nil
}

// order sends what there is to do, and reads the answer of so many bytes.
func (s *chronicleStore) order(answer int, parts ...[]byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	got := make([]byte, answer)
	for _, p := range parts {
		_, _ = s.in.Write(p) // Flush has the error
	}
	err := s.in.Flush()
	if err == nil {
		_, err = io.ReadFull(s.out, got)
	}
	if err != nil && s.err == nil {
		s.err = fmt.Errorf("Chronicle Map has gone: %w", err)
	}
	return got
}

func (s *chronicleStore) get(key, dst []byte) ([]byte, bool) {
	got := s.order(1+s.value, []byte{'G'}, key)
	if got[0] == 0 {
		return nil, false
	}
	return append(dst, got[1:]...), true
}

func (s *chronicleStore) set(key, value []byte) bool {
	return s.order(1, []byte{'S'}, key, value)[0] == 1
}

func (s *chronicleStore) remove(key []byte) { s.order(1, []byte{'R'}, key) }
func (s *chronicleStore) settle()           {}

// many carries out an order of many keys: how many were there or were set, how many values were wrong, and
// how many nanoseconds of processor time it took.
func (s *chronicleStore) many(order byte, ids []uint32, flip uint64) (done, wrong int, ns uint64) {
	head := binary.BigEndian.AppendUint64([]byte{order}, flip)
	head = binary.BigEndian.AppendUint32(head, uint32(len(ids)))
	for _, id := range ids {
		head = binary.BigEndian.AppendUint32(head, id)
	}
	got := s.order(16, head)
	return int(binary.BigEndian.Uint32(got[8:])), int(binary.BigEndian.Uint32(got[12:])),
		binary.BigEndian.Uint64(got)
}

func (s *chronicleStore) lookupAll(ids []uint32) (hits, wrong int, ns uint64) {
	return s.many('g', ids, 0)
}

func (s *chronicleStore) assignAll(ids []uint32, flip uint64) (taken int, ns uint64) {
	taken, _, ns = s.many('s', ids, flip)
	return taken, ns
}

func (s *chronicleStore) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// close ends the process by the end of its orders.
func (s *chronicleStore) close() error {
	err := errors.Join(s.pipe.Close(), s.server.Wait())
	return errors.Join(err, os.RemoveAll(s.dir))
}
