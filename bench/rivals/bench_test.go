package rivals

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/samecycle/samecycle/explore"
)

// BenchmarkOurs searches each program again and again, without the rivals. Executions are told per
// second of processor time: other work on the machine changes it less than the time that passes.
func BenchmarkOurs(b *testing.B) {
	programs, err := Programs()
	if err != nil {
		b.Fatal(err)
	}
	for _, mode := range []string{"reduced", "all"} {
		for _, p := range programs {
			o := options(context.Background(), mode == "reduced")
			o.MaxExecutions = 20_000
			b.Run(mode+"/"+p.Name, func(b *testing.B) {
				silent, executions := explorable(p, nil), uint64(0)
				before := processorTime()
				for b.Loop() {
					r, err := explore.Explore(silent, o)
					if err != nil || r.Failure != nil {
						b.Fatal(err, r.Failure)
					}
					executions += r.Executions
				}
				b.ReportMetric(float64(executions)/(processorTime()-before).Seconds()/1000, "k/s")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
