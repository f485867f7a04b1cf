package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// shell is a run of a shell script.
func shell(name, script string) run { return run{name, []string{"sh", "-c", script}} }

// passes is a script that prints the events of a package that passes, line by line with a pause.
func passes(pkg string, lines int) string {
	script := ""
	for i := range lines {
		script += fmt.Sprintf(`echo '{"Action":"output","Package":"%s","Output":"line %d of %s\\n"}'`+"\n",
			pkg, i, pkg) + "sleep 0.01\n"
	}
	script += fmt.Sprintf(`echo '{"Action":"output","Package":"%s","Output":"ok  \\t%s\\t1s\\n"}'`+"\n",
		pkg, pkg)
	return script + fmt.Sprintf(`echo '{"Action":"pass","Package":"%s"}'`+"\n", pkg)
}

// What two commands print at the same time comes package by package, with the name of the run; and they do
// run at the same time: each waits for a file that the other one makes.
func TestBeside_ShowsEachPackageInOnePiece(t *testing.T) {
	dir := t.TempDir()
	meets := func(own, other string) string {
		return fmt.Sprintf("touch %s/%s; for i in $(seq 1000); do test -e %s/%s && break; sleep 0.01; done; "+
			"test -e %s/%s || exit 1\n", dir, own, dir, other, dir, other)
	}
	var out, told bytes.Buffer
	skip := `echo '{"Action":"skip","Package":"p","Test":"TestX"}'
`
	if beside([]run{shell("plain", meets("a", "b")+skip+passes("p", 20)),
		shell("explored", meets("b", "a")+passes("p", 20)+"echo aside >&2")}, &out, &told) {
		t.Errorf("it fails: %s%s", &out, &told)
	}
	piece := ""
	for i := range 20 {
		piece += fmt.Sprintf("line %d of p\n", i)
	}
	for _, want := range []string{piece + "ok  \tp\t1s\t(plain)\n", piece + "ok  \tp\t1s\t(explored)\n",
		"skipped: TestX in p: it gives no reason (plain)\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}
	if told.String() != "aside\n" {
		t.Errorf("told %q", &told)
	}
}

// Whichever of them fails, by an event or by its status, all have failed, and each says why.
func TestBeside_FailsWithAny(t *testing.T) {
	good := shell("good", passes("p", 1))
	for name, c := range map[string]struct {
		bad  run
		says string
	}{
		"a failed package": {shell("bad", `echo '{"Action":"fail","Package":"q"}'`), ""},
		"one that never ended": {shell("bad", `echo '{"Action":"start","Package":"q"}'`),
			"FAIL\tq\tit never ended\t(bad)\n"},
		"a status":            {shell("bad", "exit 3"), "testlog: bad ended with exit status 3\n"},
		"no such command":     {run{"bad", []string{"/nowhere/at/all"}}, "testlog: bad cannot be run: "},
		"a status with a cry": {shell("bad", "echo no such flag >&2; exit 2"), "no such flag\n"},
	} {
		for _, all := range [][]run{{good, c.bad}, {c.bad, good}} {
			var out, told bytes.Buffer
			if !beside(all, &out, &told) {
				t.Errorf("%s: nothing has failed", name)
			}
			if text := out.String() + told.String(); !strings.Contains(text, c.says) ||
				!strings.Contains(text, "ok  \tp\t1s\t(good)\n") {
				t.Errorf("%s: %q", name, text)
			}
		}
	}
	if beside([]run{good, good}, new(bytes.Buffer), new(bytes.Buffer)) {
		t.Error("two that pass fail")
	}
}

// The arguments are commands, each behind a -- and a name; what is none is refused.
func TestSplit(t *testing.T) {
	all, err := split(strings.Fields("-- a go test -- b true"))
	if err != nil || fmt.Sprint(all) != "[{a [go test]} {b [true]}]" {
		t.Errorf("%v, %v", all, err)
	}
	for _, line := range []string{"go test", "--", "-- a", "-- a go --", "-- a -- b go"} {
		all, err := split(strings.Fields(line))
		if err == nil || !strings.Contains(err.Error(), "write -- NAME") {
			t.Errorf("%s: %v, %v", line, all, err)
		}
	}
}
