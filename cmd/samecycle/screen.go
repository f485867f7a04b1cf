package main

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A screen is where everything goes that a command prints. A terminal obeys control characters. Names of
// files, and other text that a user or a file supplies, may contain them. They are shown as escapes such as
// \u001b, which JSON text may have, too. It remembers the first error, so that a command need not look at
// each line. It may be used from any goroutine.
type screen struct {
	mu     sync.Mutex
	to     io.Writer
	words  *strings.Replacer // of the words of the command line that have control characters
	failed error
	tail   []byte // the beginning of a character that is not complete
}

func newScreen(to io.Writer, words []string) *screen {
	var pairs []string
	for _, w := range words {
		parts := append([]string{w}, strings.SplitN(w, "=", 2)...)     // --flag=value
		for _, part := range append(parts, strings.Split(w, "/")...) { // of a path, where it stands alone
			if shown := plainLine(part); shown != part && strings.TrimSpace(part) != "" {
				pairs = append(pairs, part, shown)
			}
		}
	}
	return &screen{to: to, words: strings.NewReplacer(pairs...)}
}

func (s *screen) Write(text []byte) (int, error) { return s.write(text, false) }

func (s *screen) write(text []byte, colours bool) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := append(s.tail, text...)
	whole := len(all)
	for i := 1; i <= min(len(all), utf8.UTFMax-1); i++ {
		if c := all[len(all)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(all[len(all)-i:]) {
				whole -= i
			}
			break
		}
	}
	s.tail = append([]byte(nil), all[whole:]...)
	if err := s.print(s.words.Replace(string(all[:whole])), colours); err != nil {
		return 0, err
	}
	return len(text), nil
}

// end prints the beginning of a character whose end never came, and returns the first error.
func (s *screen) end() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.tail) > 0 {
		_ = s.print(string(s.tail), false)
		s.tail = nil
	}
	return s.failed
}

// reColour is what evidence.RenderOptions writes around coloured text.
var reColour = regexp.MustCompile("\x1b\\[[0-9;]*m")

func (s *screen) print(text string, colours bool) error {
	if colours {
		var b strings.Builder
		from := 0
		for _, at := range reColour.FindAllStringIndex(text, -1) {
			b.WriteString(plain(text[from:at[0]]) + text[at[0]:at[1]])
			from = at[1]
		}
		text = b.String() + plain(text[from:])
	} else {
		text = plain(text)
	}
	_, err := s.to.Write([]byte(text))
	if s.failed == nil {
		s.failed = err
	}
	return err
}

// painted is a screen that lets colours pass. It is for the tables of evidence, whose text is ours.
type painted struct{ *screen }

func (p painted) Write(text []byte) (int, error) { return p.write(text, true) }

// paintable returns the output for a table with colours.
func paintable(w io.Writer) io.Writer {
	if s, ok := w.(*screen); ok {
		return painted{s}
	}
	return w
}

// beneath is the output that a screen writes to: for a program that has a screen of its own, and for the bar
// of progress, which moves the cursor.
func beneath(w io.Writer) io.Writer {
	if s, ok := w.(*screen); ok {
		return s.to
	}
	return w
}

// plain shows control characters, those that change the direction of text, and bytes that are no text, as
// their escapes. Lines and tabs stay.
func plain(text string) string { return escaped(text, "\n\t") }

// plainLine is plain for what is to stay within its line.
func plainLine(text string) string { return escaped(text, "") }

func escaped(text, kept string) string {
	var b strings.Builder
	for i, n := 0, 0; i < len(text); i += n {
		var c rune
		c, n = utf8.DecodeRuneInString(text[i:])
		switch {
		case c == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case strings.ContainsRune(kept, c) || !unicode.IsControl(c) && !unicode.Is(unicode.Bidi_Control, c):
			b.WriteRune(c)
		case c == '\n' || c == '\t' || c == '\r':
			b.WriteString(strings.Trim(strconv.QuoteRune(c), "'"))
		default:
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	return b.String()
}

// shellWord is a word of a command line that a reader is to copy from a message into a shell.
func shellWord(text string) string {
	odd := func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("@%+=:,./_-", c)
	}
	switch shown := plainLine(text); {
	case shown != text: // the screen shows what would be an escape as text
		return "$'" + plainLine(strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text)) + "'"
	case text == "" || strings.ContainsFunc(text, odd):
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	return text
}
