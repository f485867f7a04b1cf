package foreign

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/foreign/driver"
)

// mostValues bounds the text that lists the values of parameters.
const mostValues = 150

// writeSize writes how large the programs of a type were, and with what they called its methods.
func (r Report) writeSize(b *strings.Builder) {
	if r.Size == "" {
		return
	}
	fmt.Fprintf(b, "\n%s\n", r.Size)
	if values := r.values(); len(values) > 0 {
		fmt.Fprintf(b, "parameters were %s\n", strings.Join(values, "; "))
	}
}

// values are the values with which the methods were called, those of one parameter in one text, without
// repetitions.
func (r Report) values() []string {
	if r.subject == nil {
		return nil
	}
	var all []string
	for _, m := range r.subject.methods {
		if !slices.Contains(r.Methods, m.name) {
			continue
		}
		for _, values := range m.values {
			var texts []string
			for _, v := range values {
				texts = append(texts, v.text)
			}
			all = append(all, strings.Join(texts, ", "))
		}
	}
	// A part comes behind its whole.
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	var kept []string
	for _, text := range all {
		begins := func(k string) bool { return strings.HasPrefix(k+", ", text+", ") }
		if !slices.ContainsFunc(kept, begins) {
			kept = append(kept, text)
		}
	}
	slices.SortStableFunc(kept, func(a, b string) int { return len(a) - len(b) })
	for i, length := 0, 0; i < len(kept); i++ {
		if length += len(kept[i]); i > 0 && length > mostValues {
			return append(kept[:i], "and others")
		}
	}
	return kept
}

// MarshalJSON adds the status of all results, the verdict, whether that is clean only as far as searched, and
// the values of parameters.
func (r Report) MarshalJSON() ([]byte, error) {
	type parts Report // without this method
	return json.Marshal(struct {
		Status  driver.Status `json:"status"`
		Verdict string        `json:"verdict"`
		InPart  bool          `json:"in_part"`
		parts
		Values []string `json:"values,omitempty"`
	}{r.Status(), r.Verdict(), strings.HasPrefix(r.Verdict(), inPart), parts(r), r.values()})
}

// visible says what can fail although no method shows anything.
func (r Report) visible() string {
	if r.Races {
		return "panics, deadlocks and races"
	}
	return "panics and deadlocks"
}
