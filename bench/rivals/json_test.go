package rivals

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var write = flag.Bool("write", false, "write programs.json")

// The rivals read what is assembled here.
func TestProgramsJSON(t *testing.T) {
	ps, err := Programs()
	if err != nil {
		t.Fatal(err)
	}
	text, err := Encode(ps)
	if err != nil {
		t.Fatal(err)
	}
	if *write {
		if err := os.WriteFile("programs.json", text, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(text, JSON) {
		t.Error("programs.json is not that of Programs: go test ./rivals -run JSON -write")
	}
}
