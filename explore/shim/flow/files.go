package flow

import (
	"os"
	"reflect"

	"github.com/samecycle/samecycle/explore/shim/memory"
)

// ReadFile is os.ReadFile. What happened before a write to a file happens before what comes behind it.
func ReadFile(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	memory.FilesRead()
	return text, err
}

// WriteFile is os.WriteFile, a write to a file that reads the data.
func WriteFile(name string, data []byte, perm os.FileMode) error {
	memory.FilesWritten()
	return os.WriteFile(name, memory.Elements(data, "what os.WriteFile writes"), perm)
}

// ReflectCopy is reflect.Copy, and reports what it reads and writes.
func ReflectCopy(to, from reflect.Value) int { return memory.ReflectCopy(to, from) }
