package quota_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/quota"
)

// TestOverestimate_BoundsFalseSuspects: some others ask slightly more often than the limit allows, and the
// victims ask for nothing. The share of the victims that has a level above the limit is not larger than the
// bound. With the last load there is no bound, and most have such a level.
func TestOverestimate_BoundsFalseSuspects(t *testing.T) {
	const seconds, ticks, victims = 30, 20, 10_000 // ticks a second
	for _, c := range []struct {
		width  uint32
		others int
	}{{16, 4}, {16, 12}, {64, 20}, {64, 40}, {256, 100}, {1024, 300}, {64, 500}} {
		s, _ := newSketch(t, c.width)
		r := rand.New(rand.NewPCG(7, uint64(c.width)))
		ids := make([]uint64, c.others)
		for i := range ids {
			ids[i] = r.Uint64()
		}
		each := limits.Rate/ticks + 1
		for n := range int64(seconds * ticks) {
			for _, id := range ids {
				s.Add(id, in(n*second/ticks), each, limits)
			}
		}
		now, above := in(seconds*second-second/ticks), 0
		for range victims {
			if s.Level(r.Uint64(), now, limits) > second/2 { // the time of a burst
				above++
			}
		}
		rate := float64(c.others) * float64(each*ticks)
		share, bound := float64(above)/victims, quota.Overestimate(c.width, 0, rate, float64(limits.Rate))
		t.Logf("width %d, others at %.0f a second: %.4f of the victims above the limit, bound %.4f", c.width,
			rate, share, bound)
		if share > bound {
			t.Errorf("width %d, others at %.0f a second: %.4f of the victims are above the limit, bound %.4f",
				c.width, rate, share, bound)
		}
		if bound == 1 && share < 0.5 {
			t.Errorf("width %d, others at %.0f a second: only %.4f of the victims are above it", c.width,
				rate, share)
		}
	}
}

// TestCovered_IsWhatAttackersReach: so many identities of an attacker are suspects. The share of the
// victims, which have done nothing, that is also judged so equals Covered.
func TestCovered_IsWhatAttackersReach(t *testing.T) {
	const victims = 20_000
	for _, c := range []struct {
		width    uint32
		attacker int
	}{{64, 16}, {64, 64}, {1024, 100}, {1024, 512}, {1024, 1024}, {8192, 100}} {
		s, _ := newSketch(t, c.width)
		r := rand.New(rand.NewPCG(9, uint64(c.width)))
		for range c.attacker {
			id := r.Uint64()
			for range 60 {
				s.Judge(id, start, 1, limits)
			}
		}
		hit := 0
		for range victims {
			if s.Look(r.Uint64(), start, limits).Verdict != quota.OK {
				hit++
			}
		}
		share, want := float64(hit)/victims, quota.Covered(c.width, c.attacker)
		spread := 5*math.Sqrt(want/victims) + 0.15*want + 1.0/victims // of the draws of victims, and of cells
		t.Logf("width %d, %d suspects of an attacker: %.5f of the victims, expected %.5f", c.width,
			c.attacker, share, want)
		if math.Abs(share-want) > spread {
			t.Errorf("width %d, %d suspects of an attacker: %.5f of the victims are suspects, expected %.5f",
				c.width, c.attacker, share, want)
		}
	}
	if got := quota.Covered(1024, 0); got != 0 {
		t.Errorf("nobody covers %v", got)
	}
	if got := quota.Overestimate(1024, 100, 1, 100); got != 1 {
		t.Errorf("an identity at the limit itself: %v", got)
	}
}

// reReach matches the rows of the table in docs/quota.md that says what an attacker reaches.
var reReach = regexp.MustCompile(`(?m)^\| \d+ \|( \d\.\de[+-]\d\d \|)+$`)

// TestDocs_SayWhatAttackersReach: the numbers of the page are those of Covered.
func TestDocs_SayWhatAttackersReach(t *testing.T) {
	text, err := os.ReadFile("../../docs/quota.md")
	if err != nil {
		t.Fatal(err)
	}
	found := strings.Join(reReach.FindAllString(string(text), -1), "\n")
	var rows []string
	for _, width := range []uint32{64, 1024, 16384, 65536} {
		row := fmt.Sprintf("| %d |", width)
		for _, n := range []int{10, 100, 1000, 10000} {
			row += fmt.Sprintf(" %.1e |", quota.Covered(width, n))
		}
		rows = append(rows, row)
	}
	if want := strings.Join(rows, "\n"); found != want {
		t.Errorf("docs/quota.md has\n%s\nwant\n%s", found, want)
	}
}
