package goker

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/samecycle/samecycle/bench"
	"github.com/samecycle/samecycle/foreign/driver"
)

// A Result is what the page is made of.
type Result struct {
	Commit  string   `json:"commit"`  // of this repository
	Kernels string   `json:"kernels"` // of the clone
	Go      string   `json:"go"`
	Seed    uint64   `json:"seed"`
	Time    string   `json:"time"` // for each kernel
	All     []Kernel `json:"all"`
}

// Write writes goker.json and goker.md into the folder.
func Write(folder string, o Options, all []Kernel) error {
	r := Result{o.Commit, o.Kernels, runtime.Version(), o.Seed, o.Time.String(), all}
	return bench.WritePage(folder, "goker", r, r.page())
}

const head = `# Tests with known faults

    git clone https://github.com/timmyyuan/gobench && git -C gobench checkout %[2]s
    make goker GOBENCH=gobench

GoBench (Yuan, Li, Lu, Liu, Li, Xue: CGO 2021) has %[4]d *kernels*: tests of a hundred lines, each with one
fault that was in a large program, such as Kubernetes or gRPC. A *blocking* fault makes somebody wait for
ever; the others are races, panics and wrong results. Each kernel was explored as by
"samecycle explore --test . --leaks", for at most %[6]s, first with at most two preemptions. Kernels that do
not block were explored with --races, and so were the others if nothing was found without.

Commit %[1]s, kernels of commit %[2]s, %[3]s, seed %[5]d. The same kernels with the same seed give the same
result, but for those whose time was over, and those that go by what the explorer does not control, as by
the order of a map. Machine-readable: [goker.json](goker.json).

- "found" is the first failure of any kind. That it is the fault which the authors mean was not looked at
  for each kernel.
- "in N" is how often the authors of the kernels saw the fault, in so many runs of the test; where they do
  not say so, nothing.
- "executions" is how many the explorer needed. One means that the fault shows in the order that comes
  first.
- "unknown" is a kernel that was not searched to the end, or that needs what the explorer does not have.

`

// page is the page for a reader.
func (r Result) page() string {
	var b strings.Builder
	fmt.Fprintf(&b, head, r.Commit, r.Kernels, r.Go, len(r.All), r.Seed, r.Time)
	b.WriteString("| kernels | all | found | in one execution | clean within the bound | unknown |\n" +
		"|---|--:|--:|--:|--:|--:|\n")
	for _, blocking := range []bool{true, false} {
		n := map[driver.Status]int{}
		all, first := 0, 0
		for _, k := range r.All {
			if k.Blocking() != blocking {
				continue
			}
			all++
			n[k.Status]++
			if k.Status == driver.Found && k.Executions == 1 {
				first++
			}
		}
		name := "that block"
		if !blocking {
			name = "that do not block"
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", name, all, n[driver.Found], first,
			n[driver.Clean], n[driver.Unknown])
	}
	b.WriteString("\n| kernel | in N | result | kind | executions | preemptions |\n" +
		"|---|--:|---|---|--:|--:|\n")
	for _, k := range r.All {
		kind := k.Kind
		if k.Races && k.Blocking() {
			kind = strings.TrimSpace(kind + " (with --races)")
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %d |\n", k.Name, k.Flaky, k.Status, kind, k.Executions,
			k.Preemptions)
	}
	b.WriteString("\n## What was not found, and why\n\n| kernel | result | why |\n|---|---|---|\n")
	for _, k := range r.All {
		if k.Status != driver.Found {
			why := k.Message
			if k.Status == driver.Clean {
				why = "no execution within the bound has a fault"
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", k.Name, k.Status, why)
		}
	}
	return b.String()
}
