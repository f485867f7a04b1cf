package rivals

import (
	"fmt"
	"strconv"
	"strings"
)

// An Operand is register + constant, or the constant alone if Register is -1. As an address it
// names a cell.
type Operand struct {
	Register int    `json:"r"`
	Constant uint64 `json:"i"`
}

// An Instruction is one step of a thread. Load, Store, Swap, CAS and Add access the cell A; the
// others touch registers only.
//
//	load  d [a]       d = cell
//	store [a] b       cell = b
//	cas   d [a] b c   d = cell; if d = b, the cell becomes c: one access
//	add   d [a] b     d = cell; the cell becomes d + b: one access
//	let   d a         d = a
//	sub   d a b       d = a - b
//	jeq, jne, jlt a b label
//	jmp   label
//	out   a           the thread puts out a
//	yield             the thread waits for another one
type Instruction struct {
	Op   string  `json:"op"`
	D    int     `json:"d"`
	A    Operand `json:"a"`
	B    Operand `json:"b"`
	C    Operand `json:"c"`
	Goto int     `json:"to"`

	op operation // of Op; the machine looks at no text
}

// An operation is what an instruction does.
type operation uint8

const (
	load operation = iota
	store
	cas
	add
	yield
	let
	sub
	out
	jmp
	jeq
	jne
	jlt
)

// Registers is how many registers a thread has.
const Registers = 8

// A form tells what an operation is followed by: d register, @ address, v value, l label.
type form struct {
	op       operation
	operands string
}

var forms = map[string]form{
	"load": {load, "d@"}, "store": {store, "@v"}, "cas": {cas, "d@vv"}, "add": {add, "d@v"},
	"let": {let, "dv"}, "sub": {sub, "dvv"}, "jeq": {jeq, "vvl"}, "jne": {jne, "vvl"},
	"jlt": {jlt, "vvl"}, "jmp": {jmp, "l"}, "out": {out, "v"}, "yield": {yield, ""},
}

// Assemble turns text into instructions: one a line, "label:" alone on a line. With observed, each
// value that an access returns is put out, so that an outcome holds everything a thread saw.
func Assemble(text string, observed bool) ([]Instruction, error) {
	code := []Instruction{}
	labels := map[string]int{}
	type jump struct {
		at    int
		label string
	}
	var jumps []jump
	for n, line := range strings.Split(text, "\n") {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if l, ok := strings.CutSuffix(f[0], ":"); ok {
			labels[l] = len(code)
			continue
		}
		in := Instruction{Op: f[0]}
		form, ok := forms[f[0]]
		if !ok || len(f) != len(form.operands)+1 {
			return nil, fmt.Errorf("line %d: %q is no instruction", n+1, strings.TrimSpace(line))
		}
		in.op = form.op
		if strings.HasSuffix(form.operands, "l") {
			jumps = append(jumps, jump{len(code), f[len(f)-1]})
		}
		if err := in.operands(strings.Replace(form.operands, "@", "v", 1), f[1:]); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		code = append(code, in)
		if observed && strings.HasPrefix(form.operands, "d@") {
			code = append(code, Instruction{Op: "out", op: out, A: Operand{Register: in.D}})
		}
	}
	for _, j := range jumps {
		at, ok := labels[j.label]
		if !ok {
			return nil, fmt.Errorf("no label %q", j.label)
		}
		code[j.at].Goto = at
	}
	return code, nil
}

func (in *Instruction) operands(form string, f []string) error {
	values := []*Operand{&in.A, &in.B, &in.C}
	for i, c := range form {
		switch c {
		case 'd':
			o, err := parseOperand(f[i])
			if err != nil || o.Register < 0 || o.Constant != 0 {
				return fmt.Errorf("%q is no register", f[i])
			}
			in.D = o.Register
		case 'v':
			o, err := parseOperand(strings.Trim(f[i], "[]"))
			if err != nil {
				return err
			}
			*values[0], values = o, values[1:]
		}
	}
	return nil
}

func parseOperand(s string) (Operand, error) {
	o := Operand{Register: -1}
	for part := range strings.SplitSeq(s, "+") {
		digits, isRegister := strings.CutPrefix(part, "r")
		n, err := strconv.ParseUint(digits, 10, 32)
		switch {
		case err != nil || isRegister && (n >= Registers || o.Register >= 0):
			return o, fmt.Errorf("%q is no operand: want 3, r1 or r1+3", s)
		case isRegister:
			o.Register = int(n)
		default:
			o.Constant += n
		}
	}
	return o, nil
}
