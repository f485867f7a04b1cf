package basket

import "fmt"

// Settle finishes what dead owners have begun in the index, and tells what has left by that with ReasonDead.
// A writer does so by itself ahead of each basket of a dead one that it takes; a program may do so earlier.
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
