package scenarios

import (
	"fmt"
	"strconv"
	"strings"

	model "github.com/samecycle/samecycle/model/hopscotch"
)

// textPrefix begins the name of a program that is no scenario: the name is the program, so a token
// of it needs nothing else. Operations of one actor are joined by +, actors by |, standing elements
// (half, key, value, offset) follow a semicolon: history:add.1.11+get.1|delete.1;0.1.5.0
const textPrefix = "history:"

// maxTextOps bounds the operations of a program by text.
const maxTextOps = 16

// programText is the name of a program by text.
func programText(p model.Program) string {
	var actors, memory []string
	for _, ops := range p.Ops {
		var own []string
		for _, x := range ops {
			text := fmt.Sprintf("%v.%d", x.Op, x.K)
			if x.V != 0 {
				text += fmt.Sprintf(".%d", x.V)
			}
			own = append(own, text)
		}
		actors = append(actors, strings.Join(own, "+"))
	}
	for _, x := range p.Memory {
		memory = append(memory, fmt.Sprintf("%d.%d.%d.%d", x.H, x.K, x.V, x.O))
	}
	return textPrefix + strings.Join(actors, "|") + ";" + strings.Join(memory, "+")
}

// parseText reads a name that programText has written, and false for any other.
func parseText(name string) (model.Program, bool) {
	p := model.Program{Name: name}
	text, ok := strings.CutPrefix(name, textPrefix)
	actors, memory, parts := strings.Cut(text, ";")
	if !ok || !parts {
		return p, false
	}
	for _, own := range strings.Split(actors, "|") {
		var ops []model.Op
		for _, x := range strings.Split(own, "+") {
			kind, numbers, _ := strings.Cut(x, ".")
			op := model.Op{}
			for k := model.OpAdd; k <= model.OpDiscard; k++ {
				if k.String() == kind {
					op.Op = k
				}
			}
			n := bytesOf(numbers)
			if op.Op == 0 || len(n) < 1 || len(n) > 2 {
				return p, false
			}
			if op.K = n[0]; len(n) == 2 {
				op.V = n[1]
			}
			ops = append(ops, op)
		}
		p.Ops = append(p.Ops, ops)
	}
	if memory != "" {
		for _, x := range strings.Split(memory, "+") {
			n := bytesOf(x)
			if len(n) != 4 {
				return p, false
			}
			p.Memory = append(p.Memory, model.Standing{H: n[0], K: n[1], V: n[2], O: n[3]})
		}
	}
	return p, programText(p) == name && countOps(p) <= maxTextOps
}

// bytesOf reads numbers between dots; nil if one is none.
func bytesOf(text string) []uint8 {
	var all []uint8
	for _, x := range strings.Split(text, ".") {
		n, err := strconv.ParseUint(x, 10, 8)
		if err != nil {
			return nil
		}
		all = append(all, uint8(n))
	}
	return all
}

func countOps(p model.Program) int {
	n := 0
	for _, ops := range p.Ops {
		n += len(ops)
	}
	return n
}
