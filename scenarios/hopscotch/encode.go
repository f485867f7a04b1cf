package scenarios

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/hopscotch"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// The model's words as the engine must have them, bit for bit. The model counts without bits; what
// it says is packed here by the engine's constructors, whose own tests pin the bits.

func (w *world) ref(r model.Ref) hopscotch.Ref {
	return w.table.RefLayout().Make(uint32(r.D)-1, hopscotch.Generation(r.G))
}

func (w *world) key(k uint8) hopscotch.Key {
	if k == model.Lost {
		return hopscotch.KeyLost
	}
	return hopscotch.Key(w.keys[k])
}

func (w *world) word0(x model.Word0) uint64 {
	switch x.F {
	case model.Empty:
		return uint64(hopscotch.EmptyWord(hopscotch.Version(x.G)))
	case model.Claimed:
		return uint64(hopscotch.ClaimedWord(w.ref(x.R)))
	case model.Base:
		return uint64(hopscotch.BaseWord(w.key(x.K), offsets(x.M)))
	case model.InWork:
		return uint64(hopscotch.OperatingWord(w.key(x.K), w.ref(x.R)))
	case model.Marked:
		return uint64(hopscotch.EngagedWord(w.key(x.K), w.ref(x.R)))
	}
	return uint64(hopscotch.MemberWord(w.key(x.K), uint32(x.P), hopscotch.Version(x.G)))
}

func word1(x model.Word1) uint64 {
	word := hopscotch.MakeWord1(hopscotch.Value(x.V), hopscotch.Version(x.N))
	if x.Z == 1 {
		word = word.Freeze()
	}
	return uint64(word)
}

func offsets(m model.Offsets) hopscotch.Map {
	var out hopscotch.Map
	for o := uint8(1); o < 8; o++ {
		if m.Has(o) {
			out = out.With(uint32(o))
		}
	}
	return out
}

var kinds = map[model.Kind]hopscotch.Kind{
	model.NoKind: hopscotch.KindNone, model.KindNew: hopscotch.KindNew,
	model.KindAdd: hopscotch.KindAdd, model.KindReplace: hopscotch.KindReplace,
	model.KindMove: hopscotch.KindMove, model.KindDrop: hopscotch.KindDrop,
	model.KindLift: hopscotch.KindLift, model.KindClear: hopscotch.KindClear,
}

var statuses = map[model.Status]hopscotch.Status{
	model.Undecided: hopscotch.StatusUndecided, model.Committed: hopscotch.StatusCommitted,
	model.Aborted: hopscotch.StatusAborted, model.Full: hopscotch.StatusFull,
}

// descriptor packs the words of a descriptor, in the order of descWords.
func (w *world) descriptor(d model.Desc) [len(descWords)]uint64 {
	target := hopscotch.MakeTarget(hopscotch.Generation(d.Target.Gen)).Decide(statuses[d.Target.St])
	if d.Target.C != 0 {
		target = target.Propose(uint32(d.Target.C), hopscotch.Version(d.Target.G))
	}
	var home uint32
	if d.Head.Kind != model.NoKind {
		home = w.row(int(d.Head.H), int(d.Head.Home))
	}
	head := hopscotch.MakeHead(hopscotch.Generation(d.Head.Gen), kinds[d.Head.Kind],
		uint32(d.Head.H), home)
	return [...]uint64{
		uint64(head),
		uint64(hopscotch.MakePair(w.key(d.Pair.K), hopscotch.Value(d.Pair.V))),
		uint64(hopscotch.MakePlan(w.key(d.Plan.K), offsets(d.Plan.M))),
		word1(d.Expect),
		uint64(target),
		uint64(hopscotch.MakeSource(uint32(d.Source.C), hopscotch.Version(d.Source.G),
			hopscotch.Version(d.Source.N))),
	}
}

// differs compares memory with a state of the model, and says where they first differ.
func (w *world) differs(m *model.Machine, s *model.State) string {
	cells, _ := w.program.Geometry()
	for half := 0; half < model.Halves; half++ {
		for c := range cells {
			at := w.cell(half, c)
			x, y := s.Word0(half, c), s.Word1(half, c)
			if got := w.memory[at]; got != w.word0(x) {
				return fmt.Sprintf("half %d cell %d word 0 is %v, the model has %v",
					half, c, w.table.RefLayout().Text(hopscotch.Word0(got)), x)
			}
			if got := w.memory[at+1]; got != word1(y) {
				return fmt.Sprintf("half %d cell %d word 1 is %v, the model has %v",
					half, c, hopscotch.Word1(got), y)
			}
		}
	}
	for t := 1; t <= m.Actors(); t++ {
		for i, want := range w.descriptor(s.Desc(t)) {
			if got := w.memory[w.desc(t)+descWords[i].index]; got != want {
				return fmt.Sprintf("descriptor %d word %s is %#x, the model has %#x (%+v)",
					t, descWords[i].name, got, want, s.Desc(t))
			}
		}
	}
	return ""
}

// descWords are the words of a descriptor that belong to the protocol.
var descWords = [...]struct {
	name  string
	index int
}{
	{"head", hopscotch.DescriptorHead}, {"pair", hopscotch.DescriptorPair},
	{"plan", hopscotch.DescriptorPlan}, {"expect", hopscotch.DescriptorExpect},
	{"target", hopscotch.DescriptorTarget}, {"source", hopscotch.DescriptorSource},
}
