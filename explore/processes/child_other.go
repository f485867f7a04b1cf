//go:build !linux

package processes

// look finds nothing: other systems have no region files.
func (p *player) look() { p.cur.why = "where the region is mapped is not known: this needs linux" }

// stop and wake do nothing.
func (c *child) stop() error { return nil }

func (c *child) wake() error { return nil }
