package failure

import (
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/hook"
)

// Sizes of the timeline, in units of its drawing.
const (
	timelineWidth = 1000
	maxBars       = 400 // of one lane; more run together
)

// lane is one actor's line of the timeline.
type lane struct {
	Actor string
	Hue   int // of the actor's colour
	Bars  []bar
	Kills []bar
}

// bar is a stretch of steps of one actor.
type bar struct {
	X, Width string // in units of the drawing
	First    int    // number of its first step
	Title    string
}

// lanes draws the stretches of each actor over the number of the step.
func lanes(f *explore.Failure, names []string) []lane {
	all := make([]lane, len(names))
	for i, n := range names {
		all[i] = lane{Actor: n, Hue: (210 + 360*i/len(names)) % 360}
	}
	unit := timelineWidth / float64(max(len(f.Steps), 1))
	for i := 0; i < len(f.Steps); {
		from, actor := i, f.Steps[i].Actor
		for i < len(f.Steps) && f.Steps[i].Actor == actor {
			if f.Steps[i].Kind == hook.Kill && actor < len(all) {
				all[actor].Kills = append(all[actor].Kills, newBar(f, i, i+1, unit))
			}
			i++
		}
		if actor < len(all) && len(all[actor].Bars) < maxBars {
			all[actor].Bars = append(all[actor].Bars, newBar(f, from, i, unit))
		}
	}
	return all
}

func newBar(f *explore.Failure, from, to int, unit float64) bar {
	return bar{X: fmt.Sprintf("%.2f", float64(from)*unit),
		Width: fmt.Sprintf("%.2f", max(float64(to-from)*unit-0.5, 0.5)),
		First: f.Steps[from].Index,
		Title: fmt.Sprintf("steps %d to %d", f.Steps[from].Index, f.Steps[to-1].Index)}
}
