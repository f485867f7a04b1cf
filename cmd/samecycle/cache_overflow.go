package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/filestore"
	"github.com/spf13/cobra"
)

// overflowFlags say where entries go that leave for want of room, of a command that sets.
type overflowFlags struct{ folder, size string }

func (f *overflowFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.folder, "overflow", "",
		"folder that receives each entry that leaves for want of room (default: none)")
	cmd.Flags().StringVar(&f.size, "overflow-bytes", "",
		"bytes of the disk that the folder may take, such as 10GiB (default 1GiB)")
}

// options judges the flags.
func (f overflowFlags) options() (o filestore.Options, err error) {
	if f.size == "" {
		return o, nil
	}
	if o.Bytes, err = bytesOf("--overflow-bytes", f.size, "10GiB", smallestEntry, 0); err != nil {
		return o, err
	}
	if f.folder == "" {
		return o, errors.New("--overflow-bytes needs --overflow: name the folder")
	}
	return o, nil
}

// smallestEntry is what each entry takes at least: a block of the file system.
const smallestEntry = 4 << 10

// with runs f on a store, nil if there is none. The first error of the store is told at once. If the command
// fails before it has begun, the folders that were made for it are removed again.
func (f overflowFlags) with(told io.Writer, run func(cache.Store) error) error {
	o, err := f.options()
	switch {
	case err != nil:
		return err
	case f.folder == "":
		return run(nil)
	}
	missing := missingFolders(f.folder)
	s, err := filestore.Open(f.folder, o)
	if errors.As(err, new(*fs.PathError)) {
		err = fmt.Errorf("%w; name a folder that can be written", err)
	}
	if err != nil {
		removeEmpty(missing)
		return failed(fmt.Errorf("--overflow: %w", err))
	}
	err = run(&toldStore{Store: s, told: told})
	if errors.As(err, new(unbegun)) {
		removeEmpty(missing)
	}
	return errors.Join(err, failed(s.Close()))
}

// unbegun is the error of a command that has failed before it did anything.
type unbegun struct{ error }

func (u unbegun) Unwrap() error { return u.error }

// missingFolders are the folder and those around it that are not there, the innermost first.
func missingFolders(folder string) (missing []string) {
	for dir := filepath.Clean(folder); folder != ""; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, dir)
	}
	return missing
}

// removeEmpty removes folders that are empty, the innermost first. Others have been found by somebody else,
// and stay.
func removeEmpty(folders []string) {
	for _, folder := range folders {
		if os.Remove(folder) != nil {
			return
		}
	}
}

// toldStore is a store whose first error is told.
type toldStore struct {
	*filestore.Store
	told io.Writer
	once sync.Once
}

func (s *toldStore) Put(key, value []byte, ttl time.Duration) error {
	err := s.Store.Put(key, value, ttl)
	if err != nil {
		s.once.Do(func() {
			if errors.Is(err, filestore.ErrLarge) { // a cache has no entry that another bound would refuse
				err = fmt.Errorf("%w for the folder: its key has %d bytes, and its value %d: use a larger "+
					"--overflow-bytes", filestore.ErrLarge, len(key), len(value))
			}
			fmt.Fprintf(s.told, "overflow: an entry has left and is not kept (told once): %v\n", err)
		})
	}
	return err
}
