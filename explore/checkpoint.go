package explore

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// ErrCheckpoint says that a checkpoint file cannot be read, written, or used for the search.
var ErrCheckpoint = errors.New("checkpoint")

// checkpointMagic is the first line of a checkpoint file; its number is that of the format.
const checkpointMagic = "samecycle search checkpoint 1\n"

// DefaultEvery is how often a checkpoint is written unless Checkpoint.Every says otherwise.
const DefaultEvery = 30 * time.Second

// A Checkpoint makes a search continue from a file. The file is written from time to time, when the search is
// stopped, and when it is finished. It is replaced as a whole, so a crash leaves the old file or the new one.
// If the file exists when the search starts, the search continues from it, and ends with the counts of a
// search that was never stopped; a finished search is not repeated. A search that fails leaves the file
// unchanged.
type Checkpoint struct {
	File  string
	Every time.Duration // 0: DefaultEvery

	// Identity is everything else on which the counts depend, such as the build of the program. A file with
	// another identity is refused.
	Identity string

	// Save and Load, if not nil, save and restore what the program counts by itself. Load is called after the
	// last execution before the checkpoint was repeated, so the program is in the same state as then. Load
	// must replace what the program counted during that repetition.
	Save func() ([]byte, error)
	Load func([]byte) error
}

// saved is the content of a checkpoint file behind the magic line and the checksum.
type saved struct {
	Program, Options, Identity string

	Stats  Stats
	Trail  []byte // see encodeTrail
	Seen   []byte // see keys.encode
	Client []byte
	Done   bool
}

// describe returns the options on which a checkpoint depends, as text.
func (o Options) describe() string {
	s := fmt.Sprintf("preemptions %d, kills %d", o.Preemptions, o.Kills)
	if o.Shards > 0 {
		s += fmt.Sprintf(", shard %d/%d", o.Shard, o.Shards)
	}
	if o.Delays > 0 {
		s += fmt.Sprintf(", delays %d", o.Delays)
	}
	if o.Starvation > 0 {
		s += fmt.Sprintf(", starvation %d", o.Starvation)
	}
	if o.Races {
		s += fmt.Sprintf(", races %t, plainsteps %t", o.Races, o.PlainSteps)
	}
	return s + fmt.Sprintf(", stateful %t, anykill %t, splitbegin %t, blockedok %t, maxsteps %d, "+
		"spinlimit %d, lockfree %d, audit %d", o.Stateful, o.AnyKill, o.SplitBegin, o.BlockedOK, o.MaxSteps,
		o.SpinLimit, o.LockFree, o.Audit)
}

func (o Options) checkCheckpoint() error {
	switch c := o.Checkpoint; {
	case c == nil:
		return nil
	case c.File == "":
		return fmt.Errorf("%w: Checkpoint without a File", ErrOptions)
	case o.Coverage != nil:
		return fmt.Errorf("%w: Checkpoint with Coverage, which is not saved; leave one out", ErrOptions)
	case o.Walks > 0:
		return fmt.Errorf("%w: Checkpoint with Walks; run random executions again with another Seed",
			ErrOptions)
	}
	return nil
}

// restore reads the checkpoint, if there is one. The search then continues after the execution that the
// trail describes.
func (e *engine) restore() error {
	c := e.o.Checkpoint
	if c == nil {
		return nil
	}
	text, err := os.ReadFile(c.File)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	s, err := decodeCheckpoint(c.File, text)
	if err != nil {
		return err
	}
	switch {
	case s.Program != e.p.Name || s.Options != e.o.describe():
		return fmt.Errorf("%w: %s belongs to the search of %s with %s; this is that of %s with %s: name "+
			"another file, or search as then", ErrCheckpoint, c.File, s.Program, s.Options, e.p.Name,
			e.o.describe())
	case s.Identity != c.Identity:
		return fmt.Errorf("%w: %s was written by another build of the program (%s, this is %s), whose "+
			"counts may differ: delete it to start afresh", ErrCheckpoint, c.File, s.Identity, c.Identity)
	}
	if e.trail, err = decodeTrail(s.Trail); err == nil {
		err = e.seen.decode(s.Seen)
	}
	if err != nil {
		return fmt.Errorf("%w: %s: %w; delete it to start afresh", ErrCheckpoint, c.File, err)
	}
	e.resumed = &s
	return nil
}

// decodeCheckpoint checks the form of a checkpoint file.
func decodeCheckpoint(file string, text []byte) (saved, error) {
	var s saved
	if !bytes.HasPrefix(text, []byte(checkpointMagic)) {
		return s, fmt.Errorf("%w: %s starts with %.40q, not with %q: it is no checkpoint of a search or "+
			"one of another version; name another file or delete it", ErrCheckpoint, file, text,
			checkpointMagic)
	}
	text = text[len(checkpointMagic):]
	if len(text) < sha256.Size || sha256.Sum256(text[sha256.Size:]) != [sha256.Size]byte(text) {
		return s, fmt.Errorf("%w: %s is damaged, its checksum is wrong; delete it to start afresh",
			ErrCheckpoint, file)
	}
	if err := gob.NewDecoder(bytes.NewReader(text[sha256.Size:])).Decode(&s); err != nil {
		return s, fmt.Errorf("%w: %s: %w; delete it to start afresh", ErrCheckpoint, file, err)
	}
	return s, nil
}

