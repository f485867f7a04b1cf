package basket

// Resume makes a new writer continue with the baskets in the name of its entry, as if it had made them
// itself. It appends to the open basket behind the last record, and begins the walk of the retiring basket
// again. Resume is for programs that begin in the middle of the protocol, in a store at rest. It writes
// nothing.
func (w *Writer) Resume() {
	defer func() { w.lane = &w.lanes[0] }()
	for i := range w.store.baskets {
		b := uint32(i)
		head := w.store.baskets[b].roomLook()
		if head.Owner() != w.number {
			continue
		}
		switch head.State() {
		case StateRetiring:
			w.retiring, w.retired, w.at = b, head, 0
			w.moves, w.waits = false, 0
			w.order.Walks(head.Tier(), w.store.units)
			w.ahead, w.led = 0, 0
		case StateOpen:
			w.lane = w.into(head.Tier())
			w.open, w.head, w.pos = b, head, 0
			for w.pos < w.store.units {
				size := w.store.walkSize(b*w.store.units + w.pos)
				if size == 0 {
					break
				}
				w.pos += size.Units()
			}
		}
	}
}
