package cachestorm

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// write is a change of a register. If its process has died in it, it has no end, and may have been made or
// not.
type write struct {
	begin, end uint64
	value      uint64
}

// reading is what a process has found in a register.
type reading struct {
	begin, end uint64
	value      uint64
	slot       int
}

// judgeRegister compares readings with the changes of a register, which one process at a time has made, in
// their order; before is the value of the register before them. It returns the value after the last reading,
// and the first reading that is wrong.
//
// A reading must have the value of a change that began before the end of the reading, and that no other
// change had certainly replaced before its begin. An earlier reading must not have found a later change.
// Values can be repeated. So each reading is matched with the first possible change, which leaves most to
// the later readings.
func judgeRegister(before uint64, writes []write, reads []reading) (bad *reading) {
	writes = append([]write{{0, 0, before}}, writes...)
	slices.SortFunc(reads, func(a, b reading) int { return cmp.Compare(a.begin, b.begin) })
	type found struct {
		end uint64
		at  int
	}
	var open []found // readings in the order of their ends
	least := 0
	for i := range reads {
		r := &reads[i]
		for len(open) > 0 && open[0].end < r.begin {
			least = max(least, open[0].at)
			open = open[1:]
		}
		for n := least + 1; n < len(writes) && writes[n].begin < r.begin; n++ {
			if writes[n].end < r.begin {
				least = n
			}
		}
		at := least
		for at < len(writes) && (writes[at].value != r.value || writes[at].begin > r.end) {
			at++
		}
		if at == len(writes) {
			return r
		}
		n, _ := slices.BinarySearchFunc(open, r.end, func(f found, end uint64) int {
			return cmp.Compare(f.end, end)
		})
		open = slices.Insert(open, n, found{r.end, at})
	}
	return nil
}

// tunes judges all readings of live parameters in a round. known has what the parent has found before the
// round, and gets what it finds now, when all processes are at rest.
func (w *world) tunes(known *values, now values) {
	r := w.storm.report
	writes, reads := map[int][]write{}, map[int][]reading{}
	for s := range w.board.slots {
		for e := range w.board.entries(journalTunes, s) {
			begin, end := e[0].Load(), e[1].Load()
			if r.Tunes++; end == 0 {
				end = math.MaxUint64
			}
			for i := range tuneMost {
				if x := e[2+i].Load(); x != 0 {
					at := int(x>>registerShift) - 1
					writes[at] = append(writes[at], write{begin, end, x & (1<<registerShift - 1)})
				}
			}
		}
		for e := range w.board.entries(journalReads, s) {
			r.Reads++
			for i := range registers {
				reads[i] = append(reads[i], reading{e[0].Load(), e[1].Load(), e[2+i].Load(), s})
			}
		}
	}
	end := w.board.tick()
	for i, x := range registers {
		slices.SortFunc(writes[i], func(a, b write) int { return cmp.Compare(a.begin, b.begin) })
		all := append(reads[i], reading{end, end, now[i], w.board.slots})
		if bad := judgeRegister(known[i], writes[i], all); bad != nil {
			r.fault("tune: slot %d, from %d to %d, has found %s to be %d (%d, %d), which it was not: %s; "+
				"seed %d, round %d", bad.slot, bad.begin, bad.end, strings.Join(x.names, " and "), bad.value,
				bad.value&halfMask, bad.value>>halfBits, near(writes[i], *bad), w.storm.o.Seed, r.Rounds)
		}
	}
	*known = now
}

// near names the changes that a reading can match.
func near(writes []write, r reading) string {
	text := []string{}
	for _, x := range writes {
		if x.begin < r.end && (x.end > r.begin || len(text) < 3) {
			text = append(text, x.String())
		}
	}
	return strings.Join(text[max(0, len(text)-6):], "; ")
}

// String returns a text for a person.
func (x write) String() string { return fmt.Sprintf("%d to %d: %d", x.begin, x.end, x.value) }
