// Package disk tells whether a program failed because a disk is full. Programs say this badly or not at
// all: the go command, for example, says that packages do not exist if its cache has no room for them.
package disk

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ErrFull marks the error of a program that had no space for its files.
var ErrFull = errors.New("disk full")

// wanted is more bytes than any file that a program leaves out when it has no space, and than it frees when
// it tidies up a little.
const wanted = 1 << 18

// Check is why no file of 256 KiB can be written in the folder; nil if one can. The file is removed.
func Check(folder string) error {
	f, err := os.CreateTemp(folder, "samecycle-space-")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, wanted))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// complaints are how programs tell that a disk is full, in small letters.
var complaints = []string{"no space left on device", "disk quota exceeded"}

// Said is that a disk is full, if a program has printed so; else nil. By then it has tidied up, so that Check
// may find space.
func Said(text string) error {
	text = strings.ToLower(text)
	for _, c := range complaints {
		if strings.Contains(text, c) {
			return errors.New(c)
		}
	}
	return nil
}

// Advice is a sentence for the user: which program had no space, why, and what to do. The variables of the
// environment name folders for files.
func Advice(who string, why error, variables ...string) string {
	folder := "a folder that has"
	if len(variables) > 1 {
		folder = "folders that have"
	}
	return fmt.Sprintf("%s had no space for its files: %v; free some, or set %s to %s more", who, why,
		strings.Join(variables, " and "), folder)
}

// Printed is the error of a program with what it has printed. Of one that has ended without a word it says
// so; one that could not be started has its reason in the error.
func Printed(err error, text string) error {
	if text = strings.TrimSpace(text); text == "" {
		var ended *exec.ExitError
		if errors.As(err, &ended) {
			return fmt.Errorf("%w, and it printed nothing", err)
		}
		return err
	}
	return fmt.Errorf("%w: %s", err, text)
}

// OfGo is the error of a go command, which what names, with the text that it has printed. If a disk is full
// the error says so first, and wraps ErrFull, too. Nil stays nil.
func OfGo(what string, err error, text string) error { return ofGo(what, err, text, Check) }

func ofGo(what string, err error, text string, check func(folder string) error) error {
	if err == nil {
		return nil
	}
	err = Printed(fmt.Errorf("%s: %w", what, err), text)
	why, folders := Said(text), goFolders()
	if why != nil {
		why = fmt.Errorf("%w: %s", why, strings.Join(folders, " or "))
	}
	for _, folder := range folders {
		// A folder that cannot be written for another reason is no trouble of the go command, or it says so.
		if e := check(folder); e != nil && Said(e.Error()) != nil {
			why = e
		}
	}
	if why == nil {
		return err
	}
	return &full{Advice("the build", why, "TMPDIR", "GOCACHE"), err}
}

// goFolders are where the go command writes, those of them that are there: it makes the others, or says why
// it cannot.
func goFolders() []string {
	cache := os.Getenv("GOCACHE")
	if cache == "" {
		if user, err := os.UserCacheDir(); err == nil {
			cache = filepath.Join(user, "go-build")
		}
	}
	var all []string
	for _, folder := range []string{os.TempDir(), os.Getenv("GOTMPDIR"), cache} {
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			all = append(all, folder)
		}
	}
	return all
}

// full is an error behind which there is no space.
type full struct {
	advice string
	err    error
}

func (f *full) Error() string        { return f.advice + ": " + f.err.Error() }
func (f *full) Unwrap() error        { return f.err }
func (f *full) Is(target error) bool { return target == ErrFull }
