package foreign

import (
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/foreign/driver"
)

// hard are the tests of testdata/hard with their status, and a part of what is told of them.
var hard = []struct {
	name   string
	status driver.Status
	says   string
	short  bool
}{
	{"TestA_Right", driver.Clean, "", false},
	{"TestB_EndsTheProcess", driver.Unknown, "ended before its report, with signal: killed", false},
	{"TestC_Right", driver.Clean, "", false},
	{"TestD_Serves", driver.Unknown, "an actor waits for it", false},
	{"TestE_Right", driver.Clean, "", false},
	{"TestF_ReadsMemStats", driver.Unknown, "no failure, since the test asks how much it alloc", false},
	{"TestG_AllocsPerRun", driver.Unknown, "no failure, since the test asks how much it alloc", false},
	{"TestH_Long", driver.Clean, "", true},
	{"TestI_LongAndWrong", driver.Found, "it is ", true},
	{"TestJ_LongOrSkipped", driver.Unknown, "so nobody has seen its end", false},
	{"TestK_Deadline", driver.Clean, "", false},
	{"TestL_Wrong", driver.Found, "always", false},
	{"TestM_ClosesForAll", driver.Clean, "", false},
	{"TestN_Quick", driver.Clean, "", false},
	{"TestO_Fast", driver.Unknown, "it depends on how long looks at the clock take: the test fails", false},
	{"TestP_Slow", driver.Found, "it is slow", false},
	{"TestQ_Exact", driver.Unknown, "that end at the very instant for which they are set", false},
	{"TestR_Late", driver.Found, "they have ended", false},
	{"TestS_ExactPanic", driver.Unknown, "that end at the very instant for which they are set", false},
	{"TestT_ExactWait", driver.Unknown, "that end at the very instant for which they are set", false},
	{"TestU_ExactRace", driver.Unknown, "that end at the very instant for which they are set", false},
	{"TestV_LateWait", driver.Found, "the test never returns", false},
	{"TestW_LateRace", driver.Found, "nothing orders the two", false},
	{"TestX_FastPanic", driver.Unknown, "it depends on how long looks at the clock take: actor", false},
}

// TestTests_Hard: tests that end the process, or never return, do not take the results of the others with
// them. What the explorer cannot judge is unknown. A test that is too long is explored in its short form, if
// it has one, and the report says so.
func TestTests_Hard(t *testing.T) {
	w, r := exploredIn(t, "./testdata/hard", Options{Test: ".", Races: true, Time: 24 * time.Second,
		Executions: 5000})
	for i, want := range hard {
		if i >= len(r.Results) {
			t.Fatalf("%s and what follows is missing", want.name)
		}
		s := r.Results[i]
		if s.Name != want.name || s.Status != want.status || !strings.Contains(s.Message, want.says) ||
			s.Short != want.short {
			t.Errorf("%s, %s, short %v: %s\nwant %+v", s.Name, s.Status, s.Short, s.Message, want)
		}
		if s.Status != driver.Found {
			continue
		}
		if again, err := w.Replay(t.Context(), s.Token); err != nil || again.Results[0].Message != s.Message {
			t.Errorf("%s, replayed: %v", s.Name, err)
		}
	}
	if len(r.Results) != len(hard) || len(r.Rest) > 0 || len(r.LeftOut) > 0 {
		t.Errorf("%d results, rest %q, left out %q", len(r.Results), r.Rest, r.LeftOut)
	}
	text := r.Text()
	for _, want := range []string{"; its short form (testing.Short)",
		"begins at a midnight that is one to 25 hours away"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
}
