package seam

import (
	"errors"
	"testing"
)

// A lock of the system is taken, asked for and given up by the functions of the caller, in each build.
func TestLocks_AreTheCallers(t *testing.T) {
	var word Uint64
	refused := errors.New("refused")
	if ok, err := TryLock(&word, func() (bool, error) { return true, refused }); !ok || err != refused {
		t.Errorf("taken %v, %v", ok, err)
	}
	if held, err := Locked(&word, func() (bool, error) { return true, nil }); !held || err != nil {
		t.Errorf("held %v, %v", held, err)
	}
	if err := Unlock(&word, func() error { return refused }); err != refused {
		t.Errorf("%v", err)
	}
	if word.Load() != 0 {
		t.Error("the word that names the lock was changed")
	}
}
