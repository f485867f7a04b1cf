package tlc

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// archiveTime bounds the making of an archive: one run of two states.
const archiveTime = time.Minute

// firstArchiving is the first Java that archives the classes of a program as it ends.
const firstArchiving = 13

// The run whose classes are archived. It goes through the parser, the search and the liveness check.
const (
	archiveModule = "Archived"
	archiveText   = `---- MODULE Archived ----
EXTENDS Naturals, Sequences, FiniteSets
VARIABLES x, s
Init == x = 0 /\ s = <<>>
Next == x' = 1 - x /\ s' = IF Len(s) = 0 THEN Append(s, [a |-> {x}]) ELSE Tail(s)
Spec == Init /\ [][Next]_<<x, s>> /\ WF_x(Next)
TypeOK == x \in 0 .. 1 /\ Cardinality({s}) = 1
Steps == [][x' # x]_x
Ends == <>(x = 1)
====
`
	archiveConfig = "SPECIFICATION Spec\nINVARIANT TypeOK\nPROPERTIES Steps Ends\n"
)

// useArchive lets the JVM map TLC's classes as it has left them in an archive of the cache folder, loaded
// and verified, which saves a sixth of the start of a run. Without one everything works the same, only
// later: so nothing here is an error. The JVM refuses an archive of another jar or Java, but crashes on one
// that was cut off. So the name of an archive holds its checksum, and an archive that does not match its
// name is made again. Several programs may do so at a time; each keeps what it has made.
func (t *Tool) useArchive(ctx context.Context) {
	t.archive = ""
	major, err := strconv.Atoi(strings.SplitN(t.JavaVersion, ".", 2)[0])
	cache, cacheErr := os.UserCacheDir()
	if err != nil || cacheErr != nil || major < firstArchiving {
		return
	}
	dir, prefix := filepath.Join(cache, "samecycle"), t.archivePrefix()
	if os.MkdirAll(dir, 0o755) != nil {
		return
	}
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		if !strings.HasPrefix(f.Name(), prefix) {
			continue
		}
		path := filepath.Join(dir, f.Name())
		if f.Type().IsRegular() && archiveName(prefix, path) == f.Name() {
			t.archive = path
			return
		}
		_ = os.Remove(path)
	}
	work, err := os.MkdirTemp(dir, "archive-")
	if err != nil {
		return
	}
	defer os.RemoveAll(work)
	made := filepath.Join(work, "classes.jsa")
	if t.makeArchive(ctx, work, made) != nil {
		return
	}
	path := filepath.Join(dir, archiveName(prefix, made))
	if os.Rename(made, path) == nil {
		t.archive = path
	}
}

// archivePrefix begins the names of the archives of this Java with this jar.
func (t *Tool) archivePrefix() string {
	key := sha256.Sum256([]byte(t.JavaVersion + "\n" + t.Java + "\n" + t.Jar + "\n" + t.SHA256))
	return "classes-" + hex.EncodeToString(key[:8]) + "-"
}

// archiveName is the name in the cache of an archive with the content of a file; it is no name of an
// archive if that cannot be read.
func archiveName(prefix, file string) string {
	sum, err := fileSHA256(file)
	if err != nil {
		return ""
	}
	return prefix + sum + ".jsa"
}

// makeArchive runs TLC once, and has the JVM write the classes that it has loaded.
func (t *Tool) makeArchive(ctx context.Context, work, made string) error {
	for name, text := range map[string]string{".tla": archiveText, ".cfg": archiveConfig} {
		if err := os.WriteFile(filepath.Join(work, archiveModule+name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	limited, cancel := context.WithTimeout(ctx, archiveTime)
	defer cancel()
	job := Job{Dir: work, Module: archiveModule, Config: archiveModule + ".cfg"}
	args := append([]string{"-XX:ArchiveClassesAtExit=" + made}, t.arguments(job, work)...)
	cmd := exec.CommandContext(limited, t.Java, args...)
	cmd.Dir = work
	ownGroup(cmd)
	cmd.WaitDelay = time.Second
	return cmd.Run()
}
