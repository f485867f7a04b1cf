package slots

import (
	"fmt"
)

// Bounds and defaults of Options.
const (
	SlotsMax = 64
	AreaMin  = 128      // bytes of a request or response area
	AreaMax  = 64 << 20 // the same; with its length, 8 bytes
	FileMax  = 1 << 30  // bytes of a slot file

	DefaultSlots = 16
	DefaultArea  = 16 << 10
)

// Options say how large a slot file is and who may use it. The zero value suits small values and a client of
// the same user. The options that belong to the file (Slots, RequestBytes, ResponseBytes, Shared and Group)
// must be the same when a service opens it again.
type Options struct {
	// Slots is the number of requests that the client can have in flight at once, 1 to SlotsMax; 0 is 16.
	Slots int
	// RequestBytes is the size of a request area in bytes, including the 8 bytes of its length: AreaMin to
	// AreaMax, a multiple of 64; 0 is 16 KiB.
	RequestBytes int
	// ResponseBytes is the size of a response area, with the same bounds.
	ResponseBytes int
	// Shared gives the group Group the right to read and write the file (mode 0660). Otherwise only the owner
	// has it (mode 0600).
	Shared bool
	// Group is the number of the group, if Shared.
	Group int
}

func optionError(field, found, want, do string) error {
	return &Error{Reason: ErrOptions, Field: "option " + field, Found: found, Want: want, Do: do}
}

// complete is o with what zero stands for.
func (o Options) complete() Options {
	if o.Slots == 0 {
		o.Slots = DefaultSlots
	}
	if o.RequestBytes == 0 {
		o.RequestBytes = DefaultArea
	}
	if o.ResponseBytes == 0 {
		o.ResponseBytes = DefaultArea
	}
	return o
}

// check judges complete options. Its errors name the option, and what would fit.
func (o Options) check() error {
	if o.Slots < 1 || o.Slots > SlotsMax {
		return optionError("Slots", fmt.Sprint(o.Slots), fmt.Sprintf("1..%d", SlotsMax),
			"choose how many requests are under way at once")
	}
	for _, area := range []struct {
		name  string
		bytes int
	}{{"RequestBytes", o.RequestBytes}, {"ResponseBytes", o.ResponseBytes}} {
		if err := checkArea(area.name, area.bytes); err != nil {
			return err
		}
	}
	if o.Shared && o.Group < 0 {
		return optionError("Group", fmt.Sprint(o.Group), "0 or more", "choose the number of a group")
	}
	return o.checkSize()
}

func checkArea(name string, bytes int) error {
	switch {
	case bytes < AreaMin || bytes > AreaMax:
		return optionError(name, fmt.Sprint(bytes), fmt.Sprintf("%d..%d", AreaMin, AreaMax),
			"choose the bytes of the largest request or answer")
	case bytes%lineBytes != 0:
		below := bytes / lineBytes * lineBytes
		return optionError(name, fmt.Sprint(bytes), fmt.Sprintf("a multiple of %d", lineBytes),
			fmt.Sprintf("choose %d or %d", max(below, AreaMin), below+lineBytes))
	}
	return nil
}

// checkSize judges the size of the file, and says which numbers would fit.
func (o Options) checkSize() error {
	g := o.geometry()
	if g.size() <= FileMax {
		return nil
	}
	fit := (FileMax - headerBytes) / g.stride()
	each := ((FileMax-headerBytes)/g.slots - stateBytes) / 2 / lineBytes * lineBytes
	return optionError("Slots", fmt.Sprintf("%d, with %d bytes of file", o.Slots, g.size()),
		fmt.Sprintf("at most %d bytes", FileMax),
		fmt.Sprintf("choose at most %d slots for areas of %d and %d bytes, or areas of at most %d bytes "+
			"for %d slots", fit, o.RequestBytes, o.ResponseBytes, each, o.Slots))
}

func (o Options) geometry() geometry {
	return geometry{uint64(o.Slots), uint64(o.RequestBytes), uint64(o.ResponseBytes)}
}

// mode is that of the file.
func (o Options) mode() uint32 {
	if o.Shared {
		return 0o660
	}
	return 0o600
}
