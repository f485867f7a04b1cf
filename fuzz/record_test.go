package fuzz

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/evidence/closure"
)

// FuzzRecord reads a record of evidence: an error that names the cell and how to judge it again, or a
// valid record that is written as it was understood. Whatever the file holds, the matrix has a cell.
func FuzzRecord(f *testing.F) {
	root := recordFolder(f)
	for _, data := range recordSeeds(f, root) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := checkRecord(root, data, evidence.Load); err != nil {
			t.Fatal(err)
		}
	})
}

const recordLink = "engine"

func recordState() string { return register.States()[3].ID }

// recordNow is what each cell rests on: the judged file.
func recordNow(root string) evidence.Now {
	return func(_, state, _ string) (closure.List, error) {
		scope := closure.Scope{Files: []string{"*.go"}}
		return closure.Open(root).Of(context.Background(), scope, state)
	}
}

// recordFolder is a repository with one judged file.
func recordFolder(tb testing.TB) string {
	root := tb.TempDir()
	dir := filepath.Dir(evidence.Path(root, register.Engine().Name, recordLink, recordState()))
	if err := errors.Join(os.MkdirAll(dir, 0o755),
		os.WriteFile(filepath.Join(root, "judged.go"), []byte("package judged\n"), 0o600)); err != nil {
		tb.Fatal(err)
	}
	return root
}

func recordSeeds(tb testing.TB, root string) [][]byte {
	list, err := recordNow(root)(recordLink, recordState(), "")
	if err != nil {
		tb.Fatal(err)
	}
	in := evidence.BasisOf(list, nil)
	good := evidence.Record{Engine: register.Engine().Name, Link: recordLink, State: recordState(),
		Status: evidence.Pass, Figure: 42, Unit: "executions", Bound: "all", Command: "samecycle check",
		Inputs: in,
		Tools:  map[string]string{"go": "1"}}
	bad := good
	bad.Status, bad.Detail = evidence.Fail, []string{"it fails"}
	bad.Replay, bad.Page = "sx1~S~k0~a.~0", "results/failures/S.html"
	var seeds [][]byte
	for _, r := range []evidence.Record{good, bad} {
		text, err := r.Encode()
		if err != nil {
			tb.Fatal(err)
		}
		seeds = append(seeds, text, text[:len(text)/2], append(bytes.Clone(text), "{}"...))
		for _, change := range [][2]string{
			{`"pass"`, `"stale"`}, {`"pass"`, `"fail"`}, {"42", "-1"}, {"42", "0"}, {"42", "1e999"},
			{`"executions"`, `""`}, {`"engine"`, `"spec"`}, {"S04", "S05"}, {in.SHA256, ""},
			{in.SHA256[:8], "00000000"}, {`"judged.go"`, ""}, {`"judged.go"`, `"../judged.go"`},
			{`"own"`, `"shared": "../../x", "own"`}, {`"own"`, `"shared": "0", "own"`}, {`"seed"`, `"sead"`},
			{`"detail": [`, `"detail": [null,`}, {`"it fails"`, ""},
		} {
			seeds = append(seeds, bytes.Replace(text, []byte(change[0]), []byte(change[1]), 1))
		}
	}
	return append(seeds, nil, []byte("{}"), []byte("null"), []byte("[]"))
}

// recordLoader is evidence.Load; a canary puts a fault in it.
type recordLoader func(root, engine, link, state string) (evidence.Record, error)

func checkRecord(root string, data []byte, load recordLoader) error {
	path := evidence.Path(root, register.Engine().Name, recordLink, recordState())
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return err
	}
	r, err := load(root, register.Engine().Name, recordLink, recordState())
	var text bytes.Buffer
	m := evidence.BuildMatrix(root, register.Engine(), evidence.Coverage{recordLink: {recordState(): true}},
		recordNow(root))
	if err := m.Render(&text, evidence.RenderOptions{}); err != nil {
		return wrong("the matrix cannot be printed: %w", err)
	}
	cell := m.Rows[3].Links[recordLink]
	if err != nil {
		again := "samecycle check --link " + recordLink + " --state " + recordState()[:3]
		text := err.Error()
		if !errors.Is(err, evidence.ErrRecord) || !strings.Contains(text, recordLink+"/"+recordState()) ||
			!strings.Contains(text, again) {
			return wrong("want an error that names the cell and %q: %w", again, err)
		}
		if cell.Status != evidence.Unknown || cell.Reason == "" {
			return wrong("a record that is refused has a cell of status %s, %q", cell.Status, cell.Reason)
		}
		return nil
	}
	if err := r.Validate(); err != nil {
		return wrong("a record that was read is not valid: %w", err)
	}
	if cell.Status == evidence.Pass && (r.Status != evidence.Pass || cell.Figure != r.Figure) {
		return wrong("the cell says %v, the record %s %v", cell, r.Status, r.Figure)
	}
	written, err := r.Encode()
	if err != nil {
		return wrong("what was read cannot be written: %w", err)
	}
	if err := os.WriteFile(path, written, 0o600); err != nil {
		return err
	}
	again, err := load(root, register.Engine().Name, recordLink, recordState())
	second, _ := again.Encode()
	if err != nil || !bytes.Equal(written, second) || !reflect.DeepEqual(again.Inputs, r.Inputs) {
		return wrong("%+v, %w is not %+v", again, err, r)
	}
	return nil
}

func TestRecord_Canaries(t *testing.T) {
	root := recordFolder(t)
	inputs := corpus(t, "FuzzRecord", recordSeeds(t, root))
	for i, data := range inputs {
		if err := checkRecord(root, data, evidence.Load); err != nil {
			t.Errorf("input %d: %v", i, err)
		}
	}
	for name, fault := range map[string]recordLoader{
		"not validated": func(root, engine, link, state string) (evidence.Record, error) {
			r, err := evidence.Load(root, engine, link, state)
			if err == nil {
				r.Unit = ""
			}
			return r, err
		},
		"a failure is a pass": func(root, engine, link, state string) (evidence.Record, error) {
			r, err := evidence.Load(root, engine, link, state)
			if r.Status == evidence.Pass {
				r.Status = evidence.Fail
			}
			return r, err
		},
		"nameless": func(root, engine, link, state string) (evidence.Record, error) {
			r, err := evidence.Load(root, engine, link, state)
			if err != nil {
				err = evidence.ErrRecord
			}
			return r, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			findsFault(t, inputs, func(data []byte) error { return checkRecord(root, data, fault) })
		})
	}
}
