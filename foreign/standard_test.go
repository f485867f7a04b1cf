package foreign

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

const inLogs = "./testdata/logs"

// TestStandard_Logs: the locks of packages log and log/slog are explored, so nothing that they order races,
// and nobody waits for them unseen. What is wrong is found, with places in files of the user and of the
// standard library.
func TestStandard_Logs(t *testing.T) {
	wrong := map[string]string{"TestWrong_TwoLoggers": "nothing orders the two",
		"TestWrong_Looks": "nothing orders the two", "TestWrong_Fatal": "os.Exit(1) was called"}
	for _, races := range []bool{false, true} {
		w, r := exploredIn(t, inLogs, Options{Test: ".", Races: races})
		if len(r.Results) != 8 || len(r.Notes) > 0 {
			t.Fatalf("%d tests were explored, notes %q", len(r.Results), r.Notes)
		}
		for _, s := range r.Results {
			want := wrong[s.Name]
			if want == "" || !races && s.Name != "TestWrong_Fatal" {
				if s.Status != driver.Clean || !s.Exhaustive {
					t.Errorf("%s is %s: %s", s.Name, s.Status, s.Message)
				}
				continue
			}
			if s.Status != driver.Found || !strings.Contains(s.Message, want) {
				t.Errorf("%s is %s: %s", s.Name, s.Status, s.Message)
			}
			if strings.Contains(s.Table, standardModule) {
				t.Errorf("the table of %s names a copy: %s", s.Name, s.Table)
			}
			again, err := w.Replay(t.Context(), s.Token)
			if err != nil || again.Status() != driver.Found || again.Results[0].Message != s.Message {
				t.Errorf("the replay is %s, %v", again.Text(), err)
			}
		}
	}
}

// TestStandard_Outside: if a package without a copy takes a logger, the original packages are used. Then a
// race below a logger is unknown, and who waits for its lock is named.
func TestStandard_Outside(t *testing.T) {
	_, r := exploredIn(t, inLogs+"/outside", Options{Test: ".", Races: true})
	want := map[string]string{
		"outside.TestRace": "may be no race, since log.(*Logger).output calls logs/outside.(*lines).Write",
		"outside.TestHang": "log.(*Logger).output waits for a lock that the explorer does not see",
	}
	for _, s := range r.Results {
		if s.Status != driver.Unknown || !strings.Contains(s.Message, want[s.Name]) {
			t.Errorf("%s is %s: %s", s.Name, s.Status, s.Message)
		}
	}
	if len(r.Results) != len(want) {
		t.Errorf("%d tests were explored", len(r.Results))
	}
}
