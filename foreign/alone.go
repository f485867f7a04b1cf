package foreign

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/samecycle/samecycle/foreign/driver"
)

// Limits of what is explored once more: the number of processes, and the least time of each.
const (
	mostAlone  = 64
	leastAlone = 200 * time.Millisecond
)

// alone explores tests once more that failed at once, each in a process of its own. Their results count, for
// the first results may come from what earlier tests have left. If there is no such result, the failure is
// unknown.
func (w *Work) alone(ctx context.Context, r *Report, began time.Time, args []string) {
	for n := 0; len(r.Again) > 0; n++ {
		title := r.Again[0]
		left := cmp.Or(w.o.Time, driver.DefaultTime) - time.Since(began)
		share := max(leastAlone, left/time.Duration(len(r.Again)))
		r.Again = r.Again[1:]
		at := slices.IndexFunc(r.Results, func(s driver.Result) bool { return s.Name == title })
		if at < 0 {
			continue
		}
		if n >= mostAlone || ctx.Err() != nil {
			r.Results[at].DoubtFirst()
			continue
		}
		w.o.log("exploring %s once more, alone", title)
		more := append(slices.Clone(args), "-"+driver.Rest+"="+title)
		if w.o.Time > 0 || share == leastAlone {
			more = append(more, "-time="+share.String())
		}
		next, err := w.run(ctx, more...)
		if err != nil {
			r.Results[at].DoubtFirst()
			continue
		}
		results, rest := r.Results, r.Rest
		r.add(next)
		r.Results, r.Rest = slices.Replace(results, at, at+1, next.Results...), rest
	}
}
