package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Save puts rows, all of the same parts, into the results of the folder: index.json, index.txt,
// index.svg and the table of README.md. Old rows of the same parts are replaced, the others stay.
func Save(dir string, rows []Row, results []result) error {
	all, err := Merge(dir, rows)
	if err != nil {
		return err
	}
	var parts []string
	for _, r := range rows {
		parts = append(parts, partOf(r))
	}
	if err := mergeText(dir, parts, results); err != nil {
		return err
	}
	return Page(dir, all)
}

// Merge puts the rows into index.json of the folder and returns all that are in it then. Rows of
// which no part has that name any more are dropped; those that stay get the goals of now.
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
	fresh := map[string]bool{}
	for _, r := range rows {
		fresh[partOf(r)] = true
	}
	old = slices.DeleteFunc(old, func(r Row) bool { return fresh[partOf(r)] || order(r) < 0 })
	withGoals(old, plan())
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

// withGoals gives the rows that the cells announce the goals that they have there: a goal is not measured,
// so it may change without a new measurement.
func withGoals(rows []Row, cells []cell) {
	for _, c := range cells {
		for _, planned := range c.rows {
			for i := range rows {
				if r := &rows[i]; r.Name == planned.Name {
					r.Goal, r.Direction = planned.Goal, planned.Direction
					r.Met = r.verdict()
				}
			}
		}
	}
}

// partOf is what is replaced as a whole: of the section index its parts, else the section.
func partOf(r Row) string {
	section, rest, _ := strings.Cut(r.Name, "/")
	if section != "index" {
		return section
	}
	part, _, _ := strings.Cut(rest, "/")
	return section + "/" + part
}

// order puts the parts in the order in which people read them; -1 is no part.
func order(r Row) int {
	return slices.Index([]string{"index/get", "index/set", "index/mix", "index/insert", "index/batch",
		"index/walk", "index/memory", "index/handover", "index/gc", "index/allocs", "index/writer",
		"index/scaling", "explore", "model", "rivals"}, partOf(r))
}

const tableStart, tableEnd = "<!-- table: written by bench/cmd/index -->", "<!-- end of the table -->"

// Page draws the rows into index.svg of the folder and writes them as a table into README.md, between
// two marks; what people wrote around the marks stays.
func Page(dir string, rows []Row) error {
	if err := Draw(filepath.Join(dir, "index.svg"), rows); err != nil {
		return err
	}
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
	page := before + tableStart + "\n" + tables(rows) + tableEnd + after
	return os.WriteFile(file, []byte(page), 0o644)
}

// tables has the rows with a goal first, then those without.
func tables(rows []Row) string {
	var b strings.Builder
	if len(rows) > 0 {
		fmt.Fprintf(&b, "\nMeasured on:\n\n%s\n", machines(rows))
	}
	counts := map[string]int{}
	for _, r := range rows {
		counts[r.verdict()]++
	}
	fmt.Fprintf(&b, "%d goals are met, %d are missed, %d rows were not run.\n\n", counts["met"],
		counts["missed"], counts["NOT RUN"])
	b.WriteString("### Rows with a goal\n\n" +
		"| what | against | ratio | goal | verdict | gap | ours | theirs | unit | rounds |\n" +
		"|---|---|--:|--:|---|--:|--:|--:|---|--:|\n")
	for _, r := range rows {
		if r.Direction != "" {
			fmt.Fprintf(&b, "| %s | %s | %s | %s %g | %s | %s | %s | %s | %s | %d |\n", what(r),
				r.Against, short(r.Ratio, r.NotRun == ""), r.Direction, rounded(r.Goal), r.verdict(), gap(r),
				human(r.Value, r.NotRun == ""), human(r.Peer, hasPeer(r)), r.Unit, r.Rounds)
		}
	}
	b.WriteString("\n### Rows without\n\n" +
		"| what | against | ratio | ours | theirs | unit | rounds |\n|---|---|--:|--:|--:|---|--:|\n")
	for _, r := range rows {
		if r.Direction == "" {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %d |\n", what(r), r.Against,
				short(r.Ratio, r.NotRun == ""), human(r.Value, r.NotRun == ""), human(r.Peer, hasPeer(r)),
				r.Unit, r.Rounds)
		}
	}
	b.WriteString(reasons(rows) + "\n")
	return b.String()
}

// machines is a list of which parts were measured where, and what the spin check was.
func machines(rows []Row) string {
	var order []string
	parts := map[string][]string{}
	for _, r := range rows {
		m := "unknown machine, no spin check"
		if r.Spin != 0 {
			m = fmt.Sprintf("%s machine, spin check %.2f of 2", r.machine(), r.Spin)
		}
		m += fmt.Sprintf(", %s, %s", r.CPU, r.Go)
		if parts[m] == nil {
			order = append(order, m)
		}
		if part := partOf(r); !slices.Contains(parts[m], part) {
			parts[m] = append(parts[m], part)
		}
	}
	var b strings.Builder
	for _, m := range order {
		fmt.Fprintf(&b, "- %s: %s\n", m, strings.Join(parts[m], ", "))
	}
	return b.String()
}

// what is the row's name without what it is against, which has a column of its own.
func what(r Row) string { return strings.TrimSuffix(r.Name, "/"+r.Against) }

func hasPeer(r Row) bool { return r.NotRun == "" && r.Against != number }

func gap(r Row) string {
	x, ok := r.Gap()
	if !ok {
		return ""
	}
	return short(x, true)
}

func short(x float64, ok bool) string {
	if !ok {
		return "NOT RUN"
	}
	return strconv.FormatFloat(x, 'g', 4, 64) // as many as the verdict is about
}

func human(x float64, ok bool) string {
	switch {
	case !ok:
		return ""
	case x >= 10_000:
		return fmt.Sprintf("%.0f", x)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// reasons say why rows were not run, each reason once, and what a comparison says about its rounds.
func reasons(rows []Row) string {
	var b strings.Builder
	names := map[string][]string{}
	var order []string
	for _, r := range rows {
		if r.NotRun == "" {
			continue
		}
		if names[r.NotRun] == nil {
			order = append(order, r.NotRun)
		}
		names[r.NotRun] = append(names[r.NotRun], r.Name)
	}
	if len(order) > 0 {
		b.WriteString("\n### NOT RUN\n\n")
	}
	for _, why := range order {
		fmt.Fprintf(&b, "- %s: %s\n", strings.Join(names[why], ", "), why)
	}
	b.WriteString("\n### Notes\n\n")
	last := ""
	for _, r := range rows {
		if r.Note != "" && r.NotRun == "" && (r.Direction != "" || what(r) != last) {
			fmt.Fprintf(&b, "- %s: %s\n", r.Name, r.Note)
			last = what(r)
		}
	}
	return b.String()
}

// WritePage writes the figures of a campaign into the folder, as NAME.json, and its page as NAME.md.
func WritePage(folder, name string, figures any, page string) error {
	text, err := json.MarshalIndent(figures, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, name+".json"), append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name+".md"), []byte(page), 0o644)
}
