package foreign

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/failure"
	"github.com/samecycle/samecycle/foreign/driver"
	"github.com/samecycle/samecycle/internal/plural"
)

// A Report says what was found in a target.
type Report struct {
	driver.Report
	Notes    []string      `json:"notes,omitempty"` // what the explorer does not control, and where
	Races    bool          `json:"races"`           // races of plain accesses were looked for
	Prepared time.Duration `json:"prepared"`        // to download, copy and build, in nanoseconds

	// Uncontrolled lists the subjects of the notes, each once: imports, or functions.
	Uncontrolled []string `json:"uncontrolled,omitempty"`

	// Outside lists packages that are in no copy, although they may share memory or start goroutines.
	Outside []string `json:"outside,omitempty"`

	// Folder is the folder in which tokens can be replayed, if the target is named relative to it.
	Folder string `json:"folder,omitempty"`

	subject *found // the type, in a report of one
}

// Status is Found if any suite failed; otherwise Unknown if any suite is unknown; otherwise Clean. Tests that
// skip themselves do not count. A report without other results is Unknown.
func (r Report) Status() driver.Status {
	out, counted := driver.Clean, false
	for _, s := range r.Results {
		switch s.Status {
		case driver.Found:
			return driver.Found
		case driver.Skipped:
			continue
		case driver.Clean:
		default:
			out = driver.Unknown
		}
		counted = true
	}
	if !counted {
		return driver.Unknown
	}
	return out
}

// WritePages writes the pages of the results that have one into the folder. It stores the path of each page,
// or the reason why it could not be written, in Page.
func (r *Report) WritePages(folder string) {
	for i := range r.Results {
		s := &r.Results[i]
		if s.HTML == "" {
			continue
		}
		name, err := explore.TokenProgram(s.Token)
		if err != nil {
			name = s.Name
		}
		if s.Page, err = failure.Save(folder, name, []byte(s.HTML)); err != nil {
			s.Page = err.Error()
		}
		s.HTML = ""
	}
}

// Text is the report for people: a line for each suite, and for each suite that is not clean the history that
// its clients saw, the steps, and the token.
func (r Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n", r.Target, r.Verdict())
	const columns = "%-*s %-14s %9v %10v %11v %9v  %s\n"
	width := len("suite")
	for _, s := range r.Results {
		width = max(width, utf8.RuneCountInString(s.Name))
	}
	fmt.Fprintf(&b, columns, width, "suite", "status", "programs", "schedules", "steps", "time", "covered")
	for _, s := range r.Results {
		fmt.Fprintf(&b, columns, width, s.Name, r.row(s), s.Programs, s.Schedules, s.Steps,
			s.Elapsed.Round(10*time.Microsecond), r.covered(s))
	}
	shown := 0
	for _, s := range r.Results {
		if s.Status == driver.Clean {
			continue
		}
		shown++
		r.write(&b, s, shown <= wholeFailures)
	}
	r.writeLimits(&b)
	return b.String()
}

