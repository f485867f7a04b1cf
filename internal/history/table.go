package history

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Bounds of a table: what a person can read on a screen.
const (
	MaxTableRows    = 400
	MaxTableClients = 32
)

// Table prints the history with one column per client and one row per call or return, in the order
// of time: a call, a bar while it is in flight, "-> result" at its return. An operation that never
// returned ends in a row "killed". A longer history is cut at MaxTableRows with a line
// that says how many rows are missing; a wider one than MaxTableClients is listed, one operation a
// line. The history should be valid.
func Table[Q, R Value](w io.Writer, h History[Q, R]) error { return TableOf(w, h, nil) }

// TableOf is Table with names of the clients, by number; those that are missing are "client" and the
// number.
func TableOf[Q, R Value](w io.Writer, h History[Q, R], names []string) error {
	out := bufio.NewWriter(w)
	names = append([]string(nil), names...)
	for i := len(names); i < h.Clients(); i++ {
		names = append(names, fmt.Sprintf("client %d", i))
	}
	if h.Clients() > MaxTableClients {
		list(out, h, names)
	} else {
		columns(out, h, names)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("history table: %w", err)
	}
	return nil
}

func list[Q, R Value](out *bufio.Writer, h History[Q, R], names []string) {
	for _, op := range h[:min(len(h), MaxTableRows)] {
		fmt.Fprintln(out, op.Text(names[op.Client]))
	}
	missing(out, len(h)-MaxTableRows, "operations")
}

func columns[Q, R Value](out *bufio.Writer, h History[Q, R], names []string) {
	moments := h.moments(nil)
	clients := h.Clients()
	width := len("client 00")
	for i := range h {
		width = max(width, len(text(h[i].Request)), len("-> ")+len(text(h[i].Result)))
	}
	cells := append([]string(nil), names[:clients]...)
	for _, name := range cells {
		width = max(width, len(name))
	}
	row(out, "time", cells, width)
	row(out, "----", repeat("---", clients), width)
	flying := make([]bool, clients)
	for _, m := range moments[:min(len(moments), MaxTableRows)] {
		bars(cells, flying)
		flying[m.op.Client] = m.isCall
		cells[m.op.Client] = text(m.op.Request)
		if !m.isCall {
			cells[m.op.Client] = "-> " + text(m.op.Result)
		}
		row(out, fmt.Sprint(m.time), cells, width)
	}
	missing(out, len(moments)-MaxTableRows, "rows")
	bars(cells, make([]bool, clients))
	killed := false
	for i := range h {
		if h[i].Pending {
			killed = true
			cells[h[i].Client] = "killed"
		}
	}
	if killed {
		row(out, "end", cells, width)
	}
}

// bars fills each client's cell with a bar if it has an operation in flight.
func bars(cells []string, flying []bool) {
	for i := range cells {
		cells[i] = ""
		if flying[i] {
			cells[i] = "|"
		}
	}
}

func row(out *bufio.Writer, time string, cells []string, width int) {
	line := fmt.Sprintf("%6s", time)
	for _, cell := range cells {
		line += fmt.Sprintf("  %-*s", width, cell)
	}
	fmt.Fprintln(out, strings.TrimRight(line, " "))
}

func repeat(s string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

func missing(out *bufio.Writer, n int, what string) {
	if n > 0 {
		fmt.Fprintf(out, "... and %d more %s\n", n, what)
	}
}
