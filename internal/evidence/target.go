package evidence

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// linksMost is how many links a path may have one behind the other. Systems follow as many, or fewer.
const linksMost = 40

// Target is the file that a path names, so that a file that is renamed to it does not replace a symbolic
// link. It need not be there. A path that is no link is returned as it is. The error is one of the system, or
// that there are too many links.
func Target(path string) (string, error) {
	name := path
	for range linksMost {
		to, err := os.Readlink(name)
		if err != nil { // it is no link, or nothing is there
			return name, nil
		}
		if !filepath.IsAbs(to) {
			folder, _ := filepath.Split(name)
			if folder, err = filepath.EvalSymlinks(cmp.Or(folder, ".")); err != nil {
				return "", err
			}
			to = folder + string(filepath.Separator) + to // Join would take a folder's link for a folder
		}
		name = to
	}
	return "", &fs.PathError{Op: "follow", Path: path, Err: errors.New("too many symbolic links")}
}
