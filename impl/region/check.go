package region

import "fmt"

// Check tells of what is in the region, cells and descriptors apart, that no process writes there: a header
// that is another one than when the region was attached, spare words of the process table and of the bell
// that are not zero, and bytes between the sections that are not. Nothing rests on such a word; but what
// wrote it may have written elsewhere, too. Of the other words of the process table [Region.Attachments]
// tells.
//
// Each error is an *Error that wraps ErrHeader or ErrSpare; or there is one, ErrClosed. It changes nothing.
// In a region whose file may be truncated it needs a Guard.
func (r *Region) Check() (found []error) {
	if r.words == nil {
		return []error{r.closed()}
	}
	for i, want := range r.layout.header() {
		if w := r.words[i].Load(); w != want {
			found = append(found, &Error{Reason: ErrHeader, File: r.file, Field: fieldName(i),
				Found: fmt.Sprintf("%#x", w), Want: fmt.Sprintf("%#x", want), Do: doEnd})
		}
	}
	zero := func(word uint64, ours uint64, name string, of ...any) {
		if w := r.words[word].Load() &^ ours; w != 0 {
			found = append(found, &Error{Reason: ErrSpare, File: r.file, Field: fmt.Sprintf(name, of...),
				Found: fmt.Sprintf("%#x", w), Want: "zero", Do: doEnd})
		}
	}
	spans, size := r.layout.spans()
	for i := range uint64(Processes) {
		first := spans[SectionProcesses].offset/WordBytes + i*processWords
		for word := uint64(processLock); word < processWords; word++ {
			zero(first+word, 0, "word %d of entry %d of the process table", word, i)
		}
	}
	bell := spans[SectionBell].offset / WordBytes
	zero(bell, bellWaking|bellMask, "spare bits of the bell")
	for word := uint64(1); word < LineBytes/WordBytes; word++ {
		zero(bell+word, 0, "word %d of the bell", word)
	}
	for i, s := range spans {
		next := size
		if i+1 < len(spans) {
			next = spans[i+1].offset
		}
		for at := s.offset + s.size; at < next; at += WordBytes {
			zero(at/WordBytes, 0, "byte %d, behind the section of %v", at, Section(i))
		}
	}
	return found
}

// doEnd is what a person does about a region that something else writes to.
const doEnd = "find out what else writes to it; to be sure of it, end the processes that use it, and " +
	"create it anew"
