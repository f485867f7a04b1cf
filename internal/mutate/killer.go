package mutate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// ErrKillers means that the tests that kill mutants cannot be read.
var ErrKillers = errors.New("tests of the mutants")

// Killers are the present programs and tests that kill mutants. A kill no longer counts if the program or
// test has changed since.
type Killers struct {
	engine   *Engine
	programs func(name string) string
	tests    map[string]string // hash, by folder and name
}

// killerGone is the hash of a program or a test that no longer exists.
const killerGone = "gone"

// Killers reads the tests of all targets in the repository at root, and the other registered tests. programs
// returns the text of a program by its name, "" if there is none.
func (e *Engine) Killers(root string, programs func(name string) string) (Killers, error) {
	k := Killers{e, programs, map[string]string{}}
	for _, folder := range e.Judges() {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*_test.go"))
		if err != nil {
			return k, fmt.Errorf("%w: %w", ErrKillers, err)
		}
		all := testCode{}
		for _, file := range files {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				return k, fmt.Errorf("%w: %w", ErrKillers, err)
			}
			for _, d := range f.Decls {
				all.add(d)
			}
		}
		for name := range all {
			if strings.HasPrefix(name, "Test") {
				k.tests[testKey(folder, name)] = all.hash(name)
			}
		}
	}
	return k, nil
}

// testKey distinguishes tests with the same name in two folders.
func testKey(folder, name string) string { return folder + "." + name }

// Hash identifies what has killed the mutant: the program, or the test with everything that it reaches in
// the test files of its folder. It is empty if nothing has killed it, or nothing with a name.
func (k Killers) Hash(o Outcome) string {
	switch {
	case !o.Verdict.Noticed():
		return ""
	case o.Search != nil:
		text := k.programs(o.Search.Program)
		if text == "" {
			return killerGone
		}
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:6])
	case o.Test != "":
		name, _, _ := strings.Cut(o.Test, "/")
		folder, other := testsOf(o.Judge, k.engine.scenarios())
		if !other {
			folder = k.engine.targetOf(o.Name).Dir
		}
		if hash, ok := k.tests[testKey(folder, name)]; ok {
			return hash
		}
		return killerGone
	}
	return ""
}

// Outlived reports whether the program or test that killed the mutant has changed since. An outcome without
// such a hash, from the time before there were hashes, counts as unchanged.
func (k Killers) Outlived(o Outcome) bool { return o.Killer != "" && o.Killer != k.Hash(o) }
