//go:build explore

package processes

import (
	"errors"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// The canaries of the judge: of an execution that is right, one thing is spoilt before it is judged, and the
// part of the judge that is there for it says so.
func TestJudge_EachPartFindsWhatItIsFor(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(s *stage)
		want  error
	}{
		"nothing":    {func(*stage) {}, nil},
		"told twice": {func(s *stage) { s.clients[1].told = append(s.clients[1].told, 20) }, ErrBooks},
		"lost":       {func(s *stage) { s.clients[1].came = append(s.clients[1].came, 77) }, ErrBooks},
		"told of what nobody had": {func(s *stage) {
			s.clients[1].told = append(s.clients[1].told, 9999)
		}, ErrBooks},
		"taken twice": {func(s *stage) {
			x := hopscotch.Reclaimed{Descriptor: 1, Owner: hopscotch.MakeOwner(7, s.hosts[1].process)}
			s.clients[0].got, s.clients[1].got = append(s.clients[0].got, x), append(s.clients[1].got, x)
		}, ErrBooks},
		"owns no more": {func(s *stage) {
			for _, c := range s.clients {
				if c.handle != nil && !c.gone { // as if somebody had given it back
					first := int(s.p.layout().Offset(region.SectionDescriptors) / region.WordBytes)
					at := first + int(c.handle.Descriptor())*hopscotch.DescriptorWords
					s.memory.Words()[at+hopscotch.DescriptorOwner] = 0
				}
			}
		}, ErrTaken},
		"owned by none":  {func(s *stage) { s.clients[1].handle = nil }, ErrTaken},
		"one entry":      {func(s *stage) { s.hosts[1].process = s.hosts[2].process }, ErrEntries},
		"still attached": {func(s *stage) { s.hosts[0].region = s.hosts[1].region }, ErrEntries},
		"a stray cell":   {stray, ErrStructure},
		"a failed call":  {func(s *stage) { s.clients[1].err = hopscotch.ErrHandles }, ErrFailed},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := newStage(detach(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			p := s.program()
			p.Finish = func(x *explore.Execution) error {
				c.spoil(s)
				return s.finish(x)
			}
			rep, err := explore.Explore(p, explore.Options{Audit: -1, MaxExecutions: 1})
			if err != nil {
				t.Fatal(err)
			}
			if f := rep.Failure; (f == nil) != (c.want == nil) || f != nil && !errors.Is(f.Err, c.want) {
				t.Errorf("%v, want %v", rep.Err(), c.want)
			}
		})
	}
}

// stray puts an element into an empty cell that no bucket knows.
func stray(s *stage) {
	first := s.p.layout().Offset(region.SectionCells) / region.WordBytes
	for half := range uint32(2) {
		for i := range uint32(cells) {
			at := first + uint64(region.CellWord(half, i))
			if words := s.memory.Words(); words[at] == 0 && words[at+1] == 0 && i > 0 {
				words[at+1] = uint64(hopscotch.MakeWord1(hopscotch.Value(78), 1))
				words[at] = uint64(s.clients[0].keys[6])
				return
			}
		}
	}
}

// Who comes last knows who lives, and that nobody has what is another one's.
func TestKnown(t *testing.T) {
	l, locks, dead := creation().layout(), Locks{}, map[int]bool{}
	m, err := NewMemory(l, 4)
	if err != nil {
		t.Fatal(err)
	}
	join := func(number int) *region.Region {
		s := System{Locks: &locks, Self: number, Gone: func(i int) bool { return dead[i] }}
		r, err := region.Attach(m.View(number-1), l, s)
		if errors.Is(err, region.ErrUnfinished) {
			r, err = region.Make(m.View(number-1), l, s)
		}
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first, second := join(1).Process(), join(2).Process()
	dead[2] = true
	third, later := join(3).Process(), join(4)
	if second.Index() != third.Index() {
		t.Fatalf("the entry of %v is not used again by %v", second, third)
	}
	one, two, three := attached{"first", first, true}, attached{"second", second, false},
		attached{"third", third, true}
	if err := known(later, []attached{one, two, three}); err != nil {
		t.Error(err)
	}
	for name, wrong := range map[string][]attached{
		"one who lives counts as dead":      {one, {"second", second, true}},
		"a dead one counts as alive":        {{"first", first, false}},
		"two living have one attachment":    {one, {"third", first, true}},
		"two dead have had one attachment":  {two, {"third", second, false}},
		"one has that of who comes later":   {one, {"third", later.Process(), true}},
		"one lives in another one's entry":  {one, {"third", region.MakeProcess(first.Index(), 9), true}},
		"it is the last one who is unknown": {one, two, three, {"fourth", region.MakeProcess(9, 1), true}},
	} {
		if err := known(later, wrong); !errors.Is(err, ErrEntries) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
