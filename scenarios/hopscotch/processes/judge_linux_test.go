//go:build explore

package processes

import (
	"errors"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
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
			x := hopscotch.Reclaimed{Descriptor: 1, Owner: hopscotch.MakeOwner(7, s.hosts[1].Process)}
			s.clients[0].got, s.clients[1].got = append(s.clients[0].got, x), append(s.clients[1].got, x)
		}, ErrBooks},
		"owns no more": {func(s *stage) {
			for _, c := range s.clients {
				if c.handle != nil && !c.gone { // as if somebody had given it back
					first := int(s.p.layout().Offset(hopscotch.Engine,
						hopscotch.SectionDescriptors) / region.WordBytes)
					at := first + int(c.handle.Descriptor())*hopscotch.DescriptorWords
					s.Words()[at+hopscotch.DescriptorOwner] = 0
				}
			}
		}, ErrTaken},
		"owned by none":  {func(s *stage) { s.clients[1].handle = nil }, ErrTaken},
		"one entry":      {func(s *stage) { s.hosts[1].Process = s.hosts[2].Process }, processes.ErrEntries},
		"still attached": {func(s *stage) { s.hosts[0].Region = s.hosts[1].Region }, processes.ErrEntries},
		"a stray cell":   {stray, ErrStructure},
		"a failed call":  {func(s *stage) { s.clients[1].err = hopscotch.ErrHandles }, processes.ErrFailed},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := newStage(detach(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			p := s.Program()
			finish := p.Finish
			p.Finish = func(x *explore.Execution) error {
				c.spoil(s)
				return finish(x)
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
	first := s.p.layout().Offset(hopscotch.Engine, hopscotch.SectionCells) / region.WordBytes
	for half := range uint32(2) {
		for i := range uint32(cells) {
			at := first + uint64(hopscotch.CellWord(half, i))
			if words := s.Words(); words[at] == 0 && words[at+1] == 0 && i > 0 {
				words[at+1] = uint64(hopscotch.MakeWord1(hopscotch.Value(78), 1))
				words[at] = uint64(s.clients[0].keys[6])
				return
			}
		}
	}
}
