package explore

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
)

// Faults are the wrong dependency relations, by name, for canaries.
var Faults = map[string]fault{
	"a CompareAndSwap reads": casReads, "a read does not see changes": readBlind,
	"locks are read": lockReads, "call and return commute": silent,
}

// DeathFaults are those of deaths of processes.
var DeathFaults = map[string]fault{"a death is not seen": unseen, "a death ends nothing": immortal,
	"a change leaves a death as it was": unchanged}

// Orphans is the fault that a go statement does not order what it starts after what came before it.
const Orphans = orphans

// Hasty is the fault that a select does the same at its other channels when what it depends on has not come,
// Dropping that of plans that begin with one actor only the first is followed.
const (
	Hasty    = hasty
	Dropping = dropping
)

// ChannelFaults are those of channels.
var ChannelFaults = map[string]fault{
	"a select touches one channel": narrow, "who resumes was woken by nobody": unwoken,
}

// WithFault calls f while all reduced searches have the wrong dependency relation.
func WithFault(wrong fault, f func()) {
	seeded = wrong
	defer func() { seeded = sound }()
	f()
}

// Defects are the wrong edges of the race detector, by name, for canaries.
var Defects = map[string]defect{
	"locks tell nothing": deafLock, "stores tell nothing": muteStore, "readers tell readers": oneClock,
	"channels tell nothing": deafChannel,
}

// WithDefect calls f while all race detectors have the wrong edge.
func WithDefect(wrong defect, f func()) {
	defer func(before defect) { flaw = before }(flaw)
	flaw = wrong
	f()
}

// WithPlaces calls f while at most n actors have places.
func WithPlaces(n int, f func()) {
	defer func() { places = MaxActors }()
	places = n
	f()
}

// SealCheckpoint is the file of a checkpoint with the body, whatever that is.
func SealCheckpoint(body []byte) []byte {
	sum := sha256.Sum256(body)
	return append(append([]byte(checkpointMagic), sum[:]...), body...)
}

// ForgeCheckpoint is the body of a checkpoint of the search of p with o that stands at the decisions and
// has seen the states, both as they are in a file.
func ForgeCheckpoint(p Program, o Options, trail, seen, client []byte, done bool) ([]byte, error) {
	o = o.withDefaults()
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(saved{Program: p.Name, Options: o.describe(),
		Identity: o.Checkpoint.Identity, Trail: trail, Seen: seen, Client: client, Done: done,
		Stats: Stats{Executions: uint64(len(trail)), Complete: 1, MaxDepth: -1}})
	return b.Bytes(), err
}

// OpenCheckpoint is the body of a checkpoint file that is whole.
func OpenCheckpoint(file []byte) []byte { return file[len(checkpointMagic)+sha256.Size:] }

// HangsWhenExplored reports whether the watchdog gives up an exploration whose end came first.
func HangsWhenExplored(p Program, o Options) bool {
	e := newEngine(p, o.withDefaults())
	e.signals.fate.Store(explored)
	_, hangs := e.hang()
	return hangs
}

// EndCrew ends the goroutine and the coroutines that the last exploration left, and returns how many
// coroutines were parked elsewhere than where they started.
func EndCrew() (moved int) {
	turn.Lock()
	defer turn.Unlock()
	c := idle
	if idle = nil; c == nil {
		return 0
	}
	for _, o := range c.free {
		if o.at != o {
			moved++
		}
	}
	c.end()
	close(c.tasks)
	return moved
}

// Repetitions is how many executions of the last exploration began with steps out of their order.
func Repetitions() uint64 {
	turn.Lock()
	defer turn.Unlock()
	return idle.rep.times
}
