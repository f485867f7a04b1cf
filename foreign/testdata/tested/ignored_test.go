//go:build ignore

package tested

import "testing"

func TestRight_Ignored(t *testing.T) { undefined() }
