package tlc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The archive is made once, is used, and a damaged or foreign one does no harm: the verdicts are the
// same.
func TestTool_UseArchive(t *testing.T) {
	tool := needTLC(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	tool.archive = ""
	tool.useArchive(t.Context())
	if tool.archive == "" {
		t.Skip("NOT RUN: this Java makes no archive")
	}
	job := Job{Dir: "testdata", Module: "Tiny", Config: "TinyInvariant.cfg"}
	if args := strings.Join(tool.arguments(job, t.TempDir()), " "); !strings.Contains(args, tool.archive) {
		t.Errorf("the arguments %q do not name the archive", args)
	}
	judge := func(what string) {
		t.Helper()
		r, err := tool.Run(t.Context(), job)
		if err != nil || r.Outcome != Invariant || r.Property != "I2Small" || r.Distinct != 4 {
			t.Errorf("%s: %v %s %s, %d states", what, err, r.Outcome, r.Property, r.Distinct)
		}
	}
	judge("with the archive")
	first := tool.archive
	if tool.useArchive(t.Context()); tool.archive != first {
		t.Errorf("a second archive %s beside %s", tool.archive, first)
	}
	bad := filepath.Join(t.TempDir(), "bad.jsa")
	if err := os.WriteFile(bad, []byte("no archive"), 0o600); err != nil {
		t.Fatal(err)
	}
	tool.archive = bad
	judge("with a damaged archive")
	tool.archive = filepath.Join(t.TempDir(), "gone.jsa")
	judge("without the archive")
}

// A program in place of Java that makes no archive leaves none behind, and no rest of the attempt.
func TestTool_UseArchiveFails(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	tool := &Tool{Java: "false", JavaVersion: "17.0.1", Jar: "x.jar"}
	tool.useArchive(t.Context())
	left, err := os.ReadDir(filepath.Join(cache, "samecycle"))
	if tool.archive != "" || err != nil || len(left) != 0 {
		t.Errorf("archive %q, left behind %v, %v", tool.archive, left, err)
	}
}