// writeLimits writes what was explored of the target, and what was not.
func (r Report) writeLimits(b *strings.Builder) {
	if r.Maker != "" {
		fmt.Fprintf(b, "\nmade by %s; called: %s\n", r.Maker, strings.Join(r.Methods, ", "))
	}
	list := func(title string, all []string) {
		if len(all) > 0 {
			fmt.Fprintf(b, "\n%s:\n  %s\n", title, strings.Join(all, "\n  "))
		}
	}
	list("makes no value", r.NotMade)
	for _, n := range r.Notes {
		fmt.Fprintf(b, "\nnot controlled: %s", n)
	}
	if len(r.Notes) > 0 {
		b.WriteByte('\n')
	}
	list("goroutines that are no actors run beside them, and no schedule decides when, those of", r.Beside)
	list("in no copy, so what these packages share and start is not explored", r.Outside)
	list("ends the process in a sequential order, and is not searched", r.Crashes)
	list("goroutines that start when the module is loaded do not run, those of", r.NotRun)
	if r.Tests {
		list("explored subtest by subtest, each alone, for together they make too many steps", r.Parts)
		list("not explored", r.LeftOut)
		list("goroutines that do not end were left by", r.Left)
	} else {
		list("methods left out", r.LeftOut)
		list("nothing is called of what these return: explore that type, or a test that calls it", r.Handed)
	}
	for _, bound := range r.Bounds {
		fmt.Fprintf(b, "\n%s\n", bound)
	}
	if r.Clock != "" {
		fmt.Fprintf(b, "\n%s\n", r.Clock)
	}
	r.writeSize(b)
	if n := r.bound(); r.Status() == driver.Clean && n > 0 {
		fmt.Fprintf(b, "\nmore than %s were not looked at: --bound %d looks at more, --bound -1 at all%s\n",
			plural.Of(n, "preemption"), n+1, r.deeper())
	}
	clean := func(s driver.Result) bool { return s.Status == driver.Clean }
	if slices.ContainsFunc(r.Results, clean) && !r.Races {
		b.WriteString("\nplain accesses were not looked at; --races does\n")
	}
	if r.Tests && r.bound() > 0 && !r.Races {
		b.WriteString("\nwith --races tests are also searched in all their interleavings, if these are few " +
			"enough\n")
	}
	if slices.ContainsFunc(r.Results, func(s driver.Result) bool { return s.Reduced }) {
		b.WriteString("\nsteps are independent if neither changes what the explored code shares in both; " +
			"what other code\nshares, such as package net/http, does not count\n")
	}
	if r.Seed != 0 {
		fmt.Fprintf(b, "\nseed of what is drawn: %d\n", r.Seed)
	}
}

// skipping says in words how many tests skip themselves.
func skipping(n int) string {
	if n == 1 {
		return "1 test that skips itself"
	}
	return fmt.Sprintf("%d tests that skip themselves", n)
}

// partly reports whether something runs beside the actors that no schedule controls.
func (r Report) partly() bool {
	return len(r.Uncontrolled)+len(r.Beside)+len(r.Outside)+len(r.NotRun) > 0
}

// row returns the status of a result for its row. The word clean alone means that everything was searched to
// the end. Otherwise the row adds which part was.
func (r Report) row(s driver.Result) string {
	if s.Status == driver.Clean && (s.Cut > 0 || r.partly()) {
		return "clean, in part"
	}
	return string(s.Status)
}

// inPart begins the verdict if something was not searched that no bound names.
const inPart = "clean as far as searched: "

// Verdict is the status of all results. If nothing failed, it also says what was not searched.
func (r Report) Verdict() string {
	status := r.Status()
	if status != driver.Clean {
		return string(status)
	}
	programs, cut := 0, 0
	skipped, starved := 0, 0
	for _, s := range r.Results {
		programs, cut, starved = programs+s.Programs, cut+s.Cut, max(starved, s.Starvation)
		if s.Status == driver.Skipped {
			skipped++
		}
	}
	var but []string
	if n := r.bound(); n > 0 {
		but = append(but, "with at most "+plural.Of(n, "preemption"))
	}
	alone := len(but) > 0
	if cut > 0 {
		but = append(but, fmt.Sprintf("%d of %s to the end", programs-cut, plural.Of(programs, "program")))
	}
	if starved > 0 {
		but = append(but, fmt.Sprintf("without schedules in which somebody who could go on waits for more "+
			"than %d steps of others", starved))
	}
	if skipped > 0 {
		but = append(but, "without "+skipping(skipped))
	}
	if len(r.Uncontrolled) > 0 {
		but = append(but, "without control of "+strings.Join(r.Uncontrolled, ", "))
	}
	if len(r.Beside) > 0 {
		but = append(but, "without goroutines that run beside the actors")
	}
	if n := len(r.Outside); n > 0 {
		but = append(but, fmt.Sprintf("without %s in no copy", plural.Of(n, "package")))
	}
	if len(r.NotRun) > 0 {
		but = append(but, "without goroutines that start when it is loaded")
	}
	if r.Blind {
		but = append(but, "no method shows anything, so only "+r.visible()+" could fail")
	}
	if len(r.Crashes) > 0 {
		but = append(but, "without programs that end the process in a sequential order")
	}
	switch {
	case len(but) == 0:
		return string(status)
	case alone && len(but) == 1:
		return string(status) + " " + but[0]
	}
	return inPart + strings.Join(but, "; ")
}

