package lint

import (
	"go/ast"
	"regexp"
	"strconv"
	"strings"
)

// banned are texts that no file of the project holds. The words are put together from halves,
// so that this file does not hold them either.
var banned = []struct {
	re *regexp.Regexp
	do string
}{
	{regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X|HA` + `CK)\b`),
		"do it, or write it down where work is planned"},
	{regexp.MustCompile(`(?i)not (yet )?imple` + `mented`),
		"build it, or leave it out"},
	{regexp.MustCompile("(?:^|[\\s\"'`=(:<>,])/(?:wo" + "rk|ro" + "ot|ho" + "me|t" + "mp)/"),
		"name the file below the project or below a folder that the caller gives"},
	{regexp.MustCompile(`(?i)https?://[^\s"'\x60)]*(?:go` + `proxy|pro` + `xy\.|mir` + `ror|arti` +
		`factory|nex` + `us|repo1?\.ma` + `ven)`),
		"leave the choice of the registry to the user's own settings"},
	{regexp.MustCompile(`\b(?:proxy|sum)\.go` + `lang\.org|repo1?\.ma` + `ven\.(?:org|apache)`),
		"leave the choice of the registry to the user's own settings"},
}

// bannedText finds reminders, machine paths and registry hosts in every text file.
func bannedText(t *Tree) []Finding {
	var found list
	for _, name := range sortedNames(t.Files) {
		if strings.HasSuffix(name, "LICENSE") {
			continue
		}
		n := 0
		for line := range strings.Lines(string(t.Files[name])) {
			n++
			for _, b := range banned {
				if hit := b.re.FindString(line); hit != "" {
					found.add(name, n, "%q has no place here: %s", strings.TrimSpace(hit), b.do)
				}
			}
		}
	}
	return found
}

// skipPrefix begins the reason of each test that skips itself: what was skipped did not pass.
const skipPrefix = "NOT RUN: "

// skipReasons finds tests that skip themselves without saying why, or without saying that they did not run.
func skipReasons(t *Tree) []Finding {
	var found list
	for _, s := range t.Go {
		if s.File == nil || !s.Test {
			continue
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			switch name := sel.Sel.Name; {
			case name == "SkipNow", name == "Skip" && isTesting(sel.X) && len(call.Args) == 0:
				found.add(s.Path, s.Line(call.Pos()), "the test skips itself and does not say why: "+
					"give %s.Skip a reason with what to do", "t")
			case (name == "Skip" || name == "Skipf") && isTesting(sel.X) &&
				!strings.HasPrefix(firstText(call.Args[0]), skipPrefix):
				found.add(s.Path, s.Line(call.Pos()), "the reason of a skipped test does not begin with %q: "+
					"write it so, or let the test fail", skipPrefix)
			}
			return true
		})
	}
	return found
}

// firstText is the literal with which a sum of texts begins, or "".
func firstText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return firstText(e.X)
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err == nil {
			return text
		}
	}
	return ""
}

// isTesting tells whether an expression is what tests call their testing.TB.
func isTesting(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && (id.Name == "t" || id.Name == "b" || id.Name == "tb" || id.Name == "f")
}
