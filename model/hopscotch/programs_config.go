package model

import "slices"

// withoutRoom are the states whose adds make no room.
var withoutRoom = []string{"S01AddEmpty", "S02AddCollision", "S04AddCollisionEmpty",
	"S05AddEmptyGet", "S06AddCollisionGet"}

// Config returns the constants of the program's machine, with every repair on.
func (p Program) Config(maxCrashes int) Config {
	cells, window := p.Geometry()
	cfg := Config{
		Name: p.Name, N: cells, W: window, Windows: p.Windows,
		Program: p.Ops, Memory: slices.Clone(p.Memory), MakeRoom: !slices.Contains(withoutRoom, p.State),
		MaxCrashes: maxCrashes, Fixes: AllFixes,
	}
	cfg.Front, cfg.Reach = p.Front, p.Reach
	for h := range cfg.Home {
		for k := 1; k <= MaxKeys; k++ {
			cfg.Home[h][k] = uint8(p.HomeIn(h, k))
		}
	}
	return cfg
}
