package hostile

import (
	"fmt"

	"github.com/samecycle/samecycle/explore/hostile"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// A client is an ordinary actor. It keeps what the judge wants to know.
type client struct {
	*stage
	region *region.Region
	table  *hopscotch.Table
	number uint64 // of the owner
	handle *hopscotch.Handle
	older  []*hopscotch.Handle // that it had before the newest

	got []hopscotch.Reclaimed
}

// call is the call for the general machinery.
func (c *client) call(x Call) hostile.Call {
	return hostile.Call{Name: x.Do.String(), Most: x.most(), Do: func() error {
		if wrong := c.wrong; wrong != nil {
			return wrong(c, x)
		}
		return c.perform(x)
	}}
}

// perform makes one call.
func (c *client) perform(x Call) (err error) {
	h, key := c.handle, uint32(0)
	if x.Key != 0 {
		key = c.keys[x.Key]
	}
	switch x.Do {
	case Get:
		_, _, err = c.table.Lookup(key)
		c.table.Get(key)
	case Add:
		_, err = h.Add(key, x.Value)
	case Update:
		_, _, err = h.Update(key, x.Value)
	case Delete:
		_, err = h.Delete(key)
	case Crop:
		err = h.Crop(key)
	case Restore:
		err = h.Restore(key)
	case CropAll:
		err = h.CropAll(nil)
	case Empty:
		_, err = h.Clear(nil)
	case Walk:
		err = c.table.Walk(func(uint32, uint32) bool { return true })
	case Gets:
		keys := c.keys[x.Key : x.Key+3]
		_, err = c.table.GetBatch(keys, make([]uint32, len(keys)), make([]bool, len(keys)))
	case Adds:
		keys := c.keys[x.Key : x.Key+2]
		_, err = h.AddBatch(keys, []uint32{x.Value, x.Value + 1}, make([]hopscotch.Result, len(keys)))
	default:
		err = c.tend(x)
	}
	return err
}

// tend makes one call about descriptors or processes.
func (c *client) tend(x Call) error {
	switch x.Do {
	case Reclaim:
		got, err := c.handle.Reclaim()
		c.got = append(c.got, got...)
		return err
	case Idle:
		_, err := c.region.Clear(c.dead)
		return err
	case Enter:
		c.number++
		h, err := c.table.NewHandle(c.number + 100)
		if err == nil {
			c.older, c.handle = append(c.older, c.handle), h
		}
		return err
	case Leave:
		n := len(c.older)
		if n == 0 {
			return nil // none was taken
		}
		h := c.handle
		c.older, c.handle = c.older[:n-1], c.older[n-1]
		return h.Close()
	}
	panic(fmt.Sprintf("hostile: no call %v", x.Do))
}
