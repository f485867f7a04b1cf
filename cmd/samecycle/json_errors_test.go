package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// TestRun_ErrorsForPrograms: with --json standard output tells an error, too, wherever it was found.
func TestRun_ErrorsForPrograms(t *testing.T) {
	root := repositoryWith(t, testLink{link: "spec"})
	const no = "--root /proc holds no go.mod of this project: name the folder of a clone"
	for line, want := range map[string]refusal{
		"verify --json":            {"FILE is missing", exitUsage, "samecycle verify --help"},
		"--json verify --nope":     {"unknown flag: --nope", exitUsage, "samecycle verify --help"},
		"verify --nope --json=1":   {"unknown flag: --nope", exitUsage, "samecycle verify --help"},
		"verify --nope --json":     {"unknown flag: --nope", exitUsage, "samecycle verify --help"},
		"watch x --count y --json": {"--count y: use a whole number", exitUsage, "samecycle watch --help"},
		"--json nothing": {`unknown command "nothing" for "samecycle"`, exitUsage,
			"samecycle --help"},
		"states --json --root /proc": {no, exitRed, ""},
		"spec --parallel 0 --json":   {"--parallel 0: use 1 to 1024", exitUsage, "samecycle spec --help"},
	} {
		code, out, errOut := call(strings.Fields(line)...)
		var got refusal
		if err := json.Unmarshal([]byte(out), &got); err != nil || got != want || code != want.Exit ||
			strings.Count(out, "\n") != 1 || !strings.Contains(errOut, want.Error) {
			t.Errorf("%s: %v, status %d\n%s\n%s", line, err, code, out, errOut)
		}
	}
	for _, line := range []string{"verify", "verify --nope", "verify --json=false", "verify --nope --json=0",
		"cache get none -- --json", "verify --nope -- --json"} {
		if code, out, errOut := call(strings.Fields(line)...); code == exitOK || out != "" || errOut == "" {
			t.Errorf("%s: status %d, output %q, %q: nobody asked for JSON", line, code, out, errOut)
		}
	}

	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errInterrupted)
	code, out, _ := callWith(ctx, "diagram", "cell", "--json")
	var got refusal
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitInterrupted ||
		got.Exit != code || !strings.Contains(got.Error, "interrupted") {
		t.Errorf("interrupted: %v, status %d\n%s", err, code, out)
	}

	// What is red is no error: the result alone says so.
	code, out, _ = call("states", "--json", "--root", root)
	if code != exitRed || strings.Contains(out, `"error"`) {
		t.Errorf("red: status %d\n%s", code, out)
	}
}
