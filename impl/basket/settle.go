package basket

import "fmt"

// Settle finishes what dead owners have begun in the index, and tells the records that leave by that, with
// ReasonDead. A writer does so itself before it takes a basket of a dead owner; a program may do so earlier.
// Errors: ErrClosed; those of Index.Settle. Progress: that of Index.Settle.
func (w *Writer) Settle() error {
	if err := w.usable(); err != nil {
		return err
	}
	if err := w.roomSettle(); err != nil {
		return fmt.Errorf("settle: %w", err)
	}
	return nil
}
