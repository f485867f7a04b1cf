package tlc

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// gap is what may stand between two words: spaces, and comments of either form.
const gap = `(?:\s|\\\*[^\n]*\n|\(\*(?s:.*?)\*\))*`

var (
	extends  = regexp.MustCompile(`\bEXTENDS\b` + gap + `(\w+(?:` + gap + `,` + gap + `\w+)*)`)
	instance = regexp.MustCompile(`\bINSTANCE\b` + gap + `(\w+)`)
	comment  = regexp.MustCompile(`\\\*[^\n]*\n|\(\*(?s:.*?)\*\)`)
)

// ModulesOf returns the module files of a folder that a root module consists of, sorted: its own, and
// those that it extends or instantiates, directly or not. A module that the folder has no file of is
// one of TLC's own. A name in a comment counts too, so there may be a file too many, never one too few.
func ModulesOf(dir, root string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(dir, root+".tla"))
	if err != nil {
		return nil, err
	}
	files := []string{root + ".tla"}
	for todo := usedBy(string(text)); len(todo) > 0; {
		file := todo[0] + ".tla"
		todo = todo[1:]
		if slices.Contains(files, file) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, file))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		files = append(files, file)
		todo = append(todo, usedBy(string(text))...)
	}
	slices.Sort(files)
	return files, nil
}

// usedBy returns the names of the modules that a module's text refers to.
func usedBy(text string) (names []string) {
	for _, m := range extends.FindAllStringSubmatch(text, -1) {
		for name := range strings.SplitSeq(comment.ReplaceAllString(m[1], ""), ",") {
			names = append(names, strings.TrimSpace(name))
		}
	}
	for _, m := range instance.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}
