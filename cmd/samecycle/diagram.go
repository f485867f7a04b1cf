package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	model "github.com/samecycle/samecycle/model/hopscotch"
	"github.com/spf13/cobra"
)

// diagramStates is how many states of each program a diagram is taken from.
const diagramStates = 100_000

func diagramCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "diagram cell|descriptor",
		Short: "Print the life of a cell or of a descriptor as a graph",
		Long: `diagram searches the programs of the model, in which an actor may die at any step, and
prints every transition of a cell (the form of its word 0) or of a descriptor (its
progress) as a graph for Graphviz. It searches the first 100,000 states of each program,
breadth first; a transition that occurs only in later states is missing. The same model
always gives the same text.

With --json it prints {"programs", "whole", "states_of_each",
"transitions": [{"from", "to", "action", "kinds"}]}; whole is the number of programs that
were searched completely.`,
		Example: `  samecycle diagram cell | dot -Tsvg -o cell.svg
  make diagrams                     docs/cell.svg and docs/descriptor.svg`,
		Args:      oneArgument("cell or descriptor"),
		ValidArgs: []string{"cell", "descriptor"},
		RunE: func(cmd *cobra.Command, args []string) error {
			p, ok := drawings[args[0]]
			if !ok {
				return fmt.Errorf("%q has no diagram; say cell or descriptor", args[0])
			}
			lives, err := model.CollectLives(cmd.Context(), diagramStates)
			return a.deliver(p.report(lives), err)
		},
	}
}

// arrow is all transitions between two stages by one action.
type arrow struct {
	From   string   `json:"from"`
	To     string   `json:"to"`
	Action string   `json:"action"`
	Kinds  []string `json:"kinds"` // of operation; empty: the action belongs to none
}

// arrows joins transitions that differ in the kind of the operation only.
func arrows(list []model.Transition) []arrow {
	var joined []arrow
	for _, x := range list {
		n := len(joined)
		if n == 0 || joined[n-1].From != x.From || joined[n-1].To != x.To ||
			joined[n-1].Action != x.Action {
			joined = append(joined, arrow{x.From, x.To, x.Action, []string{}})
			n++
		}
		if x.Kind != model.NoKind {
			joined[n-1].Kinds = append(joined[n-1].Kinds, x.Kind.String())
		}
	}
	return joined
}

// drawing is how one of the diagrams is drawn.
type drawing struct {
	name   string
	of     func(model.Lives) []model.Transition
	stages func() []string
	ports  map[[2]string]string // sides of the boxes, where arrows would else end on one another
	says   map[string]string    // what is written below the name of a stage
	shaded string               // what the stages in filled have in common
	filled []string             // stages that are shaded
}

func (p drawing) report(l model.Lives) report {
	list := arrows(p.of(l))
	return report{
		Text: func(w io.Writer) error { _, err := io.WriteString(w, p.dot(list)); return err },
		Data: map[string]any{"programs": l.Programs, "whole": l.Whole,
			"states_of_each": diagramStates, "transitions": list},
	}
}

const dotDefaults = `  graph [fontname=Helvetica, fontsize=11, bgcolor=white, nodesep=0.15, ranksep=0.45,
    label="Shaded: %s. Below an action: the kinds of operation, if not all.\n\
What happens within the first %d states of each program of the model."];
  node [fontname=Helvetica, fontsize=13, shape=box, style="rounded,filled", fillcolor=white];
  edge [fontname=Helvetica, fontsize=11, arrowsize=0.7, color="#555555"];
`

// dot writes the graph: stages in their own order, one arrow between two of them, whose label
// names the actions, and below each the kinds of operation unless it is all of them.
func (p drawing) dot(list []arrow) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// Printed by: samecycle diagram %s\n", p.name)
	fmt.Fprintf(&b, "digraph %s {\n", p.name)
	fmt.Fprintf(&b, dotDefaults, p.shaded, diagramStates)
	for _, stage := range p.stages() {
		colour := ""
		if slices.Contains(p.filled, stage) {
			colour = `, fillcolor="#ffe9c2"`
		}
		fmt.Fprintf(&b, "  %q [label=<<b>%s</b><br/>%s>%s];\n", stage, stage, p.says[stage],
			colour)
	}
	for len(list) > 0 {
		x, n := list[0], 1
		for n < len(list) && list[n].From == x.From && list[n].To == x.To {
			n++
		}
		fmt.Fprintf(&b, "  %q -> %q [label=<%s>%s];\n", x.From, x.To, labels(list[:n]),
			p.ports[[2]string{x.From, x.To}])
		list = list[n:]
	}
	b.WriteString("}\n")
	return b.String()
}

// allKinds is their number; the kinds are numbered from 1.
const allKinds = int(model.KindClear)

// space keeps a label off its arrow.
const space = "&#160;"

func labels(list []arrow) string {
	var lines []string
	for _, x := range list {
		lines = append(lines, space+x.Action+space)
		if len(x.Kinds) == allKinds {
			continue
		}
		for part := range slices.Chunk(x.Kinds, 3) {
			lines = append(lines, `<font color="#666666" point-size="10">`+
				space+strings.Join(part, ", ")+space+`</font>`)
		}
	}
	return strings.Join(lines, "<br/>")
}

var drawings = map[string]drawing{
	"cell": {
		name:   "cell",
		of:     func(l model.Lives) []model.Transition { return l.Cells },
		stages: model.CellStages,
		says: map[string]string{
			"E": "empty", "C": "claimed", "B": "base", "O": "base in operation", "M": "member",
			"U": "member in operation", model.LostBase: "base, deleted",
			model.LostMember: "member, deleted",
		},
		shaded: "the word refers to an operation",
		filled: []string{"C", "O", "U"},
		ports: map[[2]string]string{
			{"O", "E"}: ", tailport=w", {"O", "B"}: ", headport=e",
			{"U", "E"}: ", tailport=e, headport=e", {"U", "M"}: ", tailport=w, headport=w",
			{model.LostMember, "U"}: ", headport=n", {"M", "U"}: ", headport=ne",
			{"U", model.LostMember}: ", tailport=ne",
		},
	},
	"descriptor": {
		name:   "descriptor",
		of:     func(l model.Lives) []model.Transition { return l.Descriptors },
		stages: model.DescriptorStages,
		says: map[string]string{
			model.Unused: "nothing written down yet", model.Filling: "generation is new",
			model.Filled: "complete, not installed", model.Installed: "installed",
			model.Decided: "with a hole, if it needs one", model.Holeless: "committed, looks for another one",
			model.GivenUp: "is taken back", model.NoPlace: "no hole, is taken back",
			model.Over: "not installed any more",
		},
		shaded: "installed, anybody goes on with it",
		filled: []string{model.Installed, model.Decided, model.Holeless, model.GivenUp,
			model.NoPlace},
	},
}
