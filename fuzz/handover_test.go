package fuzz

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
	scenarios "github.com/samecycle/samecycle/scenarios/hopscotch"
)

// FuzzHandover hands histories over to the explorer, as explore --history does: an error that says what is
// wrong with the history, or small programs that the model takes, each of which its name describes.
func FuzzHandover(f *testing.F) {
	for _, data := range handoverSeeds(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := checkHandover(data, scenarios.HandOver); err != nil {
			t.Fatal(err)
		}
	})
}

// maxHandover bounds an input: the judge of a longer one may take its whole minute.
const maxHandover = 4096

func handoverSeeds(tb testing.TB) [][]byte {
	files, err := filepath.Glob(filepath.Join("..", "linearizability", "mapmodel", "testdata", "*.ndjson"))
	if err != nil || len(files) < 10 {
		tb.Fatalf("%d samples, %v", len(files), err)
	}
	seeds := historySeeds()
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		seeds = append(seeds, text)
	}
	return seeds
}

// handover is scenarios.HandOver; a canary puts a fault in it.
type handover func(mapmodel.File) (scenarios.Handover, error)

func checkHandover(data []byte, hand handover) error {
	if len(data) > maxHandover {
		return nil
	}
	file, err := mapmodel.Decode(bytes.NewReader(data))
	if err != nil {
		return nil // FuzzHistory judges what is no history
	}
	h, err := hand(file)
	if err != nil {
		if !errors.Is(err, scenarios.ErrHistory) || err.Error() == scenarios.ErrHistory.Error() {
			return wrong("want an error that says what is wrong with the history: %w", err)
		}
		return nil
	}
	if len(h.Programs) == 0 || h.Verdict.Err() == nil {
		return wrong("%d programs for a history of which %v is said", len(h.Programs), h.Verdict.Err())
	}
	for _, p := range h.Programs {
		if _, err := model.New(p.Config(0)); err != nil {
			return wrong("%s: the model refuses it: %w", p.Name, err)
		}
		calls, deaths := 0, 0
		for _, own := range p.Ops {
			calls += len(own)
		}
		for _, op := range file.Ops {
			if op.Pending {
				deaths++
			}
		}
		if calls == 0 || calls > len(file.Ops) || h.Kills > deaths || len(p.Ops) > model.MaxActors {
			return wrong("%s: %d calls of %d actors for %d operations, %d kills for %d deaths", p.Name, calls,
				len(p.Ops), len(file.Ops), h.Kills, deaths)
		}
		if strings.Count(p.Name, "|")+1 < len(p.Ops) || strings.ContainsAny(p.Name, " \n~") {
			return wrong("%q does not name %d actors", p.Name, len(p.Ops))
		}
	}
	return nil
}

func TestHandover_Canaries(t *testing.T) {
	inputs := corpus(t, "FuzzHandover", handoverSeeds(t))
	handed := 0
	for i, data := range inputs {
		if err := checkHandover(data, scenarios.HandOver); err != nil {
			t.Errorf("input %d: %v", i, err)
		}
		if file, err := mapmodel.Decode(bytes.NewReader(data)); err == nil {
			if _, err := scenarios.HandOver(file); err == nil {
				handed++
			}
		}
	}
	if handed < 5 {
		t.Errorf("%d inputs become programs: the check says little", handed)
	}
	for name, fault := range map[string]handover{
		"no program": func(f mapmodel.File) (scenarios.Handover, error) {
			h, err := scenarios.HandOver(f)
			h.Programs = nil
			return h, err
		},
		"a call more": func(f mapmodel.File) (scenarios.Handover, error) {
			h, err := scenarios.HandOver(f)
			for range 8 {
				for i := range h.Programs {
					h.Programs[i].Ops[0] = append(h.Programs[i].Ops[0], h.Programs[i].Ops[0]...)
				}
			}
			return h, err
		},
		"speechless": func(f mapmodel.File) (scenarios.Handover, error) {
			h, err := scenarios.HandOver(f)
			if err != nil {
				err = scenarios.ErrHistory
			}
			return h, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			findsFault(t, inputs, func(data []byte) error { return checkHandover(data, fault) })
		})
	}
}
