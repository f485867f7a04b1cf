package scenarios

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
func (r *run) checkpoint() *explore.Checkpoint {
	if r.o.Checkpoints == "" {
		return nil
	}
	name := fmt.Sprintf("%s.bound%d.kills%d", r.w.program.Name, r.o.Preemptions, r.o.Kills)
	if r.o.Preemptions == explore.Unbounded {
		name = fmt.Sprintf("%s.unbounded.kills%d", r.w.program.Name, r.o.Kills)
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
		Identity: fmt.Sprintf("%s, %x", build(), sha256.Sum256(fmt.Appendf(nil, "%+v", r.w.program)))[:40],
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

func (r *run) save() ([]byte, error) {
	return json.Marshal(tallies{Steps: r.v.steps, Fired: r.v.fired, Marks: r.marks,
		Outcomes: r.outcomes, Tokens: r.tokens, Judge: r.judge.Keep()})
}

func (r *run) load(text []byte) error {
	t := tallies{Fired: map[string]uint64{}, Marks: map[string]uint64{}, Outcomes: map[string]uint64{},
		Tokens: map[string]string{}}
	if err := json.Unmarshal(text, &t); err != nil {
		return err
	}
	r.v.steps, r.v.fired = t.Steps, t.Fired
	r.marks, r.outcomes, r.tokens = t.Marks, t.Outcomes, t.Tokens
	r.judge.Resume(t.Judge)
	return nil
}
