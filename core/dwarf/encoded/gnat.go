// Package encoded decodes names that compilers have encoded for linkers, for languages whose names in DWARF are
// the linker's: Ada by GNAT (gnat.go) and Nim (nim.go).
package encoded

import (
	"strconv"
	"strings"
	"unicode"
)

// GNAT decodes a name that GNAT has encoded (GCC's exp_dbug.ads): "pkg__count" is pkg.count, and "QU41" is
// the literal 'A'. Letters of identifiers are in lower case there; made is set if a name has others that stand for
// nothing in the source, as the name of a bound or a tag that the compiler made.
func GNAT(name string) (text string, made bool) {
	name = strings.TrimPrefix(name, "_ada_")
	parts := strings.Split(name, "__")
	if n := len(parts); n > 1 && strings.Trim(parts[n-1], "0123456789") == "" {
		parts = parts[:n-1] // the number of an overloaded name
	}
	for i, part := range parts {
		text, ok := gnatPart(part)
		if !ok {
			return strings.Join(parts, "."), true
		}
		parts[i] = text
	}
	return strings.Join(parts, "."), false
}

// gnatPart decodes one identifier, literal or operator.
func gnatPart(s string) (string, bool) {
	if op, ok := gnatOperators[s]; ok {
		return `"` + op + `"`, true
	}
	if rest, ok := strings.CutPrefix(s, "Q"); ok {
		r, left, ok := gnatCharacter(rest)
		if ok && left == "" {
			return "'" + string(r) + "'", true
		}
		return s, false
	}
	var b strings.Builder
	for s != "" {
		if s[0] == 'U' || s[0] == 'W' {
			r, left, ok := gnatCharacter(s)
			if !ok || !unicode.IsLetter(r) {
				return s, false
			}
			b.WriteRune(r)
			s = left
			continue
		}
		if s[0] >= 'A' && s[0] <= 'Z' {
			return s, false
		}
		b.WriteByte(s[0])
		s = s[1:]
	}
	return b.String(), true
}

// gnatCharacter decodes Uhh, Whhhh or WWhhhhhhhh.
func gnatCharacter(s string) (r rune, left string, ok bool) {
	for _, form := range []struct {
		prefix string
		digits int
	}{{"WW", 8}, {"W", 4}, {"U", 2}} {
		rest, is := strings.CutPrefix(s, form.prefix)
		if !is || len(rest) < form.digits {
			continue
		}
		n, err := strconv.ParseUint(rest[:form.digits], 16, 32)
		if err != nil || n > unicode.MaxRune || strings.ToLower(rest[:form.digits]) != rest[:form.digits] {
			continue
		}
		return rune(n), rest[form.digits:], true
	}
	return 0, s, false
}

// gnatOperators are the names of operators.
var gnatOperators = map[string]string{"Oabs": "abs", "Oand": "and", "Omod": "mod", "Onot": "not", "Oor": "or",
	"Orem": "rem", "Oxor": "xor", "Oeq": "=",
	"One": "/=", "Olt": "<", "Ole": "<=", "Ogt": ">", "Oge": ">=", "Oadd": "+", "Osubtract": "-", "Oconcat": "&",
	"Omultiply": "*", "Odivide": "/", "Oexpon": "**"}
