package bench

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// The directions of a goal.
const (
	AtMost  = "at most"
	AtLeast = "at least"
)

// Row is one comparison. Ratio is ours over the other one's, in time or size: less is better, if
// Direction does not say otherwise.
type Row struct {
	Name      string  `json:"name"`      // section/part/what/where/against; no two rows share one
	Ratio     float64 `json:"ratio"`     // the median of the paired ratios; of a number, the number
	Goal      float64 `json:"goal"`      // of the ratio; none was set without a direction
	Direction string  `json:"direction"` // of the goal: "at most", "at least", "" for no goal
	Met       string  `json:"met"`       // "met", "missed", "NOT RUN", "" for no goal
	Against   string  `json:"against"`   // what ours was measured against; "number": a figure alone
	Unit      string  `json:"unit"`      // of Value and PeerValue
	NS        float64 `json:"ns,omitempty"`
	PeerNS    float64 `json:"peer_ns,omitempty"`
	Value     float64 `json:"value"`      // ours, in Unit
	Peer      float64 `json:"peer_value"` // the other one's, in Unit
	Rounds    int     `json:"rounds"`
	Command   string  `json:"command"`
	Go        string  `json:"go"`
	Spin      float64 `json:"spin,omitempty"` // the spin check at the start of the run; 0: not told
	CPU       string  `json:"cpu"`
	Note      string  `json:"note"`
	NotRun    string  `json:"not_run,omitempty"` // why there is no figure
}

// machine tells in a word what else went on when the row was measured.
func (r Row) machine() string {
	switch {
	case r.Spin == 0:
		return "unknown"
	case r.Spin < spinLeast:
		return "busy"
	}
	return "idle"
}

// number is what a figure is measured against that stands for itself.
const number = "number"

// verdict says in a word whether the goal was reached.
func (r Row) verdict() string {
	switch {
	case r.NotRun != "":
		return "NOT RUN"
	case r.Direction == "":
		return ""
	case r.Direction == AtMost && r.Ratio <= r.Goal, r.Direction == AtLeast && r.Ratio >= r.Goal:
		return "met"
	}
	return "missed"
}

// Gap is how far the ratio is on the wrong side of its goal, as a factor: above 1 the goal was missed,
// by that much. The goal 0 is met or it is not: 0 or infinity. ok is false without goal or figure.
func (r Row) Gap() (gap float64, ok bool) {
	if r.Direction == "" || r.NotRun != "" {
		return 0, false
	}
	over, under := r.Ratio, r.Goal
	if r.Direction == AtLeast {
		over, under = under, over
	}
	if over == 0 && under == 0 {
		return 0, true
	}
	return over / under, true
}

// atMost is a row with a goal.
func (r Row) atMost(goal float64) Row { r.Goal, r.Direction = goal, AtMost; return r }

// atLeast is a row with a goal.
func (r Row) atLeast(goal float64) Row { r.Goal, r.Direction = goal, AtLeast; return r }

// notRun is a row without a figure.
func (r Row) notRun(why error) Row {
	r.NotRun = strings.Join(strings.Fields(why.Error()), " ")
	r.Ratio, r.NS, r.PeerNS, r.Value, r.Peer, r.Rounds = 0, 0, 0, 0, 0, 0
	return r
}

// figure is a number that stands for itself.
func (r Row) figure(x float64, note string) Row {
	r.Against, r.Ratio, r.Value, r.Rounds, r.Note = number, x, x, 1, note
	return r
}

// Command is how a user makes the figures again, from the repository's root.
const Command = "go -C bench run ./cmd/index"

// stampAs fills in what all rows of a run share.
func stampAs(command string, spin SpinCheck, rows []Row) []Row {
	cpu := Machine()
	for i := range rows {
		r := &rows[i]
		r.Command, r.Go, r.CPU, r.Spin = command, runtime.Version(), cpu, spin.Scaling
		for _, p := range []*float64{&r.Spin, &r.Ratio, &r.NS, &r.PeerNS, &r.Value, &r.Peer} {
			*p = rounded(*p)
		}
		r.Met = r.verdict()
	}
	return rows
}

// rounded keeps four digits: more would be noise.
func rounded(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	if err != nil || math.IsNaN(y) || math.IsInf(y, 0) {
		return 0
	}
	return y
}

// versus is the row of a comparison that has not been made yet: what/against, with its unit.
func versus(what, against, unit string) Row {
	return Row{Name: what + "/" + against, Against: against, Unit: unit}
}

// versusAll are the rows of a comparison with each of them; the one against favourite has the goal.
func versusAll(what string, against []string, unit, favourite string, goal float64) []Row {
	var rows []Row
	for _, a := range against {
		r := versus(what, a, unit)
		if a == favourite {
			r = r.atMost(goal)
		}
		rows = append(rows, r)
	}
	return rows
}

// timed fills a row with the times of two samples.
func (r Row) timed(ours, theirs Sample, note string) Row {
	if err := firstError(ours, theirs); err != nil {
		return r.notRun(err)
	}
	ratios := Ratios(ours.NS, theirs.NS)
	r.Ratio, r.Rounds = Median(ratios), len(ratios)
	r.NS, r.PeerNS = Median(ours.NS), Median(theirs.NS)
	r.Value, r.Peer = r.NS, r.PeerNS
	r.Note = fmt.Sprintf("middle half of the ratios %.3g..%.3g",
		Quantile(ratios, 0.25), Quantile(ratios, 0.75))
	if note != "" {
		r.Note += "; " + note
	}
	return r
}

func firstError(samples ...Sample) error {
	for _, s := range samples {
		if s.Err != nil {
			return s.Err
		}
		if len(s.NS) == 0 {
			return fmt.Errorf("%s: %w", s.Name, errNoRounds)
		}
	}
	return nil
}

// counted fills a row with two counts; the ratio of two zeros is 1.
func (r Row) counted(ours, theirs float64) Row {
	r.Ratio, r.Value, r.Peer, r.Rounds, r.Note = 1, ours, theirs, 1, "counted"
	switch {
	case theirs != 0:
		r.Ratio = ours / theirs
	case ours != 0:
		r.Ratio, r.Note = ours, "counted; theirs is 0, so the ratio is ours"
	}
	return r
}

func cpuName() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if name, ok := strings.CutPrefix(s.Text(), "model name"); ok {
			return strings.TrimLeft(name, "\t: ")
		}
	}
	return runtime.GOARCH
}

// lastCache tells the size of the cache before memory, if the system does. What a table costs depends on
// whether it has room there.
func lastCache() string {
	sizes, err := filepath.Glob("/sys/devices/system/cpu/cpu0/cache/index*/size") // sorted, the last one last
	if err != nil || len(sizes) == 0 {
		return ""
	}
	size, err := os.ReadFile(sizes[len(sizes)-1])
	if err != nil {
		return ""
	}
	return ", last cache " + strings.TrimSpace(string(size))
}
