package foreign

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

var reading sync.Once

// readSources reads what drivers are built of, and what they explore. The go command keeps the result of
// tests until a file changes that one of them has read, and does not see what their builds read.
func readSources(t *testing.T) {
	t.Helper()
	reading.Do(func() {
		for _, folder := range []string{"../explore", "../foreign", "../internal", "../linearizability"} {
			err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				_, err = os.ReadFile(path)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}
