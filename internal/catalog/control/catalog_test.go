package control

import (
	"testing"

	"github.com/samecycle/samecycle/internal/catalogtest"
)

func TestRegister(t *testing.T) { catalogtest.Check(t, Engine, 9) }
