package region

import "fmt"

// Check reports contents of the region that no process writes, outside the sections of engines: a header that
// differs from the one at the time of the attachment, spare words of the process table and of the bell that
// are not zero, and bytes between the sections that are not zero. Nothing depends on such a word; but
// whatever wrote it may have written elsewhere, too. For the other words of the process table see
// [Region.Attachments].
//
// Each error is an *Error that wraps ErrHeader or ErrSpare. If the region is closed, the only error is
// ErrClosed. Check changes nothing. If the file of the region may be truncated, call it within Guard.
func (r *Region) Check() (found []error) {
	if r.words == nil {
		return []error{r.closed()}
	}
	header, names := r.layout.named()
	for i, want := range header {
		if w := r.words[i].Load(); w != want {
			found = append(found, &Error{Reason: ErrHeader, File: r.file, Field: names[i],
				Found: fmt.Sprintf("%#x", w), Want: fmt.Sprintf("%#x", want), Do: doEnd})
		}
	}
	zero := func(word uint64, ours uint64, name string, of ...any) {
		if w := r.words[word].Load() &^ ours; w != 0 {
			found = append(found, &Error{Reason: ErrSpare, File: r.file, Field: fmt.Sprintf(name, of...),
				Found: fmt.Sprintf("%#x", w), Want: "zero", Do: doEnd})
		}
	}
	for i := range uint64(Processes) {
		first := r.spans[ownProcesses].offset/WordBytes + i*processWords
		for word := uint64(processLock); word < processWords; word++ {
			zero(first+word, 0, "word %d of entry %d of the process table", word, i)
		}
	}
	bell := r.spans[ownBell].offset / WordBytes
	zero(bell, bellWaking|bellMask, "spare bits of the bell")
	for word := uint64(1); word < LineBytes/WordBytes; word++ {
		zero(bell+word, 0, "word %d of the bell", word)
	}
	for i, s := range r.spans {
		next := r.Size()
		if i+1 < len(r.spans) {
			next = r.spans[i+1].offset
		}
		for at := s.offset + s.size; at < next; at += WordBytes {
			zero(at/WordBytes, 0, "byte %d, behind the section %s of %s", at, s.name, s.engine)
		}
	}
	return found
}

// doEnd is what a person does about a region that something else writes to.
const doEnd = "find out what else writes to it; to be sure of it, end the processes that use it, and " +
	"create it anew"
