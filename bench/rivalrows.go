package bench

import (
	"fmt"

	"github.com/samecycle/samecycle/bench/rivals"
)

// RivalRows are the headlines of a comparison with other explorers, for the index. Ratio is the time
// of an execution of ours over one of theirs: the median over the programs.
func RivalRows(t *rivals.Table, rounds int, spin SpinCheck) []Row {
	var rows []Row
	add := func(theirs, mode string, goal float64) {
		ratios := t.Ratios("samecycle "+mode, theirs)
		if len(ratios) == 0 {
			return
		}
		m := Median(ratios)
		row := Row{Name: "rivals/" + mode + "/" + theirs, Ratio: 1 / m, Against: theirs,
			Unit: "times as many executions a second", Value: m, Peer: 1, Rounds: rounds,
			Note: fmt.Sprintf("median of %d programs, from %.3g to %.3g; %s", len(ratios),
				ratios[0], ratios[len(ratios)-1], spin)}
		if goal > 0 {
			row = row.atMost(goal)
		}
		rows = append(rows, row)
	}
	for _, mode := range []string{"all", "reduced"} {
		add("loom all", mode, 1.0/40)
		add("shuttle dfs", mode, 1.0/3)
		add("lincheck model checking", mode, 0)
	}
	most, where := t.Excess("samecycle reduced")
	missed, foreign := t.Missing("samecycle reduced")
	rows = append(rows, Row{Name: "rivals/reduced/classes", Ratio: most, Against: "classes",
		Unit: "executions per class", Value: most, Peer: 1, Rounds: 1,
		Note: fmt.Sprintf("the worst program, %s; outcomes missed in %d programs, impossible in %d",
			where, missed, foreign)}.atMost(1.1))
	return stampAs("go -C bench run ./cmd/rivals", spin, rows)
}
