package tlc

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// TestJudged_NoSpace: a run that had no space for its files has no verdict, whatever TLC says of it, and a
// spec that does not parse is wrong where there is space.
func TestJudged_NoSpace(t *testing.T) {
	const unparsed = "@!@!@STARTMSG 3002:1 @!@!@\nParsing failed.\n@!@!@ENDMSG 3002 @!@!@\n"
	const spilled = "@!@!@STARTMSG 1000:1 @!@!@\njava.io.IOException: No space left on device\n" +
		"@!@!@ENDMSG 1000 @!@!@\n"
	for _, c := range []struct {
		name, text string
		tmp        string
		resources  bool
	}{
		{"unpacked in part", unparsed, filepath.Join(t.TempDir(), "none"), true},
		{"states", spilled, t.TempDir(), true},
		{"space", unparsed, t.TempDir(), false},
	} {
		t.Setenv("TMPDIR", c.tmp) // a folder that takes no file, as one that is full
		execute := func(context.Context, Job) (*parser, int, error) {
			p := &parser{}
			_, _ = p.Write([]byte(c.text))
			p.close()
			return p, 1, nil
		}
		r, err := judged(t.Context(), Job{Config: "x.cfg", Dir: t.TempDir()}, execute)
		if err != nil || r.Outcome != Failed || r.Resources != c.resources ||
			strings.Contains(r.Message, "set TMPDIR") != c.resources {
			t.Errorf("%s: %v, resources %t, %q, %v", c.name, r.Outcome, r.Resources, r.Message, err)
		}
	}
}
