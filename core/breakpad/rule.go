package breakpad

import (
	"bytes"
	"strconv"

	"coredbg/core"
	"coredbg/core/debugframe"
)

// maxTokens bounds a rule. Compilers write up to 10 tokens.
const maxTokens = 256

// rules writes what the rules of a record say: pairs of a register, which a colon ends, and an
// expression. Rules that make no sense are left out: then the caller's register is
// not known.
func (w *frameWriter) rules(text []byte) {
	var name []byte
	var tokens [][]byte
	flush := func() {
		if name != nil {
			w.rule(string(name), tokens)
		}
		tokens = tokens[:0]
	}
	for _, word := range bytes.Fields(text) {
		if at, ok := bytes.CutSuffix(word, []byte(":")); ok {
			flush()
			name = at
		} else if len(tokens) < maxTokens {
			tokens = append(tokens, word)
		}
	}
	flush()
}

// register returns the number of a register by its name in rules, which have a dollar on
// some processors; -1 for one that is not known.
func (w *frameWriter) register(name string) int {
	if len(name) > 0 && name[0] == '$' {
		name = name[1:]
	}
	if name == ".ra" {
		return w.RA()
	}
	if w.arch == core.ARM64 || w.arch == core.ARM {
		switch name {
		case "fp":
			return w.arch.FP
		case "lr":
			return w.arch.LR
		}
	}
	return w.arch.SlotOf(name)
}

// rule writes one rule: in a short form, where DWARF has one for it.
func (w *frameWriter) rule(name string, tokens [][]byte) {
	expr, ok := w.compile(tokens, name != ".cfa")
	if name == ".cfa" {
		if !ok {
			return
		}
		if reg, off, ok := w.sum(tokens); ok && off >= 0 {
			w.DefCFA(reg, uint64(off))
			return
		}
		w.DefCFAExpr(expr)
		return
	}
	reg := w.register(name)
	switch {
	case reg < 0:
	case !ok:
		w.Undefined(reg)
	case len(tokens) == 1 && w.register(string(tokens[0])) >= 0:
		w.Register(reg, w.register(string(tokens[0])))
	case len(tokens) == 4 && string(tokens[0]) == ".cfa" && string(tokens[3]) == "^" && distance(tokens[1:3]) != nil:
		w.Offset(reg, *distance(tokens[1:3]))
	default:
		w.Value(reg, expr)
	}
}

// sum returns the register and the number of "REG N +" or "REG N -", or of "REG".
func (w *frameWriter) sum(tokens [][]byte) (reg int, off int64, ok bool) {
	switch {
	case len(tokens) == 3 && distance(tokens[1:]) != nil:
		off = *distance(tokens[1:])
	case len(tokens) != 1:
		return 0, 0, false
	}
	reg = w.register(string(tokens[0]))
	return reg, off, reg >= 0
}

// distance returns the number that "N +" or "N -" adds; nil if it is another thing.
func distance(tokens [][]byte) *int64 {
	n, err := strconv.ParseInt(string(tokens[0]), 10, 64)
	switch {
	case err != nil:
		return nil
	case string(tokens[1]) == "+":
		return &n
	case string(tokens[1]) == "-":
		n = -n
		return &n
	}
	return nil
}

func integer(b []byte) bool {
	_, err := strconv.ParseInt(string(b), 10, 64)
	return err == nil
}

// binary are the operators of two operands; "@" rounds the first down to a multiple of the
// second, a power of two.
var binary = map[string][]byte{"+": {debugframe.OpPlus}, "-": {debugframe.OpMinus}, "*": {debugframe.OpMul},
	"/": {debugframe.OpDiv}, "%": {debugframe.OpMod}, "@": {debugframe.OpNeg, debugframe.OpAnd}}

// compile turns a postfix expression into one of DWARF. Where cfa is set, the stack begins
// with the CFA.
func (w *frameWriter) compile(tokens [][]byte, cfa bool) (expr []byte, ok bool) {
	depth := 0
	if cfa {
		depth = 1
	}
	bottom := depth
	for _, word := range tokens {
		text := string(word)
		op, two := binary[text]
		switch {
		case two:
			if depth-bottom < 2 {
				return nil, false
			}
			expr = append(expr, op...)
			depth--
		case text == "^":
			if depth-bottom < 1 {
				return nil, false
			}
			expr = append(expr, debugframe.OpDeref)
		case text == ".cfa":
			if !cfa {
				return nil, false
			}
			expr = append(expr, debugframe.OpPick, byte(depth-1))
			depth++
		case integer(word):
			n, _ := strconv.ParseInt(text, 10, 64)
			expr = debugframe.AppendSLEB(append(expr, debugframe.OpConsts), n)
			depth++
		default:
			reg := w.register(text)
			if reg < 0 || text == ".ra" {
				return nil, false
			}
			expr = append(append(expr, debugframe.OpBregx), byte(reg), 0)
			depth++
		}
		if depth > 60 {
			return nil, false
		}
	}
	return expr, depth == bottom+1
}
