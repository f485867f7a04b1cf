package foreign

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/scenarios/foreign/driver"
)

// The columns of a report are below their names, however long the names of its suites are.
func TestReport_Columns(t *testing.T) {
	r := Report{Report: driver.Report{Target: "a", Results: []driver.Result{
		{Name: "GetOrInsert(1, 1) and Set(2, 2)", Status: driver.Clean},
		{Name: "short", Status: driver.Clean},
	}}}
	lines := strings.Split(r.Text(), "\n")
	head, rows := lines[2], lines[3:5]
	for _, row := range rows {
		if at := strings.Index(row, string(driver.Clean)); at != strings.Index(head, "status") {
			t.Errorf("the status is in column %d of %q, below %q", at, row, head)
		}
	}
}
