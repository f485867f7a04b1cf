// Package campaign lists the runs whose figures are committed and that no check repeats, because they take
// minutes to hours: storms, mutants of whole packages, benchmarks. It tells whether the code that such a run
// judged is still the code of the repository. The records of the matrix have hashes of their own, see
// internal/evidence.
package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/samecycle/samecycle/internal/evidence/closure"
)

// ErrFigures says that the figures of a campaign cannot be compared with the present code.
var ErrFigures = errors.New("the figures have no code to compare with")

// Campaign is a run whose figures are committed.
type Campaign struct {
	Name  string        `json:"name"`  // unique
	Title string        `json:"title"` // what it does, in a few words
	File  string        `json:"file"`  // file of its figures, below the repository's root, with slashes
	Renew string        `json:"renew"` // the command that makes the figures again
	Scope closure.Scope `json:"-"`     // the code that it judges, and the code of the judges
}

// ByName returns the campaign of that name. It panics if there is none.
func ByName(name string) Campaign {
	for _, c := range All {
		if c.Name == name {
			return c
		}
	}
	panic("campaign: there is none of the name " + name)
}

// commitAt matches the commit that a page gives for its figures, as in: Commit `5e3eedb8`.
var commitAt = regexp.MustCompile("(?i)\\bcommit[\":` ]{1,5}([0-9a-f]{7,40})\\b")

// abbreviated is the hash of a commit, or the first digits of one.
var abbreviated = regexp.MustCompile("^[0-9a-f]{7,40}$")

// Commit is the commit that the file of figures says it is of: in JSON the first field "commit", on a page
// the first one that it names. Errors wrap ErrFigures.
func (c Campaign) Commit(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(c.File)))
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrFigures, err)
	}
	if filepath.Ext(c.File) != ".json" {
		if found := commitAt.FindSubmatch(text); found != nil {
			return string(found[1]), nil
		}
		return "", fmt.Errorf("%w: %s names no commit", ErrFigures, c.File)
	}
	found := field.FindSubmatch(text)
	switch {
	case found == nil:
		return "", fmt.Errorf("%w: %s names no commit", ErrFigures, c.File)
	case !abbreviated.Match(found[1]):
		return "", fmt.Errorf("%w: %s is of files that no commit had (%q)", ErrFigures, c.File, found[1])
	}
	return string(found[1]), nil
}

// field is a field of JSON that names a commit.
var field = regexp.MustCompile(`"commit":\s*"([^"]*)"`)

// Verdict says how the code that a campaign judged relates to the present code.
type Verdict string

// The verdicts.
const (
	Current Verdict = "current" // the code is the same but for comments and layout
	Stale   Verdict = "stale"   // something that the figures rest on has changed
	Unknown Verdict = "unknown" // the code of the campaign could not be read
)

// Status is what is known of the figures of one campaign.
type Status struct {
	Campaign
	Commit  string   `json:"commit,omitempty"`
	Verdict Verdict  `json:"verdict"`
	Changes []string `json:"changes,omitempty"` // a line for each file or module that differs
	Why     string   `json:"why,omitempty"`     // the verdict is Unknown
}

// Judge compares the code of each campaign with the code that its figures are of, which it reads from the
// history of the repository of the tree. It calls told before each campaign. An error is one of ctx, or of
// the folder for temporary files; what is wrong with one campaign is in its Status.
func Judge(ctx context.Context, tree *closure.Tree, all []Campaign, told func(Campaign)) ([]Status, error) {
	past, err := openPast(tree.Root())
	if err != nil {
		return nil, err
	}
	defer past.close()
	var list []Status
	for _, c := range all {
		told(c)
		s := Status{Campaign: c, Verdict: Current}
		if s.Changes, err = s.compare(ctx, tree, past); err != nil {
			s.Verdict, s.Why = Unknown, err.Error()
		} else if len(s.Changes) > 0 {
			s.Verdict = Stale
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// compare finds the commit and returns what has changed since.
func (s *Status) compare(ctx context.Context, tree *closure.Tree, past *past) ([]string, error) {
	now, err := tree.Of(ctx, s.Scope, "")
	if err != nil {
		return nil, err
	}
	if s.Commit, err = s.Campaign.Commit(tree.Root()); err != nil {
		return nil, err
	}
	then, err := past.at(ctx, s.Commit)
	if err != nil {
		return nil, err
	}
	if gone := lacking(then.Root(), s.Scope); len(gone) > 0 {
		return gone, nil
	}
	before, err := then.Of(ctx, s.Scope, "")
	if err != nil {
		return nil, fmt.Errorf("in commit %s: %w", s.Commit, err)
	}
	return now.Differences(before), nil
}

// lacking says which folders and files of the scope are not below root: the repository had another layout.
func lacking(root string, s closure.Scope) (gone []string) {
	for _, name := range slices.Concat(s.Packages, s.Files) {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil || len(found) == 0 {
			gone = append(gone, name+" is new")
		}
	}
	return gone
}
