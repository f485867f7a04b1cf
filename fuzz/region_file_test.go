package fuzz

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// fileErrors are those that attaching to a damaged file may end with.
var fileErrors = []error{region.ErrGeometry, region.ErrMagic, region.ErrUnfinished, region.ErrVersion,
	region.ErrLayout, region.ErrSize, region.ErrHeader, region.ErrFault, region.ErrProcesses}

// make puts a region with elements into a new file.
func (d *damage) make() (string, error) {
	path := filepath.Join(d.dir, "fuzz.region")
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	r, err := hopscotch.Create(path, d.layout)
	if err != nil {
		return "", err
	}
	if _, h, err := d.populate(r); err != nil {
		return "", err
	} else if err := h.Close(); err != nil {
		return "", err
	}
	return path, r.Close()
}

// file damages the bytes and the length of a file: who attaches is refused exactly if the header or
// the length is not what it was.
func (d *damage) file() error {
	path, err := d.make()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	header := bytes.Clone(text[:d.layout.Region().Offset(region.Own, region.OwnProcesses)])
	length := len(text)
	for range d.in.below(6) {
		text = d.spoilFile(text, len(header))
	}
	sound := len(text) == length && bytes.Equal(text[:len(header)], header)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return err
	}
	for name, attach := range map[string]func() (*region.Region, error){
		"Open":    func() (*region.Region, error) { return region.Open(path, nil) },
		"Observe": func() (*region.Region, error) { return region.Observe(path) },
		"OpenOrCreate": func() (*region.Region, error) {
			r, _, err := hopscotch.OpenOrCreate(path, d.layout)
			return r, err
		},
	} {
		if err := d.attach(name, attach, sound); err != nil {
			return err
		}
	}
	if err := region.Unlink(path); err != nil && !errors.Is(err, region.ErrMagic) {
		return wrong("Unlink: %w", err)
	}
	return nil
}

// spoilFile changes bytes of the header or of all, or the length.
func (d *damage) spoilFile(text []byte, header int) []byte {
	choice, at := d.in.next(), d.in.below(256)<<8|d.in.below(256)
	if len(text) == 0 {
		return append(text, make([]byte, at)...)
	}
	switch choice % 8 {
	case 0:
		return text[:at%len(text)]
	case 1:
		return append(text, make([]byte, at%512)...)
	case 2, 3:
		text[at%min(header, len(text))] ^= 1 << (choice >> 5)
	case 4: // another word of the header: a future version, another geometry
		at = at % 32 * region.WordBytes
		for i := range region.WordBytes {
			if at+i < len(text) {
				text[at+i] = d.in.next()
			}
		}
	case 5:
		text[at%len(text)] = d.in.next()
	default:
		text[at%len(text)] ^= 1 << (choice >> 5)
	}
	return text
}

func (d *damage) attach(name string, attach func() (*region.Region, error), sound bool) error {
	r, err := attach()
	err = d.say(err)
	switch {
	case err == nil && !sound:
		return errors.Join(wrong("%s accepts a file whose header or length is damaged", name), r.Close())
	case err != nil && sound:
		return wrong("%s refuses a file with a sound header: %w", name, err)
	case err != nil && !wraps(err, fileErrors):
		return wrong("%s: %w", name, err)
	case err != nil:
		return nil
	}
	t, err := hopscotch.NewWith(r, hopscotch.Options{Patience: 1000})
	if err != nil {
		return wrong("%s, table: %w", name, err)
	}
	if err := d.look(t); err != nil {
		return err
	}
	if _, err := r.Attachments(); err != nil {
		return wrong("%s, attachments: %w", name, err)
	}
	if h, err := t.NewHandle(3); err == nil {
		for range 3 {
			if err := d.calls(t, h); err != nil {
				return err
			}
		}
		if err := d.handles(t, h); err != nil {
			return err
		}
	} else if !wraps(err, tableErrors) && !errors.Is(err, region.ErrReadOnly) {
		return wrong("%s, handle: %w", name, err)
	}
	if err := r.Close(); err != nil {
		return wrong("%s, close: %w", name, err)
	}
	return nil
}

// truncated cuts a file while it is mapped and worked on: Guard turns what would be a fault into
// ErrFault.
func (d *damage) truncated() error {
	d.layout.CellsPerHalf += uint32(d.in.below(256)) * 4
	path, err := d.make()
	if err != nil {
		return err
	}
	r, err := region.Open(path, nil)
	if err != nil {
		return err
	}
	t, err := hopscotch.New(r)
	if err != nil {
		return err
	}
	h, err := t.NewHandle(3)
	if err != nil {
		return err
	}
	length := int64(d.in.next()) << 8 % int64(r.Size())
	started, ended := make(chan bool), make(chan error, 1)
	go func() {
		close(started)
		ended <- d.work(r, t, h)
	}()
	<-started
	if err := os.Truncate(path, length); err != nil {
		return err
	}
	if err := <-ended; err != nil {
		return err
	}
	if err := d.say(r.Close()); err != nil && !errors.Is(err, region.ErrFault) {
		return wrong("close of a truncated file: %w", err)
	}
	return nil
}

// work makes calls under Guard until the file has been cut, and one more.
func (d *damage) work(r *region.Region, t *hopscotch.Table, h *hopscotch.Handle) error {
	deadline := time.Now().Add(callMax)
	for n := 0; n < 200; n++ {
		var err error
		fault := d.say(r.Guard(func() { err = d.calls(t, h) }))
		switch {
		case err != nil:
			return err
		case errors.Is(fault, region.ErrFault):
			return nil
		case fault != nil:
			return wrong("under Guard: %w", fault)
		case time.Now().After(deadline):
			return wrong("%d calls took more than %v", n, callMax)
		}
	}
	return nil
}

// A call that does not end, errors that say nothing, a fault that is not caught, a sound file that is
// refused and a damaged one that is accepted are found.
func TestRegion_Canaries(t *testing.T) {
	inputs := corpus(t, "FuzzRegion", regionSeeds())
	dir := t.TempDir()
	instead := func(of error, err error) faults {
		return faults{accept: func(got error) error {
			if errors.Is(got, of) {
				return err
			}
			return got
		}}
	}
	foreign := errors.New("foreign")
	for name, x := range map[string]faults{
		"call without end": {delay: callMax},
		"damage unnamed":   instead(hopscotch.ErrCorrupt, foreign),
		"header unnamed":   instead(region.ErrHeader, foreign),
		"fault not caught": instead(region.ErrFault, foreign),
	} {
		t.Run(name, func(t *testing.T) {
			findsFault(t, inputs, func(data []byte) error { return checkRegion(dir, data, x) })
		})
	}
	t.Run("sound file refused", func(t *testing.T) {
		refused := faults{accept: func(error) error { return region.ErrMagic }}
		findsFault(t, inputs, func(data []byte) error {
			if data[0]%4 != 2 {
				return nil // no file at rest
			}
			return checkRegion(dir, data, refused)
		})
	})
	t.Run("damaged file accepted", func(t *testing.T) {
		d := &damage{layout: hopscotch.Layout{CellsPerHalf: 4, Window: 2,
			Descriptors: 2}}
		sound := func() (*region.Region, error) { return hopscotch.Heap(d.layout) }
		if err := d.attach("a heap", sound, false); !errors.Is(err, errWrong) {
			t.Errorf("%v", err)
		}
	})
}
