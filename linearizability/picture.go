package linearizability

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/samecycle/samecycle/internal/history"
)

// Bounds of a picture: porcupine's page grows with the square of the history, up to gigabytes.
const (
	MaxPictureOps   = 256
	MaxPictureBytes = 8 << 20
	pictureTime     = 5 * time.Second
)

// ErrPicture says that a picture could not be made.
var ErrPicture = errors.New("picture not written")

// Draw writes porcupine's HTML page of the evidence to w, at once or not at all: the intervals of the
// operations, and the longest orders that explain a part of them. Only an Illegal verdict has one.
func (v Verdict[Q, R]) Draw(w io.Writer) error {
	if v.Outcome != Illegal {
		return fmt.Errorf("%w: the verdict is %s; only an illegal history has one", ErrPicture,
			v.Outcome)
	}
	if len(v.Evidence) > MaxPictureOps {
		return fmt.Errorf("%w: %d operations are more than %d; read the table instead", ErrPicture,
			len(v.Evidence), MaxPictureOps)
	}
	if v.model == nil {
		return fmt.Errorf("%w: the verdict is not of Check and has no model", ErrPicture)
	}
	end := int64(1) // of pending operations: the page cannot draw what ends never
	for i := range v.Evidence {
		end = max(end, v.Evidence[i].Call+1)
		if !v.Evidence[i].Pending {
			end = max(end, v.Evidence[i].Return+1)
		}
	}
	// The search has a budget; the page replays the orders that it found, which must not run out.
	ops := Operations(v.Evidence, end)
	b := newBudget(DefaultLimits().Words, len(ops), v.model.words())
	_, info := porcupine.CheckOperationsVerbose(v.model.porcupine(b), ops, pictureTime)
	info.AddAnnotations(notes(v, end))
	var page bounded
	if err := porcupine.Visualize(v.model.Porcupine(), info, &page); err != nil {
		return fmt.Errorf("%w: %w", ErrPicture, err)
	}
	if _, err := w.Write(NameClients(page.Bytes(), v.names())); err != nil {
		return fmt.Errorf("%w: %w", ErrPicture, err)
	}
	return nil
}

// The places of porcupine's page that print the number of a client, and its width.
var clientTexts = []string{
	"i < realClients ? i.toString() :", "i < realClients ? i :",
}

// NameClients writes the names of the clients, in the order of their numbers from 0, into a page that
// porcupine has drawn. A page of an unknown form is left unchanged, with numbers.
func NameClients(page []byte, names []string) []byte {
	text, err := json.Marshal(names) // escapes what would end a script
	if err != nil {
		return page
	}
	for _, place := range clientTexts {
		if !bytes.Contains(page, []byte(place)) {
			return page
		}
	}
	for _, place := range clientTexts {
		named := strings.Replace(place, "?", fmt.Sprintf("? (%s[i] ?? i.toString()) :", text), 1)
		named, _, _ = strings.Cut(named, ") :")
		page = bytes.ReplaceAll(page, []byte(place), []byte(named+") :"))
	}
	return page
}

// notes tells the reader of the page what is wrong, and what was there before the first call. The
// page itself marks nothing where not even one operation can be placed.
func notes[Q, R history.Value](v Verdict[Q, R], end int64) []porcupine.Annotation {
	return []porcupine.Annotation{{
		Tag: "verdict", Start: 0, End: end, BackgroundColor: "#ffb0b0",
		Description: "NOT LINEARIZABLE: no order explains all of these",
		Details:     v.Err().Error(),
	}, {
		Tag: "history", Start: 0, End: end,
		Description: v.premise(),
		Details:     fmt.Sprintf("%d of %d operations", len(v.Evidence), v.Ops),
	}}
}

// bounded is a buffer that refuses to grow beyond MaxPictureBytes.
type bounded struct{ bytes.Buffer }

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > MaxPictureBytes {
		return 0, fmt.Errorf("more than %d bytes; read the table instead", MaxPictureBytes)
	}
	return b.Buffer.Write(p)
}
