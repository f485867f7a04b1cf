package explore_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/explore"
)

// FuzzCheckpoint lets a search go on from a file of bytes: an error that names the file and says what
// to do, a failure that says that the program is not the one of the file, or a search that ends. The
// first byte says what the bytes are: a file, the content of one whose checksum is right, or the parts
// of a content that is well-formed.
func FuzzCheckpoint(f *testing.F) {
	for _, data := range checkpointSeeds(f) {
		f.Add(data)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := checkCheckpoint(dir, data, explore.Explore); err != nil {
			t.Fatal(err)
		}
	})
}

// checkpointed is the search of the fuzzed files: with states that are cut, deaths, and a count of its own.
func checkpointed(file string) (explore.Program, explore.Options) {
	n := uint64(0)
	p := adders(2, 2)
	p.Finish = func(*explore.Execution) error { n++; return nil }
	return p, explore.Options{Preemptions: 2, Kills: 1, Stateful: true, MaxExecutions: 20,
		Watchdog: time.Minute, Checkpoint: &explore.Checkpoint{
			File: file, Identity: "this build",
			Save: func() ([]byte, error) { return binary.AppendUvarint(nil, n), nil },
			Load: func(b []byte) error {
				v, k := binary.Uvarint(b)
				if n = v; k <= 0 || k < len(b) {
					return fmt.Errorf("a count of %d bytes", len(b))
				}
				return nil
			},
		}}
}

func checkpointSeeds(tb testing.TB) [][]byte {
	file := filepath.Join(tb.TempDir(), "sound")
	if _, err := explore.Explore(checkpointed(file)); err != nil {
		tb.Fatal(err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	body := explore.OpenCheckpoint(whole)
	seeds := [][]byte{nil, {0}, {1}, {2}, append([]byte{0}, whole...), append([]byte{0}, whole[:60]...),
		append([]byte{1}, body...), append([]byte{1}, body[:len(body)/2]...)}
	node := make([]byte, 18) // two actors, one of them left
	node[0], node[8], node[16] = 3, 2, 0
	dead := bytes.Clone(node)
	dead[4], dead[12] = 1, 1
	for _, trail := range [][]byte{nil, node, bytes.Repeat(node, 3), append(node, dead...), node[:5]} {
		seeds = append(seeds, append([]byte{2, byte(len(trail)), 20}, append(trail, make([]byte, 21)...)...))
	}
	return append(seeds, []byte{6, 0, 0, 1}, []byte{2, 0, 0, 0x80})
}

// searcher is explore.Explore; a canary puts a fault in it.
type searcher func(explore.Program, explore.Options) (explore.Report, error)

func checkCheckpoint(dir string, data []byte, search searcher) error {
	file := filepath.Join(dir, "search.checkpoint")
	p, o := checkpointed(file)
	kind := byte(0)
	if len(data) > 0 {
		kind, data = data[0], data[1:]
	}
	switch kind % 3 {
	case 1:
		data = explore.SealCheckpoint(data)
	case 2:
		cut := func() []byte {
			if len(data) == 0 {
				return nil
			}
			n := min(int(data[0]), len(data)-1)
			part := data[1 : 1+n]
			data = data[1+n:]
			return part
		}
		trail, seen := cut(), cut()
		body, err := explore.ForgeCheckpoint(p, o, trail, seen, data, kind/3%2 == 1)
		if err != nil {
			return err
		}
		data = explore.SealCheckpoint(body)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return err
	}
	r, err := search(p, o)
	switch f := r.Failure; {
	case err != nil:
		text := err.Error()
		if !errors.Is(err, explore.ErrCheckpoint) || !strings.Contains(text, file) ||
			!strings.Contains(text, "delete it") && !strings.Contains(text, "name another file") {
			return fmt.Errorf("want an error that names the file and says what to do: %w", err)
		}
	case f != nil && f.Kind != explore.Diverged && f.Kind != explore.Nondeterminism:
		return fmt.Errorf("no execution of the program fails: %w", f)
	case f == nil && !r.Exhaustive && r.Executions < o.MaxExecutions && r.StepBound == 0:
		return fmt.Errorf("it ended after %d executions, before its bound: %s", r.Executions, r.Bound)
	}
	return nil
}

// An error that hides the file, one without its sentinel, a failure of the program, and a search that stops
// at once, are found.
func TestCheckpoint_FuzzCanaries(t *testing.T) {
	dir, seeds := t.TempDir(), checkpointSeeds(t)
	for name, fault := range map[string]searcher{
		"nameless": func(p explore.Program, o explore.Options) (explore.Report, error) {
			r, err := explore.Explore(p, o)
			if err != nil {
				err = explore.ErrCheckpoint
			}
			return r, err
		},
		"foreign error": func(p explore.Program, o explore.Options) (explore.Report, error) {
			r, err := explore.Explore(p, o)
			if err != nil {
				err = errors.New(err.Error())
			}
			return r, err
		},
		"failure": func(p explore.Program, o explore.Options) (explore.Report, error) {
			p.Finish = func(*explore.Execution) error { return errors.New("no") }
			return explore.Explore(p, o)
		},
		"stops": func(p explore.Program, o explore.Options) (explore.Report, error) {
			o.MaxExecutions = 1
			return explore.Explore(p, o)
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, data := range seeds {
				if checkCheckpoint(dir, data, fault) != nil {
					return
				}
			}
			t.Error("no input shows the fault")
		})
	}
	for i, data := range seeds {
		if err := checkCheckpoint(dir, data, explore.Explore); err != nil {
			t.Errorf("seed %d: %v", i, err)
		}
	}
}
