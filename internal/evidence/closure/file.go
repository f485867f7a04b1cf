package closure

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"hash"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// file is one file, hashed.
type file struct {
	whole  string                       // all of it
	common string                       // without the rows of states
	rows   map[string]map[string]string // state -> field -> hash of that field of its rows; "": what is none

	syntax *ast.File
	tokens *token.File
	text   []byte
}

// span is a part of a file, by offsets.
type span struct {
	from, to     int
	state, field string
}

// reState is the identifier of a state at the beginning of a name.
var reState = regexp.MustCompile(`^([A-Z]\d\d[A-Z][A-Za-z0-9]*)(?:_.*)?$`)

// parse hashes a Go file by its tokens.
func parse(name string, text []byte) (*file, error) {
	set := token.NewFileSet()
	syntax, err := parser.ParseFile(set, name, text, 0)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrClosure, err)
	}
	f := &file{rows: map[string]map[string]string{}, syntax: syntax, text: text}
	f.tokens = set.File(syntax.Pos())
	spans := rows(syntax, f.tokens)
	whole, common, own := sha256.New(), sha256.New(), map[span]hash.Hash{}
	tokens(text, func(offset int, tok, literal string) {
		write(whole, tok, literal)
		for _, s := range spans {
			if offset >= s.from && offset < s.to {
				s.from, s.to = 0, 0
				if own[s] == nil {
					own[s] = sha256.New()
				}
				write(own[s], tok, literal)
				return
			}
		}
		write(common, tok, literal)
	})
	f.whole, f.common = short(whole), short(common)
	for s, h := range own {
		if f.rows[s.state] == nil {
			f.rows[s.state] = map[string]string{}
		}
		f.rows[s.state][s.field] = short(h)
	}
	return f, nil
}

func short(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:8]) }

// rows are the elements of composite literals that belong to a state.
func rows(syntax *ast.File, at *token.File) []span {
	var all []span
	ast.Inspect(syntax, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		for _, e := range literal.Elts {
			m := reState.FindStringSubmatch(firstString(e))
			if m == nil {
				continue
			}
			all = append(all, fields(e, at, m[1])...)
			all = append(all, span{at.Offset(e.Pos()), at.Offset(e.End()), m[1], ""})
		}
		return true
	})
	return all
}

// fields are those of a row of the state that is a struct with their names.
func fields(row ast.Expr, at *token.File, state string) []span {
	literal, ok := row.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	var all []span
	for _, e := range literal.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if name, ok := pair.Key.(*ast.Ident); ok {
			all = append(all, span{at.Offset(e.Pos()), at.Offset(e.End()), state, name.Name})
		}
	}
	return all
}

// row is the hash of the rows of a state without some of their fields, empty if there is nothing else.
func (f *file) row(state string, without []string) string {
	var parts []string
	for field, hash := range f.rows[state] {
		if !slices.Contains(without, field) {
			parts = append(parts, field+" "+hash)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	slices.Sort(parts)
	return digest(strings.Join(parts, " "))
}

// firstString is the first string literal of an expression.
func firstString(e ast.Expr) string {
	text, found := "", false
	ast.Inspect(e, func(n ast.Node) bool {
		if b, ok := n.(*ast.BasicLit); ok && !found && b.Kind == token.STRING {
			text, _ = strconv.Unquote(b.Value)
			found = true
		}
		return !found
	})
	return text
}

// tokens calls f with each token of a file, comments left out but for directives.
func tokens(text []byte, f func(offset int, tok, literal string)) {
	set := token.NewFileSet()
	at := set.AddFile("", set.Base(), len(text))
	var s scanner.Scanner
	s.Init(at, text, nil, scanner.ScanComments) // the parser has accepted it
	for {
		pos, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return
		case tok == token.COMMENT && !strings.HasPrefix(literal, "//go:"):
			continue
		case tok == token.SEMICOLON:
			literal = "" // it may stand for the end of a line
		}
		f(at.Offset(pos), tok.String(), literal)
	}
}

// part is the hash of a part of the file.
func (f *file) part(n ast.Node) string {
	h := sha256.New()
	text := f.text[f.tokens.Offset(n.Pos()):f.tokens.Offset(n.End())]
	tokens(text, func(offset int, tok, literal string) {
		if offset < len(text) { // what stands for the end of the last line is behind it
			write(h, tok, literal)
		}
	})
	return short(h)
}

// reComments are comments of assembly, and what is no comment though it may look like one: literals.
var reComments = regexp.MustCompile("(?s)\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*'|//[^\n]*|/\\*.*?\\*/")

// withoutComments is the text of assembly by its lines, without comments and what stands around them.
func withoutComments(text string) string {
	text = reComments.ReplaceAllStringFunc(text, func(s string) string {
		if strings.HasPrefix(s, "/") {
			return " "
		}
		return s
	})
	var lines []string
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return strings.Join(lines, "\n")
}
