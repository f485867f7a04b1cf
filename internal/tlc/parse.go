package tlc

import (
	"bytes"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/samecycle/samecycle/internal/disk"
)

// TLC's message codes that this package judges by (class tlc2.output.EC of TLC 2.18).
const (
	codeOutOfMemory           = 1001
	codeStackOverflow         = 1005
	codeAssumptionFalse       = 2104
	codeInvariantInitial      = 2107
	codePropertyInitial       = 2108
	codeInvariantBehavior     = 2110
	codeActionProperty        = 2112
	codeDeadlock              = 2114
	codeTemporalProperty      = 2116
	codeBackToState           = 2122
	codeSuccess               = 2193
	codeDepth                 = 2194
	codeStats                 = 2199
	codeProgress              = 2200
	codeStatePlain            = 2216
	codeState                 = 2217
	codeStuttering            = 2218
	codeVersion               = 2262
	codeCoverageNext          = 2772
	codeCoverageInit          = 2773
	codeLivenessUnderSymmetry = 2279
)

// Severities of a message.
const (
	severityError   = 1
	severityBug     = 2
	severityWarning = 3
)

var (
	reStart    = regexp.MustCompile(`@!@!@STARTMSG (\d+):(\d+) @!@!@$`)
	reEnd      = regexp.MustCompile(`^@!@!@ENDMSG (\d+) @!@!@$`)
	reProgress = regexp.MustCompile(`(?:Progress\((\d+)\).*: )?` +
		`([\d,]+) states generated.*?, ([\d,]+) distinct states found.*?, ([\d,]+) states left`)
	reDepth    = regexp.MustCompile(`depth of the complete state graph search is (\d+)`)
	reViolated = regexp.MustCompile(
		`(?:Invariant|Action property|Property|Assumption) (.*?) is (?:violated|false)`)
	reState    = regexp.MustCompile(`^(\d+): (.*)$`)
	reAction   = regexp.MustCompile(`^<(\S+) line `)
	reCoverage = regexp.MustCompile(`^<(\S+) line .* of module (\S+)>: (\d+):(\d+)`)
	reIdent    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

func isIdentifier(s string) bool { return reIdent.MatchString(s) }

// message is one message of TLC's -tool mode. Messages nest: an inner one also belongs, as text,
// to the outer one.
type message struct {
	code, severity int
	lines          []string
	inner          []message
}

func (m message) text() string { return strings.TrimSpace(strings.Join(m.lines, "\n")) }

// parser is an io.Writer that turns TLC's output into a Result. It keeps no more than the
// messages that matter, so that a long run costs little memory.
type parser struct {
	progress   func(Stats)
	complaints string // what the JVM wrote to its error output
	cpu        time.Duration
	full       error // why the temporary folder takes no file any more

	partial []byte
	open    []message
	loose   []string // the last lines outside of every message: the parser's complaints are there

	version   string
	stats     Stats
	succeeded bool
	violation *message
	errors    []message
	warnings  []string
	trace     []State
	traceDone bool
	coverage  []ActionCount
}

// Write takes any piece of TLC's output.
func (p *parser) Write(b []byte) (int, error) {
	n := len(b)
	for {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			p.partial = append(p.partial, b...)
			return n, nil
		}
		p.line(strings.TrimRight(string(append(p.partial, b[:i]...)), "\r"))
		p.partial, b = p.partial[:0], b[i+1:]
	}
}

// close ends the last line and the messages that a killed TLC left open. The files of the run are there
// still: now it can be seen whether there was space for them.
func (p *parser) close() {
	if len(p.partial) > 0 {
		p.line(string(p.partial))
		p.partial = nil
	}
	for len(p.open) > 0 {
		p.pop()
	}
	if p.violation == nil && !p.succeeded || len(p.errors) > 0 {
		p.full = disk.Check(os.TempDir())
	}
}

func (p *parser) line(s string) {
	if m := reStart.FindStringSubmatchIndex(s); m != nil {
		if before := s[:m[0]]; before != "" {
			p.plain(before)
		}
		code, _ := strconv.Atoi(s[m[2]:m[3]])
		severity, _ := strconv.Atoi(s[m[4]:m[5]])
		p.open = append(p.open, message{code: code, severity: severity})
		return
	}
	if reEnd.MatchString(s) && len(p.open) > 0 {
		p.pop()
		return
	}
	p.plain(s)
}

const looseMax = 40

func (p *parser) plain(s string) {
	if len(p.open) == 0 {
		if p.loose = append(p.loose, s); len(p.loose) > looseMax {
			p.loose = p.loose[1:]
		}
		return
	}
	top := &p.open[len(p.open)-1]
	top.lines = append(top.lines, s)
}

func (p *parser) pop() {
	m := p.open[len(p.open)-1]
	p.open = p.open[:len(p.open)-1]
	if len(p.open) > 0 {
		outer := &p.open[len(p.open)-1]
		outer.lines = append(outer.lines, m.lines...)
		outer.inner = append(append(outer.inner, m), m.inner...)
		return
	}
	p.message(m)
}

func (p *parser) message(m message) {
	switch m.code {
	case codeVersion:
		p.version = m.text()
	case codeSuccess:
		p.succeeded = true
	case codeProgress, codeStats:
		p.counts(m.text())
	case codeDepth:
		if d := reDepth.FindStringSubmatch(m.text()); d != nil {
			p.stats.Depth, _ = strconv.Atoi(d[1])
		}
	case codeState, codeStatePlain, codeStuttering, codeBackToState:
		p.state(m)
	case codeCoverageNext, codeCoverageInit:
		p.covered(m.text())
	}
	p.judge(m)
	for _, inner := range m.inner { // an error is one inside of another message, too
		p.judge(inner)
	}
}

