package search

import "testing"

// TestConstants: what is out of its bounds is named with them, and a list becomes a set.
func TestConstants(t *testing.T) {
	for _, c := range []struct {
		number int
		list   []int
		set    string
		says   string
	}{
		{1, nil, "{}", ""}, {3, []int{2, 4}, "{2, 4}", ""},
		{0, nil, "{}", "bell: A: Places is 0: choose 1 to 3"},
		{4, nil, "{}", "bell: A: Places is 4: choose 1 to 3"},
		{1, []int{2, 1}, "{2}", "bell: A: Mortal has 1: choose 2 to 4"},
		{1, []int{5}, "{}", "bell: A: Mortal has 5: choose 2 to 4"},
	} {
		var mortal Set
		err := Constants("bell", "A", []Number{{"Places", c.number, 1, 3}},
			[]Members{{"Mortal", c.list, &mortal, 2, 4}})
		if says := ""; err != nil {
			if says = err.Error(); says != c.says {
				t.Errorf("%+v: %q", c, says)
			}
		} else if c.says != "" {
			t.Errorf("%+v is right", c)
		}
		if text := mortal.TLA(); text != c.set {
			t.Errorf("%+v: the set is %s", c, text)
		}
	}
}
