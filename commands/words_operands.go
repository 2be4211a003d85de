package commands

import (
	"strconv"
	"strings"
)

// examine is gdb's "x/FMT ADDRESS": a count, a letter of form and one of size, which may
// be left out and come in either order.
func examine(format, address string) string {
	letters := strings.TrimLeft(format, "0123456789")
	n := 1
	if digits := format[:len(format)-len(letters)]; digits != "" {
		var err error
		if n, err = strconv.Atoi(digits); err != nil || n == 0 {
			return ""
		}
	}
	at, count := operand(address, 10), ""
	if n > 1 {
		count = "," + radix10(n)
	}
	form, size := byte('x'), byte('w')
	for i := range len(letters) {
		switch c := letters[i]; c {
		case 'x', 'd', 'u', 'o', 's', 'i', 'a', 'c':
			form = c
		case 'b', 'h', 'w', 'g':
			size = c
		default:
			return ""
		}
	}
	letter, ok := formats[form][size]
	if form == 'i' || form == 's' || form == 'a' || form == 'c' {
		letter, ok = map[byte]string{'i': "i", 's': "s", 'a': "p", 'c': "c"}[form], true
	}
	if at == "" || !ok {
		return ""
	}
	return at + count + "/" + letter
}

// formats are the letters here by gdb's letters for the form and the size.
var formats = map[byte]map[byte]string{
	'x': {'b': "B", 'h': "x", 'w': "X", 'g': "J"},
	'd': {'b': "v", 'h': "d", 'w': "D", 'g': "e"},
	'u': {'b': "V", 'h': "u", 'w': "U", 'g': "E"},
	'o': {'b': "b", 'h': "o", 'w': "O", 'g': "G"},
}

// operand is an address of another debugger as it is here: a register, a number in the
// radix of that debugger or with a prefix, or a name.
func operand(text string, base int) string {
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
	if name == text || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || '0' <= name[0] && name[0] <= '9' || name[0] == '_' {
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

// FileLine splits "FILE:LINE"; ok is false for other texts. The file may be "": that is the one of the current frame.
func FileLine(text string) (file string, line int, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 || i > 0 && text[i-1] == ':' {
		return "", 0, false
	}
	line, err := strconv.Atoi(text[i+1:])
	return text[:i], line, err == nil && line > 0
}
