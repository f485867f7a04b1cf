package slots

import (
	"errors"
	"strings"
	"testing"
)

// printed is a round as benchmarks print it; each figure is times x.
const printed = `goos: linux
pkg: github.com/samecycle/samecycle/bench/slots
BenchmarkSlots_Direct/get-2         	 1000	       100 ns/op	        90 ns-p50	       200 ns-p99
BenchmarkSlots_Direct/set-2         	 1000	       300 ns/op	       290 ns-p50	       900 ns-p99
BenchmarkSlots_Direct/ask-2         	 1000	       150 ns/op	       140 ns-p50	       300 ns-p99
BenchmarkSlots_One/get-2            	 1000	      6000 ns/op	      5000 ns-p50	     70000 ns-p99
BenchmarkSlots_One/set-2            	 1000	      7000 ns/op	      5000 ns-p50	     70000 ns-p99
BenchmarkSlots_Sixteen/gets=1-2     	 1000	      5000 ns/op
BenchmarkSlots_Sixteen/gets=16-2    	 1000	       700 ns/op
BenchmarkSlots_Beside/nobody/asks-2  	 1000	       500 ns/op	       1.000 hits
BenchmarkSlots_Beside/nobody/calls-2 	 1000	      9000 ns/op	       1.000 hits
BenchmarkSlots_Beside/computes/asks-2	 1000	       700 ns/op	       1.000 hits
BenchmarkSlots_Beside/computes/calls-2	 1000	      8000 ns/op	       1.000 hits
BenchmarkSlots_Beside/hammers/asks-2 	 1000	       400 ns/op	       0.900 hits
BenchmarkSlots_Beside/hammers/calls-2	 1000	     10000 ns/op	       1.000 hits
BenchmarkSlots_Beside/no_limit/asks-2	 1000	       600 ns/op	       1.000 hits
BenchmarkSlots_Beside/no_limit/calls-2	 1000	     90000 ns/op	       1.000 hits
`

const memcached = `BenchmarkSlots_Memcached/get-2	1000	12000 ns/op	11000 ns-p50	40000 ns-p99
BenchmarkSlots_Memcached/get_of_16_goroutines-2	 1000	     8000 ns/op
`

func parsed(t *testing.T, text string) round {
	t.Helper()
	r, err := parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRowsOf(t *testing.T) {
	slow := strings.ReplaceAll(printed+memcached, "6000 ns/op", "24000 ns/op")
	rows, err := rowsOf([]round{parsed(t, printed+memcached), parsed(t, slow), parsed(t, slow)})
	if err != nil || len(rows) != len(ways) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	byName := map[string]Row{}
	for _, row := range rows {
		byName[row.Name] = row
		if titles[row.Name] == "" || row.NoRun != "" {
			t.Errorf("%+v", row)
		}
	}
	if one := byName["One/get"]; one.Mean != 24000 || one.P50 != 5000 || one.P99 != 70000 || one.Ratio != 2 {
		t.Errorf("the medians of 6, 24, 24 µs beside 12 µs: %+v", one)
	}
	if asks := byName["Beside/hammers/asks"]; asks.Ratio != 1.25 || !asks.Kept || asks.Hits != 0.9 {
		t.Errorf("400 ns beside 500 keep 1.25 of the throughput: %+v", asks)
	}
	if calls := byName["Beside/no_limit/calls"]; calls.Ratio != 0.1 || calls.P50 != 0 {
		t.Errorf("90 µs beside 9 keep 0.1 of the throughput: %+v", calls)
	}
	if many := byName["Sixteen/gets=16"]; many.Mean != 700 || many.P50 != 0 {
		t.Errorf("%+v", many)
	}
}

func TestRowsOf_WithoutMemcached(t *testing.T) {
	rows, err := rowsOf([]round{parsed(t, printed)})
	if err != nil {
		t.Fatal(err)
	}
	text := page(Results{Rows: rows, Spin: []float64{1.9}})
	for _, want := range []string{"| memcached, one get at a time | NOT RUN: memcached is missing",
		"| slot file, one get under way | 6000 | 5000 | 70000 |  |",
		"| get by a slot file | a client that hammers, held to its limit | 10000 |  |  | 0.9 (0.9 to 0.9) " +
			"| 1 |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
}

func TestRowsOf_Refuses(t *testing.T) {
	whole := parsed(t, printed)
	for name, rounds := range map[string][]round{
		"a benchmark that has no row":    {parsed(t, printed+"BenchmarkSlots_Other/get-2 1 5 ns/op\n")},
		"a round that ended early":       {whole, parsed(t, printed[:400])},
		"a benchmark that no round has":  {parsed(t, printed[:400])},
		"what is no round of benchmarks": {parsed(t, "PASS\n")},
	} {
		if rows, err := rowsOf(rounds); !errors.Is(err, ErrRound) {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
}
