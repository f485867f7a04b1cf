package main

import (
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
)

// TestCheck_BesideOneAnother holds that a link of one core runs while another link does, its own
// successor after it, and the link that measures times alone.
func TestCheck_BesideOneAnother(t *testing.T) {
	const timeLimit = 10 * time.Second
	var running atomic.Int32
	modelRuns, engineRuns, volumeRuns := make(chan struct{}), make(chan struct{}), make(chan struct{})
	engineEnded := false
	// meets closes own, and waits until the other link runs, too.
	meets := func(own, other chan struct{}) bool {
		close(own)
		select {
		case <-other:
			return true
		case <-time.After(timeLimit):
			return false
		}
	}
	with := func(link string, check func() bool) evidence.Runner {
		first := true
		return testLink{link, func(_ evidence.Env, s catalog.State) evidence.Record {
			r := evidence.Record{State: s.ID, Status: evidence.Pass, Figure: 1, Unit: "runs", Bound: "one",
				Command: "c"}
			running.Add(1)
			defer running.Add(-1)
			if first && !check() {
				r.Status, r.Detail = evidence.Fail, []string{link + " runs at the wrong time"}
			}
			first = false
			return r
		}}
	}
	root := repositoryWith(t,
		with("model", func() bool { return meets(modelRuns, engineRuns) }),
		with("volume", func() bool {
			close(volumeRuns)
			return running.Load() == 1 && engineEnded
		}),
		with("engine", func() bool {
			defer func() { engineEnded = true }()
			return meets(engineRuns, modelRuns)
		}),
		with("histories", func() bool {
			select {
			case <-volumeRuns:
				return false
			case <-time.After(300 * time.Millisecond): // it would have begun
				return engineEnded
			}
		}))
	code, out, errOut := call("check", "--root", root)
	if code != exitOK || !strings.Contains(errOut, "4 of 4 links") {
		t.Errorf("status %d\n%s%s", code, out, errOut)
	}
	told := cpuTime() != (cpu{}) // not every system tells
	for _, want := range []string{`\nmodel: .* CPU time together with engine`,
		`\nengine: .* CPU time together with model`, `\nvolume: .* CPU time \(4 of 4`,
		`\nall in .* CPU time\n`} {
		if regexp.MustCompile(want).MatchString("\n"+errOut) != told {
			t.Errorf("%s must be there: %v\n%s", want, told, errOut)
		}
	}
}

// TestCheck_OneBreaks holds that a link that breaks down takes nothing from the others: neither from those
// beside it nor from those after it, nor what it has saved itself; and that nothing else is left behind.
func TestCheck_OneBreaks(t *testing.T) {
	for _, breaks := range []string{"spec", "engine"} {
		fails := func(_ evidence.Env, s catalog.State) evidence.Record { panic("no floor in " + s.ID) }
		var all []evidence.Runner
		for _, link := range []string{"spec", "model", "engine", "histories"} {
			l := testLink{link: link}
			if link == breaks {
				l.run = fails
			}
			all = append(all, l)
		}
		root := repositoryWith(t, all...)
		code, out, errOut := call("check", "--root", root)
		if code != exitRed || !strings.Contains(out, "panic: no floor in S01AddEmpty") {
			t.Errorf("%s: status %d\n%s%s", breaks, code, out, errOut)
		}
		for _, r := range all {
			want := evidence.Pass
			if r.Link() == breaks {
				want = evidence.Fail
			}
			got, err := evidence.Load(root, "hopscotch", r.Link(), "S04AddCollisionEmpty")
			if err != nil || got.Status != want {
				t.Errorf("%s breaks: %s is %v, %v", breaks, r.Link(), got.Status, err)
			}
		}
	}
}

// TestCheck_Share holds that the share of all links never falls while two of them make progress in turns.
func TestCheck_Share(t *testing.T) {
	c := &checkRun{total: 2, shares: map[string]float64{}}
	last := 0.0
	for i := range 11 {
		for _, link := range []string{"spec", "engine"} {
			now := c.share(link, float64(i)/10)
			if now < last || now > 1 {
				t.Errorf("%s at %d: %v after %v", link, i, now, last)
			}
			last = now
		}
	}
	if last != 1 {
		t.Errorf("at the end %v", last)
	}
}

// TestCheck_NotSaved holds that a record that cannot be written is told, however the other links end.
func TestCheck_NotSaved(t *testing.T) {
	root := repositoryWith(t, testLink{link: "spec"}, testLink{link: "model"}, testLink{link: "engine"})
	put(t, root, "results/hopscotch/records/spec", "no folder")
	code, out, errOut := call("check", "--root", root)
	says := "S01AddEmpty.json cannot be written"
	_, atTheEnd, _ := strings.Cut(errOut, "samecycle: ")
	if code != exitRed || !strings.Contains(strings.Join(strings.Fields(out), " "), says) ||
		!strings.Contains(atTheEnd, says) {
		t.Errorf("status %d\n%s%s", code, out, errOut)
	}
	for _, link := range []string{"model", "engine"} {
		got, err := evidence.Load(root, "hopscotch", link, "S01AddEmpty")
		if err != nil || got.Status != evidence.Pass {
			t.Errorf("%s is %v, %v", link, got.Status, err)
		}
	}
}

// TestCheck_Lists: each engine, link and state of a list is looked at, and a wrong one is named.
func TestCheck_Lists(t *testing.T) {
	for args, want := range map[string]string{
		"--state S01,S28":                       "S01 to S27",
		"--link model,volumes":                  "--link volumes is none of spec, model, engine",
		"--engine basket,bucket":                "--engine bucket is none of hopscotch, shardmap, basket",
		"--engine basket,slots --state C12,S01": "a state of hopscotch: leave --engine basket,slots out",
	} {
		code, _, said := call(append([]string{"check"}, strings.Fields(args)...)...)
		if code != exitUsage || !strings.Contains(said, want) {
			t.Errorf("%s: exit status %d: %s, want %s", args, code, said, want)
		}
	}
	p, err := checkFlags{states: []string{"S04", "M03"}, links: []string{"spec"}}.resolve()
	if err != nil {
		t.Fatal(err)
	}
	for cell, want := range map[[3]string]bool{
		{"hopscotch", "spec", "S04AddCollisionEmpty"}: true, {"shardmap", "spec", "M03WriterDrain"}: true,
		{"hopscotch", "model", "S04AddCollisionEmpty"}: false, {"hopscotch", "spec", "S05AddEmptyGet"}: false,
		{"basket", "spec", "C12RoomForTwo"}: false,
	} {
		if p.has(cell[0], cell[1], cell[2]) != want {
			t.Errorf("%v: %t", cell, !want)
		}
	}
	rows := []evidence.Row{{State: "M02", Links: evidence.Cells{"spec": {}}},
		{State: "M03WriterDrain", Links: evidence.Cells{"spec": {}, "model": {}}}}
	kept := p.of(&evidence.Matrix{Engine: "shardmap", Rows: rows})
	if len(kept.Rows) != 1 || kept.Rows[0].State != "M03WriterDrain" || len(kept.Rows[0].Links) != 1 ||
		len(rows[1].Links) != 2 {
		t.Errorf("kept is %+v of %+v", kept, rows)
	}
}
