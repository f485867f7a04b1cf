package failure

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/hook"
)

// hostile is what a name of foreign code may be.
const hostile = `</script><script>alert(1)</script>"'&<img src=x onerror=alert(2)>`

// sample is a failure of two actors with every kind of step.
func sample(steps int) *explore.Failure {
	f := &explore.Failure{Kind: explore.Verdict, Message: "message " + hostile, Token: "sx1~x",
		Actors: []string{"first " + hostile, "second"}, Stacks: []string{"stack " + hostile},
		Preemptions: 3}
	kinds := []hook.Kind{hook.Begin, hook.Load, hook.Store, hook.CompareAndSwap, hook.Choice}
	for i := range steps {
		f.Steps = append(f.Steps, explore.Step{Index: i, Actor: i / 3 % 2, Kind: kinds[i%len(kinds)],
			OK: i%2 == 0, File: "/x/y/" + hostile + ".go", Func: "pkg." + hostile, Line: i})
		f.Notes = append(f.Notes, fmt.Sprintf("note %d %s; second line", i, hostile))
	}
	f.Steps = append(f.Steps, explore.Step{Index: steps, Actor: 1, Kind: hook.Kill})
	f.Cycles = []explore.Cycle{{Actor: 0, Steps: f.Steps[:2], Times: 4}}
	return f
}

func page(t *testing.T, p Page) string {
	t.Helper()
	text, err := p.HTML()
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > MaxPage {
		t.Errorf("%d bytes", len(text))
	}
	return string(text)
}

// TestPage: everything is on the page, once escaped, and nothing is loaded from elsewhere.
func TestPage(t *testing.T) {
	picture := `<html><script>const names = "` + "x" + `"</script></html>`
	p := Page{Program: "program " + hostile, Failure: sample(12), Replay: "replay 'sx1~x'",
		Broken: []string{"I2EmptyWord"}, Notes: []string{"taken away"}, History: "client table",
		Picture: []byte(picture)}
	text := page(t, p)
	for _, want := range []string{"I2EmptyWord", "taken away", "client table", "replay &#39;sx1~x&#39;",
		"note 11 ", "second line", ">11<", "switch\"", "killed", "repeats, 4 times", "stack ",
		html.EscapeString("message " + hostile), "from an actor that could go on: 3"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(text, "<script>alert") || strings.Contains(text, "<img") {
		t.Error("a name got onto the page as markup")
	}
	if n := strings.Count(text, "<script>"); n != 1 {
		t.Errorf("%d scripts, want that of the page alone", n)
	}
	text = strings.ReplaceAll(text, "&lt;img src=x", "") // is text
	loads := regexp.MustCompile(`(?i)(src|href|action)="?[^#"]|url\(|@import|https?://`)
	if m := loads.FindString(text); m != "" {
		t.Errorf("the page may load something: %s", m)
	}
	frame := regexp.MustCompile(`srcdoc="([^"]*)"`).FindStringSubmatch(text)
	if frame == nil {
		t.Fatal("no frame")
	}
	_, quoted, _ := strings.Cut(html.UnescapeString(frame[1]), "document.write(")
	quoted, _, _ = strings.Cut(quoted, "); document.close")
	if got := ""; json.Unmarshal([]byte(quoted), &got) != nil || got != picture ||
		strings.Contains(quoted, "</script>") {
		t.Errorf("the picture in the frame is %q", frame)
	}
}

// TestPage_Bounded: however long an execution and its names are, the page fits, and says what it
// leaves out.
func TestPage_Bounded(t *testing.T) {
	f := sample(20_000)
	f.Message = strings.Repeat("m", 1<<22)
	f.Actors[0] = strings.Repeat("a", 1<<22)
	f.Notes[0] = strings.Repeat("n; ", 1<<20)
	for range 100 {
		f.Stacks = append(f.Stacks, strings.Repeat("s", 1<<20))
	}
	text := page(t, Page{Program: "long", Failure: f, Picture: make([]byte, 1<<22)})
	for _, want := range []string{"steps left out", "bytes left out", "20001 steps", "step20000"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(text, "srcdoc=") {
		t.Error("a picture of 4 MB is on the page")
	}
	page(t, Page{Failure: &explore.Failure{Kind: explore.Hung}}) // nothing is known
}

// TestSave_LongNames: programs whose long names differ at the end have pages of their own.
func TestSave_LongNames(t *testing.T) {
	folder, long := t.TempDir(), strings.Repeat("module/", 20)
	var paths []string
	for _, end := range []string{"Get() || Put(1)", "Get() || Put(2)", "Get() || Put(2)"} {
		path, err := Save(folder, long+end, []byte(end))
		if err != nil || len(filepath.Base(path)) != len(".html")+100 {
			t.Fatalf("%s, %v", path, err)
		}
		paths = append(paths, path)
	}
	if paths[0] == paths[1] || paths[1] != paths[2] {
		t.Errorf("the pages are %q", paths)
	}
}

// TestSave: the name of a program is no path, and a folder that cannot be made is replaced.
func TestSave(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	folder := filepath.Join(t.TempDir(), "a", "b")
	path, err := Save(folder, "../../etc/x y\x00#z", []byte("one"))
	if err != nil || filepath.Dir(path) != folder {
		t.Errorf("%s, %v", path, err)
	}
	if strings.HasPrefix(filepath.Base(path), ".") {
		t.Errorf("%s is hidden", path)
	}
	again, err := Save(folder, "../../etc/x y\x00#z", []byte("two"))
	if text, _ := os.ReadFile(again); err != nil || again != path || string(text) != "two" {
		t.Errorf("%s holds %q, %v", again, text, err)
	}
	if files, _ := os.ReadDir(folder); len(files) != 1 {
		t.Errorf("%d files are left", len(files))
	}
	path, err = Save(filepath.Join(path, "no"), "x", []byte("three"))
	if err != nil || filepath.Dir(path) != filepath.Clean(os.TempDir()) {
		t.Errorf("%s, %v", path, err)
	}
}