// judge sorts a message by what it says about the run. The first violation is the verdict, unless
// there is an error, before it or behind it; the states of a second one (with -continue) are not
// mixed into its trace.
func (p *parser) judge(m message) {
	if outcomeOf(m.code) != "" {
		if p.violation != nil {
			p.traceDone = true
			return
		}
		p.violation = &m
		return
	}
	switch {
	case m.code == codeLivenessUnderSymmetry:
		p.errors = append(p.errors, m)
	case m.severity == severityError || m.severity == severityBug:
		if !accompanies[m.code] {
			p.errors = append(p.errors, m)
		}
	case m.severity == severityWarning && m.code != codeJavaCollector:
		p.warnings = append(p.warnings, m.text())
	}
}

// codeJavaCollector is TLC's advice on Java's garbage collector, which says nothing about the run.
const codeJavaCollector = 2401

// accompanies holds the messages with severity error that only introduce a counterexample.
var accompanies = map[int]bool{2121: true, 2264: true, 2120: true}

func outcomeOf(code int) Outcome {
	switch code {
	case codeInvariantInitial, codeInvariantBehavior, codePropertyInitial, codeActionProperty:
		return Invariant
	case codeTemporalProperty:
		return Liveness
	case codeDeadlock:
		return Deadlock
	case codeAssumptionFalse:
		return Assumption
	}
	return ""
}

func (p *parser) counts(text string) {
	m := reProgress.FindStringSubmatch(text)
	if m == nil {
		return
	}
	if m[1] != "" {
		p.stats.Depth, _ = strconv.Atoi(m[1])
	}
	p.stats.Generated, p.stats.Distinct, p.stats.Queue = number(m[2]), number(m[3]), number(m[4])
	if p.progress != nil {
		p.progress(p.stats)
	}
}

func number(s string) int64 {
	n, _ := strconv.ParseInt(strings.ReplaceAll(s, ",", ""), 10, 64)
	return n
}

func (p *parser) state(m message) {
	if p.traceDone || len(m.lines) == 0 {
		return
	}
	head := reState.FindStringSubmatch(m.lines[0])
	if head == nil {
		return
	}
	n, _ := strconv.Atoi(head[1])
	action := strings.Trim(head[2], "<>")
	if a := reAction.FindStringSubmatch(head[2]); a != nil {
		action = a[1]
	} else if strings.HasPrefix(action, "Back to state") {
		action, _, _ = strings.Cut(action, ":")
	}
	text := strings.TrimSpace(strings.Join(m.lines[1:], "\n"))
	p.trace = append(p.trace, State{Number: n, Action: action, Text: text})
}

func (p *parser) covered(text string) {
	if m := reCoverage.FindStringSubmatch(text); m != nil {
		p.coverage = append(p.coverage, ActionCount{m[1], m[2], number(m[3]), number(m[4])})
	}
}

// result is the verdict over everything that was read.
func (p *parser) result(status int) Result {
	r := Result{
		Stats: p.stats, Trace: p.trace, Coverage: p.coverage, Warnings: p.warnings,
		Version: p.version, ExitStatus: status,
	}
	switch {
	case len(p.errors) > 0: // what TLC could not evaluate may be why something is violated
		m := p.errors[0]
		r.Outcome, r.Message = Failed, p.explain(m)
		r.Resources = m.code >= codeOutOfMemory && m.code <= codeStackOverflow
	case p.violation != nil:
		r.Outcome, r.Message = outcomeOf(p.violation.code), firstLine(p.violation.text())
		p.initialState(&r)
		if m := reViolated.FindStringSubmatch(p.violation.text()); m != nil {
			r.Property = m[1]
		}
	case p.succeeded && status == 0 && p.stats.Queue == 0 && p.stats.Distinct > 0:
		r.Outcome = OK
	default:
		r.Outcome, r.Resources = Failed, !p.succeeded
		r.Message = "TLC ended without a verdict (exit status " + strconv.Itoa(status) + ")"
		if c := firstLine(p.complaints); c != "" {
			r.Message += ": " + c
		}
	}
	r.blameSpace(p.full)
	return r
}

// initialState makes a trace of the state that an initial violation prints inside its message.
func (p *parser) initialState(r *Result) {
	code := p.violation.code
	if len(r.Trace) > 0 || code != codeInvariantInitial && code != codePropertyInitial {
		return
	}
	text := strings.TrimSpace(strings.Join(p.violation.lines[1:], "\n"))
	r.Trace = []State{{Number: 1, Action: "Initial predicate", Text: text}}
}

// explain adds to a bare "parsing failed" what the parser said outside of its messages.
func (p *parser) explain(m message) string {
	text := m.text()
	if m.code != codeParsingFailed {
		return text
	}
	var said []string
	for _, l := range p.loose {
		quiet := strings.HasPrefix(l, "Parsing file") || strings.HasPrefix(l, "Semantic processing")
		if l = strings.TrimSpace(l); l != "" && !quiet {
			said = append(said, l)
		}
	}
	if len(said) == 0 {
		return text
	}
	return text + "\n" + strings.Join(said, "\n")
}

// codeParsingFailed is the message after the parser's own, free-form complaints.
const codeParsingFailed = 3002

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}
