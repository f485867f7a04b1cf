package processes

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// host is what the threads of one process share.
type host struct {
	*processes.Host
	table   *hopscotch.Table
	options hopscotch.Options
}

// A Client is one thread of a process as its body sees it. It keeps what the judge wants to know.
type Client struct {
	*host
	body   func(*Client)
	keys   []uint32
	number uint64 // of the owner
	handle *hopscotch.Handle

	told    []uint32 // values that calls which have returned handed to it
	came    []uint32 // values that it has added
	pending uint32   // value of the add that it is in
	got     []hopscotch.Reclaimed
	taking  bool // it is inside a call that may take descriptors of the dead
	refused bool // there was no descriptor for it
	gone    bool // it has left
	cleared int  // entries that it has made idle
	err     error
}

// Arrive attaches to the region and takes a handle. Without a descriptor that is free, or of a dead
// owner, the client has no handle: what it does then has no effect.
func (c *Client) Arrive() {
	c.Begin()
	c.taking, c.gone = true, false
	defer func() { c.taking = c.err == processes.ErrInside }()
	c.err = processes.ErrInside
	if c.Region == nil {
		err := c.Attach()
		if err == nil {
			c.table, err = hopscotch.NewWith(c.Region, c.options)
		}
		if err != nil {
			c.err = err
			return
		}
	}
	h, err := c.table.NewHandle(c.number)
	switch c.err = nil; {
	case errors.Is(err, hopscotch.ErrHandles):
		c.refused = true
	case err != nil:
		c.err = fmt.Errorf("new handle: %w", err)
	default:
		c.handle = h
		if x, ok := h.Inherited(); ok {
			c.got = append(c.got, x)
		}
	}
	c.Mark(uint64(len(c.got))<<1 | one(c.refused))
}

func one(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Add adds an element; what leaves by it is told.
func (c *Client) Add(key int, value uint32) {
	c.call(func() (uint64, error) {
		c.pending = value
		r, err := c.handle.Add(c.keys[key], value)
		c.pending = 0
		if r == hopscotch.Added {
			c.came = append(c.came, value)
		}
		return uint64(r), err
	})
}

// Delete marks an element.
func (c *Client) Delete(key int) {
	c.call(func() (uint64, error) {
		ok, err := c.handle.Delete(c.keys[key])
		return one(ok), err
	})
}

// Crop reclaims what is marked in the bucket of the key.
func (c *Client) Crop(key int) {
	c.call(func() (uint64, error) { return 0, c.handle.Crop(c.keys[key]) })
}

// Reclaim takes the descriptors of the dead back.
func (c *Client) Reclaim() {
	c.call(func() (uint64, error) {
		c.taking = true
		all, err := c.handle.Reclaim()
		c.taking = false
		c.got = append(c.got, all...)
		return uint64(len(all)), err
	})
}

// Clear makes the entry of a process idle that has died.
func (c *Client) Clear(p region.Process) {
	if c.Region == nil || c.err != nil {
		return
	}
	c.Begin()
	done, err := c.Region.Clear(p)
	c.err = err
	c.cleared += int(one(done))
	c.Mark(one(done))
}

// Leave closes the handle, and detaches.
func (c *Client) Leave() {
	if c.Region == nil {
		return
	}
	c.Begin()
	var err error
	if c.handle != nil {
		err = c.handle.Close()
	}
	c.err = errors.Join(c.err, err, c.Detach())
	c.gone = true
	c.Mark(0)
}

// call performs one call of the handle, if there is one, and notes what it handed to the client.
func (c *Client) call(f func() (uint64, error)) {
	if c.handle == nil || c.err != nil {
		return
	}
	c.Begin()
	result, err := f()
	if err != nil {
		c.err = err
		return
	}
	c.told = append(c.told, c.left()...)
	c.Mark(result)
	for _, v := range c.told {
		c.Mark(uint64(v))
	}
}

// left are the values that the last call was handed, also if it was cut short.
func (c *Client) left() (all []uint32) {
	if c.handle == nil {
		return nil
	}
	for _, l := range c.handle.Left() {
		all = append(all, l.Value)
	}
	return all
}
