package processes

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/region"
)

// A Host is one process of a program, as its threads see it: in the explorer, or in a process of the
// operating system.
type Host struct {
	place
	Region  *region.Region // nil while the process is not attached
	Process region.Process // its last attachment; 0: it had none yet
}

// A place is where a process runs.
type place interface {
	attach() (*region.Region, error)
	begin()
	mark(v uint64)
}

// Attach attaches the process to the region. Each of its accesses is a step. It fails as region.Attach does.
func (h *Host) Attach() error {
	r, err := h.attach()
	if err != nil {
		return fmt.Errorf("attach: %w", err)
	}
	h.Region, h.Process = r, r.Process()
	return nil
}

// Detach ends the attachment. The process may attach again.
func (h *Host) Detach() error {
	err := h.Region.Close()
	h.Region = nil
	return err
}

// Begin says that a call of the engine begins here.
func (h *Host) Begin() { h.begin() }

// Mark notes what a call has returned, for the explorer, to which two states with different notes are
// different.
func (h *Host) Mark(v uint64) { h.mark(v) }

// booth is the place of process i in the explorer.
type booth struct {
	g *ground
	i int
}

func (b booth) attach() (*region.Region, error) {
	return region.Attach(b.g.memory.View(b.i+1), b.g.layout, b.g.systemOf(b.i+1))
}

func (b booth) begin() {
	if b.g.x != nil {
		b.g.x.Begin()
	}
}

func (b booth) mark(v uint64) {
	if b.g.x != nil {
		b.g.x.Mark(v)
	}
}

// room is the place of a process of the operating system.
type room struct {
	layout region.Layout
	file   string
}

func (r room) attach() (*region.Region, error) { return region.Open(r.file, r.layout) }
func (r room) begin()                          {}
func (r room) mark(uint64)                     {}
