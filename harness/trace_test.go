package harness

import (
	"errors"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/hook"
)

// reply is a result of a client.
type reply int

func (r reply) Append(b []byte) []byte { return append(b, byte('0'+r)) }

// two is a model of one call, which returns 2; its state is how many calls have begun.
type two struct{}

func (two) Initial() int                           { return 0 }
func (two) Enabled(*int, int) string               { return "ClientCall" }
func (two) Returned(s *int, _ int) int             { return *s }
func (two) Finished(s *int, _ int) bool            { return *s == 1 }
func (two) Crash([]int, *int, int) ([]int, string) { return nil, "no deaths" }
func (two) Marks(*int) []string                    { return nil }

func (two) Call(list []int, s *int, _ int) ([]int, string) {
	if *s == 1 {
		return nil, "the actor is at the end"
	}
	return append(list, 1), ""
}

func (two) Differs(s *int, _ int, last reply) string {
	if *s == 1 && last != 2 {
		return "the engine returned " + string(last.Append(nil)) + ", the model 2"
	}
	return ""
}

func (two) Access([]int, *int, int, string, explore.Step) ([]int, string) { return nil, "no access" }

// TestTracer_SaysWhatDiffers: a wrong answer of the last call is told with both answers, as one before it is,
// which is at no line of the engine.
func TestTracer_SaysWhatDiffers(t *testing.T) {
	alive := func(int) bool { return false }
	tracer := NewTrace[int, reply](two{}, &catalog.Engine{}, "P", nil)
	if err := tracer.End(alive, []reply{0}); err == nil ||
		!strings.HasSuffix(err.Error(), "saw: actor 1 has ended, the model would take: ClientCall") {
		t.Error(err)
	}
	begin := explore.Step{Kind: hook.Begin}
	if _, err := tracer.Step(begin, 0); err != nil {
		t.Fatal(err)
	}
	if err := tracer.End(alive, []reply{2}); err != nil {
		t.Error(err)
	}
	err := tracer.End(alive, []reply{3})
	if !errors.Is(err, ErrRejected) ||
		!strings.HasSuffix(err.Error(), "saw: actor 1: the engine returned 3, the model 2") {
		t.Error(err)
	}
	begin.Index = 1
	_, err = tracer.Step(begin, 3)
	if err == nil || !strings.Contains(err.Error(), "step 2: actor 1, ClientCall\n"+
		"  first guard that is false: the engine returned 3, the model 2\n") {
		t.Error(err)
	}
}
