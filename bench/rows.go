package bench

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Row is one comparison. Ratio is ours over the other one's, in time or size: less is better.
type Row struct {
	Name    string  `json:"name"`    // section/what/where
	Ratio   float64 `json:"ratio"`   // the median of the paired ratios
	Goal    float64 `json:"goal"`    // the ratio not to exceed; 0: none was set
	Against string  `json:"against"` // what ours was measured against; empty: a figure alone
	Unit    string  `json:"unit"`    // of Value and PeerValue
	NS      float64 `json:"ns,omitempty"`
	PeerNS  float64 `json:"peer_ns,omitempty"`
	Value   float64 `json:"value"`      // ours, in Unit
	Peer    float64 `json:"peer_value"` // the other one's, in Unit
	Rounds  int     `json:"rounds"`
	Command string  `json:"command"`
	Go      string  `json:"go"`
	CPU     string  `json:"cpu"`
	Note    string  `json:"note"`
}

// Met says in a word whether the goal was reached.
func (r Row) Met() string {
	switch {
	case r.Goal == 0:
		return ""
	case r.Ratio <= r.Goal:
		return "met"
	}
	return "missed"
}

// Command is how a user makes the figures again, from the repository's root.
const Command = "go -C bench run ./cmd/index"

// stamp fills in what all rows of a run share.
func stamp(rows []Row) []Row { return stampAs(Command, rows) }

// stampAs is stamp for the rows of another command.
func stampAs(command string, rows []Row) []Row {
	cpu := fmt.Sprintf("%s, %d processors", cpuName(), runtime.NumCPU())
	for i := range rows {
		rows[i].Command, rows[i].Go, rows[i].CPU = command, runtime.Version(), cpu
		rows[i].Ratio = rounded(rows[i].Ratio)
		for _, p := range []*float64{&rows[i].NS, &rows[i].PeerNS, &rows[i].Value, &rows[i].Peer} {
			*p = rounded(*p)
		}
	}
	return rows
}

// rounded keeps four digits: more would be noise.
func rounded(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	if err != nil {
		return x
	}
	return y
}

// timeRow is the comparison of two samples of times.
func timeRow(name string, ours, peer Sample, goal float64, note string) Row {
	ratios := Ratios(ours.NS, peer.NS)
	if note != "" {
		note = "; " + note
	}
	return Row{Name: name, Ratio: Median(ratios), Goal: goal, Against: peer.Name, Unit: "ns/op",
		NS: Median(ours.NS), PeerNS: Median(peer.NS),
		Value: Median(ours.NS), Peer: Median(peer.NS), Rounds: len(ratios),
		Note: fmt.Sprintf("middle half of the ratios %.3g..%.3g%s",
			Quantile(ratios, 0.25), Quantile(ratios, 0.75), note)}
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

// hugeShare is how much of the mapping around an address lies on huge pages, 0..1, as the system
// tells; -1 when it does not.
func hugeShare(at uintptr) float64 {
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return -1
	}
	inside := false
	size := 0.0
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if from, to, ok := strings.Cut(fields[0], "-"); ok && !strings.HasSuffix(fields[0], ":") {
			a, errA := strconv.ParseUint(from, 16, 64)
			b, errB := strconv.ParseUint(to, 16, 64)
			inside = errA == nil && errB == nil && uint64(at) >= a && uint64(at) < b
			continue
		}
		if !inside || len(fields) < 2 {
			continue
		}
		kib, _ := strconv.ParseFloat(fields[1], 64)
		switch fields[0] {
		case "Size:":
			size = kib
		case "AnonHugePages:":
			return kib / size
		}
	}
	return -1
}

// Merge puts the rows into index.json of the folder: rows of the same section (the name up to the
// first slash) are replaced, those of other sections stay.
func Merge(dir string, rows []Row) ([]Row, error) {
	file := filepath.Join(dir, "index.json")
	var old []Row
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		if err := json.Unmarshal(text, &old); err != nil {
			return nil, fmt.Errorf("%s does not parse: %w; delete it", file, err)
		}
	}
	sections := map[string]bool{}
	for _, r := range rows {
		sections[section(r)] = true
	}
	old = slices.DeleteFunc(old, func(r Row) bool { return sections[section(r)] })
	all := append(old, rows...)
	slices.SortStableFunc(all, func(a, b Row) int { return order(a) - order(b) })
	text, err = json.MarshalIndent(all, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return all, os.WriteFile(file, append(text, '\n'), 0o644)
}

func section(r Row) string {
	name, _, _ := strings.Cut(r.Name, "/")
	return name
}

// order puts the sections in the order in which people read them.
func order(r Row) int { return slices.Index([]string{"index", "explore", "model"}, section(r)) }

const tableStart, tableEnd = "<!-- table: written by bench/cmd/index -->", "<!-- end of the table -->"

// Page writes the rows as a table into README.md of the folder, between two marks; what people
// wrote around the marks stays.
func Page(dir string, rows []Row) error {
	file := filepath.Join(dir, "README.md")
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = []byte("# Benchmarks\n\n"+tableStart+"\n"+tableEnd+"\n"), nil
	}
	if err != nil {
		return err
	}
	before, rest, ok1 := strings.Cut(string(text), tableStart)
	_, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok1 || !ok2 {
		return fmt.Errorf("%s has not the marks %q and %q: add them", file, tableStart, tableEnd)
	}
	page := before + tableStart + "\n" + table(rows) + tableEnd + after
	return os.WriteFile(file, []byte(page), 0o644)
}

func table(rows []Row) string {
	var b strings.Builder
	if len(rows) > 0 {
		fmt.Fprintf(&b, "\nMeasured with %s on %s.\n\n", rows[0].Go, rows[0].CPU)
	}
	b.WriteString("| what | against | ratio | goal | ours | theirs | unit | rounds | note |\n" +
		"|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		goal, ratio, theirs := "", "", ""
		if r.Against != "" {
			ratio, theirs = strconv.FormatFloat(r.Ratio, 'g', 3, 64), human(r.Peer)
		}
		if r.Goal != 0 {
			goal = fmt.Sprintf("%g %s", r.Goal, r.Met())
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %d | %s |\n", r.Name, r.Against,
			ratio, goal, human(r.Value), theirs, r.Unit, r.Rounds, r.Note)
	}
	b.WriteString("\n")
	return b.String()
}

func human(x float64) string {
	if x >= 10_000 {
		return fmt.Sprintf("%.0f", x)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
