package fuzz

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/samecycle/samecycle/internal/tlc"
)

// FuzzManifest reads the list of a folder's runs and, behind a zero byte, that of its mutants: an
// error that wraps ErrManifest, or all of the text is understood.
func FuzzManifest(f *testing.F) {
	for _, data := range manifestSeeds() {
		f.Add(data)
	}
	dir := specFolder(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := checkManifest(dir, data, tlc.LoadManifest); err != nil {
			t.Fatal(err)
		}
	})
}

// specFolder has one module with one configuration.
func specFolder(tb testing.TB) string {
	dir := tb.TempDir()
	for name, text := range map[string]string{
		"M.tla": "---- MODULE M ----\nx == 1\n====\n",
		"M.cfg": "INVARIANT I\nPROPERTY P\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

func manifestSeeds() [][]byte {
	const ok = `{"name":"A","state":"","module":"M","config":"M.cfg","kind":"safety","expect":"ok",` +
		`"distinct":3,"depth":2}`
	const fails = `{"name":"B","state":"S04AddCollisionEmpty","module":"M","config":"M.cfg",` +
		`"kind":"must-fail","expect":"invariant","property":"I","hazards":["H-1"]}`
	const mutant = `{"name":"m","state":"S04AddCollisionEmpty","edits":[{"module":"M",` +
		`"old":"x == 1","new":"x == 2"}],"run":"B","property":"I","note":"n"}`
	both := "[" + ok + "," + fails + "]"
	var seeds [][]byte
	for _, s := range []string{
		both, both + "\x00[" + mutant + "]", "[" + ok + "," + ok + "]", "[]", "null", "{}", "", both + "]",
		both + both, both + "\x00[" + mutant + "," + mutant + "]", both + "\x00[" + mutant + "] []",
		`[{"name":"A","config":"../M.cfg"}]`, `[{"unknown":1}]`, both[:40], "[" + fails + "]\x00null",
		`[{"name":"A","state":"","module":"../x/M","config":"","kind":"witness","expect":"liveness"}]`,
		`[` + ok + `,{"name":"B","state":"","module":"M","config":{"like":"C",` +
			`"set":{"N":2,"S":["a",[true]]},` +
			`"replace":{"K":"L"},"drop":["I"],"deadlock":false},"kind":"safety","expect":"ok"},` +
			`{"name":"C","state":"","module":"M","config":{"specification":"S","set":{"N":-1},` +
			`"invariants":["I","J"]},"kind":"safety","expect":"ok","story":["a","b"]}]`,
		`[{"name":"A","state":"","module":"M","config":{"like":"A"},"kind":"safety","expect":"ok"}]`,
	} {
		seeds = append(seeds, []byte(s))
	}
	return seeds
}

// loader is tlc.LoadManifest; a canary puts a fault in it.
type loader func(dir string) (*tlc.Manifest, error)

func checkManifest(dir string, data []byte, load loader) error {
	runs, mutants, both := bytes.Cut(data, []byte{0})
	if err := os.WriteFile(filepath.Join(dir, tlc.ManifestName), runs, 0o600); err != nil {
		return err
	}
	m, err := load(dir)
	if err != nil {
		if !errors.Is(err, tlc.ErrManifest) {
			return wrong("manifest: %w", err)
		}
		return nil
	}
	if !json.Valid(runs) {
		return wrong("%q is accepted, and is no JSON", runs)
	}
	if both {
		if err := os.WriteFile(filepath.Join(dir, tlc.MutantsName), mutants, 0o600); err != nil {
			return err
		}
		switch _, err := tlc.LoadMutants(dir); {
		case err != nil && !errors.Is(err, tlc.ErrManifest):
			return wrong("mutants: %w", err)
		case err == nil && !json.Valid(mutants):
			return wrong("%q is accepted, and is no JSON", mutants)
		}
	}
	if err := m.Save(); err != nil {
		return wrong("what was read cannot be written: %w", err)
	}
	again, err := tlc.LoadManifest(dir)
	if err != nil || len(again.Entries)+len(m.Entries) > 0 && !reflect.DeepEqual(again, m) {
		return wrong("%+v, %v is not %+v", again, err, m)
	}
	return nil
}

func TestManifest_Canaries(t *testing.T) {
	inputs := corpus(t, "FuzzManifest", manifestSeeds())
	dir := specFolder(t)
	for name, fault := range map[string]loader{
		"foreign error": func(dir string) (*tlc.Manifest, error) {
			m, err := tlc.LoadManifest(dir)
			if err != nil {
				err = errors.New(err.Error())
			}
			return m, err
		},
		"everything accepted": func(dir string) (*tlc.Manifest, error) {
			m, err := tlc.LoadManifest(dir)
			if err != nil {
				m = &tlc.Manifest{Dir: dir}
			}
			return m, nil
		},
		"entry changed": func(dir string) (*tlc.Manifest, error) {
			m, err := tlc.LoadManifest(dir)
			if m != nil && len(m.Entries) > 0 {
				m.Entries[0].Config.File = "N.cfg"
			}
			return m, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			findsFault(t, inputs, func(data []byte) error { return checkManifest(dir, data, fault) })
		})
	}
}
