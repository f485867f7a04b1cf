package plural

import "testing"

func TestOf(t *testing.T) {
	for want, got := range map[string]string{
		"1 program":    Of(1, "program"),
		"0 programs":   Of(0, "program"),
		"2 programs":   Of(uint64(2), "program"),
		"-1 programs":  Of(-1, "program"),
		"1 batch":      Of(int64(1), "batch"),
		"3 batches":    Of(3, "batch"),
		"12 accesses":  Of(uint32(12), "access"),
		"2 flashes":    Of(2, "flash"),
		"2 indexes":    Of(2, "index"),
		"5 histograms": Of(5, "histogram"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := string(Append([]byte("of "), 2, "program")); got != "of 2 programs" {
		t.Errorf("appended: %q", got)
	}
}
