// Package io is the standard package io with a Pipe for whose readers and writers the explorer sees waits.
// Everything else is that of the original.
package io

import "io"

// The types of the original.
type (
	// ByteReader reads a byte.
	ByteReader = io.ByteReader
	// ByteScanner is a ByteReader that takes a byte back.
	ByteScanner = io.ByteScanner
	// ByteWriter writes a byte.
	ByteWriter = io.ByteWriter
	// Closer closes.
	Closer = io.Closer
	// LimitedReader reads so many bytes.
	LimitedReader = io.LimitedReader
	// OffsetWriter writes from an offset on.
	OffsetWriter = io.OffsetWriter
	// ReadCloser reads and closes.
	ReadCloser = io.ReadCloser
	// ReadSeekCloser reads, seeks and closes.
	ReadSeekCloser = io.ReadSeekCloser
	// ReadSeeker reads and seeks.
	ReadSeeker = io.ReadSeeker
	// ReadWriteCloser reads, writes and closes.
	ReadWriteCloser = io.ReadWriteCloser
	// ReadWriteSeeker reads, writes and seeks.
	ReadWriteSeeker = io.ReadWriteSeeker
	// ReadWriter reads and writes.
	ReadWriter = io.ReadWriter
	// Reader reads.
	Reader = io.Reader
	// ReaderAt reads at an offset.
	ReaderAt = io.ReaderAt
	// ReaderFrom reads all from a Reader.
	ReaderFrom = io.ReaderFrom
	// RuneReader reads a rune.
	RuneReader = io.RuneReader
	// RuneScanner is a RuneReader that takes a rune back.
	RuneScanner = io.RuneScanner
	// SectionReader reads a part.
	SectionReader = io.SectionReader
	// Seeker seeks.
	Seeker = io.Seeker
	// StringWriter writes a string.
	StringWriter = io.StringWriter
	// WriteCloser writes and closes.
	WriteCloser = io.WriteCloser
	// WriteSeeker writes and seeks.
	WriteSeeker = io.WriteSeeker
	// Writer writes.
	Writer = io.Writer
	// WriterAt writes at an offset.
	WriterAt = io.WriterAt
	// WriterTo writes all to a Writer.
	WriterTo = io.WriterTo
)

// The constants of the original.
const (
	SeekStart   = io.SeekStart
	SeekCurrent = io.SeekCurrent
	SeekEnd     = io.SeekEnd
)

// The errors of the original, and the writer that keeps nothing.
var (
	EOF              = io.EOF
	ErrClosedPipe    = io.ErrClosedPipe
	ErrNoProgress    = io.ErrNoProgress
	ErrShortBuffer   = io.ErrShortBuffer
	ErrShortWrite    = io.ErrShortWrite
	ErrUnexpectedEOF = io.ErrUnexpectedEOF
	Discard          = io.Discard
)

// The functions of the original.
var (
	Copy             = io.Copy
	CopyBuffer       = io.CopyBuffer
	CopyN            = io.CopyN
	LimitReader      = io.LimitReader
	MultiReader      = io.MultiReader
	MultiWriter      = io.MultiWriter
	NewOffsetWriter  = io.NewOffsetWriter
	NewSectionReader = io.NewSectionReader
	NopCloser        = io.NopCloser
	ReadAll          = io.ReadAll
	ReadAtLeast      = io.ReadAtLeast
	ReadFull         = io.ReadFull
	TeeReader        = io.TeeReader
	WriteString      = io.WriteString
)
