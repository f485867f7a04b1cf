package modules

import (
	_ "embed"
	"fmt"
	"strings"
)

// judgedText has what a person has judged of failures that were found; see the head of the file.
//
//go:embed judged.tsv
var judgedText string

// A judgment says of a failure that was found what it is, and why.
type judgment struct{ kind, verdict, why string }

// The verdicts are those of judged.tsv, each with what the page says of it.
var verdicts = map[string]string{
	"bug": "the code under test is wrong", "test": "the test assumes what nothing guarantees",
	"false": "the explorer is wrong", "gone": "the explorer does not report it any more",
}

// judgments reads what was judged, by module and test as the page names them.
func judgments(text string) (map[[2]string]judgment, error) {
	all := map[[2]string]judgment{}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 5 {
			return nil, fmt.Errorf("judged.tsv:%d has %d fields, want module, test, kind, verdict and why",
				i+1, len(f))
		}
		if verdicts[f[3]] == "" {
			return nil, fmt.Errorf("judged.tsv:%d has the verdict %q, want bug, test, false or gone",
				i+1, f[3])
		}
		all[[2]string{f[0], f[1]}] = judgment{f[2], f[3], f[4]}
	}
	return all, nil
}
