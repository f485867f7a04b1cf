package samestates

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search/tla"
)

// Judged is a state, and a step from it, that no action need make, and what a program says of both. The
// specification is asked of the properties that are named, since it gives no answer where one of its formulas
// has no value.
type Judged struct {
	Name          string
	Prev, Next    []tla.Pair // variables of the specification, and their values
	Asked, Broken []string   // properties of states, for Prev
	// Properties of steps, for the one from Prev to Next.
	AskedOfStep, BrokenByStep []string
}

// Claims are the properties of a specification, by name, and the module that has them.
type Claims struct {
	Module        string
	States, Steps []string
}

var reAlways = regexp.MustCompile(`(?ms)^(\w+) == \[\]\[(.*?)\]_(\w+|<<[^>]*>>)$`)

// OfOneStep makes of each definition P == [][A]_v in a module's text what it says of a single step.
func OfOneStep(text string) string {
	return reAlways.ReplaceAllString(text, "$1 == ((($2))) \\/ UNCHANGED $3")
}

// Disagreement has TLC judge the states and steps of a list, and tells the first of which it says something
// else, "" if there is none. The folder has the modules, in which properties of steps are as OfOneStep makes
// them; constants is the configuration's text without specification and properties.
func Disagreement(t testing.TB, jvms *tlc.Machines, dir, constants string, c Claims, list []Judged) string {
	t.Helper()
	Write(t, filepath.Join(dir, "Spoiled.tla"), spoiledText(c, list))
	Write(t, filepath.Join(dir, "Spoiled.cfg"),
		"INIT SpoiledInit\nNEXT SpoiledNext\n"+constants+"\nINVARIANT Agree\nCHECK_DEADLOCK FALSE\n")
	r, err := jvms.Run(t.Context(), tlc.Job{Dir: dir, Module: "Spoiled", Config: "Spoiled.cfg",
		Timeout: 5 * time.Minute}, tlc.Family{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome == tlc.OK && r.Distinct == 2*int64(len(list)) {
		return ""
	}
	if r.Outcome != tlc.Invariant || r.Property != "Agree" {
		t.Fatalf("TLC: %s %s %s, %d states, want %d", r.Outcome, r.Property, r.Message, r.Distinct,
			2*len(list))
	}
	last := r.Trace[len(r.Trace)-1].Text
	n, err := strconv.Atoi(reNumber.FindStringSubmatch(last)[1])
	if err != nil {
		t.Fatal(err)
	}
	x := list[(n-1)%len(list)]
	return fmt.Sprintf("%s, %s: the model says %v, of the step %v\n%v\n%v", x.Name, reDiffer.FindString(last),
		x.Broken, x.BrokenByStep, x.Prev, x.Next)
}

var (
	reNumber = regexp.MustCompile(`(?m)^/\\ number = (\d+)$`)
	reDiffer = regexp.MustCompile(`(?m)^/\\ differ = .*$`)
)

// judging is the rest of the module Spoiled. Its variable differ has the properties of which the
// specification says something else than the list.
const judging = `SpoiledInit == \E n \in 1 .. Len(List) : number = n /\ SpoiledIs(List[n].prev)
  /\ differ = {p \in List[n].asked : SpoiledHolds(p) = (p \in List[n].broken)}
SpoiledNext == number <= Len(List) /\ number' = number + Len(List) /\ SpoiledBecomes(List[number].next)
  /\ differ' = {p \in List[number].askedOfStep : SpoiledLawful(p) = (p \in List[number].brokenByStep)}
Agree == differ = {}
====
`

// spoiledText is the module Spoiled. A value that several states have it writes once: most of the time of
// such a run TLC parses.
func spoiledText(c Claims, list []Judged) string {
	var b, judged strings.Builder
	fmt.Fprintf(&b, "---- MODULE Spoiled ----\nEXTENDS %s, Sequences, TLC\n", c.Module)
	b.WriteString("VARIABLES number, differ\n")
	named := map[string]string{}
	state := func(s []tla.Pair) string {
		var fields []string
		for _, x := range s {
			if named[x[1]] == "" {
				named[x[1]] = fmt.Sprintf("Value%d", len(named))
				fmt.Fprintf(&b, "%s == %s\n", named[x[1]], x[1])
			}
			fields = append(fields, x[0]+" |-> "+named[x[1]])
		}
		return "[" + strings.Join(fields, ", ") + "]"
	}
	for i, x := range list {
		if i > 0 {
			judged.WriteString(",\n")
		}
		fmt.Fprintf(&judged, "[prev |-> %s,\nnext |-> %s,\n", state(x.Prev), state(x.Next))
		fmt.Fprintf(&judged, "asked |-> %s, broken |-> %s, ", quoted(x.Asked), quoted(x.Broken))
		fmt.Fprintf(&judged, "askedOfStep |-> %s, brokenByStep |-> %s]", quoted(x.AskedOfStep),
			quoted(x.BrokenByStep))
	}
	fmt.Fprintf(&b, "List == <<%s>>\n", judged.String())
	cases := func(name string, properties []string) {
		var all []string
		for _, p := range properties {
			all = append(all, fmt.Sprintf("p = %q -> %s", p, p))
		}
		fmt.Fprintf(&b, "%s(p) == CASE %s\n", name, strings.Join(all, " [] "))
	}
	cases("SpoiledHolds", c.States)
	cases("SpoiledLawful", c.Steps)
	equal := func(name, prime string) {
		fmt.Fprintf(&b, "%s(s) ==\n", name)
		for _, v := range list[0].Prev {
			fmt.Fprintf(&b, "  /\\ %s%s = s.%s\n", v[0], prime, v[0])
		}
	}
	equal("SpoiledIs", "")
	equal("SpoiledBecomes", "'")
	return b.String() + judging
}

func quoted(names []string) string {
	if len(names) == 0 {
		return "{}"
	}
	return `{"` + strings.Join(names, `", "`) + `"}`
}
