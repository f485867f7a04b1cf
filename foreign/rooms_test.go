package foreign

import (
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/foreign/driver"
)

// TestTypes_Rooms: what others do to a channel that a call was given is no result of the call. What is in the
// channels after all calls is compared, so a value that is lost is found.
func TestTypes_Rooms(t *testing.T) {
	o := Options{Executions: 2000, Time: 10 * time.Second}
	_, r := typedIn(t, "./testdata/hub", Subject{Type: "Hub"}, o)
	if r.Status() == driver.Found || len(r.Results) < 2 || r.Results[0].Status != driver.Clean ||
		r.Results[0].Programs < 4 {
		t.Errorf("Hub: %s", r.Text())
	}
	_, r = typedIn(t, "./testdata/hub", Subject{Type: "Forgetful"}, o)
	if r.Status() != driver.Found {
		t.Fatalf("Forgetful: %s", r.Text())
	}
	for _, want := range []string{"Join(room) || Join(room)", "afterwards: ",
		"Join(room) of actor 1 was sent (1", "Join(room) of actor 2 was sent ()"} {
		if !strings.Contains(r.Text(), want) {
			t.Errorf("the report lacks %q:\n%s", want, r.Text())
		}
	}
}
