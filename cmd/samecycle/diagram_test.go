//go:build !explore

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	model "github.com/samecycle/samecycle/model/hopscotch"
)

var livesOnce = sync.OnceValues(func() (model.Lives, error) {
	return model.CollectLives(context.Background(), diagramStates)
})

func lives(t *testing.T) model.Lives {
	t.Helper()
	l, err := livesOnce()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func docs(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The pictures of the documentation are those of the model as it is.
func TestDiagramsAreCurrent(t *testing.T) {
	for name, p := range drawings {
		list := arrows(p.of(lives(t)))
		if docs(t, name+".dot") != p.dot(list) {
			t.Errorf("docs/%s.dot is not what the model does; run: make diagrams", name)
		}
		for _, missing := range notDrawn(docs(t, name+".svg"), list) {
			t.Errorf("docs/%s.svg: %s; run: make diagrams", name, missing)
		}
	}
}

var (
	reGroup  = regexp.MustCompile(`(?s)<g id="edge\d+" class="edge">\n<title>(.*?)</title>(.*?)</g>`)
	reAction = regexp.MustCompile(`<text[^>]*>[^A-Za-z<]*([A-Z]\w+)`) // kinds begin with a small letter
	rePort   = regexp.MustCompile(`:[nesw]+\b`)
)

// notDrawn compares a picture with the arrows that it has to show, in both directions.
func notDrawn(svg string, list []arrow) []string {
	drawn := map[string]bool{}
	for _, group := range reGroup.FindAllStringSubmatch(svg, -1) {
		arrow := rePort.ReplaceAllString(html.UnescapeString(group[1]), "")
		for _, text := range reAction.FindAllStringSubmatch(html.UnescapeString(group[2]), -1) {
			drawn[arrow+" "+text[1]] = true
		}
	}
	var wrong []string
	for _, x := range list {
		name := fmt.Sprintf("%s->%s %s", x.From, x.To, x.Action)
		if !drawn[name] {
			wrong = append(wrong, name+" is not drawn")
		}
		delete(drawn, name)
	}
	for name := range drawn {
		wrong = append(wrong, name+" does not happen")
	}
	return wrong
}

// A picture that lacks an arrow, or has one too many, is refused.
func TestStaleDiagramIsRefused(t *testing.T) {
	list := arrows(lives(t).Cells)
	svg := docs(t, "cell.svg")
	if wrong := notDrawn(svg, list[1:]); len(wrong) != 1 || !strings.HasSuffix(wrong[0], "does not happen") {
		t.Errorf("one arrow too many: %q", wrong)
	}
	more := append(list[:len(list):len(list)], arrow{From: "M", To: "B", Action: "HelpFlip"})
	if wrong := notDrawn(svg, more); len(wrong) != 1 || wrong[0] != "M->B HelpFlip is not drawn" {
		t.Errorf("one arrow too few: %q", wrong)
	}
}

func TestDiagramCommand(t *testing.T) {
	code, out, errOut := call("diagram", "descriptor", "--json")
	var got struct {
		Programs, Whole int
		Transitions     []arrow
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitOK || errOut != "" {
		t.Fatalf("%d %q %v", code, errOut, err)
	}
	if got.Programs != len(model.Programs()) || len(got.Transitions) == 0 {
		t.Errorf("%d programs, %d transitions", got.Programs, len(got.Transitions))
	}
	for _, args := range [][]string{{"diagram"}, {"diagram", "table"}, {"diagram", "cell", "cell"}} {
		if code, _, errOut := call(args...); code != exitUsage || !strings.Contains(errOut, "cell") {
			t.Errorf("%v: %d %q", args, code, errOut)
		}
	}
}
