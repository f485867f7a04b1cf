package newengine

import (
	"bytes"
	"errors"
	"go/doc"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// nameMost is the length of the longest name, with which the lines of the files are not too long.
const nameMost = 20

var (
	reName = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

	// reModuleWord finds the words of the specification that a module cannot have as its name.
	reModuleWord = regexp.MustCompile(`\b[A-Z]\w*`)

	// reState finds identifiers of states, in literals of Go and of JSON.
	reState = regexp.MustCompile(`"([A-Z])\d\d[A-Z]\w*"`)
)

// noPackage are names that Go gives a meaning, or lets nobody import.
var noPackage = []string{"init", "internal", "main", "testdata", "vendor"}

// standard are the modules of TLA+ and of TLC that other modules extend. A module of the repository with such
// a name would take the place of it.
var standard = []string{"Apalache", "Bags", "FiniteSets", "Integers", "Json", "Naturals", "Peano",
	"ProtoReals", "Randomization", "RealTime", "Reals", "Sequences", "TLC", "TLCExt", "Toolbox", "Variants"}

// general are the folders of packages that know no engine, so that none of their texts is the name of one.
// The house rules (internal/lint, EngineBorder) see to that.
var general = []string{
	"explore", "foreign", "harness", "impl/region", "linearizability", "model/search", "stress",
	"internal/catalog", "internal/catalogtest", "internal/disk", "internal/evidence", "internal/history",
	"internal/hook", "internal/mutate", "internal/plural", "internal/samestates", "internal/seam",
	"internal/testlog", "internal/tlc",
}

// checkName refuses what cannot be the name of a new engine.
func checkName(root, name string) error {
	switch {
	case !reName.MatchString(name):
		return refused("%q is no name of an engine: use small letters and digits, a letter first, as for a "+
			"package of Go", name)
	case len(name) > nameMost:
		return refused("the name %s has %d letters: use %d at most", name, len(name), nameMost)
	case token.IsKeyword(name) || doc.IsPredeclared(name) || slices.Contains(noPackage, name):
		return refused("%s is a word of Go: choose another name", name)
	}
	module := strings.ToUpper(name[:1]) + name[1:]
	words, err := moduleWords()
	if err != nil {
		return err
	}
	if slices.ContainsFunc(standard, func(s string) bool { return strings.EqualFold(s, module) }) {
		return refused("the TLA+ module of %s would take the place of a standard module of that name: "+
			"choose another name", name)
	}
	if slices.Contains(words, module) {
		return refused("the TLA+ module of %s would have the name %s, which is used in it: choose another "+
			"name", name, module)
	}
	for _, dir := range append(folders(name), "results/"+name) {
		switch _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(dir))); {
		case err == nil:
			return refused("%s is there: choose another name than %s", dir, name)
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	where, err := generalText(root, name)
	if err == nil && where != "" {
		err = refused("%s has the text %q, and a general package may not name an engine: choose another "+
			"name", where, name)
	}
	return err
}

// moduleWords are the words of the specification that begin with a capital letter, comments left out.
func moduleWords() ([]string, error) {
	dir := "template/spec/tla/__name__"
	list, err := templates.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	words := []string{"Programs"}
	for _, f := range list {
		text, err := templates.ReadFile(dir + "/" + f.Name())
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasSuffix(f.Name(), ".tla"+suffix) && !strings.HasPrefix(line, "(*") {
				words = append(words, reModuleWord.FindAllString(line, -1)...)
			}
		}
	}
	return words, nil
}

// generalText is a file of a general package, tests left out, that has the name as a text; "" if none has.
func generalText(root, name string) (where string, err error) {
	for _, dir := range general {
		err = filepath.WalkDir(filepath.Join(root, filepath.FromSlash(dir)),
			func(path string, d fs.DirEntry, err error) error {
				below, _ := filepath.Rel(root, path)
				below = filepath.ToSlash(below)
				switch {
				case err != nil || where != "":
					return err
				case d.IsDir():
					if d.Name() == "testdata" || strings.HasPrefix(below, "internal/catalog/") {
						return fs.SkipDir // the registers belong to the engines
					}
					return nil
				case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
					return nil
				}
				text, err := os.ReadFile(path)
				if hasText(text, name) {
					where = below
				}
				return err
			})
		if err != nil || where != "" {
			return where, err
		}
	}
	return "", nil
}

// hasText reports whether a literal of a Go file is the word. Comments do not count.
func hasText(text []byte, word string) bool {
	if !bytes.Contains(text, []byte(word)) {
		return false // as in nearly all files
	}
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("", set.Base(), len(text)), text, nil, 0)
	for {
		_, kind, literal := s.Scan()
		if kind == token.EOF {
			return false
		}
		if value, err := strconv.Unquote(literal); kind == token.STRING && err == nil && value == word {
			return true
		}
	}
}

// chooseLetter is the letter that was asked for, or one that is free.
func chooseLetter(root, name, letter string) (string, error) {
	taken, err := takenLetters(root)
	if err != nil {
		return "", err
	}
	if letter != "" {
		switch who := taken[letter]; {
		case len(letter) != 1 || letter < "A" || letter > "Z":
			return "", refused("the letter %q: use one from A to Z", letter)
		case who != "":
			return "", refused("the letter %s belongs to the states of %s: choose another one", letter, who)
		}
		return letter, nil
	}
	for _, c := range strings.ToUpper(name) + "ABCDEFGHJKLMNPQRSTUVWXYZ" {
		// I and O look like digits, which follow the letter.
		if free := string(c); c >= 'A' && c != 'I' && c != 'O' && taken[free] == "" {
			return free, nil
		}
	}
	return "", refused("each letter belongs to an engine: choose I or O, if they are free")
}

// takenLetters are the letters with which states begin, and the engines that have them. They are read from
// the registers and the manifests, since the program that runs may be older than they are.
func takenLetters(root string) (map[string]string, error) {
	taken := map[string]string{}
	for _, pattern := range []string{"internal/catalog/*/*.go", "spec/tla/*/manifest.json"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			for _, m := range reState.FindAllSubmatch(text, -1) {
				taken[string(m[1])] = filepath.Base(filepath.Dir(name))
			}
		}
	}
	if len(taken) == 0 {
		return nil, errors.New("internal/catalog has no state of any engine: name the folder of a clone")
	}
	return taken, nil
}
