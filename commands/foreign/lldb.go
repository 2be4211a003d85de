package foreign

import (
	"slices"
	"strconv"
	"strings"

	"coredbg/commands/lang"
)

// lldbOptions splits operands into lldb's options with their values and the rest: "-s4", "-s 4" and "--size 4" are one.
// long are the long names of the letters.
func lldbOptions(args []string, long map[string]byte) (values map[byte]string, rest []string) {
	values = map[byte]string{}
	for i := 0; i < len(args); i++ {
		a := args[i]
		name, value, joined := strings.Cut(strings.TrimPrefix(a, "--"), "=")
		letter := long[name]
		switch {
		case strings.HasPrefix(a, "--") && letter != 0 && joined:
			values[letter] = value
			continue
		case strings.HasPrefix(a, "--") && letter != 0:
		case len(a) > 1 && a[0] == '-' && hasLetter(long, a[1]):
			if letter = a[1]; len(a) > 2 {
				values[letter] = a[2:]
				continue
			}
		default:
			rest = append(rest, a)
			continue
		}
		if i+1 < len(args) {
			i++
			values[letter] = args[i]
		}
	}
	return values, rest
}

func hasLetter(long map[string]byte, letter byte) bool {
	for _, l := range long {
		if l == letter {
			return true
		}
	}
	return false
}

// lldbMemory are the options of "memory read" that say a format.
var lldbMemory = map[string]byte{"size": 's', "format": 'f', "count": 'c'}

// delveMemory are delve's options for the same.
var delveMemory = []string{"-fmt", "-count", "-len", "-size"}

// lldbExamine has lldb's "-s 8 -f x -c 4 ADDRESS" in the form of gdb's "/4xg". It returns false without such options.
func lldbExamine(o operands) (operands, bool) {
	if slices.ContainsFunc(o.args, func(a string) bool { return slices.Contains(delveMemory, a) }) {
		return o, false
	}
	values, rest := lldbOptions(o.args, lldbMemory)
	if values['s'] == "" && values['f'] == "" || len(rest) == 0 {
		return o, false
	}
	format := values['c']
	if _, err := strconv.Atoi(format); err != nil {
		format = ""
	}
	switch f := values['f']; f {
	case "x", "d", "u", "o", "c", "f", "s", "i", "a":
		format += f
	case "hex":
		format += "x"
	case "A", "address", "pointer", "p":
		format += "a"
	case "c-string":
		format += "s"
	case "instruction":
		format += "i"
	default:
		format += "x"
	}
	o.format = format + map[string]string{"1": "b", "2": "h", "4": "w", "8": "g"}[values['s']]
	o.args = rest
	return o, true
}

// lldbSource is "source list -n FUNCTION" and "source list -f FILE -l LINE".
func lldbSource(o operands) (string, []string) {
	values, rest := lldbOptions(o.args, map[string]byte{"name": 'n', "file": 'f', "line": 'l', "count": 'c'})
	switch {
	case values['n'] != "":
		return sourceOrCode + " " + quoted(values['n']), rest
	case values['l'] != "":
		return "::source " + quoted(values['f']+":"+values['l']), rest
	}
	return sourceLine(operands{word: o.word, args: rest, base: o.base})
}

// countedCode is lldb's "di -s ADDRESS -c 5": 5 instructions. It returns "" without a count.
func countedCode(o operands) string {
	values, rest := lldbOptions(o.args, map[string]byte{"count": 'c', "start-address": 's', "name": 'n'})
	if n, err := strconv.ParseUint(values['c'], 10, 31); err != nil || n == 0 {
		return ""
	}
	at := "$pc"
	for _, x := range append(rest, values['n'], values['s']) {
		if x != "" && !strings.HasPrefix(x, "-") {
			at = x
		}
	}
	return "::print -- " + quoted(at) + " | ::examine " + values['c'] + "i"
}

// windowsRegisters are registers as WinDbg names them, without a sign.
var windowsRegisters = strings.Fields("rax rbx rcx rdx rsi rdi rbp rsp rip r8 r9 r10 r11 r12 r13 r14 r15 " +
	"eax ebx ecx edx esi edi ebp esp eip pc sp fp lr")

// windowsOperand has WinDbg's names of registers with a sign, and names without their module.
func windowsOperand(text string) string {
	if slices.Contains(windowsRegisters, text) {
		return "$" + text
	}
	if module, name, ok := strings.Cut(text, "!"); ok && module != "" && name != "" &&
		strings.Trim(module, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") == "" {
		return name
	}
	return text
}

// windowsSymbols is WinDbg's "x MODULE!NAME*": symbols by a pattern. It returns "" for other operands.
func windowsSymbols(o operands) string {
	if len(o.args) != 1 || o.format != "" || !strings.Contains(o.args[0], "!") {
		return ""
	}
	name := windowsOperand(o.args[0])
	if name == o.args[0] || !isName(strings.ReplaceAll(name, "*", "")) {
		return ""
	}
	return "::nm -C -r " + lang.Quote("^"+strings.ReplaceAll(name, "*", ".*")+"$")
}

// windowsRegistersLine is WinDbg's "r rax,rbx".
func windowsRegistersLine(o operands) (string, []string) {
	if len(o.args) == 0 {
		return "::regs", nil
	}
	return registersLine(operands{args: strings.FieldsFunc(strings.Join(o.args, ","),
		func(r rune) bool { return r == ',' || r == ' ' })})
}
