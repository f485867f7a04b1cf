package foreign

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

// TestClosing: a report of a type tells how large the programs were, which values their calls had, and that a
// type without results cannot show a fault; what shows nothing is not plainly clean.
func TestClosing(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{"go.mod": "module example.com/own\n\ngo 1.24\n",
		"own.go": "package own\n\nimport \"sync/atomic\"\n\ntype Only struct{ n atomic.Int64 }\n\n" +
			"func (o *Only) Inc(by int64, _ string, _ bool) { o.n.Store(o.n.Load() + by) }\n\n" +
			"type Count struct{ n atomic.Int64 }\n\nfunc (c *Count) Inc() int64 { return c.n.Add(1) }\n"})
	for name, c := range map[string]struct {
		actors     int
		has, lacks []string
	}{
		"Only": {2, []string{
			"clean as far as searched: with at most 2 preemptions; no method shows anything, so only " +
				"panics and deadlocks could fail\n",
			"\nprograms had at most 2 actors with 2 calls each, after 1 call; --actors 3 searches more\n" +
				"parameters were 1, 2, 3, 0; true, false; \"a\", \"b\", \"c\"\n"}, nil},
		"Count": {3, []string{"clean with at most 2 preemptions\n",
			"\nprograms had at most 3 actors with 2 calls each, after 4 calls; nearly all of this size " +
				"were explored\n"},
			[]string{"parameters", "shows"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, r := typedIn(t, folder, Subject{Type: name}, Options{Executions: 2000, Actors: c.actors})
			for _, want := range c.has {
				if !strings.Contains(r.Text(), want) {
					t.Errorf("%q is missing in:\n%s", want, r.Text())
				}
			}
			for _, no := range c.lacks {
				if strings.Contains(r.Text(), no) {
					t.Errorf("%q is in:\n%s", no, r.Text())
				}
			}
		})
	}
}

// TestReport_Values: values that are a part of others are not listed again, and a long list ends early.
func TestReport_Values(t *testing.T) {
	long := strings.Repeat("x", mostValues)
	numbers := []value{{text: "1"}, {text: "2"}}
	r := Report{Report: driver.Report{Methods: []string{"Add", "Put"}}, subject: &found{methods: []callable{
		{name: "Add", values: [][]value{numbers[:1], numbers}},
		{name: "Put", values: [][]value{{{text: long}}}},
		{name: "Other", values: [][]value{{{text: "3"}}}}}}}
	if got := strings.Join(r.values(), "; "); got != "1, 2; and others" {
		t.Errorf("%q", got)
	}
}

// TestReport_JSON: JSON has the overall status, and whether clean is so only as far as searched, besides all
// that a report has.
func TestReport_JSON(t *testing.T) {
	r := Report{Races: true, Report: driver.Report{Target: "a", Methods: []string{"Add"},
		Results: []driver.Result{{Name: "pairs", Programs: 4, Status: driver.Clean}}},
		subject: &found{methods: []callable{{name: "Add", values: [][]value{{{text: "1"}, {text: "2"}}}}}}}
	for _, c := range []struct {
		change func()
		want   string
	}{
		{func() {}, `{"status":"clean","verdict":"clean","in_part":false,"target":"a","results":[{"name":`},
		{func() { r.Blind = true }, `{"status":"clean","verdict":"clean as far as searched: no method ` +
			`shows anything, so only panics, deadlocks and races could fail","in_part":true,"target":"a",`},
		{func() { r.Results[0].Status = driver.Found },
			`{"status":"found","verdict":"found","in_part":false,"target":"a",`},
	} {
		c.change()
		text, err := json.Marshal(r)
		if err != nil || !strings.HasPrefix(string(text), c.want) || !strings.Contains(string(text),
			`"races":true,"prepared":0,"values":["1, 2"]}`) {
			t.Errorf("%s, %v", text, err)
		}
	}
}
