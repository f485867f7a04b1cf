package fuzz

import (
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

func descriptorLayouts() []layout {
	type (
		head   = hopscotch.Head
		pair   = hopscotch.Pair
		plan   = hopscotch.Plan
		source = hopscotch.Source
		target = hopscotch.Target
	)
	return []layout{
		{"Head", []field{
			{"generation", 36, 27, func(w uint64) uint64 { return uint64(head(w).Generation()) }},
			{"kind", 33, 3, func(w uint64) uint64 { return uint64(head(w).Kind()) }},
			{"half", 32, 1, func(w uint64) uint64 { return uint64(head(w).Half()) }},
			{"home", 0, 32, func(w uint64) uint64 { return uint64(head(w).Home()) }},
		}, func(w uint64) string { return head(w).String() },
			func(w uint64) bool { return w>>63 == 0 }, func(w uint64) bool { return head(w).Valid() },
			func(w uint64) uint64 {
				h := head(w)
				return uint64(hopscotch.MakeHead(h.Generation(), h.Kind(), h.Half(), h.Home()))
			}},
		{"Pair", []field{
			{"key", 32, 32, func(w uint64) uint64 { return uint64(pair(w).Key()) }},
			{"value", 0, 32, func(w uint64) uint64 { return uint64(pair(w).Value()) }},
		}, func(w uint64) string { return pair(w).String() }, nil, nil,
			func(w uint64) uint64 { return uint64(hopscotch.MakePair(pair(w).Key(), pair(w).Value())) }},
		{"Plan", []field{
			{"key", 32, 32, func(w uint64) uint64 { return uint64(plan(w).Key()) }},
			{"map", 1, 31, func(w uint64) uint64 { return uint64(plan(w).Map()) >> 1 }},
		}, func(w uint64) string { return plan(w).Key().String() },
			func(w uint64) bool { return w>>32 != 0 && w&1 == 0 }, nil,
			func(w uint64) uint64 { return uint64(hopscotch.MakePlan(plan(w).Key(), plan(w).Map())) }},
		{"Source", []field{
			{"offset", 53, 5, func(w uint64) uint64 { return uint64(source(w).Offset()) }},
			{"generation", 29, 24, func(w uint64) uint64 { return uint64(source(w).Generation()) }},
			{"version", 0, 29, func(w uint64) uint64 { return uint64(source(w).Version()) }},
		}, func(w uint64) string { return source(w).String() },
			func(w uint64) bool { return w>>58 == 0 && w>>53&31 != 0 },
			func(w uint64) bool { return source(w).Valid() },
			func(w uint64) uint64 {
				s := source(w)
				return uint64(hopscotch.MakeSource(s.Offset(), s.Generation(), s.Version()))
			}},
		{"Target", []field{
			{"generation", 37, 27, func(w uint64) uint64 { return uint64(target(w).Generation()) }},
			{"status", 35, 2, func(w uint64) uint64 { return uint64(target(w).Status()) }},
			{"has", 34, 1, func(w uint64) uint64 { return flag(target(w).Has()) }},
			{"offset", 29, 5, func(w uint64) uint64 { return uint64(target(w).Offset()) }},
			{"version", 0, 29, func(w uint64) uint64 { return uint64(target(w).Version()) }},
		}, func(w uint64) string { return target(w).String() },
			func(w uint64) bool {
				if w>>34&1 == 0 {
					return w&(1<<34-1) == 0
				}
				return w>>29&31 != 0
			}, func(w uint64) bool { return target(w).Valid() },
			func(w uint64) uint64 {
				x := target(w)
				y := hopscotch.MakeTarget(x.Generation()).Decide(x.Status())
				if x.Has() {
					y = y.Propose(x.Offset(), x.Version())
				}
				return uint64(y)
			}},
	}
}

func processLayouts() []layout {
	type (
		owner = hopscotch.Owner
		state = region.ProcessState
	)
	return []layout{
		{"Owner", []field{
			{"process", 32, 32, func(w uint64) uint64 { return uint64(owner(w).Process()) }},
			{"number", 0, 32, func(w uint64) uint64 { return uint64(owner(w).Number()) }},
		}, func(w uint64) string { return owner(w).String() },
			func(w uint64) bool { return w == 0 || w<<32 != 0 },
			func(w uint64) bool { return owner(w).Valid() },
			func(w uint64) uint64 {
				return uint64(hopscotch.MakeOwner(owner(w).Number(), owner(w).Process()))
			}},
		{"Process", []field{
			{"epoch", 6, 26, func(w uint64) uint64 { return uint64(region.Process(w).Epoch()) }},
			{"index", 0, 6, func(w uint64) uint64 { return uint64(region.Process(w).Index()) }},
		}, func(w uint64) string { return region.Process(w).String() },
			func(w uint64) bool { return w>>32 == 0 }, nil,
			func(w uint64) uint64 {
				p := region.Process(w)
				return uint64(region.MakeProcess(p.Index(), p.Epoch()))
			}},
		{"ProcessState", []field{
			{"epoch", 1, 26, func(w uint64) uint64 { return uint64(state(w).Epoch()) }},
			{"attached", 0, 1, func(w uint64) uint64 { return flag(state(w).Attached()) }},
		}, func(w uint64) string { return state(w).String() },
			func(w uint64) bool { return w>>27 == 0 && w != 1 },
			func(w uint64) bool { return state(w).Valid() },
			func(w uint64) uint64 {
				return uint64(region.MakeProcessState(state(w).Epoch(), state(w).Attached()))
			}},
	}
}

// A table that is wrong by one bit, or about one form of words, is told from the right one.
func TestWords_Canaries(t *testing.T) {
	inputs := corpus(t, "FuzzWords", wordSeeds())
	for i := range layouts {
		t.Run(layouts[i].name, func(t *testing.T) {
			for j := range layouts[i].fields {
				for _, change := range []func(*field){
					func(f *field) { f.shift++ },
					func(f *field) { f.bits-- },
					func(f *field) { f.bits++ },
				} {
					l := layouts[i]
					l.fields = append([]field(nil), l.fields...)
					f := &l.fields[j]
					if change(f); f.shift+f.bits > 64 {
						continue // there is no bit that could tell
					}
					findsFault(t, inputs, func(data []byte) error { return checkWords(data, []layout{l}) })
				}
			}
		})
		t.Run(layouts[i].name+" valid", func(t *testing.T) {
			l := layouts[i]
			if l.says == nil {
				l.again = func(w uint64) uint64 { return layouts[i].again(w) ^ 1<<(w%64) }
			} else {
				l.says = func(w uint64) bool { return layouts[i].says(w) != (w == 1<<62) }
			}
			findsFault(t, inputs, func(data []byte) error { return checkWords(data, []layout{l}) })
		})
	}
}
