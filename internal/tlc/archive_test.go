package tlc

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// The archive is made once, is used, and a damaged or foreign one does no harm: the verdicts are the
// same. One that was cut off, on which the JVM faults, is made anew, and so is what is no file.
func TestTool_UseArchive(t *testing.T) {
	tool := needTLC(t)
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	tool.archive = ""
	tool.useArchive(t.Context())
	if tool.archive == "" {
		t.Skip("NOT RUN: this Java makes no archive; install one of version 13 or newer with -Xshare")
	}
	judge := func(what string) { t.Helper(); judgesTiny(t, tool, what) }
	judge("with the archive")
	first := tool.archive
	if tool.useArchive(t.Context()); tool.archive != first {
		t.Errorf("a second archive %s beside %s", tool.archive, first)
	}
	for what, damage := range map[string]func() error{
		"cut off":  func() error { return os.Truncate(first, 1<<20) },
		"a folder": func() error { return errors.Join(os.Remove(first), os.Mkdir(first, 0o700)) },
	} {
		if err := errors.Join(os.Chmod(first, 0o600), damage()); err != nil {
			t.Fatal(err)
		}
		tool.useArchive(t.Context())
		if info, err := os.Stat(tool.archive); err != nil || info.Size() < 1<<20+1 {
			t.Errorf("%s: %v, %v", what, info, err)
		}
		judge(what + ", and made anew")
		first = tool.archive
	}
	tool.archive = filepath.Join(t.TempDir(), "bad.jsa")
	if err := os.WriteFile(tool.archive, []byte("no archive"), 0o600); err != nil {
		t.Fatal(err)
	}
	judge("with a damaged archive")
	tool.archive = filepath.Join(t.TempDir(), "gone.jsa")
	judge("without the archive")
}

// judgesTiny wants the known verdict of a run, and that its command line names the archive.
func judgesTiny(t *testing.T, tool *Tool, what string) {
	t.Helper()
	job := Job{Dir: "testdata", Module: "Tiny", Config: "TinyInvariant.cfg"}
	if args := strings.Join(tool.arguments(job, t.TempDir()), " "); !strings.Contains(args, tool.archive) {
		t.Errorf("%s: the arguments %q do not name the archive", what, args)
	}
	r, err := tool.Run(t.Context(), job)
	if err != nil || r.Outcome != Invariant || r.Property != "I2Small" || r.Distinct != 4 {
		t.Errorf("%s: %v %s %s, %d states", what, err, r.Outcome, r.Property, r.Distinct)
	}
}

// Two programs that find a damaged archive each end up with one that works.
func TestTool_UseArchiveBesideOneAnother(t *testing.T) {
	tool := needTLC(t)
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	damaged := filepath.Join(cache, "samecycle", tool.archivePrefix()+"0.jsa")
	err := errors.Join(os.Mkdir(filepath.Dir(damaged), 0o700), os.WriteFile(damaged, nil, 0o400))
	if err != nil {
		t.Fatal(err)
	}
	tools := []Tool{*tool, *tool}
	var wait sync.WaitGroup
	for i := range tools {
		wait.Go(func() { tools[i].useArchive(t.Context()) })
	}
	wait.Wait()
	for i := range tools {
		if tools[i].archive == "" || tools[i].archive == damaged {
			t.Errorf("archive %q", tools[i].archive)
		}
		judgesTiny(t, &tools[i], "beside another one")
	}
	if _, err := os.Stat(damaged); err == nil {
		t.Error("the damaged archive is still there")
	}
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
