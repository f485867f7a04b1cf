//go:build !linux

package region

import (
	"errors"
	"os"

	"github.com/samecycle/samecycle/internal/seam"
)

// ErrPlatform is what file regions give on systems for which they are not written.
var ErrPlatform = errors.New("region files need linux: use Heap")

// canMap tells Heap that all regions are Go memory.
const canMap = false

// CreationBound is for how long OpenOrCreate waits on linux for another process that is making the region.
const CreationBound = seam.Second

// Create needs linux.
func Create(string, Layout) (*Region, error) { return nil, ErrPlatform }

// Open needs linux.
func Open(string, Layout) (*Region, error) { return nil, ErrPlatform }

// OpenOrCreate needs linux.
func OpenOrCreate(string, Layout) (*Region, bool, error) { return nil, false, ErrPlatform }

// Observe needs linux.
func Observe(string) (*Region, error) { return nil, ErrPlatform }

// Memory needs linux.
func Memory(string, Layout) (*Region, error) { return nil, ErrPlatform }

// OpenFile needs linux.
func OpenFile(*os.File, Layout) (*Region, error) { return nil, ErrPlatform }

// Share needs linux.
func (r *Region) Share() (*os.File, error) { return nil, ErrPlatform }

// Unlink needs linux.
func Unlink(string) error { return ErrPlatform }

func (r *Region) mapAnonymous(int) ([]byte, error) { return nil, ErrPlatform }

func (r *Region) withdraw([]byte) error { return ErrPlatform }

func (r *Region) lockFile(uint32) (bool, error) { return false, ErrPlatform }

func (r *Region) unlockFile(uint32) error { return ErrPlatform }

func (r *Region) fileLocked(uint32) (bool, error) { return false, ErrPlatform }

func (r *Region) gone(uint64) string { return "whoever mapped the memory took it away: map it anew" }

func (r *Region) closeFile() error { return ErrPlatform }

func pid() uint64 { return 0 }

func now() uint64 { return 0 }
