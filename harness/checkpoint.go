package harness

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/linearizability"
)

// tallies are what a run counts besides the explorer, as they are in a checkpoint.
type tallies struct {
	Steps                  uint64
	Fired, Marks, Outcomes map[string]uint64
	Tokens                 map[string]string
	Judge                  linearizability.Kept
}

// checkpoint is the explorer's, with what the run counts; nil if the options name no folder.
func (r *run[Q, R]) checkpoint() *explore.Checkpoint {
	if r.o.Checkpoints == "" {
		return nil
	}
	name := fmt.Sprintf("%s.bound%d.kills%d", r.Name, r.o.Preemptions, r.o.Kills)
	if r.o.Preemptions == explore.Unbounded {
		name = fmt.Sprintf("%s.unbounded.kills%d", r.Name, r.o.Kills)
	}
	if r.o.Stateless {
		name += ".stateless"
	}
	if r.o.Apart {
		name += ".apart"
	}
	if r.o.Shards > 1 {
		name += fmt.Sprintf(".shard%dof%d", r.o.Shard, r.o.Shards)
	}
	return &explore.Checkpoint{
		File:     filepath.Join(r.o.Checkpoints, name+".checkpoint"),
		Identity: fmt.Sprintf("%s, %x", build(), sha256.Sum256([]byte(r.Identity)))[:40],
		Save:     r.save, Load: r.load,
	}
}

// build names the program file that runs, by its content: another one may count otherwise.
var build = sync.OnceValue(func() string {
	self, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	f, err := os.Open(self)
	if err != nil {
		return "unknown"
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "unknown"
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
})

func (r *run[Q, R]) save() ([]byte, error) {
	t := tallies{Outcomes: r.outcomes, Tokens: r.tokens, Judge: r.Judge.Keep()}
	if r.Model != nil {
		t.Steps, t.Fired = r.Model.Judged()
		t.Marks = r.Model.Marks()
	}
	return json.Marshal(t)
}

func (r *run[Q, R]) load(text []byte) error {
	t := tallies{Fired: map[string]uint64{}, Marks: map[string]uint64{}, Outcomes: map[string]uint64{},
		Tokens: map[string]string{}}
	if err := json.Unmarshal(text, &t); err != nil {
		return err
	}
	if r.Model != nil {
		r.Model.Resume(t.Steps, t.Fired, t.Marks)
	}
	r.outcomes, r.tokens = t.Outcomes, t.Tokens
	r.Judge.Resume(t.Judge)
	return nil
}
