package bench

import (
	"strings"
	"testing"
)

// The pages of Go's heap are found, wherever it begins.
func TestHeapPages(t *testing.T) {
	if got := heapPages(PresentKeys(1 << 16)); !strings.Contains(got, "% on huge pages") {
		t.Error(got)
	}
	if got := heapPages(nil); strings.Contains(got, "%") {
		t.Errorf("of no memory: %s", got)
	}
}
