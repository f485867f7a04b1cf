package scenarios

import model "github.com/samecycle/samecycle/model/hopscotch"

// Ascend is Explore with preemption bounds 0, 1, 2, ... up to that of the options, so that a
// failure has as few switches as any; see explore.Climb. The report is that of the bound that
// decided, counts included; its tokens are those of the lowest bound that has the outcome.
// Options.Executions limits each bound.
func Ascend(p model.Program, o Options) (Report, error) { return Registered(p).Ascend(o) }