// bound returns the smallest bound on preemptions of the results that are clean within a bound, 0 if all
// were searched without one.
func (r Report) bound() (least int) {
	for _, s := range r.Results {
		if s.Status == driver.Clean && (s.Exhaustive || s.Cut > 0) && s.Complete < s.Programs &&
			s.Preemptions > 0 && (least == 0 || s.Preemptions < least) {
			least = s.Preemptions
		}
	}
	return least
}

// deeper says how the search continues if not by a higher bound.
func (r Report) deeper() string {
	if r.Tests {
		return ", and --time without --bound at as many as there is time for"
	}
	return ""
}

// goTo returns the shell command that changes to a folder, if there is one.
func goTo(folder string) string {
	if folder == "" {
		return ""
	}
	if !plainPath.MatchString(folder) {
		folder = "'" + strings.ReplaceAll(folder, "'", `'\''`) + "'"
	}
	return "cd " + folder + " && "
}

// plainPath matches paths that need no quotes in a command line.
var plainPath = regexp.MustCompile(`^[\w/.,@%+=:-]+$`)

// wholeFailures is the number of failures of a report whose steps are shown. A replay shows those of the
// others.
const wholeFailures = 5

// write writes a result that is not clean.
func (r Report) write(b *strings.Builder, s driver.Result, whole bool) {
	title := s.Name
	if s.Program != "" { // the failure is of one program, not of all
		title += ": " + s.Program
	}
	fmt.Fprintf(b, "\n%s\n%s\n", title, s.Message)
	if s.History != "" {
		fmt.Fprintf(b, "\nwhat the clients saw:\n%s", s.History)
	}
	if s.Table != "" && whole {
		fmt.Fprintf(b, "\nthe schedule:\n%s", s.Table)
	}
	for _, n := range s.Notes {
		fmt.Fprintf(b, "%s\n", n)
	}
	if s.First && s.Status == driver.Found && s.Kind != string(explore.Race) {
		b.WriteString(firstFails)
	}
	if s.Token != "" {
		fmt.Fprintf(b, "replay it: %ssamecycle replay '%s'\n", goTo(r.Folder), s.Token)
	}
	if s.Page != "" {
		fmt.Fprintf(b, "page for a browser: %s\n", s.Page)
	}
}

// firstFails is said of a test that fails in its first execution.
const firstFails = "it fails in the first execution, in which goroutines run one after the other; if go " +
	"test passes, the\nreason may be what differs here: the clock begins at a midnight that is one to 25 " +
	"hours away, and the code\nis a copy\n"

// covered says in a few words what a suite's search covered.
func (r Report) covered(s driver.Result) string {
	if s.Short {
		return r.searched(s) + "; its short form (testing.Short)"
	}
	return r.searched(s)
}

func (r Report) searched(s driver.Result) string {
	all := "all interleavings"
	if r.partly() {
		all += " of what is controlled"
	}
	switch {
	case s.Status == driver.Found:
		return "up to the first failure, with " + plural.Of(s.Preemptions, "preemption")
	case s.Status == driver.Unknown && s.Token != "":
		return "up to an execution that cannot be judged"
	case !s.Exhaustive:
		return s.Bound
	case s.Reduced:
		return all + ", independent steps in one order"
	case s.Complete == s.Programs:
		return all
	}
	text := "all with at most " + plural.Of(s.Preemptions, "preemption")
	if s.Complete > 0 {
		text += fmt.Sprintf("; all interleavings of %d program(s)", s.Complete)
		if r.partly() {
			text += ", of what is controlled"
		}
	}
	if s.Crowded {
		text += fmt.Sprintf("; at most %d goroutines that can go on at a time", explore.MaxActors)
	}
	if s.Starvation > 0 {
		text += fmt.Sprintf("; none in which somebody waits for more than %d steps of others", s.Starvation)
	}
	return text
}
