package shardmap

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
)

var (
	reRun      = regexp.MustCompile("(?m)(?:^| |`)((?:M\\d\\d|Written_M|Bug_M)\\w+)(?:$|`)")
	reCommand  = regexp.MustCompile(`(?m)^    samecycle spec (\w+)$`)
	reDistinct = regexp.MustCompile(`(?:after |; |, )([\d,]+) distinct states`)
	reRow      = regexp.MustCompile("(?m)^\\| `(Written_\\w+)` .* \\| ([\\d,]+) \\|$")
)

// pageComplaints are what a page says of runs that the manifest has not, or has with other counts. The first
// count after the command of a run is that run's.
func pageComplaints(page string, runs map[string]tlc.Entry) (bad []string) {
	for _, x := range reRun.FindAllStringSubmatch(page, -1) {
		if _, isProgram := ProgramByName(x[1]); !isProgram && runs[x[1]].Name == "" {
			bad = append(bad, x[1]+" is neither a run nor a program")
		}
	}
	count := func(run, says string) {
		n, err := strconv.ParseInt(strings.ReplaceAll(says, ",", ""), 10, 64)
		if err != nil || n != runs[run].Distinct {
			bad = append(bad, fmt.Sprintf("%s: %s distinct states, the manifest has %d", run, says,
				runs[run].Distinct))
		}
	}
	for _, at := range reCommand.FindAllStringSubmatchIndex(page, -1) {
		rest := page[at[1]:]
		if next := reCommand.FindStringIndex(rest); next != nil {
			rest = rest[:next[0]]
		}
		if x := reDistinct.FindStringSubmatch(rest); x != nil {
			count(page[at[2]:at[3]], x[1])
		}
	}
	for _, x := range reRow.FindAllStringSubmatch(page, -1) {
		count(x[1], x[2])
	}
	return bad
}

func runsByName(t *testing.T) map[string]tlc.Entry {
	t.Helper()
	runs := map[string]tlc.Entry{}
	for _, e := range spec.Runs(t) {
		runs[e.Name] = e
	}
	return runs
}

// The pages of results/shardmap/findings, and the page of the specification, speak of runs that there are,
// and of their counts; and each run that must fail is on one of them.
func TestPagesSpeakOfTheRuns(t *testing.T) {
	runs := runsByName(t)
	pages, err := filepath.Glob("../../results/shardmap/findings/*.md")
	if err != nil || len(pages) < 2 {
		t.Fatalf("pages %v: %v", pages, err)
	}
	all := ""
	for _, path := range append(pages, spec.Dir+"/README.md") {
		page := samestates.Read(t, path)
		for _, complaint := range pageComplaints(page, runs) {
			t.Errorf("%s: %s", filepath.Base(path), complaint)
		}
		all += page
	}
	for name, e := range runs {
		if e.Kind == tlc.MustFail && !strings.Contains(all, "`"+name+"`") {
			t.Errorf("%s must fail, and no page tells of it", name)
		}
	}
}

// A page that is wrong in one place is refused.
func TestPagesSpeakOfTheRuns_CanFail(t *testing.T) {
	runs := runsByName(t)
	page := "    samecycle spec Written_M08CleanupPut\n\nviolated after 144 distinct states, " +
		"see `M08CleanupPut`.\n" +
		"| `Written_M14NestedPut` | alone | 5 |\n"
	if bad := pageComplaints(page, runs); len(bad) != 0 {
		t.Fatalf("complaints of a page that is right: %v", bad)
	}
	for _, x := range [][2]string{{"144", "145"}, {"| 5 |", "| 6 |"}, {"`M08CleanupPut`", "`M08CleanupPit`"},
		{"spec Written_M08CleanupPut", "spec Written_M08CleanupPat"}} {
		if len(pageComplaints(strings.Replace(page, x[0], x[1], 1), runs)) == 0 {
			t.Errorf("%s in the place of %s is not noticed", x[1], x[0])
		}
	}
}
