package failure

import (
	"strings"
	"testing"
	"text/template"
)

func TestSource(t *testing.T) {
	of := func(text string) (string, error) {
		out, err := Source(template.Must(template.New("x").Parse(text)), map[string]string{"Name": "a-b.1"})
		return string(out), err
	}
	if text, err := of("package p; func f ( ) { }"); err != nil || text != "package p\n\nfunc f() {}\n" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := of("package p; func {{.Name}}() {}"); err == nil || !strings.Contains(err.Error(), "a-b.1") {
		t.Errorf("what is no source passes, or is not shown: %v", err)
	}
	if _, err := of("package p; {{.Name.Missing}}"); err == nil {
		t.Error("a template that fails passes")
	}
	if got := Identifier("a-b.1/é"); got != "a_b_1_é" {
		t.Error(got)
	}
}