// prime restores the state that the program had when the checkpoint was written: it runs the last execution
// again, uncounted. It returns a failure if that execution is not the same any more.
func (e *engine) prime() *Failure {
	s := e.resumed
	e.execute()
	if e.failure == nil && e.pos != len(e.trail) {
		e.fail(&Failure{Kind: Diverged, Message: fmt.Sprintf("the execution that the checkpoint ends "+
			"with has %d decisions, the file has %d", e.pos, len(e.trail))})
	}
	if e.failure != nil {
		return e.explain(e.failure)
	}
	e.stats = s.Stats
	if load := e.o.Checkpoint.Load; load != nil {
		if err := load(s.Client); err != nil {
			e.broken = fmt.Errorf("%w: %s: %w; delete it to start afresh", ErrCheckpoint,
				e.o.Checkpoint.File, err)
		}
	}
	return nil
}

// checkpoint writes the file if it is due, or if the search ends here without a failure.
func (e *engine) checkpoint(began time.Time, last bool) {
	c := e.o.Checkpoint
	if c == nil || e.broken != nil {
		return
	}
	every := c.Every
	if every == 0 {
		every = DefaultEvery
	}
	if !last && time.Since(e.written) < every {
		return
	}
	e.written = time.Now()
	s := saved{Program: e.p.Name, Options: e.o.describe(), Identity: c.Identity, Done: e.exhausted,
		Stats: e.snapshot(), Trail: encodeTrail(e.trail), Seen: e.seen.encode()}
	s.Stats.Elapsed = e.elapsed(began)
	var err error
	if c.Save != nil {
		s.Client, err = c.Save()
	}
	if err == nil {
		err = s.write(c.File)
	}
	if err != nil {
		e.broken = fmt.Errorf("%w: %s cannot be written: %w", ErrCheckpoint, c.File, err)
	}
}

// elapsed is the time of the search, earlier runs included.
func (e *engine) elapsed(began time.Time) time.Duration {
	d := time.Since(began)
	if e.resumed != nil {
		d += e.resumed.Stats.Elapsed
	}
	return d
}

// write replaces the file.
func (s saved) write(file string) error {
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(s); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".new*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails after the rename, which is intended
	sum := sha256.Sum256(body.Bytes())
	for _, part := range [][]byte{[]byte(checkpointMagic), sum[:], body.Bytes()} {
		if _, err := f.Write(part); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

// nodeBytes is the size of a decision in a file: both masks, the choice, and whether it is data.
const nodeBytes = 18

func encodeTrail(trail []node) []byte {
	var b []byte
	for _, n := range trail {
		b = binary.LittleEndian.AppendUint64(b, n.opts)
		b = binary.LittleEndian.AppendUint64(b, n.left)
		b = append(b, n.chosen, byte(btoi(n.data)))
	}
	return b
}

func decodeTrail(b []byte) ([]node, error) {
	if len(b)%nodeBytes != 0 {
		return nil, fmt.Errorf("%d bytes of decisions are no multiple of %d", len(b), nodeBytes)
	}
	var trail []node
	for ; len(b) > 0; b = b[nodeBytes:] {
		n := node{opts: binary.LittleEndian.Uint64(b), left: binary.LittleEndian.Uint64(b[8:]),
			chosen: b[16], data: b[17] == 1}
		if n.chosen > 63 || n.opts>>n.chosen&1 == 0 || n.left&^n.opts != 0 {
			return nil, fmt.Errorf("decision %d takes %d of %#x, %#x left", len(trail), n.chosen, n.opts,
				n.left)
		}
		trail = append(trail, n)
	}
	return trail, nil
}

// slotBytes is the size of a state seen in a file: its key and its budget.
const slotBytes = 20

func (s *keys) encode() []byte {
	b := make([]byte, 0, s.n*slotBytes)
	for _, slot := range s.slots {
		if slot.key != (key{}) {
			b = binary.LittleEndian.AppendUint64(b, slot.a)
			b = binary.LittleEndian.AppendUint64(b, slot.b)
			b = binary.LittleEndian.AppendUint32(b, uint32(slot.budget))
		}
	}
	return b
}

func (s *keys) decode(b []byte) error {
	if len(b)%slotBytes != 0 {
		return fmt.Errorf("%d bytes of states are no multiple of %d", len(b), slotBytes)
	}
	*s = keys{}
	for ; len(b) > 0; b = b[slotBytes:] {
		s.add(key{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])},
			int32(binary.LittleEndian.Uint32(b[16:])))
	}
	return nil
}
