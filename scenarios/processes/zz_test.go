//go:build explore

package processes

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/samecycle/samecycle/scenarios/explore"
)

func TestZZ(t *testing.T) {
	name := os.Getenv("ZZ")
	kills, _ := strconv.Atoi(os.Getenv("ZK"))
	secs, _ := strconv.Atoi(os.Getenv("ZT"))
	pre := explore.Unbounded
	if s := os.Getenv("ZP"); s != "" {
		pre, _ = strconv.Atoi(s)
	}
	ctx, c := context.WithTimeout(context.Background(), time.Duration(secs)*time.Second)
	defer c()
	o := explore.Options{Preemptions: pre, Kills: kills, Context: ctx, Audit: -1}
	if os.Getenv("ZM") == "s" {
		o.Stateful = true
	} else if os.Getenv("ZM") == "r" {
		o.Reduce = true
	}
	s, ok := SearchByName(name)
	if !ok {
		t.Fatal(name)
	}
	r, tally, err := s.Explore(o)
	fmt.Printf("%s %s kills %d pre %d: exh %v exec %d classes %d states %d steps %d max %d pruned %d asleep %d %v\n%v %v %v\n", name, os.Getenv("ZM"), kills, pre, r.Exhaustive, r.Executions, r.Classes, r.States, r.Steps, r.MaxSteps, r.Pruned, r.SleepBlocked, r.Elapsed, tally, err, r.Failure)
}
