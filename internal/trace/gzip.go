package trace

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// unzipped reads the streams of a gzip file, one directly after the other. It ignores zeros after the last
// stream, as GNU gzip does, because tapes and block devices pad a file with them. The package compress/gzip
// would read them as the header of another stream.
type unzipped struct {
	from *bufio.Reader
	at   func() int64 // number of bytes read from the file
	zip  *gzip.Reader
	ends bool // the stream is over
}

func unzip(from *bufio.Reader, at func() int64) (io.Reader, error) {
	zip, err := gzip.NewReader(from)
	if err != nil {
		return nil, err
	}
	zip.Multistream(false)
	return &unzipped{from: from, at: at, zip: zip}, nil
}

// gzipMagic is the beginning of each stream.
const gzipMagic = "\x1f\x8b"

func (u *unzipped) Read(p []byte) (int, error) {
	if u.ends {
		if err := u.next(); err != nil {
			return 0, err
		}
	}
	n, err := u.zip.Read(p)
	if err == io.EOF {
		u.ends, err = true, nil
	}
	return n, err
}

// next begins the next stream. It returns io.EOF if there is none.
func (u *unzipped) next() error {
	head, err := u.from.Peek(len(gzipMagic))
	if string(head) == gzipMagic {
		u.ends = false
		if err = u.zip.Reset(u.from); err == nil {
			u.zip.Multistream(false)
		}
		return err
	}
	if err != nil && err != io.EOF {
		return err
	}
	for {
		switch b, err := u.from.ReadByte(); {
		case err != nil:
			return err
		case b != 0:
			if err := u.from.UnreadByte(); err != nil {
				return err
			}
			return u.garbage()
		}
	}
}

// errBehind is the error of a file with something after its end.
var errBehind = errors.New("gzip file with something behind its end")

// garbage returns an error that says what is after the end.
func (u *unzipped) garbage() error {
	const most = 16
	head, err := u.from.Peek(most)
	if len(head) == 0 {
		return err
	}
	more := ""
	if len(head) == most {
		more = "..."
	}
	return fmt.Errorf("%w: from offset %d on there is %q%s, where only zeros may follow: cut it off "+
		"(head -c %[2]d), or fetch the file again", errBehind, u.at(), head, more)
}
