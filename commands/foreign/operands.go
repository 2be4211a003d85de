package foreign

import (
	"slices"
	"strconv"
	"strings"
)

// operands are what comes after the word.
type operands struct {
	word   string   // as it was typed, without its format
	format string   // of gdb's "x/8i": "8i"
	args   []string // as they were typed
	base   int      // of numbers without a prefix: 16 in WinDbg
}

// operand is an address of another debugger as it is here: a register, a number in the
// radix of that debugger or with a prefix, or a name.
func operand(text string, base int) string {
	if base == 16 {
		text = windowsOperand(text)
	}
	if r := register(text, ""); r != "" {
		return r
	}
	if i := strings.LastIndexAny(text, "+-"); i > 0 && i < len(text)-1 {
		from, by := operand(text[:i], base), number(text[i+1:], base)
		if from == "" || by == "" {
			return ""
		}
		return from + text[i:i+1] + by
	}
	text = strings.TrimPrefix(strings.TrimPrefix(text, "*"), "&")
	switch {
	case text == "" || strings.ContainsAny(text, "$()+-*[]'\"<>,|;!/= "):
		return ""
	case '0' <= text[0] && text[0] <= '9':
		return number(text, base)
	case strings.Contains(text, "`"):
		return ""
	}
	return text
}

// number is a number as it is here; "" for one whose prefix is not 0x.
func number(text string, base int) string {
	if n, err := strconv.Atoi(strings.TrimPrefix(text, "0n")); err == nil && strings.HasPrefix(text, "0n") && n >= 0 {
		return radix10(n) // WinDbg's
	}
	digits, prefixed := strings.CutPrefix(text, "0x")
	if base == 16 {
		digits = strings.ReplaceAll(digits, "`", "") // WinDbg's, between the halves of an address
	}
	if prefixed || base == 16 {
		if _, err := strconv.ParseUint(digits, 16, 64); err != nil {
			return ""
		}
		return "0x" + digits
	}
	n, err := strconv.Atoi(text)
	if err != nil || text[0] == '0' && n != 0 { // octal
		return ""
	}
	return radix10(n)
}

// register is "$rip" or "@rip" as it is here.
func register(text, verb string) string {
	name := strings.TrimLeft(text, "$@%")
	if name == text || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" ||
		'0' <= name[0] && name[0] <= '9' || name[0] == '_' {
		return ""
	}
	return "<" + name + verb
}

// radix10 writes a number so that it is read alike in every radix.
func radix10(n int) string {
	if n < 8 {
		return strconv.Itoa(n)
	}
	return "0t" + strconv.Itoa(n)
}

// examineLine is memory at a value.
func examineLine(o operands) (string, []string) {
	if line := windowsSymbols(o); line != "" {
		return line, nil
	}
	if l, ok := lldbExamine(o); ok {
		o = l
	}
	o = goExamine(o)
	line := "::examine"
	if o.format != "" {
		line += " " + quoted(o.format)
	}
	if len(o.args) == 0 { // what follows the last memory shown
		return line, nil
	}
	return "::print -- " + quoted(strings.Join(o.args, " ")) + " | " + line, nil
}

// goExamine has delve's "-fmt hex -count 4 -size 8 ADDRESS" in the form of gdb's "/4xg".
func goExamine(o operands) operands {
	letters := map[string]string{"hex": "x", "oct": "o", "dec": "d", "int": "d", "uint": "u", "addr": "a",
		"-size 1": "b", "-size 2": "h", "-size 4": "w", "-size 8": "g"}
	count, form := "", ""
	args := o.args
	for len(args) > 2 && (args[0] == "-fmt" || args[0] == "-count" || args[0] == "-len" || args[0] == "-size") {
		switch args[0] {
		case "-fmt":
			form += letters[args[1]]
		case "-size":
			form += letters["-size "+args[1]]
		default:
			count = args[1]
		}
		args = args[2:]
	}
	if args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "-x" }); o.format == "" {
		o.format = count + form
	}
	o.args = args
	return o
}

// typeNameOf is the type or the value that an operand names, without lldb's options and WinDbg's module.
func typeNameOf(o operands) (text string, left []string) {
	var words []string
	for _, a := range o.args {
		if strings.HasPrefix(a, "/") || strings.HasPrefix(a, "-") && len(a) == 2 && len(words) == 0 {
			left = append(left, a)
			continue
		}
		if _, name, ok := strings.Cut(a, "!"); ok && isWindows(o.word) {
			a = name
		}
		words = append(words, a)
	}
	return strings.Join(words, " "), left
}

// membersLine lists the members of a type, or of the type of a value.
func membersLine(o operands) (string, []string) {
	text, left := typeNameOf(o)
	if text == "" {
		return "", nil
	}
	return "::print -m " + quoted(text), slices.DeleteFunc(left, isFormat)
}

// typesLine lists types whose names match.
func typesLine(o operands) (string, []string) {
	if len(o.args) == 0 {
		return "::types", nil
	}
	return "::types " + quoted(o.args[0]), o.args[1:]
}

// vtableLine shows the virtual functions of an object.
func vtableLine(o operands) (string, []string) {
	text := strings.Join(o.args, " ")
	if text == "" {
		return "", nil
	}
	return "::vtable " + quoted(text), nil
}

// sumOf is a number, or a sum of numbers and registers, as it is here; "" for other texts.
func sumOf(text string) string {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == '+' || r == '-' }) {
		if register(part, "") == "" && number(part, 10) == "" {
			return ""
		}
	}
	return operand(text, 10)
}

// isWindows reports whether a word is WinDbg's alone: its numbers are hexadecimal.
func isWindows(word string) bool {
	switch word {
	case "k", "kb", "kp", "kn", "kv", "kc", "u", "uf", "ln", "dd", "dq", "dw", "db", "da", "du", "dps", "dqs", "dds",
		"dp", ".frame", "dv", "dt", "lm", "??":
		return true
	}
	return strings.HasPrefix(word, "!") || strings.HasPrefix(word, "~")
}

// begins reports whether each typed word is the beginning of its word. The first one has to be typed in full.
func begins(words, typed []string) bool {
	if len(words) != len(typed) || words[0] != typed[0] {
		return false
	}
	for i := range words {
		if !strings.HasPrefix(words[i], typed[i]) {
			return false
		}
	}
	return true
}

// Split separates spellings.
func Split(words string) []string { return strings.Split(words, ", ") }
