package breakpad

import "bytes"

// A win is a STACK WIN with a program.
type win struct {
	addr, size uint64
	values     map[string][]byte // numbers of the frame that the record gives
	program    []byte
}

// win takes STACK WIN: type, address, size, sizes of prologue, epilogue, parameters,
// saved registers, locals and stack, and, after a mark, the program.
func (t *table) win(rest []byte) bool {
	f := bytes.SplitN(rest, []byte(" "), 11)
	if len(f) < 11 {
		return false
	}
	var n [9]uint64
	for i := range n {
		v, _, ok := hex(f[i])
		if !ok {
			return false
		}
		n[i] = v
	}
	const frameData = 4
	if n[0] != frameData || string(f[9]) != "1" {
		return true // frames without a program: the walk sees itself
	}
	number := func(v uint64) []byte { return []byte(decimal(v)) }
	t.wins = append(t.wins, win{addr: n[1], size: n[2], program: f[10], values: map[string][]byte{
		".cbParams": number(n[5]), ".cbSavedRegs": number(n[6]), ".cbLocals": number(n[7])}})
	return n[1]+n[2] >= n[1]
}

func decimal(v uint64) string {
	if v < 10 {
		return string(rune('0' + v))
	}
	return decimal(v/10) + string(rune('0'+v%10))
}

// write writes the frame description of a program: assignments "NAME EXPRESSION =". The expression
// assigned to esp is the CFA, and a name that was assigned before stands for its expression.
func (x *win) write(w *frameWriter, base uint64) {
	set := map[string][][]byte{}
	var tokens [][]byte
	words := bytes.Fields(x.program)
	if len(words) > maxTokens {
		return
	}
	for _, word := range words {
		if string(word) != "=" {
			if len(tokens) == 0 { // the name that is assigned to
				tokens = append(tokens, word)
				continue
			}
			switch known, ok := set[string(word)]; {
			case ok:
				tokens = append(tokens, known...)
			case x.values[string(word)] != nil:
				tokens = append(tokens, x.values[string(word)])
			default:
				tokens = append(tokens, word)
			}
			if len(tokens) > maxTokens {
				return
			}
			continue
		}
		if len(tokens) < 2 {
			return
		}
		set[string(tokens[0])] = tokens[1:]
		tokens = nil
	}
	cfa, ok1 := w.compile(set["$esp"], false)
	_, ok2 := w.compile(set["$eip"], true)
	if !ok1 || !ok2 {
		return
	}
	w.FDE(base+x.addr, x.size, func() {
		w.DefCFAExpr(cfa)
		w.rule(".ra", set["$eip"])
		for _, name := range []string{"$ebp", "$ebx", "$esi", "$edi"} {
			if rule := set[name]; rule != nil {
				w.rule(name, rule)
			}
		}
	})
}
