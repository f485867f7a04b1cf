package model

import (
	"errors"
	"testing"
)

func TestNewRefuses(t *testing.T) {
	good := func() Config { p, _ := ProgramByName("S02AddCollision"); return p.Config(0) }
	for name, spoil := range map[string]func(c *Config){
		"too many cells":  func(c *Config) { c.N = MaxCells + 1 },
		"window too wide": func(c *Config) { c.W = c.N + 1 },
		"front too wide":  func(c *Config) { c.Front = c.W + 1 },
		"reach too far":   func(c *Config) { c.Reach = 3*c.W + 1 },
		"no actor":        func(c *Config) { c.Program = nil },
		"too many deaths": func(c *Config) { c.MaxCrashes = 2 },
		"key 0":           func(c *Config) { c.Program = [][]Op{{get(0)}} },
		"key 17":          func(c *Config) { c.Program = [][]Op{{get(MaxKeys + 1)}} },
		"add of nothing":  func(c *Config) { c.Program = [][]Op{{add(1, 0)}} },
		"get with value":  func(c *Config) { c.Program = [][]Op{{{OpGet, 1, 1}}} },
		"idle":            func(c *Config) { c.Program = [][]Op{{{OpIdle, 1, 0}}} },
		"home outside":    func(c *Config) { c.Home[1][2] = 4 },
		"third half":      func(c *Config) { c.Memory[0].H = 2 },
		"cell taken":      func(c *Config) { c.Memory = append(c.Memory, in(0, 2, 5)) },
	} {
		c := good()
		if spoil(&c); true {
			if m, err := New(c); !errors.Is(err, ErrConfig) || m != nil {
				t.Errorf("%s: %v, %v", name, m, err)
			}
		}
	}
	if _, err := New(good()); err != nil {
		t.Error(err)
	}
}
