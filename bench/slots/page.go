package slots

import (
	"fmt"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/bench"
)

// titles say what a row is.
var titles = map[string]string{
	"Direct/get":                     "direct get: the process maps the cache",
	"Direct/set":                     "direct set",
	"Direct/ask":                     "direct `Ask` that hits, with limits that nobody reaches",
	"One/get":                        "slot file, one get under way",
	"One/set":                        "slot file, one set under way",
	"Sixteen/gets=1":                 "slot file, 16 requests of one get under way",
	"Sixteen/gets=16":                "slot file, 16 requests of 16 gets under way",
	peer:                             "memcached, one get at a time",
	"Memcached/get_of_16_goroutines": "memcached, gets of 16 goroutines",
	"Beside/nobody/asks":             "`Ask` of 1000 clients | nobody",
	"Beside/hammers/asks":            "`Ask` of 1000 clients | a client that hammers, held to its limit",
	"Beside/no_limit/asks":           "`Ask` of 1000 clients | the same without a limit",
	"Beside/computes/asks":           "`Ask` of 1000 clients | a process that only computes",
	"Beside/nobody/calls":            "get by a slot file | nobody",
	"Beside/hammers/calls":           "get by a slot file | a client that hammers, held to its limit",
	"Beside/no_limit/calls":          "get by a slot file | the same without a limit",
	"Beside/computes/calls":          "get by a slot file | a process that only computes",
}

// page is README.md.
func page(r Results) string {
	var b strings.Builder
	b.WriteString("# A cache by direct calls, by a slot file, and by a socket\n\n")
	b.WriteString("    make bench-slots\n\n")
	fmt.Fprintf(&b, "Command `%s`, commit `%s`, %s, %s. Peer: %s. "+
		"Machine-readable: [figures.json](figures.json).\n\n", r.Command, r.Commit, r.Go, r.Machine,
		strings.Join(r.Versions, ", "))
	b.WriteString(`A service in another process answers the slot file, and memcached has one thread behind
a unix socket. Keys have 16 bytes and values 64; 10,000 keys are there, so each get hits. Each round runs all
ways, one after the other. A figure is the median of the rounds. "Mean" is the time of the whole way over its
operations; the quantiles are those of a call or a request, from its start until its answer has been read.
Of 16 under way that includes the wait behind those started before. "Beside memcached" is the
mean over that of one memcached get at a time in the same round: the median of the rounds, with the quartiles.

`)
	fmt.Fprintf(&b, "The spin check right before a round was %s to %s (2 is an idle machine with two "+
		"processors, under %s it is busy). A call by a slot file and a call by a socket each need two "+
		"processors at once, so a busy machine makes both longer, and their quantiles above all.\n\n",
		bench.Number(slices.Min(r.Spin)), bench.Number(slices.Max(r.Spin)), bench.Number(bench.SpinLeast))
	b.WriteString("| way | mean, ns | median of a call, ns | 99 % of calls, ns | beside memcached |\n" +
		"|---|--:|--:|--:|--:|\n")
	for _, row := range r.Rows {
		if !row.Kept {
			fmt.Fprintf(&b, "| %s | %s |\n", titles[row.Name], strings.Join(cells(row), " | "))
		}
	}
	b.WriteString(`
## What one client that hammers takes from others

Quotas hold each client to a number of calls a second. One that hammers is a process of its own, which asks
as fast as it can as one client, or has 16 requests of 16 gets under way by its slot file; its benchmark
begins when it has been refused for the first time. The others do not come near to their limits: 1000 clients
for which a program asks that maps the cache, at most 20,000 calls a second each; and a client of the same
service with one get at a time, at most 100,000 a second. "Kept" is their throughput over that beside nobody:
the median of the rounds, with the quartiles. The goal is 0.9 at least. "Hits" is the part of their gets that
hit, in the worst round.

A process that only computes shows what any busy process does to them on a machine with two processors. It can
make a get by a slot file quicker: client and service then share the other processor, and neither has to wait
for one that sleeps to wake up.

| the others | beside | mean, ns | median of a call, ns | 99 % of calls, ns | kept | hits |
|---|---|--:|--:|--:|--:|--:|
`)
	for _, row := range r.Rows {
		if row.Kept {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", titles[row.Name], strings.Join(cells(row), " | "),
				bench.Number(row.Hits))
		}
	}
	return b.String()
}

// cells are those of a row, behind its name.
func cells(row Row) []string {
	if row.NoRun != "" {
		return []string{"NOT RUN: " + row.NoRun, "", "", ""}
	}
	list := []string{bench.Number(row.Mean), "", "", ""}
	if row.P50 > 0 {
		list[1], list[2] = bench.Number(row.P50), bench.Number(row.P99)
	}
	if row.Ratio > 0 {
		list[3] = fmt.Sprintf("%s (%s to %s)", bench.Number(row.Ratio), bench.Number(row.Low),
			bench.Number(row.High))
	}
	return list
}
