package large

import "testing"

func TestSkip(t *testing.T) {
	for value, want := range map[string]bool{"": false, "1": true} {
		t.Setenv(Variable, value)
		ran := false
		t.Run("large "+value, func(t *testing.T) {
			Skip(t, "what this test is about, which runs it as one that is not wanted")
			ran = true
		})
		if ran != want || Wanted() != want {
			t.Errorf("%s=%q: ran %t, wanted %t", Variable, value, ran, Wanted())
		}
	}
}
